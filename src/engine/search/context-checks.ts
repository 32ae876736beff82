/** Checks of scrolls and points in time: options that exclude them, keep-alives, and how many may be open. */
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import { durationText } from '../../util/units.ts'
import type { SearchCall } from '../api/searches.ts'
import type { ContextKind } from '../node/context-id.ts'
import type { ReaderContexts } from '../node/reader-contexts.ts'
import type { SearchRequest } from './search-request.ts'

/**
 * Holds a search's request against its options and its target, all faults at once.
 * @throws {EngineError} `action_request_validation_exception`
 */
export function checkContextUse(
  { target, options }: Pick<SearchCall, 'target' | 'options'>,
  { coupled }: SearchRequest,
): void {
  const { from, size, sort, pit, scrollInMillis, trackTotalHits, isTotalGiven, rescore } = coupled
  const faults: string[] = []
  if (scrollInMillis !== null) {
    if (isTotalGiven && trackTotalHits !== Number.POSITIVE_INFINITY)
      faults.push('disabling [track_total_hits] is not allowed in a scroll context')
    if (from > 0) faults.push('using [from] is not allowed in a scroll context')
    if (size === 0) faults.push('[size] cannot be [0] in a scroll context')
    if (rescore.length > 0) faults.push('using [rescore] is not allowed in a scroll context')
    if (options.requestCache === true)
      faults.push('[request_cache] cannot be used in a scroll context')
  }
  if (pit !== null) {
    if (scrollInMillis !== null)
      faults.push('using [point in time] is not allowed in a scroll context')
    if (options.routing !== undefined) faults.push('[routing] cannot be used with point in time')
    if (options.preference !== undefined)
      faults.push('[preference] cannot be used with point in time')
    if (target.names.length > 0) faults.push('[indices] cannot be used with point in time')
    if (!isUsual(target)) faults.push('[indicesOptions] cannot be used with point in time')
  }
  const shardDocs = sort.filter(({ field }) => field === '_shard_doc').length
  if (shardDocs > 0 && scrollInMillis !== null)
    faults.push('_shard_doc cannot be used with scroll. Use PIT + search_after instead.')
  else if (shardDocs > 0 && pit === null)
    faults.push(
      '_shard_doc is only supported with point-in-time (PIT). Add a PIT or remove _shard_doc.',
    )
  if (shardDocs > 1) faults.push('duplicate _shard_doc sort detected. Specify it at most once.')
  if (faults.length > 0) throw validationFailed(faults)
}

function isUsual(target: SearchCall['target']): boolean {
  const { ignoreUnavailable, allowNoIndices, expandOpen, expandClosed, expandHidden } = target
  return !ignoreUnavailable && allowNoIndices && expandOpen && !expandClosed && !expandHidden
}

/** By kind: settings of the longest keep-alive and of the number of shards held, and its name. */
const LIMITS = {
  scroll: {
    keepAlive: 'search.max_keep_alive',
    open: 'search.max_open_scroll_context',
    name: 'scroll',
  },
  pit: {
    keepAlive: 'point_in_time.max_keep_alive',
    open: 'search.max_open_pit_context',
    name: 'Point In Time',
  },
} as const satisfies { readonly [K in ContextKind]: object }

/**
 * Holds a keep-alive against the cluster's limit.
 * @throws {IllegalArgumentError} it is longer
 */
export function checkKeepAlive(kind: ContextKind, millis: number, cluster: Settings): void {
  const key = LIMITS[kind].keepAlive
  const most = clusterSettings.nanos(cluster, key) ?? Number.POSITIVE_INFINITY
  if (millis * 1e6 <= most) return
  throw new IllegalArgumentError(
    `Keep alive for request (${durationText(millis * 1e6)}) is too large. It must be less than ` +
      `(${durationText(most)}). This limit can be set by changing the [${key}] cluster level setting.`,
  )
}

/**
 * Passes as many shards more as may be held.
 * @throws {EngineError} 429 `rejected_execution_exception`
 */
export function checkOpenContexts(
  kind: ContextKind,
  contexts: ReaderContexts,
  shards: number,
  cluster: Settings,
): void {
  const { open: key, name } = LIMITS[kind]
  const most = clusterSettings.number(cluster, key) ?? Number.POSITIVE_INFINITY
  if (contexts.shardCount + shards <= most) return
  throw new EngineError({
    type: 'rejected_execution_exception',
    reason:
      `Trying to create too many ${name} contexts. Must be less than or equal to: [${most}]. ` +
      `This limit can be set by changing the [${key}] setting.`,
  })
}
