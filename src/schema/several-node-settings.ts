/**
 * Settings about how several nodes share shards, copies and votes. One node takes and prints them,
 * so that configurations of larger clusters fit it; nothing depends on them.
 */

import {
  booleans,
  choices,
  decimals,
  durations,
  integers,
  longs,
  type SettingDefinition,
  type SettingParser,
  setting,
} from './setting.ts'

const ALLOCATION = 'cluster.routing.allocation'
const ALLOCATORS = `${ALLOCATION}.shards_batch_gateway_allocator`

const MOVEMENTS = ['no_preference', 'primary_first', 'replica_first']

const rows: readonly (readonly [key: string, parse: SettingParser, value: string | null])[] = [
  ['cluster.allocator.gateway.batch_size', longs(1), '2000'],
  ['cluster.auto_shrink_voting_configuration', booleans, 'true'],
  ['cluster.max_voting_config_exclusions', integers(1), '10'],
  [`${ALLOCATION}.balanced_shards_allocator.allocator_timeout`, durations(), '-1'],
  [`${ALLOCATION}.cluster_concurrent_recoveries`, integers(-1), '-1'],
  [`${ALLOCATION}.load_awareness.allow_unassigned_primaries`, booleans, 'true'],
  [`${ALLOCATION}.load_awareness.flat_skew`, integers(2), '2'],
  [`${ALLOCATION}.load_awareness.provisioned_capacity`, integers(-1), '-1'],
  [`${ALLOCATION}.load_awareness.skew_factor`, decimals(-1), '50.0'],
  [`${ALLOCATION}.move.primary_first`, booleans, 'false'],
  [`${ALLOCATION}.node_initial_replicas_recoveries`, integers(0), '4'],
  [`${ALLOCATION}.primary_constraint.threshold`, longs(0), '10'],
  [`${ALLOCATION}.rebalance.primary.buffer`, decimals(0), '0.1'],
  [`${ALLOCATION}.rebalance.primary.enable`, booleans, 'false'],
  [`${ALLOCATION}.remote_primary.ignore_throttle`, booleans, 'true'],
  [`${ALLOCATION}.shard_movement_strategy`, choices(MOVEMENTS), 'NO_PREFERENCE'],
  [`${ALLOCATORS}.primary_allocator_timeout`, durations(), '20s'],
  [`${ALLOCATORS}.replica_allocator_timeout`, durations(), '20s'],
  [`${ALLOCATION}.total_primary_shards_per_node`, integers(-1), '-1'],
  ['cluster.routing.ignore_weighted_routing', booleans, 'false'],
  ['cluster.routing.search_replica.strict', booleans, 'true'],
  ['cluster.routing.weighted.default_weight', decimals(1), '1.0'],
  ['cluster.routing.weighted.fail_open', booleans, 'true'],
  ['cluster.routing.weighted.strict', booleans, 'true'],
  ['cluster.search.ignore_awareness_attributes', booleans, 'true'],
  ['indices.replication.initial_retry_backoff_bound', durations('0'), '50ms'],
  ['indices.replication.retry_timeout', durations('0'), '60s'],
  ['segrep.pressure.enabled', booleans, 'false'],
  ['segrep.pressure.checkpoint.limit', integers(1), '4'],
  ['segrep.pressure.replica.stale.limit', decimals(0, 1), '0.5'],
  ['segrep.pressure.time.limit', durations('0'), '5m'],
]

/** The table. */
export const SEVERAL_NODE_SETTINGS: readonly SettingDefinition[] = rows.map(([key, parse, value]) =>
  setting('dynamic', key, parse, value),
)
