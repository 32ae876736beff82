import { cpus } from 'node:os'
import { controlGroups } from '../../store/control-groups.ts'
import {
  activitySince,
  diskActivityOf,
  mountOf,
  type NamedDiskActivity,
} from '../../store/disk-activity.ts'
import { systemFile, systemNumber } from '../../store/system-file.ts'
import type { MachineUse } from '../api/machine.ts'
import { GarbageCounts } from './garbage-counts.ts'

/** Shares are told over at least so long, else over the time before it too. */
const WINDOW_IN_MILLIS = 1000

/** A moment's readings. */
interface Reading {
  readonly at: number
  /** Of all processors together, milliseconds. */
  readonly systemBusy: number
  readonly systemAll: number
  readonly processBusy: number
  readonly diskBusy: number | null
}

/** Shares over a window. */
type Shares = Pick<MachineUse, 'systemCpuPercent' | 'processCpuPercent' | 'diskBusyPercent'>

/** Measures the process of a node and its machine; nothing runs between two readings. */
export class MachineMeter {
  readonly #folder: string | null
  /** The disk as the node was opened. */
  readonly #firstDisk: NamedDiskActivity | null
  readonly #garbage = new GarbageCounts()
  #last: Reading
  #shares: Shares | null = null

  /** @param folder of the data; null in memory */
  constructor(folder: string | null) {
    this.#folder = folder
    this.#firstDisk = folder === null ? null : diskActivityOf(folder)
    this.#last = read(this.#firstDisk)
  }

  /** The use as it is now: some hundred microseconds. */
  use(): MachineUse {
    const folder = this.#folder
    const disk = folder === null ? null : diskActivityOf(folder)
    const { user, system } = process.cpuUsage()
    const memory = systemFile('/proc/meminfo')
    return {
      ...this.#sharesNow(disk),
      processCpuInMillis: Math.round((user + system) / 1000),
      swapTotalInBytes: kilobytes(memory, 'SwapTotal'),
      swapFreeInBytes: kilobytes(memory, 'SwapFree'),
      virtualInBytes: kilobytes(systemFile('/proc/self/status'), 'VmSize'),
      residentInBytes: process.memoryUsage.rss(),
      controlGroups: controlGroups(),
      mount: folder === null ? null : mountOf(folder),
      disk: disk === null || this.#firstDisk === null ? null : activitySince(disk, this.#firstDisk),
      collections: this.#garbage.counts(),
    }
  }

  close(): void {
    this.#garbage.close()
  }

  #sharesNow(disk: NamedDiskActivity | null): Shares {
    const now = read(disk)
    if (this.#shares !== null && now.at - this.#last.at < WINDOW_IN_MILLIS) return this.#shares
    const before = this.#last
    const all = now.systemAll - before.systemAll
    const isMeasured = now.diskBusy !== null && before.diskBusy !== null
    const shares = {
      systemCpuPercent: share(now.systemBusy - before.systemBusy, all),
      processCpuPercent: share(now.processBusy - before.processBusy, all),
      diskBusyPercent: isMeasured
        ? share(now.diskBusy - before.diskBusy, now.at - before.at)
        : null,
    }
    if (now.at - before.at >= WINDOW_IN_MILLIS) {
      this.#last = now
      this.#shares = shares
    }
    return shares
  }
}

function read(disk: NamedDiskActivity | null): Reading {
  let systemBusy = 0
  let systemAll = 0
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq
    systemBusy += busy
    systemAll += busy + times.idle
  }
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now(),
    systemBusy,
    systemAll,
    processBusy: (user + system) / 1000,
    diskBusy: disk?.busyMillis ?? null,
  }
}

/** A part in percent of the whole, 0–100. */
function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.max(0, (100 * part) / whole))
}

function kilobytes(text: string | null, word: string): number | null {
  const found = systemNumber(text, word)
  return found === null ? null : 1024 * found
}
