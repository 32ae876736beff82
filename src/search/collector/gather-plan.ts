/**
 * The gathers of a search, as plain data: its hits, other gathers that see every match
 * (aggregations), and its limits. `demandsOf` is the only place that decides what may be skipped.
 */

import type { TextMask } from '../../util/text-mask.ts'
import type { Query } from '../query/query.ts'
import type { AfterValue, SortKey } from '../sort/sort-key.ts'
import { readsScore } from '../sort/sort-key.ts'

/** The best hits and their count, or the count alone. */
export interface TopHits {
  readonly kind: 'topHits'
  /** How many hits to keep: `from` + `size`; 0 only counts. */
  readonly topCount: number
  /** Null: by score, highest first. */
  readonly sort: readonly SortKey[] | null
  /**
   * `search_after`: only hits after these values of the sort's levels are kept (without a sort:
   * after this score); null keeps all.
   */
  readonly searchAfter: readonly AfterValue[] | null
  /** Hits are counted exactly up to here, then as a lower bound; Infinity counts all, −1 none. */
  readonly trackTotalHits: number
  /** With a sort: whether hits carry scores, and the max score of all matches is wanted. */
  readonly trackScores: boolean
  /** Matches outside this query are neither counted nor kept. */
  readonly postFilter: Query | null
  /** Of hits with one value of this field only the first is kept; null keeps all. */
  readonly collapse: CollapseKey | null
}

/** A field of numbers or keywords, by whose value hits are grouped. */
export interface CollapseKey {
  readonly kind: 'number' | 'keyword'
  readonly field: string
  /** Stands in place of keywords for the caller, who sees groups of it; absent: he may read them. */
  readonly mask?: TextMask
}

/** A gather beside the hits; `parallel/gathers.ts` has their union and their table. */
export interface Gather {
  readonly kind: string
}

/** Bounds of the whole search, for its hits and for every other gather. */
export interface Limits {
  /** Matches with a lower float32 score are dropped; null: any score. */
  readonly minScore: number | null
  /** Stops after this many matches per shard; 0: never. */
  readonly terminateAfter: number
  /** Time to stop at, on the clock of `nowInNanos`; 0: never. */
  readonly deadline: number
}

/** No limits; plans compare by identity. */
export const NO_LIMITS: Limits = { minScore: null, terminateAfter: 0, deadline: 0 }

/** All gathers of one pass over a search's matches. */
export interface GatherPlan {
  readonly hits: TopHits
  /** Each sees every match that passes `minScore`, before the hits' post filter. */
  readonly others: readonly Gather[]
  readonly limits: Limits
  /**
   * The hits, if nothing else is gathered and nothing limits or groups them: the licence of all
   * shortcuts.
   */
  readonly sole: TopHits | null
}

/** Makes a plan; limits that limit nothing become `NO_LIMITS`. */
export function gatherPlan(hits: TopHits, others: readonly Gather[], limits: Limits): GatherPlan {
  const { minScore, terminateAfter, deadline } = limits
  const isUnlimited = minScore === null && terminateAfter === 0 && deadline === 0
  return {
    hits,
    others,
    limits: isUnlimited ? NO_LIMITS : limits,
    sole: isUnlimited && others.length === 0 && hits.collapse === null ? hits : null,
  }
}

/** The data that a gather reads of matches. */
export interface GatherDemands {
  /** The score of every match. */
  readonly scores: boolean
  /** Parts of the gather that see each match. */
  readonly parts: number
}

/** The union of what all gathers of a search read. */
export interface Demands {
  /** Some score is read. */
  readonly scores: boolean
  /** A gather beside the hits reads the score of every match. */
  readonly everyScore: boolean
  /** No match may be skipped; false: non-competitive ones may. */
  readonly everyMatch: boolean
  /** Statistics alone may give the total. */
  readonly totalByStatistics: boolean
}

/** @param others the demands of the plan's other gathers */
export function demandsOf(
  { hits, limits }: Pick<GatherPlan, 'hits' | 'limits'>,
  others: readonly GatherDemands[],
): Demands {
  const { topCount, sort, searchAfter, trackTotalHits, trackScores, postFilter, collapse } = hits
  const { minScore, terminateAfter } = limits
  const everyScore = others.some(demands => demands.scores)
  const sortsByScore = sort === null || sort.some(readsScore)
  const countsAll = trackTotalHits === Number.POSITIVE_INFINITY
  const prunes =
    topCount > 0 &&
    sort === null &&
    searchAfter === null &&
    collapse === null &&
    terminateAfter === 0 &&
    !countsAll
  return {
    scores: everyScore || minScore !== null || trackScores || (topCount > 0 && sortsByScore),
    everyScore,
    everyMatch: !prunes || others.length > 0,
    totalByStatistics:
      trackTotalHits >= 0 &&
      // Exact totals with hits need every match.
      !(countsAll && topCount > 0) &&
      postFilter === null &&
      terminateAfter === 0 &&
      minScore === null &&
      searchAfter === null,
  }
}
