import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import { BlockSkipper } from './block-skipper.ts'
import { type Combination, combined } from './combination.ts'
import { exactIterator, isPast, type Scorer, type TwoPhase, totalCost } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Documents that at least `minimum` clauses match, for a disjunction that does not lead: it is
 * advanced to fewer documents than it has, and reads no further. A leading one runs in windows
 * (`MaxScoreScorer`). Clauses advance together, their current documents in one array. Scores are
 * combined in clause order, in double, and rounded once.
 */
export class DisjunctionScorer implements Scorer, DocIdIterator {
  readonly #children: readonly Scorer[]
  readonly #iterators: readonly DocIdIterator[]
  /** Current document of each clause. */
  readonly #docs: Int32Array
  readonly #minimum: number
  readonly #watch: Watch
  readonly #combination: Combination
  #doc = -1
  /** Target of the parent's last `shallowAdvance`. */
  #shallow = 0
  readonly skipper: BlockSkipper

  /** @param children at least `minimum`, in clause order */
  constructor(
    children: readonly Scorer[],
    minimum: number,
    combination: Combination,
    watch: Watch,
  ) {
    this.#watch = watch
    this.#children = children
    this.#iterators = children.map(child => exactIterator(child, watch))
    this.#docs = new Int32Array(children.length).fill(-1)
    this.#minimum = Math.max(1, minimum)
    this.#combination = combination
    this.skipper = new BlockSkipper(this, watch)
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    let from = this.skipper.competitive(target)
    const docs = this.#docs
    const iterators = this.#iterators
    for (;;) {
      let lowest = NO_MORE_DOCS
      let matching = 0
      for (let i = 0; i < docs.length; i++) {
        let doc = docs[i]!
        if (doc < from) {
          const iterator = iterators[i]!
          doc = doc === from - 1 ? iterator.nextDoc() : iterator.advance(from)
          docs[i] = doc
        }
        if (doc < lowest) {
          lowest = doc
          matching = 1
        } else if (doc === lowest) matching++
      }
      if (lowest === NO_MORE_DOCS) return (this.#doc = NO_MORE_DOCS)
      if (matching < this.#minimum) {
        this.#watch.spend(1)
        from = lowest + 1
        continue
      }
      from = this.skipper.competitive(lowest)
      if (from === lowest) return (this.#doc = lowest)
    }
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
    const doc = this.#doc
    let sum = 0
    let max = 0
    for (let i = 0; i < this.#docs.length; i++) {
      if (this.#docs[i] !== doc) continue
      const score = this.#children[i]!.score()
      sum += score
      if (score > max) max = score
    }
    return Math.fround(combined(this.#combination, sum, max))
  }

  shallowAdvance(target: number): number {
    let end = NO_MORE_DOCS
    for (let i = 0; i < this.#docs.length; i++) {
      const doc = this.#docs[i]!
      if (doc === NO_MORE_DOCS) continue
      // A clause past the target adds nothing up to its document.
      if (doc > target) end = Math.min(end, doc - 1)
      else end = Math.min(end, this.#children[i]!.shallowAdvance(target))
    }
    this.#shallow = target
    return end
  }

  maxScore(upTo: number): number {
    let sum = 0
    let max = 0
    for (let i = 0; i < this.#docs.length; i++) {
      const doc = this.#docs[i]!
      if (isPast(doc, upTo)) continue
      // Past the prepared run: read the bound from the clause's current document.
      if (doc > this.#shallow) this.#children[i]!.shallowAdvance(doc)
      const score = this.#children[i]!.maxScore(upTo)
      sum += score
      if (score > max) max = score
    }
    return combined(this.#combination, sum, max) * SLACK
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}
