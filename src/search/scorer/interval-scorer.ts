import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { type Intervals, NO_MORE_INTERVALS } from './interval/intervals.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import type { Watch } from './watch.ts'

/** Documents with an interval; the more and the closer, the nearer the score comes to the weight. */
export class IntervalScorer implements Scorer {
  readonly #lead: DocIdIterator
  readonly #others: readonly DocIdIterator[]
  readonly #intervals: Intervals
  readonly #minWidth: number
  readonly #weight: number
  readonly #watch: Watch
  readonly #twoPhase: TwoPhase
  #freq = 0
  #isOver = false

  /**
   * @param conditions min one: documents with an interval have all of them; not shared
   * @param minWidth   the least width of an interval
   */
  constructor(
    conditions: readonly DocIdIterator[],
    intervals: Intervals,
    minWidth: number,
    weight: number,
    watch: Watch,
  ) {
    const byCost = [...conditions].sort((a, b) => a.cost() - b.cost())
    const lead = byCost[0]!
    this.#lead = lead
    this.#others = byCost.slice(1)
    this.#intervals = intervals
    this.#minWidth = minWidth
    this.#weight = weight
    this.#watch = watch
    const approximation: DocIdIterator = {
      docId: () => lead.docId(),
      nextDoc: () => this.#agree(lead.nextDoc()),
      advance: target => this.#agree(lead.advance(target)),
      cost: () => lead.cost(),
    }
    this.#twoPhase = {
      approximation,
      matches: () => this.#matches(),
      matchCost: () => 64 * conditions.length,
    }
  }

  #agree(candidate: number): number {
    let doc = candidate
    search: while (doc !== NO_MORE_DOCS) {
      for (const other of this.#others) {
        const at = other.docId() < doc ? other.advance(doc) : other.docId()
        if (at > doc) {
          doc = this.#lead.advance(at)
          this.#watch.spend(1)
          continue search
        }
      }
      return doc
    }
    return doc
  }

  #matches(): boolean {
    if (this.#isOver) return false
    const intervals = this.#intervals
    if (!intervals.open(this.#lead.docId())) return false
    let freq = 0
    while (intervals.next() !== NO_MORE_INTERVALS) {
      const width = intervals.end - intervals.start + 1
      freq = Math.fround(freq + 1 / Math.max(1, 1 + width - this.#minWidth))
    }
    this.#freq = freq
    return freq > 0
  }

  docId(): number {
    return this.#lead.docId()
  }

  iterator(): DocIdIterator | null {
    return null
  }

  twoPhase(): TwoPhase {
    return this.#twoPhase
  }

  /** The frequency in the current document, float32; only on a match. */
  freq(): number {
    return this.#freq
  }

  score(): number {
    const rest = Math.fround(1 / Math.fround(1 + this.#freq))
    return Math.fround(this.#weight * Math.fround(1 - rest))
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return this.#weight
  }

  setMinCompetitiveScore(score: number): void {
    if (score > this.#weight) this.#isOver = true
  }
}
