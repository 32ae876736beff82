import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { exactIterator, NO_BOUND, type Scorer, type TwoPhase, totalCost } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Documents that match as many clauses as is said of them, min one. Scores are summed in clause order,
 * in double, and rounded once. How many are asked for is the second phase: a script that says it runs
 * on no document that another clause of the search leaves out.
 */
export class CoveringScorer implements Scorer, DocIdIterator {
  readonly #children: readonly Scorer[]
  readonly #iterators: readonly DocIdIterator[]
  readonly #twoPhase: TwoPhase
  #doc = -1
  #matching = 0

  /**
   * @param minimum   how many clauses a document must match; Infinity: it does not match
   * @param matchCost estimated steps of one call of `minimum`
   */
  constructor(
    children: readonly Scorer[],
    minimum: (docId: number) => number,
    matchCost: number,
    watch: Watch,
  ) {
    this.#children = children
    this.#iterators = children.map(child => exactIterator(child, watch))
    this.#twoPhase = {
      approximation: this,
      matches: () => this.#matching >= minimum(this.#doc),
      matchCost: () => matchCost,
    }
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    let doc = NO_MORE_DOCS
    let matching = 0
    for (const iterator of this.#iterators) {
      const at = iterator.docId() < target ? iterator.advance(target) : iterator.docId()
      if (at < doc) {
        doc = at
        matching = 1
      } else if (at === doc) matching++
    }
    this.#matching = matching
    return (this.#doc = doc)
  }

  cost(): number {
    return totalCost(this.#iterators)
  }

  iterator(): DocIdIterator | null {
    return null
  }

  twoPhase(): TwoPhase {
    return this.#twoPhase
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
