import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { EngineError } from '../../util/errors.ts'
import { leadIterator, NO_BOUND, type Scorer, type TwoPhase } from './scorer.ts'

/** How the values of several functions become one. */
export type FunctionScoreMode = 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'

/** How that value and the query's score become one. */
export type FunctionBoostMode = 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'

/** How scores of functions are put together. */
export interface FunctionCombination {
  readonly scoreMode: FunctionScoreMode
  readonly boostMode: FunctionBoostMode
  /** Max of the functions' value, float32. */
  readonly maxBoost: number
  /** Documents with a lower score do not match, float32; null: all do. */
  readonly minScore: number | null
}

/** A function on a leaf: its documents, its value and its part in a mean. */
export interface OpenFunction {
  /** Tells its documents, asked in ascending order; null: all. */
  readonly filter: ((docId: number) => boolean) | null
  readonly weight: number
  /** Whether the weight was given, so that the value is multiplied. */
  readonly isWeighted: boolean
  score(docId: number): number
  /** No score is above it; Infinity: none is known. */
  readonly maxScore: number
}

/**
 * A query's documents, their scores changed by functions: in double, rounded once. Without functions
 * the score stays as it is.
 */
export class FunctionScoreScorer implements Scorer {
  readonly #query: Scorer
  readonly #functions: readonly OpenFunction[]
  readonly #combination: FunctionCombination
  readonly #readsScores: boolean
  /** The only function, if it holds for all documents. */
  readonly #only: OpenFunction | null
  readonly #lead: DocIdIterator
  readonly #twoPhase: TwoPhase | null
  #scoredDoc = -1
  #score = 0

  /** @param readsScores false: the query's scores play no part, and are 0 */
  constructor(
    query: Scorer,
    functions: readonly OpenFunction[],
    combination: FunctionCombination,
    readsScores: boolean,
  ) {
    this.#query = query
    this.#functions = functions
    this.#combination = combination
    this.#readsScores = readsScores
    this.#only = functions.length === 1 && functions[0]!.filter === null ? functions[0]! : null
    const lead = leadIterator(query)
    this.#lead = lead
    const check = query.twoPhase()
    const { minScore } = combination
    this.#twoPhase =
      minScore === null
        ? check
        : {
            approximation: lead,
            matches: () => (check === null || check.matches()) && this.score() >= minScore,
            matchCost: () => 100 + (check?.matchCost() ?? 0),
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
    const doc = this.#lead.docId()
    if (doc !== this.#scoredDoc) {
      this.#score = this.#computed(doc)
      this.#scoredDoc = doc
    }
    return this.#score
  }

  #computed(doc: number): number {
    const own = this.#readsScores ? this.#query.score() : 0
    if (this.#functions.length === 0) return own
    const value = this.#value(doc)
    const score = boostedScore(own, value, this.#combination)
    if (score < 0 || Number.isNaN(score))
      throw new EngineError({
        type: 'exception',
        reason: `function score query returned an invalid score: ${score} for doc: ${doc}`,
        status: 400,
      })
    return score
  }

  /** The value of the functions that hold for a document. */
  #value(doc: number): number {
    const { scoreMode } = this.#combination
    const only = this.#only
    // There is nothing to put together, so that its weight counts even in a mean by weights.
    if (only !== null) return only.isWeighted ? only.score(doc) * only.weight : only.score(doc)
    const value = new FunctionValue()
    for (const { filter, weight, isWeighted, score } of this.#functions) {
      if (filter !== null && !filter(doc)) continue
      value.add(isWeighted ? score(doc) * weight : score(doc), weight)
      if (scoreMode === 'first') break
    }
    return value.by(scoreMode)
  }

  /**
   * The least score of the query with which a document's score may be above `floor`; 0: any may.
   * @param floor float32, min 0
   */
  neededScore(floor: number): number {
    const { scoreMode, boostMode, maxBoost } = this.#combination
    const known = maxValue(this.#functions, scoreMode)
    // Where none is known, some document may be refused, whatever its score.
    if (!this.#readsScores || !(known < Number.POSITIVE_INFINITY)) return 0
    const max = Math.min(known, maxBoost)
    if (boostMode === 'multiply') return max === 0 ? 0 : (floor / max) * ROUNDED_DOWN
    return boostMode === 'sum' ? Math.max(0, floor - max) * ROUNDED_DOWN : 0
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {
    // A function may give any score.
  }
}

/** More than what float32 scores and their bounds lose by rounding. */
const ROUNDED_DOWN = 1 - 2 ** -20

/** No value of the functions together is above it; Infinity: none is known. */
function maxValue(functions: readonly OpenFunction[], mode: FunctionScoreMode): number {
  // Without functions the score stays, and where none holds their value is 1.
  let product = 1
  let sum = 0
  let max = functions.every(({ filter }) => filter !== null) ? 1 : 0
  for (const { filter, weight, isWeighted, maxScore } of functions) {
    if (!(weight >= 0)) return Number.POSITIVE_INFINITY
    const own = isWeighted ? maxScore * weight : maxScore
    product *= filter === null ? own : Math.max(1, own)
    sum += own
    max = Math.max(max, own)
  }
  if (mode === 'multiply') return product
  if (mode === 'sum') return Math.max(1, sum)
  // A mean by weights is of values that have them as factors.
  if (mode === 'avg' && functions.some(({ weight }) => weight < 1)) return Number.POSITIVE_INFINITY
  return max
}

/** Puts the values of functions together. */
export class FunctionValue {
  #first = 1
  #product = 1
  #sum = 0
  #weights = 0
  #count = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  /** Adds a function's value, in order. @param weight its part in a mean */
  add(value: number, weight: number): void {
    if (this.#count++ === 0) this.#first = value
    this.#product *= value
    this.#sum += value
    this.#weights += weight
    this.#min = Math.min(this.#min, value)
    this.#max = Math.max(this.#max, value)
  }

  /** One value of all, in double; 1 if there was none. */
  by(mode: FunctionScoreMode): number {
    if (this.#count === 0) return 1
    switch (mode) {
      case 'first':
        return this.#first
      case 'multiply':
        return this.#product
      case 'sum':
        return this.#weights === 0 ? 1 : this.#sum
      case 'avg':
        return this.#weights === 0 ? 1 : this.#sum / this.#weights
      case 'max':
        return this.#max
      case 'min':
        return this.#min
    }
  }
}

/** The score of a document by its own and the functions' value, float32. */
export function boostedScore(
  own: number,
  value: number,
  { boostMode, maxBoost }: Pick<FunctionCombination, 'boostMode' | 'maxBoost'>,
): number {
  const bounded = Math.min(value, maxBoost)
  switch (boostMode) {
    case 'multiply':
      return Math.fround(own * bounded)
    case 'replace':
      return Math.fround(bounded)
    case 'sum':
      return Math.fround(own + bounded)
    case 'avg':
      return Math.fround((bounded + own) / 2)
    case 'max':
      return Math.fround(Math.max(own, bounded))
    case 'min':
      return Math.fround(Math.min(own, bounded))
  }
}
