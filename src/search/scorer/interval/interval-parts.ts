import type { Intervals } from './intervals.ts'
import { RepeatedIntervals } from './repeated-intervals.ts'

/** Opens all, though one may not be there. */
export function openAll(all: readonly Intervals[], docId: number): boolean {
  let isThere = true
  for (const each of all) if (!each.open(docId)) isThere = false
  return isThere
}

/** Positions of an interval that its parts leave. */
export function gapsBetween(start: number, end: number, parts: readonly Intervals[]): number {
  let gaps = end - start + 1
  for (const each of parts)
    gaps -= each instanceof RepeatedIntervals ? each.covered : each.end - each.start + 1
  return gaps
}
