import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'
import { leadIterator, NO_BOUND, type Scorer, type TwoPhase } from './scorer.ts'

/** Steps of a check beyond the query's. */
const STEPS_OF_SCORE = 1000

/** A query's documents with the scores of a function, and a minimum of these. */
export class ScriptScoreScorer implements Scorer {
  readonly #query: Scorer
  readonly #of: (docId: number) => number
  readonly #boost: number
  readonly #lead: DocIdIterator
  readonly #twoPhase: TwoPhase | null
  #scoredDoc = -1
  /** Without the boost, float32. */
  #score = 0

  /**
   * @param of       a document's score, in double; the query stands on the document
   * @param minScore matches with lower scores are passed over, the boost left out; null: none are
   */
  constructor(
    query: Scorer,
    of: (docId: number) => number,
    minScore: number | null,
    boost: number,
  ) {
    this.#query = query
    this.#of = of
    this.#boost = boost
    const lead = leadIterator(query)
    this.#lead = lead
    const check = query.twoPhase()
    this.#twoPhase =
      minScore === null
        ? check
        : {
            approximation: lead,
            matches: () => (check === null || check.matches()) && this.#own() >= minScore,
            matchCost: () => STEPS_OF_SCORE + (check?.matchCost() ?? 0),
          }
  }

  docId(): number {
    return this.#lead.docId()
  }

  iterator(): DocIdIterator | null {
    return this.#twoPhase === null ? this.#query.iterator() : null
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    return Math.fround(this.#own() * this.#boost)
  }

  #own(): number {
    const doc = this.#lead.docId()
    if (doc !== this.#scoredDoc) {
      const score = Math.fround(this.#of(doc))
      if (score < 0 || Number.isNaN(score))
        throw new IllegalArgumentError(
          `script_score script returned an invalid score [${floatText(score)}] for doc [${doc}]. ` +
            'Must be a non-negative score!',
        )
      this.#score = score
      this.#scoredDoc = doc
    }
    return this.#score
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {
    // A script may give any score.
  }
}
