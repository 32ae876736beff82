/** Names and reasons of collectors in the profile. */
import type { CollectSpec } from '../search/collector/collect-spec.ts'
import type { CollectorRole } from '../search/search-slice.ts'

/**
 * `documented`: the reasons in the documentation's table; `native`: the constants of OpenSearch's
 * code, without a collector for the timeout.
 */
export type ReasonStyle = 'documented' | 'native'

/** Name and reason of one collector. */
export interface CollectorName {
  readonly name: string
  readonly reason: string
}

/** A collector's name, or null for one that the style leaves out. */
export function collectorName(
  role: CollectorRole,
  spec: CollectSpec,
  concurrent: boolean,
  style: ReasonStyle,
): CollectorName | null {
  switch (role) {
    case 'topHits':
      return {
        name: concurrent ? topHitsManager(spec) : topHitsName(spec),
        reason: style === 'documented' ? 'search_sorted' : 'search_top_hits',
      }
    case 'count': {
      const scans = spec.trackTotalHits === Number.POSITIVE_INFINITY && spec.knownTotal === null
      const name = scans ? 'TotalHitCountCollector' : 'EarlyTerminatingCollector'
      return { name: concurrent ? `${name}Manager` : name, reason: 'search_count' }
    }
    case 'terminateAfter':
      return { name: 'MultiCollector', reason: 'search_terminate_after_count' }
    case 'postFilter':
      return {
        name: concurrent ? 'FilteredCollectorManager' : 'FilteredCollector',
        reason: 'search_post_filter',
      }
    case 'gathers':
      return {
        name: concurrent ? 'QueryCollectorManager' : 'MultiCollector',
        reason: 'search_multi',
      }
    case 'minScore':
      return {
        name: concurrent ? 'MinimumCollectorManager' : 'MinimumScoreCollector',
        reason: 'search_min_score',
      }
    case 'timeout':
      return style === 'native' ? null : { name: 'TimeLimitingCollector', reason: 'search_timeout' }
  }
}

function topHitsManager({ collapse, lists }: CollectSpec): string {
  if (lists > 0) return 'HybridCollectorManager'
  return collapse === null ? 'SimpleTopDocsCollectorManager' : 'CollapsingTopDocsCollectorManager'
}

function topHitsName(spec: CollectSpec): string {
  if (spec.lists > 0) return 'HybridTopScoreDocCollector'
  if (spec.collapse !== null) return 'CollapsingTopDocsCollector'
  if (spec.sort === null)
    return spec.searchAfter === null ? 'SimpleTopScoreDocCollector' : 'PagingTopScoreDocCollector'
  if (spec.trackScores) return 'MultiCollector'
  return spec.searchAfter === null ? 'SimpleFieldCollector' : 'PagingFieldCollector'
}
