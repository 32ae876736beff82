/** The process of the node and the machine that it runs on, as they are now. */
import type { ControlGroups } from '../../store/control-groups.ts'
import type { NamedDiskActivity } from '../../store/disk-activity.ts'

/** Use of a process and its machine. A number that the system does not tell is null. */
export interface MachineUse {
  /** Shares of the time of all processors, 0–100, over the last second or longer. */
  readonly systemCpuPercent: number
  readonly processCpuPercent: number
  /** Processor time of the process since its start. */
  readonly processCpuInMillis: number
  /** Memory of the machine. */
  readonly swapTotalInBytes: number | null
  readonly swapFreeInBytes: number | null
  /** Memory of the process: addresses, and what of them lies in memory. */
  readonly virtualInBytes: number | null
  readonly residentInBytes: number
  /** Null outside a container. */
  readonly controlGroups: ControlGroups | null
  /** The mount of the data folder, with its device. */
  readonly mount: string | null
  /** Reads and writes of the disk that the data lie on, since the node was opened. */
  readonly disk: NamedDiskActivity | null
  /** Share of the time that the disk was busy, 0–100, over the last second or longer. */
  readonly diskBusyPercent: number | null
  /** Garbage collections of the coordinating thread since the node was opened. */
  readonly collections: { readonly young: CollectionCounts; readonly old: CollectionCounts }
}

/** Garbage collections of a kind. */
export interface CollectionCounts {
  readonly count: number
  readonly timeInMillis: number
}
