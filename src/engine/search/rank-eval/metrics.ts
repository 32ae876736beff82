/** Metrics of rankings: how good the hits of a query are, by ratings of documents. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float64, type JsonRecord } from '../../../util/json/json-value.ts'

/** The score of one ranking. */
export interface Quality {
  readonly score: number
  /** Terms of the score's formula, as they print. */
  readonly details: JsonRecord
}

/** A metric with its parameters. */
export interface RankMetric {
  readonly name: string
  /** Hits that are looked at. */
  readonly k: number
  /**
   * Scores one ranking.
   * @param ratings of the hits in their order; null: not rated
   * @param all     ratings of all rated documents of the query
   */
  evaluate(ratings: readonly (number | null)[], all: readonly number[]): Quality
}

/** Parameters of metrics as a request gives them. */
export interface MetricParams {
  readonly k?: number
  readonly relevant_rating_threshold?: number
  readonly ignore_unlabeled?: boolean
  readonly normalize?: boolean
  readonly maximum_relevance?: number
  readonly unknown_doc_rating?: number
}

/** The name of a parameter. */
export type MetricParam = keyof MetricParams

/** How a metric is made. */
interface MetricKind {
  readonly params: readonly MetricParam[]
  make(params: MetricParams): Pick<RankMetric, 'evaluate'>
}

const METRICS: Readonly<Record<string, MetricKind>> = {
  precision: {
    params: ['relevant_rating_threshold', 'ignore_unlabeled', 'k'],
    make: ({ ignore_unlabeled: ignores = false, ...params }) => {
      const isRelevant = relevance(params)
      return {
        evaluate(ratings) {
          const counted = ignores ? ratings.filter(rating => rating !== null) : ratings
          const found = counted.filter(isRelevant).length
          return {
            score: counted.length === 0 ? 0 : found / counted.length,
            details: { relevant_docs_retrieved: found, docs_retrieved: counted.length },
          }
        },
      }
    },
  },
  recall: {
    params: ['relevant_rating_threshold', 'k'],
    make: params => {
      const isRelevant = relevance(params)
      return {
        evaluate(ratings, all) {
          const found = ratings.filter(isRelevant).length
          const relevant = all.filter(isRelevant).length
          return {
            score: relevant === 0 ? 0 : found / relevant,
            details: { relevant_docs_retrieved: found, relevant_docs: relevant },
          }
        },
      }
    },
  },
  mean_reciprocal_rank: {
    params: ['relevant_rating_threshold', 'k'],
    make: params => {
      const isRelevant = relevance(params)
      return {
        evaluate(ratings) {
          const at = ratings.findIndex(isRelevant)
          const rank = at < 0 ? -1 : at + 1
          return { score: at < 0 ? 0 : 1 / rank, details: { first_relevant: rank } }
        },
      }
    },
  },
  dcg: {
    params: ['normalize', 'k'],
    make: ({ normalize = false }) => ({
      evaluate(ratings, all) {
        const dcg = discountedGain(ratings)
        const best = [...all].sort((a, b) => b - a).slice(0, ratings.length)
        const ideal = normalize ? discountedGain(best) : 0
        return {
          score: normalize ? (ideal > 0 ? dcg / ideal : 0) : dcg,
          details: {
            dcg: new Float64(dcg),
            ideal_dcg: ideal === 0 ? undefined : new Float64(ideal),
            normalized_dcg: ideal === 0 ? undefined : new Float64(dcg / ideal),
            unrated_docs: unratedIn(ratings),
          },
        }
      },
    }),
  },
  expected_reciprocal_rank: {
    params: ['maximum_relevance', 'unknown_doc_rating', 'k'],
    make: ({ maximum_relevance: most, unknown_doc_rating: unknown }) => {
      if (most === undefined) throw new IllegalArgumentError('Required [maximum_relevance]')
      return {
        evaluate(ratings) {
          let [reached, score] = [1, 0]
          for (const [at, given] of ratings.entries()) {
            const rating = given ?? unknown
            if (rating === undefined) continue
            const relevance = (2 ** rating - 1) / 2 ** most
            score += (reached * relevance) / (at + 1)
            reached *= 1 - relevance
          }
          return { score, details: { unrated_docs: unratedIn(ratings) } }
        },
      }
    },
  },
}

/** The names of all metrics. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS)

/** The parameters that a metric takes. */
export function paramsOf(name: string): readonly MetricParam[] {
  return METRICS[name]?.params ?? []
}

const USUAL_K = 10

/**
 * Makes a metric.
 * @param name one of `METRIC_NAMES`
 * @throws {IllegalArgumentError} a parameter out of range, or that is missing
 */
export function makeMetric(name: string, params: MetricParams): RankMetric {
  const { k = USUAL_K } = params
  if (k <= 0) throw new IllegalArgumentError('Window size k must be positive.')
  const { evaluate } = METRICS[name]!.make(params)
  return { name, k, evaluate }
}

function relevance({
  relevant_rating_threshold: threshold = 1,
}: MetricParams): (rating: number | null) => boolean {
  if (threshold < 0)
    throw new IllegalArgumentError(
      'Relevant rating threshold for precision must be positive integer.',
    )
  return rating => rating !== null && rating >= threshold
}

/** The gain of each rank, 2^rating − 1, over the logarithm of the rank + 1; unrated ones gain nothing. */
function discountedGain(ratings: readonly (number | null)[]): number {
  return ratings.reduce<number>(
    (sum, rating, at) => sum + (rating === null ? 0 : (2 ** rating - 1) / Math.log2(at + 2)),
    0,
  )
}

function unratedIn(ratings: readonly (number | null)[]): number {
  return ratings.filter(rating => rating === null).length
}
