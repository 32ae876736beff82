/**
 * The names of all actions, as the real server has them: privileges are granted for them, tasks are
 * listed by them, blocks refuse them by their level. Actions of `indices:` are checked where the indices of a call are resolved.
 */

/**
 * The effect of an action on an index, as far as blocks tell actions apart. `release`: frees space of
 * an index; some blocks that refuse other changes of metadata let it pass. `cluster_write`: changes
 * metadata of no index.
 */
export type BlockLevel =
  | 'read'
  | 'write'
  | 'metadata_read'
  | 'metadata_write'
  | 'release'
  | 'create_index'
  | 'cluster_write'

/**
 * By action:
 * - isCancellable: whether a task of it can be cancelled, by the tasks API, or by a client that leaves if
 *   it only reads. A write of one step cannot: its caller could not tell how far it got.
 * - level: at which blocks refuse it, where its indices are resolved; null: they do not, or only in part,
 *   which the action then decides itself.
 */
export const ACTIONS = {
  // An analysis of a text without an index.
  'cluster:admin/analyze': { isCancellable: false, level: null },
  // Of vectors in memory.
  'cluster:admin/clear_cache_action': { isCancellable: false, level: 'metadata_write' },
  'cluster:admin/component_template/delete': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/component_template/get': { isCancellable: false, level: null },
  'cluster:admin/component_template/put': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/ingest/pipeline/delete': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/ingest/pipeline/get': { isCancellable: false, level: null },
  'cluster:admin/ingest/pipeline/put': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/ingest/pipeline/simulate': { isCancellable: false, level: null },
  'cluster:admin/ingest/processor/grok/get': { isCancellable: false, level: null },
  'cluster:admin/knn_stats_action': { isCancellable: false, level: null },
  'cluster:admin/knn_warmup_action': { isCancellable: false, level: 'metadata_read' },
  'cluster:admin/opendistro/ism/managedindex/add': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/managedindex/change': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/managedindex/explain': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/managedindex/remove': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/managedindex/retry': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/policy/delete': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/policy/get': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/policy/search': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/policy/simulate': { isCancellable: false, level: null },
  'cluster:admin/opendistro/ism/policy/write': { isCancellable: false, level: null },
  'cluster:admin/opensearch/controlcenter/lron/delete': { isCancellable: false, level: null },
  'cluster:admin/opensearch/controlcenter/lron/get': { isCancellable: false, level: null },
  'cluster:admin/opensearch/controlcenter/lron/write': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/channels/get': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/configs/create': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/configs/delete': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/configs/get': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/configs/update': { isCancellable: false, level: null },
  'cluster:admin/opensearch/notifications/features': { isCancellable: false, level: null },
  // Waits for another server.
  'cluster:admin/opensearch/notifications/test_notification': { isCancellable: true, level: null },
  'cluster:admin/reindex/rethrottle': { isCancellable: false, level: null },
  'cluster:admin/nodes/reload_secure_settings': { isCancellable: false, level: null },
  'cluster:admin/repository/_cleanup': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/repository/delete': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/repository/get': { isCancellable: false, level: null },
  'cluster:admin/repository/put': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/repository/verify': { isCancellable: true, level: null },
  // One copy of each shard on one node: there is nothing that it could change.
  'cluster:admin/reroute': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/script/delete': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/script/get': { isCancellable: false, level: null },
  'cluster:admin/script/put': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/scripts/painless/execute': { isCancellable: false, level: null },
  'cluster:admin/script_context/get': { isCancellable: false, level: null },
  'cluster:admin/script_language/get': { isCancellable: false, level: null },
  'cluster:admin/search/pipeline/delete': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/search/pipeline/get': { isCancellable: false, level: null },
  'cluster:admin/search/pipeline/put': { isCancellable: false, level: 'cluster_write' },
  'cluster:admin/settings/update': { isCancellable: false, level: null },
  'cluster:admin/snapshot/clone': { isCancellable: false, level: null },
  // A snapshot is listed whole or not at all; it goes on in a task of its own when its client leaves.
  'cluster:admin/snapshot/create': { isCancellable: true, level: null },
  'cluster:admin/snapshot/create[s]': { isCancellable: true, level: null },
  'cluster:admin/snapshot/delete': { isCancellable: false, level: null },
  'cluster:admin/snapshot/get': { isCancellable: false, level: null },
  // The same holds as of taking one.
  'cluster:admin/snapshot/restore': { isCancellable: true, level: null },
  'cluster:admin/snapshot/status': { isCancellable: true, level: null },
  'cluster:admin/tasks/cancel': { isCancellable: false, level: null },
  'cluster:monitor/allocation/explain': { isCancellable: false, level: null },
  // Waits for a state, for as long as its caller likes.
  'cluster:monitor/health': { isCancellable: true, level: null },
  'cluster:monitor/main': { isCancellable: false, level: null },
  'cluster:monitor/nodes/hot_threads': { isCancellable: true, level: null },
  'cluster:monitor/nodes/info': { isCancellable: false, level: null },
  'cluster:monitor/nodes/stats': { isCancellable: false, level: null },
  'cluster:monitor/nodes/usage': { isCancellable: false, level: null },
  'cluster:monitor/remote/info': { isCancellable: false, level: null },
  // The same.
  'cluster:monitor/state': { isCancellable: true, level: null },
  'cluster:monitor/stats': { isCancellable: false, level: null },
  'cluster:monitor/task': { isCancellable: false, level: null },
  'cluster:monitor/task/get': { isCancellable: true, level: null },
  'cluster:monitor/tasks/lists': { isCancellable: true, level: null },
  'cluster:monitor/tasks/lists[n]': { isCancellable: true, level: null },
  'indices:admin/aliases': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/aliases/get': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/analyze': { isCancellable: false, level: 'read' },
  'indices:admin/auto_create': { isCancellable: false, level: 'create_index' },
  'indices:admin/block/add': { isCancellable: false, level: null },
  'indices:admin/cache/clear': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/close': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/create': { isCancellable: false, level: 'create_index' },
  'indices:admin/data_stream/create': { isCancellable: false, level: 'create_index' },
  // Which of its indices it concerns is known where it is carried out.
  'indices:admin/data_stream/delete': { isCancellable: false, level: 'release' },
  'indices:admin/data_stream/get': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/data_stream/modify': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/delete': { isCancellable: false, level: 'release' },
  'indices:admin/flush': { isCancellable: false, level: null },
  // Finished merges stay; the one under way is given up.
  'indices:admin/forcemerge': { isCancellable: true, level: 'metadata_write' },
  'indices:admin/get': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/index_template/delete': { isCancellable: false, level: 'cluster_write' },
  'indices:admin/index_template/get': { isCancellable: false, level: null },
  'indices:admin/index_template/put': { isCancellable: false, level: 'cluster_write' },
  'indices:admin/index_template/simulate': { isCancellable: false, level: null },
  'indices:admin/index_template/simulate_index': { isCancellable: false, level: null },
  'indices:admin/mapping/put': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/mappings/fields/get': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/mappings/get': { isCancellable: false, level: 'metadata_read' },
  // The actions by which indices come under policies, and leave them.
  'indices:admin/opensearch/ism/managedindex': { isCancellable: false, level: null },
  'indices:admin/open': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/refresh': { isCancellable: false, level: null },
  'indices:admin/refresh_search_analyzers': { isCancellable: false, level: null },
  // All or nothing, so that its caller knows how far it got. Its source may be blocked as it likes.
  'indices:admin/resize': { isCancellable: true, level: null },
  'indices:admin/resolve/index': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/rollover': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/shards/search_shards': { isCancellable: false, level: 'metadata_read' },
  'indices:admin/settings/update': { isCancellable: false, level: null },
  'indices:admin/template/delete': { isCancellable: false, level: 'cluster_write' },
  'indices:admin/template/get': { isCancellable: false, level: null },
  'indices:admin/template/put': { isCancellable: false, level: 'cluster_write' },
  'indices:admin/upgrade': { isCancellable: false, level: 'metadata_write' },
  'indices:admin/validate/query': { isCancellable: false, level: 'read' },
  'indices:data/read/explain': { isCancellable: false, level: 'read' },
  'indices:data/read/field_caps': { isCancellable: false, level: 'read' },
  'indices:data/read/get': { isCancellable: false, level: 'read' },
  'indices:data/read/mget': { isCancellable: false, level: 'read' },
  // The indices of each search are resolved under its own action.
  'indices:data/read/msearch': { isCancellable: true, level: null },
  'indices:data/read/msearch/template': { isCancellable: true, level: null },
  'indices:data/read/mtv': { isCancellable: false, level: 'read' },
  // The views of a context were resolved when it was made.
  'indices:data/read/point_in_time/create': { isCancellable: false, level: 'read' },
  'indices:data/read/point_in_time/delete': { isCancellable: false, level: null },
  'indices:data/read/point_in_time/readall': { isCancellable: false, level: null },
  // The same holds as of a multi-search.
  'indices:data/read/rank_eval': { isCancellable: true, level: null },
  'indices:data/read/scroll': { isCancellable: true, level: null },
  'indices:data/read/scroll/clear': { isCancellable: false, level: null },
  'indices:data/read/search': { isCancellable: true, level: 'read' },
  // The search itself has an action of its own.
  'indices:data/read/search/template': { isCancellable: true, level: null },
  'indices:data/read/tv': { isCancellable: false, level: 'read' },
  'indices:data/write/bulk': { isCancellable: false, level: null },
  'indices:data/write/delete': { isCancellable: false, level: 'write' },
  // The indices of its searches and bulks are resolved under their own actions; its answer says how far it got.
  'indices:data/write/delete/byquery': { isCancellable: true, level: null },
  'indices:data/write/index': { isCancellable: false, level: 'write' },
  // The same holds as of a deletion by query.
  'indices:data/write/reindex': { isCancellable: true, level: null },
  'indices:data/write/update': { isCancellable: false, level: 'write' },
  // The same.
  'indices:data/write/update/byquery': { isCancellable: true, level: null },
  'indices:monitor/data_stream/stats': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/point_in_time/segments': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/recovery': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/segment_replication': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/segments': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/settings/get': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/shard_stores': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/stats': { isCancellable: false, level: 'metadata_read' },
  'indices:monitor/upgrade': { isCancellable: false, level: 'metadata_read' },
  'restapi:admin/actiongroups': { isCancellable: false, level: null },
  'restapi:admin/cache': { isCancellable: false, level: null },
  'restapi:admin/internalusers': { isCancellable: false, level: null },
  'restapi:admin/roles': { isCancellable: false, level: null },
  'restapi:admin/rolesmapping': { isCancellable: false, level: null },
  'restapi:admin/tenants': { isCancellable: false, level: null },
  'restapi:admin/upgrade_check': { isCancellable: false, level: null },
  'restapi:own/account': { isCancellable: false, level: null },
  'restapi:own/authinfo': { isCancellable: false, level: null },
  'restapi:own/dashboardsinfo': { isCancellable: false, level: null },
} as const

/** A name of the table. */
export type Action = keyof typeof ACTIONS

/**
 * Where an action is allowed or refused:
 * - cluster: ahead of it; one of several parts also where each part's indices are resolved
 * - somewhere: ahead of it, by a permission on any index: what it concerns is its caller's own, or is resolved
 *   under actions of their own
 * - index: where its indices are resolved
 * - administration: in the security API, which answers in a form of its own
 * - caller: it tells the caller about himself
 */
export type ActionScope = 'cluster' | 'somewhere' | 'index' | 'administration' | 'caller'

/** Actions of `indices:` whose requests have several parts, or concern no index. */
const OF_CLUSTER =
  /^(cluster:|indices:admin\/(template|index_template)\/|indices:data\/read\/scroll|indices:data\/read\/(mget|msearch|mtv)|indices:data\/write\/(bulk|reindex)$)/

const SOMEWHERE: ReadonlySet<Action> = new Set([
  'indices:data/read/point_in_time/delete',
  'indices:data/read/point_in_time/readall',
  'indices:data/read/rank_eval',
  'indices:data/read/search/template',
  'indices:data/write/delete/byquery',
  'indices:data/write/update/byquery',
  'indices:monitor/point_in_time/segments',
])

/** Where an action is allowed or refused. */
export function scopeOf(action: Action): ActionScope {
  if (action.startsWith('restapi:admin/')) return 'administration'
  if (action.startsWith('restapi:')) return 'caller'
  if (OF_CLUSTER.test(action)) return 'cluster'
  return SOMEWHERE.has(action) ? 'somewhere' : 'index'
}

/** Actions that change nothing. */
const READS = /^(indices:data\/read|indices:monitor|cluster:monitor)\//

/** Whether a client that leaves cancels it: nobody is there any more to be told how far a change got. */
export function endsWithClient(action: Action): boolean {
  return ACTIONS[action].isCancellable && READS.test(action)
}
