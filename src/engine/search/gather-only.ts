import type { TopHits } from '../../search/collector/gather-plan.ts'

/** No hits, not even their number: of searches whose gathers are all that is wanted. */
export const NO_HITS: TopHits = {
  kind: 'topHits',
  topCount: 0,
  sort: null,
  searchAfter: null,
  trackTotalHits: -1,
  trackScores: false,
  postFilter: null,
  collapse: null,
}
