/** Reads and writes of disks, as Linux counts them. */
import { statSync } from 'node:fs'
import { systemFile } from './system-file.ts'

/** Counters of one disk; times in milliseconds. */
export interface DiskActivity {
  readonly reads: number
  readonly writes: number
  readonly readKilobytes: number
  readonly writtenKilobytes: number
  readonly readMillis: number
  readonly writeMillis: number
  /** Time during which requests were under way, each once and by how many there were. */
  readonly busyMillis: number
  readonly queuedMillis: number
}

/** Counters of a disk with its name. */
export interface NamedDiskActivity extends DiskActivity {
  readonly device: string
}

const SECTORS_PER_KILOBYTE = 2

/** The disk that a folder lies on, counted since the machine started; null where it cannot be told. */
export function diskActivityOf(folder: string): NamedDiskActivity | null {
  const text = systemFile('/proc/diskstats')
  if (text === null) return null
  const [major, minor] = deviceOf(folder)
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/)
    if (Number(fields[0]) !== major || Number(fields[1]) !== minor) continue
    const at = (i: number): number => Number(fields[i] ?? 0)
    return {
      device: fields[2]!,
      reads: at(3),
      readKilobytes: Math.floor(at(5) / SECTORS_PER_KILOBYTE),
      readMillis: at(6),
      writes: at(7),
      writtenKilobytes: Math.floor(at(9) / SECTORS_PER_KILOBYTE),
      writeMillis: at(10),
      busyMillis: at(12),
      queuedMillis: at(13),
    }
  }
  return null
}

/** Counters since an earlier reading of the same disk. */
export function activitySince(now: NamedDiskActivity, before: DiskActivity): NamedDiskActivity {
  return {
    device: now.device,
    reads: now.reads - before.reads,
    writes: now.writes - before.writes,
    readKilobytes: now.readKilobytes - before.readKilobytes,
    writtenKilobytes: now.writtenKilobytes - before.writtenKilobytes,
    readMillis: now.readMillis - before.readMillis,
    writeMillis: now.writeMillis - before.writeMillis,
    busyMillis: now.busyMillis - before.busyMillis,
    queuedMillis: now.queuedMillis - before.queuedMillis,
  }
}

/** The mount and the device that a folder lies on, `/ (/dev/sda1)`; null where it cannot be told. */
export function mountOf(folder: string): string | null {
  const text = systemFile('/proc/self/mountinfo')
  if (text === null) return null
  let best: { readonly point: string; readonly source: string } | null = null
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const point = before.split(' ')[4]
    const source = after.split(' ')[1]
    if (point === undefined || source === undefined) continue
    const isAbove = folder === point || folder.startsWith(point === '/' ? '/' : `${point}/`)
    // Of two mounts at one point the later one hides the earlier.
    if (isAbove && (best === null || point.length >= best.point.length)) best = { point, source }
  }
  return best === null ? null : `${best.point} (${best.source})`
}

/** The numbers of the device that a folder lies on, as Linux packs them into one. */
function deviceOf(folder: string): readonly [major: number, minor: number] {
  const dev = BigInt(statSync(folder).dev)
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn)
  return [Number(major), Number(minor)]
}
