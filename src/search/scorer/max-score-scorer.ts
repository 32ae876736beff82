import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import { exactIterator, isPast, type Scorer, type TwoPhase } from './scorer.ts'

/**
 * The sum of clauses of which one is enough, where only the best are wanted: block-max MaxScore
 * (Turtle & Flood 1995; Mallia, Siedlaczek & Suel 2019) in document order.
 *
 * In a window in which every clause's bound is known, the clauses stand by rising bound. Those at
 * the front whose bounds together stay below the competitive score cannot make a hit alone: they
 * are asked only about documents that one of the others, the essential ones, proposes. A window
 * without essential clauses is passed over whole. Until there is a competitive score all clauses
 * are essential and every match is found.
 *
 * Scores are summed in clause order in double and rounded once, whatever was asked first.
 */
export class MaxScoreScorer implements Scorer, DocIdIterator {
  readonly #children: readonly Scorer[]
  readonly #iterators: readonly DocIdIterator[]
  /** Where each clause stands, and its score there if it was asked. */
  readonly #docs: Int32Array
  readonly #scores: Float64Array
  readonly #scoredDoc: Int32Array
  /** Clauses by rising bound in the window; `#bounds[i]` is the sum of the first i + 1 bounds. */
  readonly #order: Int32Array
  readonly #maxima: Float64Array
  readonly #bounds: Float64Array
  /** Place in `#order` of the first essential clause. */
  #essential = 0
  #windowEnd = -1
  #min = 0
  /** The competitive score that the window was divided with. */
  #dividedAt = 0
  #doc = -1
  /** Windows passed over, and candidates dropped before all clauses were asked. */
  skipped = 0

  /** @param children at least two, in clause order */
  constructor(children: readonly Scorer[]) {
    const count = children.length
    this.#children = children
    this.#iterators = children.map(exactIterator)
    this.#docs = new Int32Array(count).fill(-1)
    this.#scores = new Float64Array(count)
    this.#scoredDoc = new Int32Array(count).fill(-1)
    this.#order = Int32Array.from({ length: count }, (_, i) => i)
    this.#maxima = new Float64Array(count)
    this.#bounds = new Float64Array(count)
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    let from = target
    for (;;) {
      if (this.#min > 0) {
        if (from > this.#windowEnd) this.#openWindow(from)
        else if (this.#min > this.#dividedAt) this.#divide()
        if (this.#essential === this.#order.length) {
          this.skipped++
          if (this.#windowEnd === NO_MORE_DOCS) return (this.#doc = NO_MORE_DOCS)
          from = this.#windowEnd + 1
          continue
        }
      }
      const candidate = this.#nextCandidate(from)
      if (this.#min <= 0) return (this.#doc = candidate)
      if (candidate === NO_MORE_DOCS || candidate > this.#windowEnd) {
        if (this.#windowEnd === NO_MORE_DOCS) return (this.#doc = NO_MORE_DOCS)
        from = this.#windowEnd + 1
        continue
      }
      if (this.#mayCompete(candidate)) return (this.#doc = candidate)
      from = candidate + 1
    }
  }

  /** The first document at or after `from` that an essential clause matches. */
  #nextCandidate(from: number): number {
    const docs = this.#docs
    let least = NO_MORE_DOCS
    for (let place = this.#essential; place < this.#order.length; place++) {
      const i = this.#order[place]!
      let doc = docs[i]!
      if (doc < from) {
        const iterator = this.#iterators[i]!
        doc = doc === from - 1 ? iterator.nextDoc() : iterator.advance(from)
        docs[i] = doc
      }
      if (doc < least) least = doc
    }
    return least
  }

  /** Asks clause after clause about a candidate, until it matches or cannot compete. */
  #mayCompete(candidate: number): boolean {
    let sum = 0
    for (let place = this.#order.length - 1; place >= 0; place--) {
      if (place < this.#essential && (sum + this.#bounds[place]!) * SLACK < this.#min) {
        this.skipped++
        return false
      }
      const i = this.#order[place]!
      if (this.#docs[i]! < candidate) this.#docs[i] = this.#iterators[i]!.advance(candidate)
      if (this.#docs[i] === candidate) sum += this.#scoreOf(i, candidate)
    }
    return true
  }

  #scoreOf(i: number, doc: number): number {
    if (this.#scoredDoc[i] !== doc) {
      this.#scores[i] = this.#children[i]!.score()
      this.#scoredDoc[i] = doc
    }
    return this.#scores[i]!
  }

  /** Starts the window at `from`: as far as the essential clauses' bounds are told cheaply. */
  #openWindow(from: number): void {
    let end = NO_MORE_DOCS
    const count = this.#order.length
    // If none was essential before, all take part in choosing the window.
    const first = this.#essential === count ? 0 : this.#essential
    for (let place = 0; place < count; place++) {
      const i = this.#order[place]!
      const doc = this.#docs[i]!
      if (doc === NO_MORE_DOCS) continue
      const runEnd = this.#children[i]!.shallowAdvance(Math.max(from, doc))
      if (place >= first && runEnd < end) end = runEnd
    }
    this.#windowEnd = end
    for (let i = 0; i < count; i++)
      this.#maxima[i] = isPast(this.#docs[i]!, end) ? 0 : this.#children[i]!.maxScore(end)
    this.#sort()
    this.#divide()
  }

  #divide(): void {
    const count = this.#order.length
    let sum = 0
    let essential = count
    for (let place = 0; place < count; place++) {
      sum += this.#maxima[this.#order[place]!]!
      this.#bounds[place] = sum
      if (essential === count && sum * SLACK >= this.#min) essential = place
    }
    this.#essential = essential
    this.#dividedAt = this.#min
  }

  /** Insertion sort by rising bound; windows change little from one to the next. */
  #sort(): void {
    const order = this.#order
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

  cost(): number {
    let sum = 0
    for (const iterator of this.#iterators) sum += iterator.cost()
    return sum
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    const doc = this.#doc
    let sum = 0
    for (let i = 0; i < this.#docs.length; i++)
      if (this.#docs[i] === doc) sum += this.#scoreOf(i, doc)
    return Math.fround(sum)
  }

  shallowAdvance(target: number): number {
    let end = NO_MORE_DOCS
    for (let i = 0; i < this.#docs.length; i++) {
      const doc = this.#docs[i]!
      if (doc === NO_MORE_DOCS) continue
      end = Math.min(end, this.#children[i]!.shallowAdvance(Math.max(target, doc)))
    }
    // The window's bounds were prepared from another target: it must be opened anew.
    this.#windowEnd = -1
    return Math.max(end, target)
  }

  maxScore(upTo: number): number {
    let sum = 0
    for (let i = 0; i < this.#docs.length; i++)
      if (!isPast(this.#docs[i]!, upTo)) sum += this.#children[i]!.maxScore(upTo)
    return sum * SLACK
  }

  setMinCompetitiveScore(score: number): void {
    if (score > this.#min) this.#min = score
  }
}
