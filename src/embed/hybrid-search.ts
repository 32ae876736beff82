/** A hybrid search as a program asks for it: the query and the search pipeline that the engine reads. */
import { IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkRecord, type OptionKeys } from './arguments.ts'
import type { Clause } from './clause.ts'

/** Queries whose lists of hits become one. */
export interface HybridSearch {
  /** One to five, in the form of the query language. */
  readonly queries: readonly Clause[]
  /** Narrows each of them. */
  readonly filter?: Clause
  /** Hits of each list, from 1; default `size`. Wanted with a `from`. */
  readonly paginationDepth?: number
  /** Default: that of the index's search pipeline, else `min_max` and the mean. */
  readonly scoring?: HybridScoring
}

/** How the scores of lists become one. */
export type HybridScoring = MinMaxScoring | NormScoring | DeviationScoring | RankScoring

/** How the scores of a document in several lists are combined; one that is not in a list scores 0 there. */
export type Combination = 'arithmetic_mean' | 'geometric_mean' | 'harmonic_mean'

interface Weighted {
  /** A share for each query, from 0 to 1, 1 in all; default equal. */
  readonly weights?: readonly number[]
}

/** Scores by their place between the least and the greatest of their list. */
export interface MinMaxScoring extends Weighted {
  readonly technique: 'min_max'
  /** Default `arithmetic_mean`. */
  readonly combination?: Combination
  /** One for each query. */
  readonly lowerBounds?: readonly LowerBound[]
  readonly upperBounds?: readonly UpperBound[]
}

/** Stands for the least score of a list; default `apply` and 0. */
export interface LowerBound {
  readonly mode?: BoundMode
  readonly minScore?: number
}

/** Stands for the greatest score of a list; default `apply` and 1. */
export interface UpperBound {
  readonly mode?: BoundMode
  readonly maxScore?: number
}

/** `clip` also moves scores beyond the bound to it. */
export type BoundMode = 'apply' | 'clip' | 'ignore'

/** Scores divided by the length of their list as a vector. */
export interface NormScoring extends Weighted {
  readonly technique: 'l2'
  readonly combination?: Combination
}

/** Scores by their distance from the mean of their list, in standard deviations. */
export interface DeviationScoring extends Weighted {
  readonly technique: 'z_score'
}

/** Scores by place in the list alone: the reciprocal of rank constant and rank. */
export interface RankScoring extends Weighted {
  readonly technique: 'rrf'
  /** From 1 to 10,000; default 60. */
  readonly rankConstant?: number
}

const HYBRID_OPTIONS: OptionKeys<HybridSearch> = {
  queries: true,
  filter: true,
  paginationDepth: true,
  scoring: true,
}

type Technique = HybridScoring['technique']

/** The options of each technique. */
const SCORING_OPTIONS: {
  readonly [T in Technique]: OptionKeys<Extract<HybridScoring, { technique: T }>>
} = {
  min_max: {
    technique: true,
    combination: true,
    lowerBounds: true,
    upperBounds: true,
    weights: true,
  },
  l2: { technique: true, combination: true, weights: true },
  z_score: { technique: true, weights: true },
  rrf: { technique: true, rankConstant: true, weights: true },
}

/** What a hybrid search is in the body of a search. */
export interface HybridBody {
  readonly query: Clause
  /** A search pipeline of its own; absent: no scoring was asked for. */
  readonly search_pipeline?: Clause
}

/**
 * The parts of a body that a hybrid search gives.
 * @throws {IllegalArgumentError} an unknown option or technique
 */
export function hybridBody(hybrid: readonly Clause[] | HybridSearch): HybridBody {
  if (Array.isArray(hybrid)) return hybridBody({ queries: hybrid as readonly Clause[] })
  checkRecord('hybrid', hybrid)
  const given = hybrid as HybridSearch
  checkOptions('option of hybrid', given, HYBRID_OPTIONS)
  const { queries, filter, paginationDepth, scoring } = given
  const query = {
    hybrid: definedOf({ queries, filter, pagination_depth: paginationDepth }),
  }
  if (scoring === undefined) return { query }
  const processor = processorOf(scoring)
  return { query, search_pipeline: { phase_results_processors: [processor] } }
}

function processorOf(scoring: HybridScoring): Clause {
  checkRecord('scoring', scoring)
  const { technique } = scoring
  if (!Object.hasOwn(SCORING_OPTIONS, technique))
    throw new IllegalArgumentError(
      `[technique] must be one of [${Object.keys(SCORING_OPTIONS).join(', ')}], found [${technique}]`,
    )
  checkOptions(
    `option of ${technique}`,
    scoring,
    SCORING_OPTIONS[technique] as OptionKeys<HybridScoring>,
  )
  if (scoring.technique === 'rrf') return rankProcessor(scoring)
  const combination = scoring.technique === 'z_score' ? undefined : scoring.combination
  const bounds = scoring.technique === 'min_max' ? boundsOf(scoring) : {}
  return {
    'normalization-processor': {
      normalization: {
        technique,
        ...(Object.keys(bounds).length > 0 ? { parameters: bounds } : {}),
      },
      combination: { technique: combination ?? 'arithmetic_mean', ...weightsOf(scoring) },
    },
  }
}

function rankProcessor(scoring: RankScoring): Clause {
  return {
    'score-ranker-processor': {
      combination: definedOf({
        technique: 'rrf',
        rank_constant: scoring.rankConstant,
        ...weightsOf(scoring),
      }),
    },
  }
}

function weightsOf({ weights }: Weighted): Clause {
  return weights === undefined ? {} : { parameters: { weights } }
}

function boundsOf({ lowerBounds, upperBounds }: MinMaxScoring): Clause {
  const lower = lowerBounds?.map(bound => {
    checkOptions('option of a lower bound', bound, { mode: true, minScore: true })
    return definedOf({ mode: bound.mode, min_score: bound.minScore })
  })
  const upper = upperBounds?.map(bound => {
    checkOptions('option of an upper bound', bound, { mode: true, maxScore: true })
    return definedOf({ mode: bound.mode, max_score: bound.maxScore })
  })
  return definedOf({ lower_bounds: lower, upper_bounds: upper })
}

function definedOf(record: Clause): Clause {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
