/** Every cluster setting that the API knows: `_cluster/settings` takes and prints these. */
import { IllegalArgumentError } from '../util/errors.ts'
import { compilePattern } from '../util/pattern/pattern-program.ts'
import { usedShare, watermark } from './disk-watermark.ts'
import { allocations, searchMode } from './index-settings.ts'
import { NODE_SETTINGS_OF_CLUSTER } from './node-settings.ts'
import {
  anyText,
  booleans,
  choices,
  decimals,
  durations,
  integers,
  listSetting,
  longs,
  type SettingDefinition,
  type SettingParser,
  setting,
  sizes,
  sizesOrPercent,
} from './setting.ts'
import type { Settings } from './settings.ts'
import { SEVERAL_NODE_SETTINGS } from './several-node-settings.ts'

/** Before the name of a watermark: `low`, `high`, `flood_stage`. */
export const WATERMARK = 'cluster.routing.allocation.disk.watermark'

/** @throws {IllegalArgumentError} no regular expression */
function regularExpression(text: string): string {
  compilePattern(text, '', 'whole')
  return text
}

/** @throws {IllegalArgumentError} no mode, or the one that cancels searches of a node under duress */
function watchedMode(text: string): string {
  const mode = text.toLowerCase()
  if (mode === 'monitor_only' || mode === 'disabled') return mode
  throw new IllegalArgumentError(
    mode === 'enforced'
      ? '[search_backpressure.mode: enforced] is not supported yet'
      : `Invalid SearchBackpressureMode: ${text}`,
  )
}

const rows: readonly (readonly [key: string, parse: SettingParser, value: string | null])[] = [
  ['action.auto_create_index', anyText, 'true'],
  ['action.destructive_requires_name', booleans, 'false'],
  ['action.search.shard_count.limit', integers(1), '2147483647'],
  ['cluster.blocks.read_only', booleans, 'false'],
  ['cluster.blocks.read_only_allow_delete', booleans, 'false'],
  ['cluster.blocks.create_index', booleans, 'false'],
  ['cluster.default_number_of_replicas', integers(0), '1'],
  ['cluster.default.index.refresh_interval', durations(), null],
  ['cluster.minimum.index.refresh_interval', durations('0'), '0'],
  ['cluster.indices.close.enable', booleans, 'true'],
  ['cluster.info.update.interval', durations('10s'), '30s'],
  ['cluster.info.update.timeout', durations('0'), '15s'],
  ['cluster.ignore_dot_indexes', booleans, 'false'],
  ['cluster.ingest.max_number_processors', integers(1), '2147483647'],
  ['cluster.max_shards_per_node', integers(1), '1000'],
  ['cluster.metadata.*', anyText, null],
  [
    'cluster.no_cluster_manager_block',
    choices(['all', 'write', 'metadata_write']),
    'metadata_write',
  ],
  ['cluster.persistent_tasks.*', anyText, null],
  ['cluster.routing.allocation.enable', allocations, 'all'],
  ['cluster.routing.allocation.balance.index', decimals(0), '0.55'],
  ['cluster.routing.allocation.balance.shard', decimals(0), '0.45'],
  ['cluster.routing.allocation.balance.threshold', decimals(0), '1.0'],
  ['cluster.routing.allocation.balance.*', anyText, null],
  ['cluster.routing.allocation.awareness.*', anyText, null],
  ['cluster.routing.allocation.allow_rebalance', anyText, 'indices_all_active'],
  ['cluster.routing.allocation.cluster_concurrent_rebalance', integers(-1), '2'],
  ['cluster.routing.allocation.node_concurrent_recoveries', integers(0), '2'],
  ['cluster.routing.allocation.node_concurrent_incoming_recoveries', integers(0), '2'],
  ['cluster.routing.allocation.node_concurrent_outgoing_recoveries', integers(0), '2'],
  ['cluster.routing.allocation.node_initial_primaries_recoveries', integers(0), '4'],
  ['cluster.routing.allocation.same_shard.host', booleans, 'false'],
  ['cluster.routing.allocation.total_shards_per_node', totalShards, '-1'],
  ['cluster.routing.allocation.include.*', anyText, null],
  ['cluster.routing.allocation.exclude.*', anyText, null],
  ['cluster.routing.allocation.require.*', anyText, null],
  ['cluster.routing.allocation.disk.threshold_enabled', booleans, 'true'],
  [`${WATERMARK}.low`, watermark, '85%'],
  [`${WATERMARK}.high`, watermark, '90%'],
  [`${WATERMARK}.flood_stage`, watermark, '95%'],
  ['cluster.routing.allocation.disk.include_relocations', booleans, 'true'],
  ['cluster.routing.allocation.disk.reroute_interval', durations('0'), '60s'],
  ['cluster.routing.rebalance.enable', choices(['all', 'primaries', 'replicas', 'none']), 'all'],
  ['cluster.routing.use_adaptive_replica_selection', booleans, 'true'],
  ['search.phase_took_enabled', booleans, 'false'],
  ['cluster.search.request.slowlog.level', anyText, 'TRACE'],
  ['cluster.search.request.slowlog.threshold.*', durations(), '-1'],
  ['indices.breaker.total.limit', sizesOrPercent, '95%'],
  ['indices.breaker.request.limit', sizesOrPercent, '60%'],
  ['indices.breaker.request.overhead', decimals(0), '1.0'],
  ['indices.breaker.fielddata.limit', sizesOrPercent, '40%'],
  ['indices.breaker.fielddata.overhead', decimals(0), '1.03'],
  ['network.breaker.inflight_requests.limit', sizesOrPercent, '100%'],
  ['network.breaker.inflight_requests.overhead', decimals(0), '2.0'],
  ['indices.query.bool.max_clause_count', integers(1), '1024'],
  ['indices.id_field_data.enabled', booleans, 'true'],
  ['indices.requests.cache.maximum_cacheable_size', integers(0), '0'],
  ['indices.recovery.max_bytes_per_sec', sizes('0'), '40mb'],
  ['indices.recovery.*', anyText, null],
  ['indices.mapping.max_in_flight_updates', integers(1, 1000), '10'],
  ['indices.mapping.dynamic_timeout', durations('0'), '30s'],
  ['search.max_buckets', integers(0), '65535'],
  ['search.allow_expensive_queries', booleans, 'true'],
  ['search.derived_field.enabled', booleans, 'true'],
  ['search.default_search_timeout', durations(), '-1'],
  ['search.default_allow_partial_results', booleans, 'true'],
  ['search.cancel_after_time_interval', durations(), '-1'],
  ['search.default_keep_alive', durations('0'), '5m'],
  ['search.max_keep_alive', durations('0'), '24h'],
  ['point_in_time.max_keep_alive', durations('0'), '24h'],
  ['search.max_open_scroll_context', integers(0), '500'],
  ['search.max_open_pit_context', integers(0), '300'],
  ['search.low_level_cancellation', booleans, 'true'],
  ['search.concurrent_segment_search.mode', searchMode, 'all'],
  ['search.concurrent_segment_search.enabled', booleans, 'false'],
  ['search.concurrent.max_slice_count', integers(0), null],
  ['search.concurrent.intra_segment', choices(['none', 'auto']), 'auto'],
  ['search.concurrent.intra_segment_min_docs', integers(1), '65536'],
  ['search.aggregation.bucket_selection_strategy_factor', integers(0, 10), '5'],
  ['search.aggregations.cardinality.hybrid_collector.enabled', booleans, 'true'],
  ['search.aggregations.terms.max_precompute_cardinality', integers(0), '30000'],
  ['search.dynamic_pruning.cardinality_aggregation.max_allowed_cardinality', integers(0), '100'],
  ['search.keyword_index_or_doc_values_enabled', booleans, 'false'],
  ['search.max_aggregation_rewrite_filters', integers(0), '3000'],
  ['search.query.max_query_string_length', integers(1), '32000'],
  ['search.query_rewriting.enabled', booleans, 'true'],
  ['search.query_rewriting.terms_threshold', integers(2), '16'],
  ['search_backpressure.mode', watchedMode, 'monitor_only'],
  ['snapshot.max_shards_allowed_in_status_api', integers(1), '200000'],
  ['snapshot.max_concurrent_operations', integers(1), '1000'],
  ['snapshot.*', anyText, null],
  ['script.max_compilations_rate', compilationRate, 'use-context'],
  ['script.max_size_in_bytes', integers(0), '65535'],
  ['script.cache.max_size', integers(0), '100'],
  ['script.cache.expire', durations('0'), '0'],
  ['script.context.*.cache_max_size', integers(0), '100'],
  ['script.context.*.cache_expire', durations('0'), '0'],
  ['script.context.*.max_compilations_rate', compilationRate, '75/5m'],
  ['script.*', anyText, null],
  ['logger.*', anyText, null],
  ['lamella.profile.reasons', choices(['documented', 'native']), 'documented'],
  ['lamella.profile.fetch', booleans, 'false'],
  ['lamella.profile.sampling', choices(['calibrated', 'reference', 'unsampled']), 'calibrated'],
  ['knn.plugin.enabled', booleans, 'true'],
  ['knn.algo_param.index_thread_qty', integers(1, 32), '1'],
  ['knn.memory.circuit_breaker.enabled', booleans, 'true'],
  ['knn.memory.circuit_breaker.limit', sizesOrPercent, '50%'],
  ['knn.memory.circuit_breaker.limit.*', sizesOrPercent, null],
  ['knn.circuit_breaker.triggered', booleans, 'false'],
  ['knn.circuit_breaker.unset.percentage', decimals(0, 100), '75.0'],
  ['knn.cache.item.expiry.enabled', booleans, 'false'],
  ['knn.cache.item.expiry.minutes', durations('0'), '3h'],
  ['knn.model.index.number_of_shards', integers(1), '1'],
  ['knn.model.index.number_of_replicas', integers(0), '1'],
  ['knn.model.cache.size.limit', sizesOrPercent, '10%'],
  ['plugins.index_state_management.enabled', booleans, 'true'],
  ['plugins.index_state_management.action_validation.enabled', booleans, 'false'],
  ['plugins.index_state_management.job_interval', integers(1), '5'],
  ['plugins.index_state_management.jitter', decimals(0, 1), '0.6'],
  ['plugins.index_state_management.coordinator.sweep_period', durations('5m'), '10m'],
  ['plugins.index_state_management.coordinator.backoff_millis', durations('0'), '50ms'],
  ['plugins.index_state_management.coordinator.backoff_count', integers(0), '2'],
  [
    'plugins.index_state_management.restricted_index_pattern',
    regularExpression,
    '\\.opendistro_security|\\.kibana.*|\\.opendistro-ism-config',
  ],
  ['plugins.index_state_management.history.enabled', booleans, 'true'],
  ['plugins.index_state_management.history.max_docs', longs(0), '2500000'],
  ['plugins.index_state_management.history.max_age', durations('0'), '24h'],
  ['plugins.index_state_management.history.rollover_check_period', durations('0'), '8h'],
  ['plugins.index_state_management.history.rollover_retention_period', durations('0'), '30d'],
  ['plugins.index_state_management.history.number_of_shards', integers(1), '1'],
  ['plugins.index_state_management.history.number_of_replicas', integers(0), '1'],
  ['plugins.index_state_management.*', anyText, null],
  ['plugins.transform.circuit_breaker.enabled', booleans, 'true'],
  ['plugins.transform.circuit_breaker.jvm.threshold', integers(0, 100), '85'],
  ['plugins.notifications.*', anyText, null],
  ['opensearch.notifications.*', anyText, null],
]

/** Kinds of action that policies may have. */
const ISM_ACTIONS = [
  'alias',
  'allocation',
  'close',
  'delete',
  'force_merge',
  'index_priority',
  'notification',
  'open',
  'read_only',
  'read_write',
  'replica_count',
  'rollover',
  'shrink',
  'snapshot',
]

/** The table. The static ones are known, so that a try to change them is told what they are. */
export const CLUSTER_SETTINGS: readonly SettingDefinition[] = [
  listSetting('dynamic', 'cluster.search.enabled_system_generated_factories'),
  listSetting('dynamic', 'plugins.index_state_management.allow_list', anyText, ISM_ACTIONS),
  listSetting('dynamic', 'plugins.index_state_management.snapshot.deny_list'),
  ...rows.map(([key, parse, value]) => setting('dynamic', key, parse, value)),
  ...SEVERAL_NODE_SETTINGS,
  ...NODE_SETTINGS_OF_CLUSTER,
]

/**
 * Holds the disk watermarks against each other: one kind, low ≤ high ≤ flood stage.
 * @param settings what holds after a change, explicit values only
 */
export function checkWatermarks(settings: Settings): void {
  const value = (name: string, otherwise: string): string =>
    String(settings.get(`${WATERMARK}.${name}`) ?? otherwise)
  const low = value('low', '85%')
  const high = value('high', '90%')
  const flood = value('flood_stage', '95%')
  const all = [low, high, flood]
  const shares = all.map(usedShare)
  if (shares.every(share => share !== null)) {
    checkOrder(all, shares, (a, b) => a > b)
    return
  }
  if (shares.some(share => share !== null)) {
    // Values left at their defaults take the kind of those that were given.
    const given = ['low', 'high', 'flood_stage'].filter(name =>
      settings.has(`${WATERMARK}.${name}`),
    )
    const kinds = new Set(given.map(name => usedShare(value(name, '')) === null))
    if (kinds.size <= 1) {
      checkBytes(all, shares)
      return
    }
    throw new IllegalArgumentError(
      `unable to consistently parse [${WATERMARK}.low=${low}], [${WATERMARK}.high=${high}], ` +
        `and [${WATERMARK}.flood_stage=${flood}] as percentage or bytes`,
    )
  }
  checkBytes(all, shares)
}

/** @param shares null for sizes, which alone are held against each other */
function checkBytes(texts: readonly string[], shares: readonly (number | null)[]): void {
  const parseBytes = sizes()
  const bytes = texts.map((text, i) =>
    shares[i] === null ? (parseBytes(text, WATERMARK) as number) : Number.NaN,
  )
  // Bytes are free space: the low watermark is the largest of them.
  checkOrder(texts, bytes, (a, b) => a < b)
}

function checkOrder(
  texts: readonly string[],
  values: readonly (number | null)[],
  isMore: (a: number, b: number) => boolean,
): void {
  const [low, high, flood] = texts
  const [lowValue, highValue, floodValue] = values.map(Number)
  if (isMore(lowValue!, highValue!)) {
    throw new IllegalArgumentError(
      `low disk watermark [${low}] more than high disk watermark [${high}]`,
    )
  }
  if (isMore(highValue!, floodValue!)) {
    throw new IllegalArgumentError(
      `high disk watermark [${high}] more than flood stage disk watermark [${flood}]`,
    )
  }
}

/** −1 (no limit) or at least 1. */
function totalShards(text: string, key: string): number {
  const value = Number(integers(-1)(text, key))
  if (value === 0)
    throw new IllegalArgumentError(`Failed to parse value [0] for setting [${key}] must be >= 1`)
  return value
}

/** `use-context`, `unlimited` or `n/duration` of at least a minute. */
function compilationRate(text: string, key: string): string {
  if (text === 'use-context' || text === 'unlimited') return text
  const match = /^(\d{1,9})\/(.+)$/.exec(text)
  if (match === null) {
    throw new IllegalArgumentError(
      `parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${text}]`,
    )
  }
  durations('1m')(match[2]!, key)
  return text
}
