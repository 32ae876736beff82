/** Every setting of a node: given at start, by `open()`, `-E key=value` or `lamella.json`. */
import {
  anyText,
  booleans,
  choices,
  decimals,
  durations,
  integers,
  listSetting,
  type SettingDefinition,
  setting,
  sizes,
  sizesOrPercent,
} from './setting.ts'

/** Those that the cluster's settings know too: fixed at start, whatever asks to change them. */
export const NODE_SETTINGS_OF_CLUSTER: readonly SettingDefinition[] = [
  setting('static', 'script.disable_max_compilations_rate', booleans, 'false'),
  listSetting('static', 'script.allowed_types'),
  listSetting('static', 'script.allowed_contexts'),
  setting('static', 'ingest.grok.watchdog.interval', durations('1ms'), '1s'),
  setting('static', 'ingest.grok.watchdog.max_execution_time', durations('1ms'), '1s'),
  setting('static', 'script.painless.regex.enabled', anyText, 'limited'),
  setting('static', 'thread_pool.*', anyText),
  setting('static', 'cluster.name', anyText, 'lamella'),
  setting('static', 'node.name', anyText, 'lamella-0'),
  listSetting('static', 'path.repo'),
  // A share is one of `memory.limit`.
  setting('static', 'indices.queries.cache.size', sizesOrPercent, '10%'),
  setting('static', 'indices.requests.cache.size', sizesOrPercent, '1%'),
  setting('static', 'indices.lamella.term_sets.size', sizesOrPercent, '10%'),
  listSetting('static', 'reindex.remote.allowlist'),
  listSetting('static', 'reindex.ssl.certificate_authorities'),
  setting('static', 'reindex.ssl.certificate', anyText),
  setting('static', 'reindex.ssl.key', anyText),
  setting(
    'static',
    'reindex.ssl.verification_mode',
    choices(['full', 'certificate', 'none']),
    'full',
  ),
]

/** The table; a null default depends on the machine or the data folder. */
export const NODE_SETTINGS: readonly SettingDefinition[] = [
  ...NODE_SETTINGS_OF_CLUSTER,
  setting('static', 'node.attr.*', anyText),
  listSetting('static', 'node.roles'),
  setting('static', 'path.conf', anyText),
  listSetting('static', 'lamella.outbound.allowlist'),
  // A thread count of null is the number of cores (writing: at most 4).
  setting('static', 'lamella.threads.search', integers(0, 1024)),
  setting('static', 'lamella.threads.write', integers(1, 64)),
  setting('static', 'memory.limit', sizesOrPercent, '50%'),
  setting('static', 'http.host', anyText, '127.0.0.1'),
  setting('static', 'http.port', integers(0, 65535), '9200'),
  listSetting('static', 'http.allowed_hosts'),
  listSetting('static', 'http.cors.allow-origin'),
  setting('static', 'http.compression', booleans, 'true'),
  setting('static', 'http.max_content_length', sizes('1b'), '100mb'),
  setting('static', 'http.max_initial_line_length', sizes('64b'), '4kb'),
  setting('static', 'http.max_header_size', sizes('256b'), '16kb'),
  setting('static', 'http.max_connections', integers(1), '1024'),
  setting('static', 'http.idle_timeout', durations('1ms'), '60s'),
  setting('static', 'http.headers_timeout', durations('1ms'), '10s'),
  setting('static', 'http.request_timeout', durations('1ms'), '300s'),
  setting('static', 'thread_pool.search.queue_size', integers(1), '1000'),
  setting('static', 'thread_pool.write.queue_size', integers(1), '10000'),
  setting('static', 'indexing_pressure.memory.limit', sizesOrPercent, '10%'),
  setting('static', 'script.painless.regex.limit-factor', decimals(0), '6'),
  setting('static', 'rest.action.multi.allow_explicit_index', booleans, 'true'),
  setting('static', 'plugins.security.*', anyText),
]
