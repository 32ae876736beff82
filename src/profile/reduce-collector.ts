/** Reduces the slices' collector timers to the numbers of one collector node. */
import { statistics } from './reduce-query.ts'
import type { CollectorReading } from './slice-profile.ts'

/** Times of one collector over all slices. */
export interface CollectorTimes {
  readonly time: number
  /** Absent in sequential mode. */
  readonly slices: {
    readonly reduceTime: number
    readonly maxTime: number
    readonly minTime: number
    readonly avgTime: number
    readonly count: number
  } | null
}

/**
 * The numbers of one collector.
 *
 * @param readings   of the slices that ran; undefined: it was not opened
 * @param reduceTime time to merge the slices' results; null: sequential
 */
export function reduceCollector(
  readings: readonly (CollectorReading | undefined)[],
  reduceTime: number | null,
): CollectorTimes {
  const times: number[] = []
  let start = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const own of readings) {
    times.push(own?.time ?? 0)
    if (own === undefined || own.start === 0) continue
    start = Math.min(start, own.start)
    end = Math.max(end, own.start + own.time)
  }
  if (reduceTime === null) return { time: times.reduce((sum, time) => sum + time, 0), slices: null }
  const { max, min, avg } = statistics(times)
  return {
    time: end > start ? end - start : 0,
    slices: {
      reduceTime: Math.max(1, reduceTime),
      maxTime: max,
      minTime: min,
      avgTime: avg,
      count: readings.length,
    },
  }
}
