/** Keys of the request cache, and the searches that may use it. */
import { serialize } from 'node:v8'
import type { SearchPlan } from '../../parallel/prepare.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import type { CachedQuery } from '../node/request-cache.ts'
import type { IndexSearch } from './index-search.ts'
import type { SearchRequest } from './search-request.ts'

/** A call's request-cache options; null: nothing may be cached for it. */
export interface CacheWish {
  /** Undefined: as the index says, and only for searches of few hits. */
  readonly asked: boolean | undefined
  /** The most hits that a search may ask for that does not say whether it is cached; by default 0. */
  readonly maxSize: number
}

/** Memory of a hit in a result. */
const HIT_BYTES = 64

/**
 * Whether the query phase of an index may be cached: not where its queries read the time of now, nor where
 * the answer tells how it ran.
 */
export function isCacheable(
  wish: CacheWish | null,
  { coupled, parts }: SearchRequest,
  { index, readsNow, joins, sliceColumn }: IndexSearch,
): boolean {
  if (wish === null || wish.asked === false || readsNow) return false
  if (parts.profile.isOn || parts.suggest !== null || sliceColumn !== null) return false
  // The hits of joins are read by documents that its own pass finds.
  if (joins.length > 0 && coupled.size > 0) return false
  if (wish.asked === true) return true
  const isOn = indexSettings.boolean(index.metadata.settings, 'index.requests.cache.enable')
  return isOn && coupled.size <= wish.maxSize
}

/**
 * The key of a shard's query phase: the whole plan as it stands before joins are found, which depend on the
 * snapshot alone. Fields that are hidden may change what is read of documents, not only the plan.
 */
export function requestKey(
  { query, gather, maxClauseCount }: SearchPlan,
  search: IndexSearch,
): string {
  const limits = { ...gather.limits, deadline: 0 }
  const { hits, others } = gather
  const { rescores, aggregations, all, view } = search
  const global = aggregations.some(({ kind }) => kind === 'global') ? [aggregations, all] : []
  const parts = [query, hits, others, limits, maxClauseCount, rescores, global, view.fields?.key]
  return serialize(parts).toString('latin1')
}

/** Estimated memory of a result. */
export function bytesOf({ result, rescored, aggregated }: CachedQuery): number {
  const parts = aggregated.length === 0 ? 0 : serialize(aggregated).length
  const docs = rescored.flat().reduce((sum, each) => sum + each.size, 0)
  const hits = (result.lists ?? []).reduce((sum, list) => sum + list.length, result.hits.length)
  return HIT_BYTES * (hits + docs) + parts
}
