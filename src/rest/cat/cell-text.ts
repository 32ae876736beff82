/** Cells as text, in the unit that was asked for. */
import { durationText, sizeText } from '../../util/units.ts'
import type { Cell } from './column.ts'

/** The units of `bytes`, by their factor. */
export const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 2 ** 10,
  kb: 2 ** 10,
  m: 2 ** 20,
  mb: 2 ** 20,
  g: 2 ** 30,
  gb: 2 ** 30,
  t: 2 ** 40,
  tb: 2 ** 40,
  p: 2 ** 50,
  pb: 2 ** 50,
}

/** The units of `time`, in nanoseconds. */
export const TIME_UNITS: Readonly<Record<string, number>> = {
  nanos: 1,
  micros: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 86_400e9,
}

/** The units of a request; null prints each value in the largest that gives at least 1. */
export interface CellUnits {
  /** Bytes of the unit of sizes. */
  readonly size: number | null
  /** Nanoseconds of the unit of times. */
  readonly time: number | null
}

/** A cell as it prints; null for an empty one. Sizes and times in a fixed unit are cut to whole ones. */
export function cellText(cell: Cell, { size, time }: CellUnits): string | null {
  if (cell === null) return null
  if (typeof cell !== 'object') return String(cell)
  if ('bytes' in cell)
    return size === null ? sizeText(cell.bytes) : String(Math.trunc(cell.bytes / size))
  return time === null ? durationText(cell.nanos) : String(Math.trunc(cell.nanos / time))
}

/** Orders two cells of a column: empty ones first, then by value. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  const x = sortValue(a)
  const y = sortValue(b)
  return x < y ? -1 : x > y ? 1 : 0
}

function sortValue(cell: Exclude<Cell, null>): string | number {
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell !== 'object') return cell
  return 'bytes' in cell ? cell.bytes : cell.nanos
}
