import type { Leaf } from '../../segment/leaf.ts'
import { NO_BOUND, type Scorer } from '../scorer/scorer.ts'
import type { SliceHit } from './collect-spec.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'
import type { TopCollector } from './top-collector.ts'

/** Keeps the best hits of each sub-query of a hybrid query; a match of several counts once. */
export class HybridCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #scores: Float32Array
  readonly #tops: readonly TopCollector[]
  #leaves: readonly LeafCollector[] = []
  #scorer: Scorer | null = null

  /**
   * @param scores of the sub-queries, which the scorer fills with each match: NaN where one does not match
   * @param tops   one for each sub-query, counting nothing
   */
  constructor(scores: Float32Array, tops: readonly TopCollector[], state: SliceState) {
    this.#scores = scores
    this.#tops = tops
    this.#state = state
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#leaves = this.#tops.map(top => top.openLeaf(leaf, leafOrd))
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#scorer = scorer
    for (const [i, leaf] of this.#leaves.entries())
      leaf.setScorer(new ListedScore(scorer, this.#scores, i))
  }

  collect(docId: number): void {
    this.#state.count()
    this.#scorer!.score()
    for (let i = 0; i < this.#leaves.length; i++)
      if (!Number.isNaN(this.#scores[i]!)) this.#leaves[i]!.collect(docId)
  }

  /** The kept hits of each sub-query. */
  lists(): readonly (readonly SliceHit[])[] {
    return this.#tops.map(top => top.hits())
  }
}

/** The score of one sub-query, as its collector reads it of the current match. */
class ListedScore implements Scorer {
  readonly #scorer: Scorer
  readonly #scores: Float32Array
  readonly #list: number

  constructor(scorer: Scorer, scores: Float32Array, list: number) {
    this.#scorer = scorer
    this.#scores = scores
    this.#list = list
  }

  docId(): number {
    return this.#scorer.docId()
  }

  iterator(): ReturnType<Scorer['iterator']> {
    return null
  }

  twoPhase(): ReturnType<Scorer['twoPhase']> {
    return null
  }

  score(): number {
    return this.#scores[this.#list]!
  }

  shallowAdvance(target: number): number {
    return target
  }

  maxScore(_upTo: number): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {}
}
