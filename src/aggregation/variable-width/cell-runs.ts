import { addSums, type ExactSum, ZERO_SUM } from '../exact-sum.ts'
import { lowestLevel, splitLevel } from '../quantile/value-cells.ts'
import { MAX_CELLS } from './cell-buckets.ts'

/** Values next to each other: those of a cell, or of several. */
export interface Run {
  readonly min: number
  readonly max: number
  /** Values, each counted once in a document. */
  readonly count: number
  /** The same, weighted by their documents. */
  readonly docCount: number
  readonly sum: ExactSum
}

/** The cells of an owning bucket, ascending. */
export interface OwnerRuns {
  readonly level: number
  readonly runs: readonly Run[]
}

/** Gathers runs by owning bucket until all are there, and cuts them into the cells of all. */
export class CellRuns {
  readonly #seen = new Map<number, { level: number; readonly runs: Run[] }>()

  /** @param level of the cells that the run is of */
  add(owner: number, level: number, run: Run): void {
    const seen = this.#seen.get(owner) ?? { level: 0, runs: [] }
    this.#seen.set(owner, seen)
    seen.level = Math.max(seen.level, level)
    seen.runs.push(run)
  }

  /** The cells by owning bucket: they depend on the values alone, not on the runs that these came in. */
  cells(): ReadonlyMap<number, OwnerRuns> {
    return new Map([...this.#seen].map(([owner, { level, runs }]) => [owner, cellsOf(runs, level)]))
  }
}

function cellsOf(runs: readonly Run[], level: number): OwnerRuns {
  const sorted = [...runs].sort((a, b) => a.min - b.min)
  const mins = Float64Array.from(sorted, ({ min }) => min)
  const next = lowestLevel(mins, level, MAX_CELLS)
  const cells: Run[][] = []
  for (const run of sorted) {
    const last = cells.at(-1)
    if (last !== undefined && splitLevel(last[0]!.min, run.min) <= next) last.push(run)
    else cells.push([run])
  }
  return { level: next, runs: cells.map(joined) }
}

/** One run of several, of which the first has the lowest value. */
export function joined(runs: readonly Run[]): Run {
  const [first] = runs
  if (first === undefined) throw new Error('a run has values')
  let { max } = first
  let count = 0
  let docCount = 0
  let sum: ExactSum = ZERO_SUM
  for (const run of runs) {
    max = Math.max(max, run.max)
    count += run.count
    docCount += run.docCount
    sum = addSums(sum, run.sum)
  }
  return { min: first.min, max, count, docCount, sum }
}

/** The run of ascending ones that a value lies in. */
export function runOf(runs: readonly Run[], value: number): number {
  let from = 0
  let to = runs.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (runs[middle]!.min <= value) from = middle + 1
    else to = middle
  }
  return from - 1
}
