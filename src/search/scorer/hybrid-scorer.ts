import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { exactIterator, NO_BOUND, type Scorer, type TwoPhase, totalCost } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Documents that any sub-query matches, each with the sum of its scores in float32. `score` also tells the
 * parts, one for each sub-query: a collector that lists the hits of each reads them. Nothing is passed over,
 * since what cannot compete in one list may in another.
 */
export class HybridScorer implements Scorer, DocIdIterator {
  readonly #children: readonly (Scorer | null)[]
  readonly #iterators: readonly (DocIdIterator | null)[]
  /** Current document of each sub-query. */
  readonly #docs: Int32Array
  readonly #parts: Float32Array | null
  #doc = -1

  /**
   * @param children null where a sub-query has no match in the leaf
   * @param parts    receives the score of each sub-query, NaN where it does not match; null: not asked for
   */
  constructor(children: readonly (Scorer | null)[], parts: Float32Array | null, watch: Watch) {
    this.#children = children
    this.#iterators = children.map(child => child && exactIterator(child, watch))
    this.#docs = Int32Array.from(children, child => (child === null ? NO_MORE_DOCS : -1))
    this.#parts = parts
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    const docs = this.#docs
    let lowest = NO_MORE_DOCS
    for (let i = 0; i < docs.length; i++) {
      let doc = docs[i]!
      if (doc < target) {
        const iterator = this.#iterators[i]!
        doc = doc === target - 1 ? iterator.nextDoc() : iterator.advance(target)
        docs[i] = doc
      }
      if (doc < lowest) lowest = doc
    }
    return (this.#doc = lowest)
  }

  cost(): number {
    return totalCost(this.#iterators.filter(each => each !== null))
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    const parts = this.#parts
    let sum = 0
    for (let i = 0; i < this.#docs.length; i++) {
      const matches = this.#docs[i] === this.#doc
      const score = matches ? this.#children[i]!.score() : Number.NaN
      if (matches) sum = Math.fround(sum + score)
      if (parts !== null) parts[i] = score
    }
    return sum
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {}
}
