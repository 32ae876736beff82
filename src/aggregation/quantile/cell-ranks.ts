/** Values at ranks of cells, and ranks of values. */
import type { Cells } from './value-cells.ts'

/** The number of values. */
export function countOf({ counts }: Cells): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * The value of rank ⌊fraction · n⌋ of n sorted values: exact in a cell of one value, else between the
 * min and max of its cell.
 * @param fraction 0…1
 * @returns NaN without values
 */
export function quantile(cells: Cells, fraction: number): number {
  const count = countOf(cells)
  if (count === 0) return Number.NaN
  return valueAt(cells, Math.min(count - 1, Math.floor(fraction * count)))
}

function valueAt({ mins, maxs, counts }: Cells, rank: number): number {
  let at = 0
  let rest = rank
  while (rest >= counts[at]!) rest -= counts[at++]!
  const min = mins[at]!
  const max = maxs[at]!
  const last = counts[at]! - 1
  if (rest === 0 || min === max) return min
  return rest === last ? max : min + (max - min) * (rest / last)
}

/**
 * The percentage of values that stand below one: those below it and half of those that equal it, of n.
 * @returns NaN without values; 0 below all, 100 above all
 */
export function percentBelow(cells: Cells, value: number): number {
  const { mins, maxs, counts } = cells
  const count = countOf(cells)
  if (count === 0) return Number.NaN
  let below = 0
  for (let i = 0; i < mins.length && mins[i]! <= value; i++)
    below += maxs[i]! < value ? counts[i]! : belowWithin(mins[i]!, maxs[i]!, counts[i]!, value)
  return (100 * below) / count
}

/** The values of a cell that stand evenly between its min and max, and half of the one at the value. */
function belowWithin(min: number, max: number, count: number, value: number): number {
  if (min === max) return count / 2
  return ((value - min) / (max - min)) * (count - 1) + 0.5
}
