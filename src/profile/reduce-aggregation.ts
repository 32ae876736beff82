/**
 * Reduces the slices' raw measurements to the numbers of one aggregation, as the OpenSearch profile
 * defines them. All times are nanoseconds; averages are truncated.
 */
import type { GatherNotes } from '../search/collector/gather.ts'
import type { GatherReading } from './slice-profile.ts'
import { AGGREGATION_TIMING_TYPES } from './timing-types.ts'

/** The numbers of an aggregation. */
export interface AggregationTimes {
  readonly time: number
  /** Max, min and mean time of the slices; null in sequential mode. */
  readonly slices: { readonly max: number; readonly min: number; readonly avg: number } | null
  /** Keys of the breakdown with their values. */
  readonly breakdown: readonly (readonly [string, number])[]
}

/** Methods whose counts have statistics over slices. */
const COUNTED: ReadonlySet<string> = new Set(['build_leaf_collector', 'collect'])
const INITIALIZE = AGGREGATION_TIMING_TYPES.indexOf('initialize')

/** The numbers of one slice, or of all slices of a search that is not cut. */
export function sequentialTimes(readings: readonly GatherReading[]): AggregationTimes {
  const breakdown: (readonly [string, number])[] = []
  let time = 0
  AGGREGATION_TIMING_TYPES.forEach((type, call) => {
    const own = sum(readings.map(({ calls }) => calls[call]!.time))
    time += own
    breakdown.push(
      [type, own],
      [`${type}_count`, sum(readings.map(({ calls }) => calls[call]!.count))],
    )
  })
  return { time, slices: null, breakdown }
}

/** The numbers over concurrent slices: spans from the first start to the last end. */
export function concurrentTimes(readings: readonly GatherReading[]): AggregationTimes {
  const breakdown: (readonly [string, number])[] = []
  AGGREGATION_TIMING_TYPES.forEach((type, call) => {
    const calls = readings.map(reading => reading.calls[call]!)
    const made = calls.filter(({ count }) => count > 0)
    const start = Math.min(...made.map(each => each.start))
    const end = Math.max(...made.map(each => each.start + each.time))
    const times = statistics(calls.map(each => each.time))
    breakdown.push([type, made.length === 0 ? 0 : end - start])
    breakdown.push([`${type}_count`, sum(calls.map(({ count }) => count))])
    breakdown.push(
      [`max_${type}`, times.max],
      [`min_${type}`, times.min],
      [`avg_${type}`, times.avg],
    )
    if (!COUNTED.has(type)) return
    const counts = statistics(calls.map(({ count }) => count))
    breakdown.push([`max_${type}_count`, counts.max])
    breakdown.push([`min_${type}_count`, counts.min])
    breakdown.push([`avg_${type}_count`, counts.avg])
  })
  const totals = readings.map(({ calls }) => sum(calls.map(({ time }) => time)))
  const starts = readings.map(({ calls }) => calls[INITIALIZE]!.start)
  const end = Math.max(...starts.map((start, i) => start + totals[i]!))
  const time = readings.length === 0 ? 0 : end - Math.min(...starts)
  return { time, slices: statistics(totals), breakdown }
}

/** The notes of all slices: numbers are added, of others the first slice's stand. */
export function mergedNotes(readings: readonly GatherReading[]): GatherNotes {
  const merged: { [key: string]: GatherNotes[string] } = {}
  for (const { notes } of readings)
    for (const [key, value] of Object.entries(notes)) {
      const known = merged[key]
      if (known === undefined) merged[key] = value
      else if (typeof known === 'number' && typeof value === 'number') merged[key] = known + value
    }
  return merged
}

function statistics(values: readonly number[]): { max: number; min: number; avg: number } {
  if (values.length === 0) return { max: 0, min: 0, avg: 0 }
  return {
    max: Math.max(...values),
    min: Math.min(...values),
    avg: Math.trunc(sum(values) / values.length),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
