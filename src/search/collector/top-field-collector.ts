import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { OpenNestedDocs } from '../sort/nested-docs.ts'
import type { AfterValue, SortKey } from '../sort/sort-key.ts'
import { SortLevels } from '../sort/sort-levels.ts'
import type { SliceHit } from './collect-spec.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'
import { MatchScore } from './match-score.ts'
import { SlotHeaps } from './slot-heaps.ts'

/**
 * Keeps the first k matches in sort order, ties by lowest document. Matches not after `searchAfter`
 * are counted and not kept.
 */
export class TopFieldCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #levels: SortLevels
  readonly #openNested: OpenNestedDocs
  readonly #hasAfter: boolean
  readonly #needsScore: boolean
  readonly #heaps: SlotHeaps
  #docBase = 0
  readonly #score = new MatchScore()
  #maxScore = Number.NaN
  /** Some match of the current leaf was not competitive. */
  hasPassedOver = false

  /**
   * @param capacity k, min 1
   * @param needsScore hits carry scores, and the max score of all matches is tracked
   */
  constructor(
    capacity: number,
    keys: readonly SortKey[],
    searchAfter: readonly AfterValue[] | null,
    needsScore: boolean,
    state: SliceState,
    openNested: OpenNestedDocs,
    scripts: ScriptRun,
  ) {
    this.#openNested = openNested
    this.#levels = new SortLevels(keys, capacity, searchAfter, scripts)
    this.#hasAfter = searchAfter !== null
    this.#needsScore = needsScore
    this.#heaps = new SlotHeaps(1, capacity, this.#levels)
    this.#state = state
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#docBase = leaf.docBase
    this.hasPassedOver = false
    this.#levels.openLeaf(leaf, leafOrd, this.#openNested)
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#score.setScorer(scorer)
    this.#levels.setScorer(this.#score)
  }

  collect(docId: number): void {
    this.#state.count()
    this.#score.next()
    let score = Number.NaN
    if (this.#needsScore) {
      score = this.#score.score()
      if (!(score <= this.#maxScore)) this.#maxScore = score
    }
    this.#levels.load(docId)
    if (this.#hasAfter && !this.#levels.isAfter()) return
    if (!this.#heaps.offer(0, docId + this.#docBase, score)) this.hasPassedOver = true
  }

  /** Max score of all matches; NaN when scores were not asked for. */
  maxScore(): number {
    return this.#maxScore
  }

  /** Later matches with this score or a lower one change no hit; −1: any may. */
  floor(): number {
    return -1
  }

  /** The kept hits in sort order. */
  hits(): SliceHit[] {
    return this.#heaps.hits(0)
  }
}
