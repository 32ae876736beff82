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
