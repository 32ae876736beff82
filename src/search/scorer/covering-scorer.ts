import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { exactIterator, NO_BOUND, type Scorer, type TwoPhase, totalCost } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Documents that match as many clauses as is said of them, min one. Scores are summed in clause order, in double, and rounded once.
 */
export class CoveringScorer implements Scorer, DocIdIterator {
  readonly #children: readonly Scorer[]
  readonly #iterators: readonly DocIdIterator[]
  readonly #minimum: (docId: number) => number
  readonly #watch: Watch
  #doc = -1

  /** @param minimum how many clauses a document must match; Infinity: it does not match */
  constructor(children: readonly Scorer[], minimum: (docId: number) => number, watch: Watch) {
    this.#children = children
    this.#iterators = children.map(child => exactIterator(child, watch))
    this.#minimum = minimum
    this.#watch = watch
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
      let doc = NO_MORE_DOCS
      let matching = 0
      for (const iterator of this.#iterators) {
        const at = iterator.docId() < from ? iterator.advance(from) : iterator.docId()
        if (at < doc) {
          doc = at
          matching = 1
        } else if (at === doc) matching++
      }
      if (doc === NO_MORE_DOCS || this.#isEnough(doc, matching)) return (this.#doc = doc)
      this.#watch.spend(1)
      from = doc + 1
    }
  }

  #isEnough(doc: number, matching: number): boolean {
    return matching >= this.#minimum(doc)
  }

  cost(): number {
    return totalCost(this.#iterators)
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    let sum = 0
    for (let i = 0; i < this.#iterators.length; i++)
      if (this.#iterators[i]!.docId() === this.#doc) sum += this.#children[i]!.score()
    return Math.fround(sum)
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {
    // No bound tells which documents could be skipped.
  }
}
