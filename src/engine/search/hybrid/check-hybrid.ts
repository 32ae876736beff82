import type { HybridQuery } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { ResolvedSort } from '../../dsl/field/sort-level.ts'
import type { CoupledKeys } from '../../dsl/search-body/coupled-keys.ts'

/**
 * Holds a hybrid query against the rest of its request, as the shards of an index do.
 * @param sort null: by score, highest first
 * @throws {IllegalArgumentError} the request scrolls, pages without a depth, or sorts by a score and more
 */
export function checkHybrid(
  { depth }: HybridQuery,
  { from, scrollInMillis, trackScores, minScore }: CoupledKeys,
  sort: readonly ResolvedSort[] | null,
): void {
  if (scrollInMillis !== null)
    throw new IllegalArgumentError('Scroll operation is not supported in hybrid query')
  if (from > 0 && depth === null)
    throw new IllegalArgumentError('pagination_depth param is missing in the search request')
  if (sort === null) return
  const byScore = sort.filter(({ key }) => key.kind === 'score')
  if (byScore.length > 0 && byScore.length < sort.length)
    throw new IllegalArgumentError(
      '_score sort criteria cannot be applied with any other criteria. Please select one sort ' +
        'criteria out of them.',
    )
  if (trackScores && byScore.length > 0)
    throw new IllegalArgumentError(
      'Hybrid search results are by default sorted by _score, track_scores must be set to false.',
    )
  if (byScore.length > 0) return
  const sorted = 'Hybrid search results when sorted by any field, docId or _id,'
  if (trackScores) throw new IllegalArgumentError(`${sorted} track_scores must be set to false.`)
  if (minScore !== null) throw new IllegalArgumentError(`${sorted} min_score cannot be set.`)
}

/** Hits of each list and shard: the depth that pages are cut from, or the one page there is. */
export function listSize({ depth }: HybridQuery, size: number): number {
  return size === 0 ? 0 : (depth ?? size)
}
