import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { Collector, LeafCollector } from './collector.ts'
import { BATCH_DOCS, MatchBatch, type SliceGather } from './gather.ts'
import { CachedScore } from './wrapping-collectors.ts'

/** Hands matches to gathers in batches, and each match to an inner collector at once. */
export class GatheringCollector implements Collector, LeafCollector {
  readonly #inner: Collector
  readonly #gathers: readonly SliceGather<unknown>[]
  readonly #batch = new MatchBatch()
  readonly #scores: Float32Array | null
  #docs: Int32Array = new Int32Array(0)
  #leaf: LeafCollector | null = null
  #scorer: Scorer | null = null
  #isWhole = false

  /** @param needsScores whether some gather reads the score of every match */
  constructor(inner: Collector, gathers: readonly SliceGather<unknown>[], needsScores: boolean) {
    this.#inner = inner
    this.#gathers = gathers
    this.#scores = needsScores ? new Float32Array(BATCH_DOCS) : null
  }

  /** Called before the leaf of a part is opened. @param isWhole whether the part is all of the leaf */
  beginPart(isWhole: boolean): void {
    this.#isWhole = isWhole
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    for (const gather of this.#gathers) gather.openLeaf(leaf, leafOrd, this.#isWhole)
    this.#docs = this.#batch.list(leaf, leafOrd)
    this.#batch.count = 0
    this.#batch.scores = this.#scores
    this.#leaf = this.#inner.openLeaf(leaf, leafOrd)
    return this
  }

  setScorer(scorer: Scorer): void {
    // The inner collector reads the same score again.
    this.#scorer = this.#scores === null ? scorer : new CachedScore(scorer)
    this.#leaf!.setScorer(this.#scorer)
  }

  collect(docId: number): void {
    const at = this.#batch.count++
    this.#docs[at] = docId
    if (this.#scores !== null) this.#scores[at] = this.#scorer!.score()
    this.#leaf!.collect(docId)
    if (at + 1 === BATCH_DOCS) this.#flush()
  }

  /** Hands over the documents since the last batch; called at the end of each part. */
  closeLeaf(): void {
    this.#flush()
    for (const gather of this.#gathers) gather.closeLeaf()
  }

  #flush(): void {
    if (this.#batch.count === 0) return
    this.#batch.close(this.#batch.count)
    for (const gather of this.#gathers) gather.collect(this.#batch)
    this.#batch.count = 0
  }
}
