/** Every index setting that the API knows, with its default, its values and when it may change. */
import { IllegalArgumentError } from '../util/errors.ts'
import { MERGE_ORDER_KEY, parseMergeOrder } from './merge-order.ts'
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
} from './setting.ts'

const CODECS = ['default', 'best_compression', 'lz4', 'zlib', 'zstd', 'zstd_no_dict']
const CHECKS = ['true', 'false', 'checksum']
const MERGE_POLICIES = ['tiered', 'log_byte_size', 'default']

/** The kinds of shards that may be allocated; the cluster has the same setting. */
export const allocations: SettingParser = choices(['all', 'primaries', 'new_primaries', 'none'])

const positive = integers(1)
const notNegative = integers(0)

const flags: readonly (readonly [
  key: string,
  life: 'dynamic' | 'static' | 'final',
  value: string,
])[] = [
  ['soft_deletes.enabled', 'final', 'true'],
  ['append_only.enabled', 'final', 'false'],
  ['derived_source.enabled', 'final', 'false'],
  ['derived_source.translog.enabled', 'dynamic', 'false'],
  ['use_compound_file', 'static', 'true'],
  ['check_pending_flush.enabled', 'static', 'true'],
  ['query_string.lenient', 'static', 'false'],
  ['query.parse.allow_unmapped_fields', 'static', 'true'],
  ['mapping.ignore_malformed', 'static', 'false'],
  ['mapping.coerce', 'static', 'true'],
  // Without effect: [dynamic] of a mapping tells.
  ['mapper.dynamic', 'dynamic', 'true'],
  ['queries.cache.enabled', 'static', 'true'],
  ['load_fixed_bitset_filters_eagerly', 'static', 'true'],
  ['merge_on_flush.enabled', 'dynamic', 'true'],
  ['optimize_auto_generated_id', 'dynamic', 'true'],
  ['merge.scheduler.auto_throttle', 'dynamic', 'true'],
  ['query.derived_field.enabled', 'dynamic', 'true'],
  ['blocks.read_only', 'dynamic', 'false'],
  ['blocks.read_only_allow_delete', 'dynamic', 'false'],
  ['blocks.read', 'dynamic', 'false'],
  ['blocks.write', 'dynamic', 'false'],
  ['blocks.metadata', 'dynamic', 'false'],
  ['requests.cache.enable', 'dynamic', 'true'],
  ['bulk.adaptive_shard_selection.enabled', 'dynamic', 'false'],
  ['search.concurrent_segment_search.enabled', 'dynamic', 'false'],
  ['hidden', 'dynamic', 'false'],
  ['unreferenced_file_cleanup.enabled', 'dynamic', 'true'],
  ['warmer.enabled', 'dynamic', 'true'],
  ['optimize_doc_id_lookup.fuzzy_set.enabled', 'dynamic', 'false'],
  ['knn', 'final', 'false'],
  // Vectors are printed from `_source` and searched in arenas: these two change nothing.
  ['knn.derived_source.enabled', 'final', 'true'],
  ['knn.memory_optimized_search', 'static', 'false'],
]

const limits: readonly (readonly [key: string, parse: SettingParser, value: string])[] = [
  ['number_of_search_replicas', notNegative, '0'],
  ['max_result_window', positive, '10000'],
  ['max_inner_result_window', positive, '100'],
  ['max_terms_count', positive, '65536'],
  ['max_regex_length', positive, '1000'],
  ['max_slices_per_scroll', positive, '1024'],
  ['max_slices_per_pit', positive, '1024'],
  ['analyze.max_token_count', positive, '10000'],
  ['highlight.max_analyzed_offset', positive, '1000000'],
  ['max_script_fields', notNegative, '32'],
  ['max_docvalue_fields_search', notNegative, '100'],
  ['max_ngram_diff', notNegative, '1'],
  ['max_shingle_diff', notNegative, '3'],
  ['max_refresh_listeners', notNegative, '1000'],
  ['max_adjacency_matrix_filters', integers(2), '100'],
  ['query.max_nested_depth', positive, '20'],
  ['mapping.total_fields.limit', notNegative, '1000'],
  ['mapping.depth.limit', parserLimit(1000, 'depth'), '20'],
  ['mapping.nested_fields.limit', notNegative, '50'],
  ['mapping.nested_objects.limit', notNegative, '10000'],
  ['mapping.field_name_length.limit', parserLimit(50000, 'name.length'), '50000'],
  ['search.concurrent.max_slice_count', notNegative, '0'],
  ['priority', notNegative, '1'],
  ['allocation.max_retries', notNegative, '5'],
  ['routing.allocation.total_shards_per_node', integers(-1), '-1'],
  ['merge.policy.max_merge_at_once', integers(2), '30'],
  ['merge.policy.segments_per_tier', decimals(2), '10.0'],
  ['merge.policy.deletes_pct_allowed', decimals(5, 50), '20.0'],
  ['merge.policy.expunge_deletes_allowed', decimals(0), '10.0'],
  ['merge.policy.reclaim_deletes_weight', decimals(0), '2.0'],
  ['merge.log_byte_size_policy.merge_factor', integers(2), '10'],
  ['merge.log_byte_size_policy.no_cfs_ratio', decimals(0, 1), '0.1'],
  ['merge.scheduler.max_thread_count', positive, '1'],
  ['merge.scheduler.max_merge_count', positive, '6'],
  ['optimize_doc_id_lookup.fuzzy_set.false_positive_probability', decimals(0.01, 0.5), '0.2047'],
  ['soft_deletes.retention.operations', notNegative, '0'],
  ['translog.retention.total_files', notNegative, '100'],
  ['knn.algo_param.ef_search', integers(2), '100'],
  ['knn.advanced.approximate_threshold', integers(-1, 2147483645), '10000'],
  ['knn.advanced.filtered_exact_search_threshold', integers(), '-1'],
]

const times: readonly (readonly [key: string, least: string, value: string])[] = [
  ['refresh_interval', '-1', '1s'],
  ['translog.sync_interval', '100ms', '5s'],
  ['translog.retention.age', '-1', '-1'],
  ['periodic_flush_interval', '-1', '-1'],
  ['gc_deletes', '-1', '60s'],
  ['merge_on_flush.max_full_flush_merge_wait_time', '0', '10s'],
  ['soft_deletes.retention_lease.period', '0', '12h'],
  ['search.idle.after', '0', '30s'],
  ['unassigned.node_left.delayed_timeout', '-1', '1m'],
]

const byteSizes: readonly (readonly [key: string, least: string, value: string])[] = [
  ['translog.flush_threshold_size', '56b', '512mb'],
  ['translog.generation_threshold_size', '56b', '64mb'],
  ['translog.retention.size', '-1', '-1'],
  ['flush_after_merge', '0', '512mb'],
  ['merge.policy.floor_segment', '0', '16mb'],
  ['merge.policy.max_merged_segment', '0', '5gb'],
  ['merge.log_byte_size_policy.min_merge', '0', '2mb'],
  ['merge.log_byte_size_policy.max_merge_segment', '0', '5gb'],
  ['merge.log_byte_size_policy.max_merge_segment_forced_merge', '0', '9223372036854775807b'],
]

/** The table; keys are full, `index.` included. */
export const INDEX_SETTINGS: readonly SettingDefinition[] = [
  ...flags.map(([key, life, value]) => setting(life, `index.${key}`, flagParser(key), value)),
  ...limits.map(([key, parse, value]) => setting('dynamic', `index.${key}`, parse, value)),
  ...times.map(([key, least, value]) =>
    setting('dynamic', `index.${key}`, durations(least), value),
  ),
  ...byteSizes.map(([key, least, value]) =>
    setting('dynamic', `index.${key}`, sizes(least), value),
  ),

  setting('final', 'index.number_of_shards', integers(1, 1024), '1'),
  listSetting('final', 'index.sort.field'),
  listSetting(
    'final',
    'index.sort.order',
    choices(['asc', 'desc'], text => `Illegal sort order:${text}`),
  ),
  listSetting(
    'final',
    'index.sort.mode',
    choices(['min', 'max'], text => `Illegal sort mode: ${text}`),
  ),
  listSetting(
    'final',
    'index.sort.missing',
    choices(
      ['_last', '_first'],
      text => `Illegal missing value:[${text}], must be one of [_last, _first]`,
    ),
  ),
  setting('final', 'index.replication.type', choices(['DOCUMENT', 'SEGMENT']), 'DOCUMENT'),

  setting('static', 'index.number_of_routing_shards', integers(1), null),
  setting('static', 'index.routing_partition_size', positive, '1'),
  setting('static', 'index.codec', choices(CODECS, unknownCodec), 'default'),
  setting('static', 'index.codec.compression_level', integers(1, 6), '3'),
  setting('static', 'index.shard.check_on_startup', choices(CHECKS, badCheck), 'false'),
  setting('static', 'index.store.type', anyText, ''),
  setting('static', 'index.store.*', anyText),
  setting('static', 'index.merge.policy', choices(MERGE_POLICIES, badMergePolicy), 'default'),
  setting('static', 'index.fielddata.cache', choices(['node', 'none']), 'node'),
  setting('static', 'index.format', notNegative, '0'),
  setting('static', 'index.data_path', anyText),
  setting('static', 'index.analysis.*', anyText),
  setting('static', 'index.similarity.*', anyText),

  setting('dynamic', 'index.number_of_replicas', notNegative, '1'),
  setting('dynamic', 'index.auto_expand_replicas', replicaRange, 'false'),
  setting('dynamic', 'index.translog.durability', choices(['REQUEST', 'ASYNC']), 'REQUEST'),
  setting(
    'dynamic',
    'index.merge_on_flush.policy',
    choices(['default', 'merge-on-flush']),
    'default',
  ),
  setting(
    'dynamic',
    'index.max_rescore_window',
    positive,
    settings => settings.get('index.max_result_window') ?? '10000',
  ),
  listSetting('dynamic', 'index.query.default_field', anyText, ['*']),
  setting('dynamic', 'index.default_pipeline', pipelineName, '_none'),
  setting('dynamic', 'index.final_pipeline', pipelineName, '_none'),
  setting('dynamic', 'index.search.default_pipeline', anyText, '_none'),
  setting('dynamic', 'index.search.concurrent_segment_search.mode', searchMode),
  setting('dynamic', 'index.search.concurrent.intra_segment', choices(['none', 'auto'])),
  setting('dynamic', 'index.search.concurrent.intra_segment_min_docs', positive),
  setting('dynamic', 'index.write.wait_for_active_shards', activeShards, '1'),
  setting('dynamic', MERGE_ORDER_KEY, parseMergeOrder, 'none'),
  setting('dynamic', 'index.routing.allocation.enable', allocations, 'all'),
  setting('dynamic', 'index.routing.allocation.include.*', anyText),
  setting('dynamic', 'index.routing.allocation.exclude.*', anyText),
  setting('dynamic', 'index.routing.allocation.require.*', anyText),
  setting('dynamic', 'index.routing.rebalance.enable', allocations, 'all'),
  setting('dynamic', 'index.search.slowlog.level', slowLevels, 'TRACE'),
  ...thresholds('search', 'query'),
  ...thresholds('search', 'fetch'),
  setting('dynamic', 'index.indexing.slowlog.level', slowLevels, 'TRACE'),
  setting('dynamic', 'index.indexing.slowlog.reformat', booleans, 'true'),
  setting('dynamic', 'index.indexing.slowlog.source', sourceLengths, '1000'),
  ...thresholds('indexing', 'index'),
  setting('dynamic', 'index.remote_store.*', anyText),
  // The remedies of index state management set these with and without their older prefixes.
  setting('dynamic', 'index.plugins.index_state_management.*', anyText),

  setting('private', 'index.version.created', anyText),
  setting('private', 'index.creation_date', anyText),
  setting('private', 'index.uuid', anyText),
  setting('private', 'index.provided_name', anyText),
  setting('private', 'index.history.uuid', anyText),
  setting('private', 'index.resize.source.*', anyText),
  setting('private', 'index.verified_before_close', booleans),
  setting('private', 'index.search.throttled', booleans),
]

/**
 * The key a setting is kept under: the older names of the index-state-management settings, with or
 * without `index.`, are one setting.
 */
export function canonicalIndexKey(key: string): string {
  const bare = key.startsWith('index.') ? key.slice('index.'.length) : key
  const match = /^(?:plugins\.|opendistro\.)?index_state_management\.(.+)$/.exec(bare)
  return match === null ? key : `index.plugins.index_state_management.${match[1]}`
}

function flagParser(key: string): SettingParser {
  if (key !== 'soft_deletes.enabled') return booleans
  return text => {
    if (booleans(text)) return true
    throw new IllegalArgumentError(
      'Creating indices with soft-deletes disabled is no longer supported. ' +
        'Please do not specify a value for setting [index.soft_deletes.enabled].',
    )
  }
}

/** Takes numbers up to what the parser of documents lets pass. */
function parserLimit(max: number, name: string): SettingParser {
  const parse = longs(1)
  return (text, key) => {
    const value = parse(text, key)
    if (Number(value) <= max) return value
    throw new IllegalArgumentError(
      `The provided value ${value} of the index setting '${key}' exceeds per-JVM configured limit ` +
        `of ${max}. Please change the setting value or increase per-JVM limit using ` +
        `'opensearch.xcontent.${name}.max' system property.`,
    )
  }
}

function pipelineName(text: string, key: string): string {
  if (text !== '') return text
  throw new IllegalArgumentError(`Value for [${key}] must be a non-empty string.`)
}

function unknownCodec(text: string): string {
  return `unknown value for [index.codec] must be one of [${CODECS.join(', ')}] but was: ${text}`
}

function badCheck(text: string): string {
  return `unknown value for [index.shard.check_on_startup] must be one of [true, false, checksum] but was: ${text}`
}

function badMergePolicy(text: string): string {
  return `The setting has unsupported policy specified: ${text}. Please use one of: ${MERGE_POLICIES.join(', ')}`
}

/** `false`, `a-b` or `a-all`. */
function replicaRange(text: string, key: string): string {
  const match = /^(\d{1,9})-(?:all|(\d{1,9}))$/.exec(text)
  if (text === 'false') return text
  if (match === null) {
    throw new IllegalArgumentError(`failed to parse [${key}] from value: [${text}] at index -1`)
  }
  if (match[2] !== undefined && Number(match[1]) > Number(match[2])) {
    throw new IllegalArgumentError(
      `[${key}] minReplicas must be =< maxReplicas but wasn't ${match[1]} > ${match[2]}`,
    )
  }
  return text
}

/** `all` or a number of copies. */
function activeShards(text: string, key: string): number | 'all' {
  if (text === 'all') return 'all'
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new IllegalArgumentError(`cannot parse ActiveShardCount[${text}] for setting [${key}]`)
}

/** Whether a search is cut into slices; the cluster has the same setting. */
export function searchMode(text: string): string {
  if (['all', 'none', 'auto'].includes(text)) return text
  throw new IllegalArgumentError('Setting value must be one of [all, none, auto]')
}

/** The levels of slow logs. */
function slowLevels(text: string): string {
  const level = text.toUpperCase()
  if (['WARN', 'INFO', 'DEBUG', 'TRACE'].includes(level)) return level
  throw new IllegalArgumentError(`No enum constant org.opensearch.index.SlowLogLevel.${level}`)
}

/** How many characters of a source are logged: `true` all, `false` none. */
function sourceLengths(text: string): string {
  if (/^(true|false|\d{1,9})$/.test(text)) return text
  throw new IllegalArgumentError(`For input string: "${text}"`)
}

/** Times above which work is logged, by level. */
function thresholds(area: 'search' | 'indexing', work: string): SettingDefinition[] {
  return ['warn', 'info', 'debug', 'trace'].map(level =>
    setting('dynamic', `index.${area}.slowlog.threshold.${work}.${level}`, durations(), '-1'),
  )
}
