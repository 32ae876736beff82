/** The parts of a search that look beyond the documents that its query matches. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { PriorQuery } from '../../search/query/query.ts'
import { restrictedError } from '../../task/access.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** Kinds whose buckets stand for no terms, so that an empty one tells of none. */
const OF_RANGES = new Set(['histogram', 'dateHistogram', 'autoDateHistogram'])

/** Of a search that was made for one index. */
interface SearchParts {
  readonly aggregations: readonly Aggregation[]
  readonly joins: readonly PriorQuery[]
  readonly hasSuggestions: boolean
}

/**
 * Refuses what would tell a caller of documents that he may not see.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkRestrictedSearch(
  { visible }: Pick<IndexView, 'visible'>,
  { aggregations, joins, hasSuggestions }: SearchParts,
): void {
  if (visible === null) return
  if (hasSuggestions) throw restrictedError('Suggesting is not supported when DLS is activated')
  if (joins.some(({ kind }) => kind === 'join'))
    throw restrictedError('Joining is not supported when DLS is activated')
  aggregations.forEach(checkAggregation)
}

/**
 * Refuses profiles, whose counts are of all documents.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkRestrictedProfile(views: readonly Pick<IndexView, 'visible'>[]): void {
  if (views.some(({ visible }) => visible !== null))
    throw restrictedError('Profiling is not supported when DLS is activated')
}

function checkAggregation(aggregation: Aggregation): void {
  if (aggregation.kind === 'joined')
    throw restrictedError('Joining is not supported when DLS is activated')
  if (!OF_RANGES.has(aggregation.kind) && hasEmptyBuckets(aggregation))
    throw restrictedError('min_doc_count 0 is not supported when DLS is activated')
  if ('children' in aggregation) (aggregation.children as Aggregation[]).forEach(checkAggregation)
}

/** Whether terms of no match have buckets, of the dictionary's. */
function hasEmptyBuckets(aggregation: object): boolean {
  return 'minDocCount' in aggregation && aggregation.minDocCount === 0
}
