/**
 * Groups of the statistics of nodes that are there and have nothing in them, each with the reason; the page
 * of the API lists them.
 */
export const GROUPS_WITHOUT_SOURCE: Readonly<Record<string, string>> = {
  'jvm.mem.pools': 'V8 has other pools than those of Java',
  'jvm.classes': 'there are none',
  'search_backpressure.search_task.resource_tracker_stats.heap_usage_tracker':
    'memory of single searches is not measured',
  'search_backpressure.search_shard_task.resource_tracker_stats.heap_usage_tracker':
    'memory of single searches is not measured',
  'cluster_manager_throttling.stats.throttled_tasks_per_task_type': 'nothing is throttled',
  'shard_indexing_pressure.stats': 'shards have no limits of their own',
}

/** Groups that are empty where the system does not tell, or the node keeps its data in memory. */
export const GROUPS_OF_SYSTEMS: Readonly<Record<string, string>> = {
  'os.cgroup': 'outside a container, or on another system than Linux',
  'os.swap': 'on another system than Linux',
  'fs.io_stats': 'in memory, on another system than Linux, or where the disk is not listed',
  'resource_usage_stats.⟨node⟩.io_usage_stats': 'the same',
}
