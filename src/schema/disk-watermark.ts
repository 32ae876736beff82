/** Watermarks of disks: a share of the disk that may be used, or bytes that are to stay free. */
import { IllegalArgumentError } from '../util/errors.ts'
import { sizes } from './setting.ts'

/** The space of a disk, in bytes. */
export interface DiskSpace {
  readonly totalInBytes: number
  readonly availableInBytes: number
}

/** The used share of a disk, 0–1, from `85%` or `0.85`; null for a size. */
export function usedShare(text: string): number | null {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)
  if (percent !== null) return Number(percent[1]) / 100
  return /^(0?\.\d+|1\.0+|0)$/.test(text) ? Number(text) : null
}

/**
 * Checks a watermark.
 * @throws {IllegalArgumentError} neither a share nor a size
 */
export function watermark(text: string, key: string): string {
  const share = usedShare(text)
  if (share === null) sizes()(text, key)
  else if (share > 1) {
    throw new IllegalArgumentError(`Failed to parse value [${text}] for setting [${key}]`)
  }
  return text
}

/** Whether less of a disk is free than a valid watermark wants. */
export function exceeds(
  { totalInBytes, availableInBytes }: DiskSpace,
  text: string,
  key: string,
): boolean {
  const share = usedShare(text)
  if (share === null) return availableInBytes < (sizes()(text, key) as number)
  return availableInBytes < totalInBytes * (1 - share)
}
