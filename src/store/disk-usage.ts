import { statfsSync } from 'node:fs'

/** The disk under a folder, in bytes. */
export interface DiskUsage {
  readonly totalInBytes: number
  /** Free for everybody; some of it may be kept for the system. */
  readonly freeInBytes: number
  /** Free for this process. */
  readonly availableInBytes: number
}

/**
 * The usage of the disk that a folder lies on; takes a few microseconds.
 * @throws the error of the file system
 */
export function diskUsageOf(folder: string): DiskUsage {
  const { bsize, blocks, bfree, bavail } = statfsSync(folder)
  return {
    totalInBytes: blocks * bsize,
    freeInBytes: bfree * bsize,
    availableInBytes: bavail * bsize,
  }
}

/** File systems by the number that the system knows them by. */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
  [0x6969, 'nfs'],
  [0xf2f52010, 'f2fs'],
  [0x1a, 'apfs'],
])

/**
 * The name of the file system that a folder lies on; its number where it has none here.
 * @throws the error of the file system
 */
export function fileSystemOf(folder: string): string {
  const { type } = statfsSync(folder)
  return FILE_SYSTEMS.get(type) ?? `0x${(type >>> 0).toString(16)}`
}
