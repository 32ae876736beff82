/** The parts of a search that look beyond the documents that its query matches. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { Mapping } from '../../schema/mapping.ts'
import { restrictedError } from '../../task/access.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** Kinds whose buckets stand for no terms, so that an empty one tells of none. */
const OF_RANGES = new Set(['histogram', 'dateHistogram', 'autoDateHistogram'])

/**
 * Refuses what would tell a caller of documents that he may not see.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkRestrictedSearch(
  { visible }: Pick<IndexView, 'visible'>,
  aggregations: readonly Aggregation[],
): void {
  if (visible !== null) aggregations.forEach(checkAggregation)
}

/**
 * Refuses profiles, whose counts are of all documents.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkRestrictedProfile(views: readonly Pick<IndexView, 'visible'>[]): void {
  if (views.some(({ visible }) => visible !== null))
    throw restrictedError('Profiling is not supported when DLS is activated')
}

/**
 * Refuses to tell how a query is rewritten: with terms of all documents.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkRestrictedRewrite({ visible }: Pick<IndexView, 'visible'>): void {
  if (visible !== null) throw restrictedError('Rewriting is not supported when DLS is activated')
}

/**
 * Refuses to run what was planned with a field that is hidden from the caller. Plans are made with a mapping that lacks
 * it, so that this stops none but one that took a name from somewhere else.
 * @param queries plain data; columns are named by `field`
 * @param others  sorts and aggregations, as the queries
 * @throws {EngineError} 403 `security_exception`
 */
export function checkPlannedFields(
  { index, mapping, shown, fields }: Pick<IndexView, 'index' | 'mapping' | 'shown' | 'fields'>,
  {
    queries,
    others,
  }: { readonly queries: readonly unknown[]; readonly others: readonly unknown[] },
): void {
  if (fields === null) return
  for (const query of queries) checkColumns(query, index.mapping, mapping)
  // Masked fields sort hits, group them and are gathered: what is printed is their masks.
  for (const other of others) checkColumns(other, index.mapping, shown)
}

function checkColumns(value: unknown, whole: Mapping, allowed: Mapping): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  // The model of an aggregation that the index has no values for is never read.
  if ('kind' in value && value.kind === 'unmapped') return
  for (const [key, each] of Object.entries(value))
    if (key === 'field' && typeof each === 'string') {
      if (whole.ordinal(each) >= 0 && allowed.ordinal(each) < 0)
        throw restrictedError('A field is not available when FLS or Fieldmasking is activated')
    } else checkColumns(each, whole, allowed)
}

function checkAggregation(aggregation: Aggregation): void {
  if (!OF_RANGES.has(aggregation.kind) && hasEmptyBuckets(aggregation))
    throw restrictedError('min_doc_count 0 is not supported when DLS is activated')
  if ('children' in aggregation) (aggregation.children as Aggregation[]).forEach(checkAggregation)
}

/** Whether terms of no match have buckets, of the dictionary's. */
function hasEmptyBuckets(aggregation: object): boolean {
  return 'minDocCount' in aggregation && aggregation.minDocCount === 0
}
