/** Documents on their way through a tree of aggregators, with the buckets that they fell into. */
import type { ScriptRun } from '../script/script-run.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import type { Leaf } from '../segment/leaf.ts'
import { NO_INTS } from './columns.ts'

/**
 * Documents of one leaf with the bucket of each: pairs, in ascending order of documents. A document
 * is repeated for each of its buckets. Where these pairs come in two batches, nested objects of the
 * document do, so that the second batch begins with lower documents than the first ended with. One
 * object is refilled for each batch: an aggregator keeps no
 * reference to it.
 */
export interface BucketBatch {
  readonly leaf: Leaf
  readonly leafOrd: number
  /** Number of pairs, at most `BATCH_DOCS`. */
  readonly count: number
  /** First of the documents where they are consecutive; −1: they may not be. */
  readonly run: number
  readonly docs: Int32Array
  /** Address of the documents in the leaf's arena; 0: they lie elsewhere, or are a run. */
  readonly docsAt: number
  /** The owning bucket of each document; null: all fell into bucket 0. */
  readonly owners: Int32Array | null
  /** Address of the owning buckets; 0: they lie elsewhere. */
  readonly ownersAt: number
  /** Null when no aggregation reads scores. */
  readonly scores: Float32Array | null
  /** The weight of each document in counts, its `_doc_count`; null: 1 each. */
  readonly weights: Float64Array | null
  /** Limits of the executions of scripts. */
  readonly scripts: ScriptRun
}

/** A consumer of batches. */
export interface BatchTarget {
  collect(batch: BucketBatch): void
}

/** Collects pairs for the children of an aggregator and hands them over in full batches. */
export class ChildBatch implements BucketBatch {
  count = 0
  readonly run = -1
  readonly docsAt = 0
  readonly ownersAt = 0
  docs: Int32Array = NO_INTS
  owners: Int32Array = NO_INTS
  scores: Float32Array | null = null
  weights: Float64Array | null = null
  readonly #children: readonly BatchTarget[]
  #from: BucketBatch | null = null
  #leaf: Leaf | null = null
  leafOrd = -1

  constructor(children: readonly BatchTarget[]) {
    this.#children = children
  }

  get leaf(): Leaf {
    return this.#leaf!
  }

  get scripts(): ScriptRun {
    return this.#from!.scripts
  }

  /**
   * Begins with the documents of another batch; `flush` ends it.
   * @param hasWeights whether documents have weights: those of the batch, or others in their place
   */
  begin(from: BucketBatch, hasWeights: boolean = from.weights !== null): void {
    if (this.docs.length === 0) {
      this.docs = new Int32Array(BATCH_DOCS)
      this.owners = new Int32Array(BATCH_DOCS)
    }
    this.#from = from
    this.#leaf = from.leaf
    this.leafOrd = from.leafOrd
    this.scores = from.scores === null ? null : (this.scores ?? new Float32Array(BATCH_DOCS))
    this.weights = hasWeights ? (this.weights ?? new Float64Array(BATCH_DOCS)) : null
  }

  /** Adds the document at an index of the batch begun with. */
  add(index: number, bucket: number): void {
    const from = this.#from!
    this.addDoc(from.docs[index]!, index, bucket, from.weights === null ? 1 : from.weights[index]!)
  }

  /** The same for another document, with the score of the one at the index. */
  addDoc(doc: number, index: number, bucket: number, weight: number): void {
    const at = this.count
    this.docs[at] = doc
    this.owners[at] = bucket
    if (this.scores !== null) this.scores[at] = this.#from!.scores![index]!
    if (this.weights !== null) this.weights[at] = weight
    this.count = at + 1
    if (at + 1 === BATCH_DOCS) this.flush()
  }

  /** Hands over a batch as it is. */
  hand(batch: BucketBatch): void {
    for (const child of this.#children) child.collect(batch)
  }

  /** Hands over what was added. */
  flush(): void {
    if (this.count === 0) return
    this.hand(this)
    this.count = 0
  }
}
