import {
  type Gather,
  type GatherPlan,
  gatherPlan,
  NO_LIMITS,
} from '../../src/search/collector/gather-plan.ts'

/**
 * A plan for the best hits by score, without limits.
 * @param trackTotalHits hits are counted up to here; Infinity: all, −1: none
 * @param others         what is gathered beside them
 */
export function topHits(
  topCount: number,
  trackTotalHits: number,
  others: readonly Gather[] = [],
): GatherPlan {
  return gatherPlan(
    {
      kind: 'topHits',
      topCount,
      sort: null,
      searchAfter: null,
      trackTotalHits,
      trackScores: false,
      collapse: null,
      postFilter: null,
    },
    others,
    NO_LIMITS,
  )
}
