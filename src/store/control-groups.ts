/** The control groups of Linux that this process runs in, as a container has them. */
import { existsSync } from 'node:fs'
import { systemFile, systemNumber } from './system-file.ts'

const ROOT = '/sys/fs/cgroup'

/** Limits of a container and how they are used; a number that the system does not tell is −1. */
export interface ControlGroups {
  /** Paths of the groups. */
  readonly cpuPath: string
  readonly memoryPath: string
  /** Processor time of all of the group, nanoseconds. */
  readonly usageInNanos: number
  /** −1 as quota: no limit. */
  readonly periodInMicros: number
  readonly quotaInMicros: number
  readonly periods: number
  readonly throttledPeriods: number
  readonly throttledInNanos: number
  /** As the system prints them: a number of bytes, or `max`. */
  readonly memoryLimit: string
  readonly memoryUsage: string
}

/** The groups of this process; null outside a container, or where the system does not tell. */
export function controlGroups(): ControlGroups | null {
  const lines = (systemFile('/proc/self/cgroup') ?? '').split('\n')
  const paths = new Map<string, string>()
  for (const line of lines) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    for (const controller of controllers?.split(',') ?? []) paths.set(controller, path!)
  }
  const isSecond = paths.size === 1 && paths.has('')
  const cpuPath = paths.get(isSecond ? '' : 'cpu')
  const memoryPath = paths.get(isSecond ? '' : 'memory')
  if (cpuPath === undefined || memoryPath === undefined) return null
  // The topmost group is that of the machine.
  if (cpuPath === '/' && memoryPath === '/') return null
  return isSecond ? ofSecondVersion(cpuPath) : ofFirstVersion(paths, cpuPath, memoryPath)
}

function ofFirstVersion(
  paths: ReadonlyMap<string, string>,
  cpuPath: string,
  memoryPath: string,
): ControlGroups {
  const cpu = folderOf('cpu', cpuPath)
  const memory = folderOf('memory', memoryPath)
  const stat = systemFile(`${cpu}/cpu.stat`)
  const usage = folderOf('cpuacct', paths.get('cpuacct') ?? cpuPath)
  return {
    cpuPath,
    memoryPath,
    usageInNanos: numberOf(`${usage}/cpuacct.usage`),
    periodInMicros: numberOf(`${cpu}/cpu.cfs_period_us`),
    quotaInMicros: numberOf(`${cpu}/cpu.cfs_quota_us`),
    periods: systemNumber(stat, 'nr_periods') ?? -1,
    throttledPeriods: systemNumber(stat, 'nr_throttled') ?? -1,
    throttledInNanos: systemNumber(stat, 'throttled_time') ?? -1,
    memoryLimit: textOf(`${memory}/memory.limit_in_bytes`),
    memoryUsage: textOf(`${memory}/memory.usage_in_bytes`),
  }
}

function ofSecondVersion(path: string): ControlGroups {
  const folder = folderOf('', path)
  const stat = systemFile(`${folder}/cpu.stat`)
  const [quota = 'max', period = '-1'] = textOf(`${folder}/cpu.max`).split(' ')
  const micros = (word: string): number => systemNumber(stat, word) ?? -1
  const nanos = (word: string): number => (micros(word) < 0 ? -1 : 1000 * micros(word))
  return {
    cpuPath: path,
    memoryPath: path,
    usageInNanos: nanos('usage_usec'),
    periodInMicros: Number(period),
    quotaInMicros: /^\d+$/.test(quota) ? Number(quota) : -1,
    periods: micros('nr_periods'),
    throttledPeriods: micros('nr_throttled'),
    throttledInNanos: nanos('throttled_usec'),
    memoryLimit: textOf(`${folder}/memory.max`),
    memoryUsage: textOf(`${folder}/memory.current`),
  }
}

/** Within a container the group's own folder stands where that of the machine does elsewhere. */
function folderOf(controller: string, path: string): string {
  const root = controller === '' ? ROOT : `${ROOT}/${controller}`
  const own = `${root}${path}`
  return existsSync(own) ? own : root
}

function textOf(path: string): string {
  return systemFile(path)?.trim() ?? '-1'
}

function numberOf(path: string): number {
  return Number(textOf(path))
}
