import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import { BlockSkipper } from './block-skipper.ts'
import { isPast, leadIterator, type Scorer, type TwoPhase } from './scorer.ts'
import type { Watch } from './watch.ts'

/**
 * Documents that all clauses match. The rarest leads and the others are advanced to it; second
 * phases run, cheapest first, once all approximations agree. The score is the sum of the scoring
 * clauses' float32 scores in double, rounded once.
 */
export class ConjunctionScorer implements Scorer, DocIdIterator {
  readonly #scoring: readonly Scorer[]
  readonly #lead: DocIdIterator
  readonly #others: readonly DocIdIterator[]
  readonly #checks: readonly TwoPhase[]
  readonly #twoPhase: TwoPhase | null
  readonly #watch: Watch
  readonly skipper: BlockSkipper

  /**
   * @param required min two, in clause order
   * @param scoring  the scoring ones of them, in clause order
   */
  constructor(required: readonly Scorer[], scoring: readonly Scorer[], watch: Watch) {
    this.#watch = watch
    this.#scoring = scoring
    const iterators = required.map(leadIterator).sort((a, b) => a.cost() - b.cost())
    this.#lead = iterators[0]!
    this.#others = iterators.slice(1)
    this.#checks = required
      .flatMap(scorer => scorer.twoPhase() ?? [])
      .sort((a, b) => a.matchCost() - b.matchCost())
    const checks = this.#checks
    this.#twoPhase =
      checks.length === 0
        ? null
        : {
            approximation: this,
            matches: () => {
              for (const check of checks) if (!check.matches()) return false
              return true
            },
            matchCost: () => checks.reduce((sum, check) => sum + check.matchCost(), 0),
          }
    this.skipper = new BlockSkipper(this, watch)
  }

  docId(): number {
    return this.#lead.docId()
  }

  nextDoc(): number {
    const next = this.#lead.docId() + 1
    const target = this.skipper.competitive(next)
    return this.#agree(target === next ? this.#lead.nextDoc() : this.#lead.advance(target))
  }

  advance(target: number): number {
    return this.#agree(this.#lead.advance(this.skipper.competitive(target)))
  }

  #agree(candidate: number): number {
    let doc = candidate
    const others = this.#others
    search: while (doc !== NO_MORE_DOCS) {
      for (let i = 0; i < others.length; i++) {
        const other = others[i]!
        let at = other.docId()
        if (at < doc) at = other.advance(doc)
        if (at > doc) {
          doc = at === NO_MORE_DOCS ? at : this.skipper.competitive(at)
          if (this.#lead.docId() < doc) doc = this.#lead.advance(doc)
          this.#watch.spend(1)
          continue search
        }
      }
      return doc
    }
    return doc
  }

  cost(): number {
    return this.#lead.cost()
  }

  iterator(): DocIdIterator | null {
    return this.#twoPhase === null ? this : null
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    let sum = 0
    for (let i = 0; i < this.#scoring.length; i++) sum += this.#scoring[i]!.score()
    return Math.fround(sum)
  }

  shallowAdvance(target: number): number {
    let end = NO_MORE_DOCS
    for (const scorer of this.#scoring) {
      // A clause may already be past the target; its bound is then read from its current document.
      const from = Math.max(target, leadIterator(scorer).docId())
      if (from === NO_MORE_DOCS) continue
      end = Math.min(end, scorer.shallowAdvance(from))
    }
    return Math.max(end, target)
  }

  maxScore(upTo: number): number {
    let sum = 0
    for (const scorer of this.#scoring) {
      // A required clause without a document in the run: no match, so the bound is 0.
      if (isPast(leadIterator(scorer).docId(), upTo)) return 0
      sum += scorer.maxScore(upTo)
    }
    return sum * SLACK
  }

  setMinCompetitiveScore(score: number): void {
    if (this.#scoring.length === 1) this.#scoring[0]!.setMinCompetitiveScore(score)
    else if (this.#scoring.length > 1) this.skipper.raise(score)
  }
}
