/** Scorers in which one clause leads and a second is advanced to its documents. */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import { BlockSkipper } from './block-skipper.ts'
import { NO_DOCS, stands } from './no-docs.ts'
import {
  exactIterator,
  isPast,
  leadIterator,
  membership,
  type Scorer,
  type TwoPhase,
} from './scorer.ts'
import type { Watch } from './watch.ts'

/** The required clause's documents; the optional clause's score is added where it also matches. */
export class RequiredOptionalScorer implements Scorer, DocIdIterator {
  readonly #required: Scorer
  readonly #optional: Scorer
  readonly #approximation: DocIdIterator
  readonly #optionalIterator: DocIdIterator
  /** Null: its iterator is exact. */
  readonly #isOptionalMatch: ((docId: number) => boolean) | null
  readonly #twoPhase: TwoPhase | null
  readonly skipper: BlockSkipper

  constructor(required: Scorer, optional: Scorer, watch: Watch) {
    this.#required = required
    this.#optional = optional
    this.#approximation = leadIterator(required)
    this.#optionalIterator = leadIterator(optional)
    // Its second phase runs on the required clause's documents alone.
    this.#isOptionalMatch = optional.twoPhase() === null ? null : membership(optional)
    this.#twoPhase = withApproximation(required.twoPhase(), this)
    this.skipper = new BlockSkipper(this, watch)
  }

  docId(): number {
    return this.#approximation.docId()
  }

  nextDoc(): number {
    if (this.skipper.min > 0) return this.advance(this.#approximation.docId() + 1)
    return this.#approximation.nextDoc()
  }

  advance(target: number): number {
    return this.#approximation.advance(this.skipper.competitive(target))
  }

  cost(): number {
    return this.#approximation.cost()
  }

  iterator(): DocIdIterator | null {
    return this.#twoPhase === null ? this : null
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    const doc = this.#approximation.docId()
    const score = this.#required.score()
    const isMatch = this.#isOptionalMatch?.(doc) ?? stands(this.#optionalIterator, doc)
    return isMatch ? Math.fround(score + this.#optional.score()) : score
  }

  shallowAdvance(target: number): number {
    let end = this.#required.shallowAdvance(Math.max(target, this.#approximation.docId()))
    const doc = this.#optionalIterator.docId()
    if (doc !== NO_MORE_DOCS)
      end = Math.min(end, this.#optional.shallowAdvance(Math.max(target, doc)))
    return Math.max(end, target)
  }

  maxScore(upTo: number): number {
    if (isPast(this.#approximation.docId(), upTo)) return 0
    const required = this.#required.maxScore(upTo)
    if (isPast(this.#optionalIterator.docId(), upTo)) return required * SLACK
    return (required + this.#optional.maxScore(upTo)) * SLACK
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}

/** The required clause's documents that the prohibited one does not match. */
export class RequiredExcludedScorer implements Scorer {
  readonly #required: Scorer
  readonly #approximation: DocIdIterator
  readonly #twoPhase: TwoPhase

  constructor(required: Scorer, excluded: Scorer) {
    this.#required = required
    const approximation = leadIterator(required)
    const requiredCheck = required.twoPhase()
    const excludedCheck = excluded.twoPhase()
    const excludedIterator = leadIterator(excluded)
    this.#approximation = approximation
    this.#twoPhase = {
      approximation,
      matches: () => {
        const isExcluded =
          stands(excludedIterator, approximation.docId()) &&
          (excludedCheck === null || excludedCheck.matches())
        return !isExcluded && (requiredCheck === null || requiredCheck.matches())
      },
      matchCost: () => 10 + (requiredCheck?.matchCost() ?? 0) + (excludedCheck?.matchCost() ?? 0),
    }
  }

  docId(): number {
    return this.#approximation.docId()
  }

  iterator(): DocIdIterator | null {
    return null
  }

  twoPhase(): TwoPhase {
    return this.#twoPhase
  }

  score(): number {
    return this.#required.score()
  }

  shallowAdvance(target: number): number {
    return this.#required.shallowAdvance(target)
  }

  maxScore(upTo: number): number {
    return this.#required.maxScore(upTo)
  }

  setMinCompetitiveScore(score: number): void {
    this.#required.setMinCompetitiveScore(score)
  }
}

/**
 * The positive clause's documents; the score is multiplied where the negative clause also matches.
 * Computed in double and rounded once, the outer boost last, as Lucene's `FunctionScoreQuery`.
 */
export class BoostingScorer implements Scorer {
  readonly #positive: Scorer
  readonly #negative: DocIdIterator
  readonly #factor: number
  readonly #boost: number
  readonly #lead: DocIdIterator

  constructor(
    positive: Scorer,
    negative: Scorer | null,
    factor: number,
    boost: number,
    watch: Watch,
  ) {
    this.#positive = positive
    this.#negative = negative === null ? NO_DOCS : exactIterator(negative, watch)
    this.#factor = factor
    this.#boost = boost
    this.#lead = leadIterator(positive)
  }

  docId(): number {
    return this.#lead.docId()
  }

  iterator(): DocIdIterator | null {
    return this.#positive.iterator()
  }

  twoPhase(): TwoPhase | null {
    return this.#positive.twoPhase()
  }

  score(): number {
    const score = this.#positive.score()
    const factor = stands(this.#negative, this.#lead.docId()) ? this.#factor : 1
    return Math.fround(score * factor * this.#boost)
  }

  shallowAdvance(target: number): number {
    return this.#positive.shallowAdvance(target)
  }

  maxScore(upTo: number): number {
    return this.#positive.maxScore(upTo) * Math.max(1, this.#factor) * this.#boost * SLACK
  }

  setMinCompetitiveScore(_score: number): void {
    // Not passed on: dividing by the factor rounds the wrong way.
  }
}

function withApproximation(check: TwoPhase | null, approximation: DocIdIterator): TwoPhase | null {
  if (check === null) return null
  return {
    approximation,
    matches: () => check.matches(),
    matchCost: () => check.matchCost(),
  }
}
