/** The sections of `_nodes/stats` about the process and its machine; a number that is not told is −1. */
import { loadavg } from 'node:os'
import type { MachineUse } from '../../../engine/api/machine.ts'
import { Float64, type JsonRecord } from '../../../util/json/json-value.ts'
import { heapUse, memoryUse } from '../../process-use.ts'
import type { NodeStatSource } from './node-stat-source.ts'

/** `os`. */
export function printSystem({ now, machine }: NodeStatSource): JsonRecord {
  const { systemCpuPercent, swapTotalInBytes: total, swapFreeInBytes: free } = machine()
  const [one = 0, five = 0, fifteen = 0] = loadavg()
  return {
    timestamp: now,
    cpu: {
      percent: Math.round(systemCpuPercent),
      load_average: {
        '1m': new Float64(one),
        '5m': new Float64(five),
        '15m': new Float64(fifteen),
      },
    },
    mem: memoryUse(),
    swap:
      total === null || free === null
        ? {}
        : { total_in_bytes: total, free_in_bytes: free, used_in_bytes: total - free },
    cgroup: printControlGroups(machine().controlGroups),
  }
}

function printControlGroups(groups: MachineUse['controlGroups']): JsonRecord {
  if (groups === null) return {}
  return {
    cpuacct: { control_group: groups.cpuPath, usage_nanos: groups.usageInNanos },
    cpu: {
      control_group: groups.cpuPath,
      cfs_period_micros: groups.periodInMicros,
      cfs_quota_micros: groups.quotaInMicros,
      stat: {
        number_of_elapsed_periods: groups.periods,
        number_of_times_throttled: groups.throttledPeriods,
        time_throttled_nanos: groups.throttledInNanos,
      },
    },
    memory: {
      control_group: groups.memoryPath,
      limit_in_bytes: groups.memoryLimit,
      usage_in_bytes: groups.memoryUsage,
    },
  }
}

/** `process`. */
export function printProcess({ now, use, machine }: NodeStatSource): JsonRecord {
  const { processCpuPercent, processCpuInMillis, virtualInBytes, residentInBytes } = machine()
  return {
    timestamp: now,
    open_file_descriptors: use.openFileCount,
    max_file_descriptors: use.maxOpenFileCount,
    cpu: { percent: Math.round(processCpuPercent), total_in_millis: processCpuInMillis },
    mem: {
      total_virtual_in_bytes: virtualInBytes ?? -1,
      resident_in_bytes: residentInBytes,
    },
  }
}

/** `jvm`: no Java here; the heap, the collections and the buffers of the coordinating thread. */
export function printRuntime({ now, info, use, machine }: NodeStatSource): JsonRecord {
  const { used, max } = heapUse()
  const { heapTotal, external } = process.memoryUsage()
  const { arenas } = use
  const { young, old } = machine().collections
  const pools = info.threadPools.filter(({ threadsOf }) => threadsOf === undefined)
  // The coordinating one, and those that it has started.
  const threads = (of: 'threads' | 'largest'): number =>
    pools.reduce((sum, pool) => sum + pool.use[of], 1)
  return {
    timestamp: now,
    uptime_in_millis: Math.round(process.uptime() * 1000),
    mem: {
      heap_used_in_bytes: used,
      heap_used_percent: Math.round((100 * used) / max),
      heap_committed_in_bytes: heapTotal,
      heap_max_in_bytes: max,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: {},
    },
    threads: { count: threads('threads'), peak_count: threads('largest') },
    gc: { collectors: { young: printCollections(young), old: printCollections(old) } },
    // The memories of segments; buffers of the runtime's own are external memory.
    buffer_pools: {
      direct: {
        count: arenas.count,
        used_in_bytes: arenas.usedInBytes,
        total_capacity_in_bytes: arenas.capacityInBytes,
      },
    },
    classes: {},
  }
}

function printCollections({ count, timeInMillis }: MachineUse['collections']['young']): JsonRecord {
  return { collection_count: count, collection_time_in_millis: Math.round(timeInMillis) }
}

/** `fs`. */
export function printDisk({ now, use, info, machine }: NodeStatSource): JsonRecord {
  const { folder } = info
  const { disk } = use
  const total =
    disk === null
      ? {}
      : {
          total_in_bytes: disk.totalInBytes,
          free_in_bytes: disk.freeInBytes,
          available_in_bytes: disk.availableInBytes,
        }
  const { mount } = machine()
  const data =
    folder === null || disk === null
      ? []
      : [{ path: folder, ...(mount === null ? {} : { mount }), type: use.fileSystem, ...total }]
  return { timestamp: now, total, data, io_stats: printActivity(machine().disk) }
}

function printActivity(disk: MachineUse['disk']): JsonRecord {
  if (disk === null) return {}
  const counts = {
    operations: disk.reads + disk.writes,
    read_operations: disk.reads,
    write_operations: disk.writes,
    read_kilobytes: disk.readKilobytes,
    write_kilobytes: disk.writtenKilobytes,
    read_time: disk.readMillis,
    write_time: disk.writeMillis,
    queue_size: disk.queuedMillis,
    io_time_in_millis: disk.busyMillis,
  }
  return { devices: [{ device_name: disk.device, ...counts }], total: counts }
}
