import type { JsonRecord } from '../util/json/json-value.ts'
import { durations } from './human-duration.ts'
import type { CollectorTimes } from './reduce-collector.ts'

/** The durations of a collector's node, and how many slices it had. */
export function collectorDurations(times: CollectorTimes, human: boolean): JsonRecord {
  if (times.slices === null) return durations([['time', times.time]], human)
  const { reduceTime, maxTime, minTime, avgTime, count } = times.slices
  return {
    ...durations(
      [
        ['time', times.time],
        ['reduce_time', reduceTime],
        ['max_slice_time', maxTime],
        ['min_slice_time', minTime],
        ['avg_slice_time', avgTime],
      ],
      human,
    ),
    slice_count: count,
  }
}
