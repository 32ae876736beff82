/** The sections of `_nodes/stats` about load, and what would hold some of it off. */
import type { StatusUse } from '../../../engine/api/cluster.ts'
import { SEARCH_PHASES } from '../../../engine/api/search-phases.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { heapUse } from '../../process-use.ts'
import type { NodeStatSource } from './node-stat-source.ts'

/** `indices.search.request`: searches as they are coordinated. */
export function printSearchPhases({ searchPhases }: NodeStatSource['use']): JsonRecord {
  return Object.fromEntries(
    SEARCH_PHASES.map((phase): [string, JsonValue] => {
      const { count, timeInMillis, current } = searchPhases[phase]
      return [phase, { time_in_millis: Math.floor(timeInMillis), current, total: count }]
    }),
  )
}

/** Answers by their status, as `indices.status_counter` has them. */
export function printStatuses({ success, userError, systemFailure }: StatusUse): JsonRecord {
  return { success, user_error: userError, system_failure: systemFailure }
}

/** `adaptive_selection`, which has a node from its first search on. */
export function printSelection({ info, use: { selection } }: NodeStatSource): JsonRecord {
  if (selection === null) return {}
  return {
    [info.nodeId]: {
      outgoing_searches: selection.outgoing,
      avg_queue_size: Math.round(selection.queueSize),
      avg_service_time_ns: Math.round(selection.serviceInNanos),
      avg_response_time_ns: Math.round(selection.responseInNanos),
      rank: selection.rank.toFixed(1),
    },
  }
}

/** `indexing_pressure`: every operation is coordinated here, and none is a copy's. */
export function printIndexingPressure({ use }: NodeStatSource): JsonRecord {
  const { currentInBytes, totalInBytes, rejections, limitInBytes } = use.indexingPressure
  const bytes = (coordinating: number): Record<string, JsonValue> => ({
    combined_coordinating_and_primary_in_bytes: coordinating,
    coordinating_in_bytes: coordinating,
    primary_in_bytes: 0,
    replica_in_bytes: 0,
    all_in_bytes: coordinating,
  })
  return {
    memory: {
      current: bytes(currentInBytes),
      total: {
        ...bytes(totalInBytes),
        coordinating_rejections: rejections,
        primary_rejections: 0,
        replica_rejections: 0,
      },
      limit_in_bytes: limitInBytes,
    },
  }
}

/** `shard_indexing_pressure`: shards have no limits of their own. */
export function printShardPressure(): JsonRecord {
  return {
    stats: {},
    total_rejections_breakup_shadow_mode: {
      node_limits: 0,
      no_successful_request_limits: 0,
      throughput_degradation_limits: 0,
    },
    enabled: false,
    enforced: false,
  }
}

/** `search_backpressure`: nothing cancels searches of itself, so that it counts those that run. */
export function printBackpressure({ use }: NodeStatSource): JsonRecord {
  const { searches, searchPhases, shardQueryCount } = use
  const tracker = (of: readonly number[]): JsonRecord => ({
    cancellation_count: 0,
    current_max_millis: Math.max(0, ...of),
    current_avg_millis:
      of.length === 0 ? 0 : Math.floor(of.reduce((sum, each) => sum + each, 0) / of.length),
  })
  const stats = (completed: number): JsonRecord => ({
    resource_tracker_stats: {
      cpu_usage_tracker: tracker(searches.map(({ cpuInMillis }) => cpuInMillis)),
      elapsed_time_tracker: tracker(searches.map(({ elapsedInMillis }) => elapsedInMillis)),
      // Memory of single searches is not measured.
      heap_usage_tracker: {},
    },
    cancellation_stats: { cancellation_count: 0, cancellation_limit_reached_count: 0 },
    completion_count: completed,
  })
  return {
    search_task: stats(searchPhases.took.count),
    search_shard_task: stats(shardQueryCount),
    mode: 'disabled',
  }
}

/** `resource_usage_stats`: shares as texts, as the real server has them. */
export function printResourceUse({ info, now, machine }: NodeStatSource): JsonRecord {
  const { used, max } = heapUse()
  const { processCpuPercent, diskBusyPercent } = machine()
  return {
    [info.nodeId]: {
      timestamp: now,
      cpu_utilization_percent: processCpuPercent.toFixed(1),
      memory_utilization_percent: ((100 * used) / max).toFixed(1),
      io_usage_stats:
        diskBusyPercent === null ? {} : { max_io_utilization_percent: diskBusyPercent.toFixed(1) },
    },
  }
}

/**
 * `admission_control`: requests that would have been answered too late, for want of processors. None is held off
 * because of disks.
 */
export function printAdmission({ refusals: { search, write } }: NodeStatSource): JsonRecord {
  const counts = (ofSearch: number, ofWrite: number): JsonRecord => ({
    transport: { rejection_count: { search: ofSearch, indexing: ofWrite } },
  })
  return { global_cpu_usage: counts(search, write), global_io_usage: counts(0, 0) }
}
