/** How far a call that scrolls has got, counted and in wire form. */
import { Float32, type JsonRecord } from '../../util/json/json-value.ts'
import { durationText } from '../../util/units.ts'
import type { Throttle } from './throttle.ts'

/** Counts of documents and requests. */
export interface Counts {
  /** Matches, as far as they are to be gone through. */
  total: number
  updated: number
  created: number
  deleted: number
  batches: number
  versionConflicts: number
  noops: number
  bulkRetries: number
  searchRetries: number
}

/** State of its throttling. */
export interface Pace {
  readonly throttledMillis: number
  /** Infinity: not throttled. */
  readonly rate: number
  /** Until the next batch. */
  readonly untilMillis: number
}

/** A state of the work. */
export interface Progress {
  /** Null: it is not one of several parts. */
  readonly sliceId: number | null
  readonly counts: Readonly<Counts>
  readonly pace: Pace
  readonly isCancelled: boolean
  /** Of the parts, null of those that have not begun; null: it has none. */
  readonly slices: readonly (Progress | null)[] | null
}

/** Which fields are printed. */
export interface ProgressStyle {
  /** Times as text beside the numbers. */
  readonly human: boolean
  readonly hasCreated: boolean
  readonly hasUpdated: boolean
}

/** All fields, as tasks show them. */
export const WHOLE_PROGRESS: ProgressStyle = { human: false, hasCreated: true, hasUpdated: true }

/** Counts that begin. */
export function newCounts(): Counts {
  return {
    total: 0,
    updated: 0,
    created: 0,
    deleted: 0,
    batches: 0,
    versionConflicts: 0,
    noops: 0,
    bulkRetries: 0,
    searchRetries: 0,
  }
}

/** The state of the throttling of now. */
export function paceOf({ throttledMillis, rate, untilMillis }: Throttle): Pace {
  return { throttledMillis, rate, untilMillis }
}

/**
 * The state of a work in parts: sums, and the time until the first of them goes on.
 * @param rate the sum over the parts that still run
 */
export function sumOfSlices(
  slices: readonly (Progress | null)[],
  rate: number,
  isCancelled: boolean,
): Progress {
  const counts = newCounts()
  let throttledMillis = 0
  let untilMillis = Number.POSITIVE_INFINITY
  for (const slice of slices) {
    if (slice === null) continue
    for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += slice.counts[key]
    throttledMillis += slice.pace.throttledMillis
    untilMillis = Math.min(untilMillis, slice.pace.untilMillis)
  }
  if (untilMillis === Number.POSITIVE_INFINITY) untilMillis = 0
  const pace = { throttledMillis, rate, untilMillis }
  return { sliceId: null, counts, pace, isCancelled, slices }
}

/** A state in wire form, keys in the documented order. */
export function printProgress(progress: Progress, style: ProgressStyle): JsonRecord {
  const { sliceId, counts, pace, isCancelled, slices } = progress
  const { human, hasCreated, hasUpdated } = style
  const { throttledMillis, rate, untilMillis } = pace
  return {
    slice_id: sliceId ?? undefined,
    total: counts.total,
    updated: hasUpdated ? counts.updated : undefined,
    created: hasCreated ? counts.created : undefined,
    deleted: counts.deleted,
    batches: counts.batches,
    version_conflicts: counts.versionConflicts,
    noops: counts.noops,
    retries: { bulk: counts.bulkRetries, search: counts.searchRetries },
    throttled: human ? durationText(throttledMillis * 1e6) : undefined,
    throttled_millis: throttledMillis,
    requests_per_second: new Float32(rate === Number.POSITIVE_INFINITY ? -1 : rate),
    canceled: isCancelled ? 'by user request' : undefined,
    throttled_until: human ? durationText(untilMillis * 1e6) : undefined,
    throttled_until_millis: untilMillis,
    slices: slices?.map(slice => (slice === null ? null : printProgress(slice, style))),
  }
}
