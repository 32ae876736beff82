import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import { isPast, type Scorer } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Score bounds of a disjunction's clauses over consecutive stretches of documents, and the division
 * into essential clauses and others: clauses at the front of `order` are not essential, since their
 * bounds sum to less than the competitive score, so they cannot make a hit alone.
 */
export class ClauseBounds {
  readonly #children: readonly Scorer[]
  readonly #watch: Watch
  readonly #minStretch: number
  /** Each clause's bound in the stretch. */
  readonly #maxima: Float64Array
  /** The competitive score at the last division. */
  #dividedAt = 0
  /** Clauses by ascending bound. */
  readonly order: Int32Array
  /** `sums[i]` is the sum of the first i + 1 bounds in `order`. */
  readonly sums: Float64Array
  /** Index in `order` of the first essential clause; the number of clauses if none is. */
  essential = 0
  /** Last document of the stretch, or `NO_MORE_DOCS`; −1 before the first. */
  stretchEnd = -1

  /** @param minStretch min documents for which reading all clauses' bounds pays */
  constructor(children: readonly Scorer[], minStretch: number, watch: Watch) {
    const count = children.length
    this.#children = children
    this.#watch = watch
    this.#minStretch = minStretch
    this.#maxima = new Float64Array(count)
    this.order = Int32Array.from({ length: count }, (_, i) => i)
    this.sums = new Float64Array(count)
  }

  /**
   * Makes the bounds valid at a document and the division valid for a competitive score.
   * @param docs current document of each clause
   */
  cover(from: number, docs: Int32Array, min: number): void {
    if (from > this.stretchEnd) this.#openStretch(from, docs, min)
    else if (min > this.#dividedAt) this.#divide(min)
  }

  /** Discards the stretch, after the clauses' bounds were prepared by other code. */
  forget(): void {
    this.stretchEnd = -1
  }

  /** Opens a stretch at `from`, as long as the essential clauses' bounds are cheap. */
  #openStretch(from: number, docs: Int32Array, min: number): void {
    const count = this.order.length
    this.#watch.spend(count)
    let end = NO_MORE_DOCS
    // If none was essential before, all clauses decide the stretch's length.
    const first = this.essential === count ? 0 : this.essential
    for (let index = 0; index < count; index++) {
      const i = this.order[index]!
      const doc = docs[i]!
      if (doc === NO_MORE_DOCS) continue
      const runEnd = this.#children[i]!.shallowAdvance(Math.max(from, doc))
      if (index >= first && runEnd < end) end = runEnd
    }
    if (end - from < this.#minStretch) end = Math.min(NO_MORE_DOCS, from + this.#minStretch)
    this.stretchEnd = end
    for (let i = 0; i < count; i++)
      this.#maxima[i] = isPast(docs[i]!, end) ? 0 : this.#children[i]!.maxScore(end)
    this.#sort()
    this.#divide(min)
  }

  #divide(min: number): void {
    const count = this.order.length
    let sum = 0
    let essential = count
    for (let index = 0; index < count; index++) {
      sum += this.#maxima[this.order[index]!]!
      this.sums[index] = sum
      if (essential === count && sum * SLACK >= min) essential = index
    }
    this.essential = essential
    this.#dividedAt = min
  }

  /** Insertion sort by ascending bound: the order changes little between stretches. */
  #sort(): void {
    const order = this.order
    const maxima = this.#maxima
    for (let i = 1; i < order.length; i++) {
      const clause = order[i]!
      const bound = maxima[clause]!
      let at = i
      while (at > 0 && maxima[order[at - 1]!]! > bound) {
        order[at] = order[at - 1]!
        at--
      }
      order[at] = clause
    }
  }
}
