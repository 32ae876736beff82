import type { ScriptRun } from '../../script/script-run.ts'
import { BATCH_DOCS, type MatchBatch } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BatchTarget, BucketBatch } from '../bucket-batch.ts'
import type { DocCounts } from '../doc-counts.ts'

/** Documents of one leaf with the buckets that sampled them: pairs, ascending by document, then bucket. */
export interface LeafSample {
  readonly docs: Int32Array
  /** The whole document of each, which is another one where it is a nested one. */
  readonly wholes: Int32Array
  readonly buckets: Int32Array
  readonly scores: Float32Array
}

/** The documents of a shard's samples: plain data. */
export interface SampledDocs {
  /** How many buckets have sampled. */
  readonly bucketCount: number
  /** By ord. */
  readonly leaves: readonly LeafSample[]
}

/** Hands the documents of samples to the children of the aggregation that chose them. */
export class Replay implements BucketBatch {
  count = 0
  readonly run = -1
  readonly docsAt = 0
  readonly ownersAt = 0
  readonly docs: Int32Array = new Int32Array(BATCH_DOCS)
  readonly owners: Int32Array = new Int32Array(BATCH_DOCS)
  readonly scores: Float32Array = new Float32Array(BATCH_DOCS)
  weights: Float64Array | null = null
  leafOrd = -1
  readonly scripts: ScriptRun
  #leaf: Leaf | null = null
  readonly #leaves: readonly LeafSample[]
  readonly #targets: readonly BatchTarget[]

  constructor({ leaves }: SampledDocs, targets: readonly BatchTarget[], scripts: ScriptRun) {
    this.scripts = scripts
    this.#leaves = leaves
    this.#targets = targets
  }

  get leaf(): Leaf {
    return this.#leaf!
  }

  /** Takes the whole documents of some sampled ones, ascending. @param counts weights of documents; null: 1 each */
  collect(batch: MatchBatch, counts: DocCounts | null): void {
    this.#leaf = batch.leaf
    this.leafOrd = batch.leafOrd
    const { docs, wholes, buckets, scores } = this.#leaves[batch.leafOrd]!
    const found = batch.docs()
    this.weights =
      counts?.isPresent === true ? (this.weights ?? new Float64Array(BATCH_DOCS)) : null
    let at = firstAtOrAbove(wholes, found[0]!)
    for (let i = 0; i < batch.count; i++) {
      const whole = found[i]!
      while (at < docs.length && wholes[at]! < whole) at++
      for (; at < docs.length && wholes[at] === whole; at++)
        this.#add(docs[at]!, buckets[at]!, scores[at]!, counts)
    }
    this.#flush()
  }

  #add(doc: number, bucket: number, score: number, counts: DocCounts | null): void {
    const at = this.count
    this.docs[at] = doc
    this.owners[at] = bucket
    this.scores[at] = score
    if (this.weights !== null) this.weights[at] = counts!.at(doc)
    this.count = at + 1
    if (at + 1 === BATCH_DOCS) this.#flush()
  }

  #flush(): void {
    if (this.count === 0) return
    for (const target of this.#targets) target.collect(this)
    this.count = 0
  }
}

function firstAtOrAbove(docs: Int32Array, doc: number): number {
  let from = 0
  let to = docs.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (docs[middle]! < doc) from = middle + 1
    else to = middle
  }
  return from
}
