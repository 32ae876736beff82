import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import type { BenchResult } from './result.ts'

/** Where and on what a run was made. */
export interface Machine {
  readonly date: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly memoryInGib: number
  readonly platform: string
  readonly commit: string
  /** Load average of the last minute when the run began. */
  readonly load: number
}

export function machineNow(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryInGib: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    commit: commitNow(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}

function commitNow(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** The table that a terminal and the README show. */
export function table(machine: Machine, results: readonly BenchResult[]): string {
  const rows = results.map(result => [
    result.name,
    `${format(result.min)} ${result.unit}`,
    format(result.median),
    String(result.rounds),
    result.against === undefined ? '' : `${format(result.against.ratio)} × ${result.against.name}`,
    result.mark === undefined
      ? ''
      : `${result.mark.text} ${result.mark.isReached ? 'reached' : 'MISSED'}`,
  ])
  const head = ['case', 'best', 'median', 'rounds', 'against', 'mark']
  return [whereLine(machine), '', markdown(head, rows)].join('\n')
}

/** A table as Markdown, its columns aligned for a terminal. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map(row => (row[i] ?? '').length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Where and on what a run was made, on a line. */
export function whereLine(machine: Machine): string {
  const { date, node, cpu, cores, memoryInGib, commit, load } = machine
  return `${date}, Node ${node}, ${cpu}, ${cores} cores, ${memoryInGib} GiB, commit ${commit}, load average ${load}`
}

/** A number with three digits or all before the point. */
export function format(value: number): string {
  if (value >= 100) return value.toFixed(0)
  if (value >= 10) return value.toFixed(1)
  return value.toFixed(value >= 1 ? 2 : 3)
}

/** Writes a run as JSON and returns the file. */
export function save(root: string, machine: Machine, results: readonly BenchResult[]): string {
  return new ResultFile(root, 'bench', machine).write({ results })
}

/** The file of one run, made when it is first written and replaced as the run finds more. */
export class ResultFile {
  readonly #root: string
  readonly #name: string
  readonly #machine: Machine
  #file: string | null = null

  constructor(root: string, name: string, machine: Machine) {
    this.#root = root
    this.#name = name
    this.#machine = machine
  }

  /** Writes what the run has found so far as JSON and returns the file. */
  write(found: object): string {
    this.#file ??= newResultFile(this.#root, this.#name, this.#machine)
    writeFileSync(this.#file, `${JSON.stringify({ machine: this.#machine, ...found }, null, 2)}\n`)
    return this.#file
  }
}

/**
 * Makes the empty file of a run, `NAME-DATE-COMMIT.json` below `results`; of later runs of that day and
 * commit the name ends in -2, -3 …: no run writes over another.
 */
export function newResultFile(root: string, name: string, { date, commit }: Machine): string {
  const folder = join(root, 'results')
  mkdirSync(folder, { recursive: true })
  for (let run = 1; ; run++) {
    const file = join(folder, `${name}-${date}-${commit}${run === 1 ? '' : `-${run}`}.json`)
    try {
      closeSync(openSync(file, 'wx'))
      return file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
