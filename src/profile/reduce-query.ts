/**
 * Reduces the slices' raw measurements to the numbers of one query node, as the OpenSearch profile
 * defines them. All times are nanoseconds; averages are truncated.
 *
 * Sequential: a type's time is the sum of its calls. Concurrent: it is a wall-clock span, from the
 * first call's start to the last call's end, gaps included; a span never extends past the end of
 * its leaf.
 */
import type { LeafProfile, SliceProfile } from './slice-profile.ts'
import { LEAF_TIMING_TYPES } from './timing-types.ts'

/** One type over the slices. */
export interface TypeStatistics {
  readonly time: number
  readonly count: number
  readonly maxTime: number
  readonly minTime: number
  readonly avgTime: number
  readonly maxCount: number
  readonly minCount: number
  readonly avgCount: number
}

/** One node's numbers; `types` in the order of `LEAF_TIMING_TYPES`. */
export interface QueryTimes {
  readonly time: number
  readonly createWeight: number
  readonly types: readonly TypeStatistics[]
  /** Absent in sequential mode. */
  readonly slices: SliceTimes | null
}

/** Max, min and mean time of the slices. */
export interface SliceTimes {
  readonly maxTime: number
  readonly minTime: number
  readonly avgTime: number
  /** In order of slice. */
  readonly each: readonly SliceSpan[]
}

/** One slice's time and calls for the node. */
export interface SliceSpan {
  /** From its first call's start to its last call's end; 0 without calls. */
  readonly time: number
  /** Start of its first call; 0 without calls. */
  readonly start: number
  readonly types: readonly { readonly time: number; readonly count: number }[]
}

const TYPE_COUNT = LEAF_TIMING_TYPES.length

/** A span that grows; empty while `start` is 0. */
interface Span {
  start: number
  end: number
  count: number
}

function emptySpan(): Span {
  return { start: 0, end: 0, count: 0 }
}

function include(span: Span, start: number, end: number, count: number): void {
  span.count += count
  if (count === 0) return
  span.start = span.start === 0 ? start : Math.min(span.start, start)
  span.end = Math.max(span.end, end)
}

/**
 * The numbers of a node over concurrent slices.
 *
 * @param slices     those that began a leaf
 * @param createStart,createTime start and duration of making the node's weight
 */
export function reduceConcurrent(
  slices: readonly SliceProfile[],
  nodeId: number,
  createStart: number,
  createTime: number,
): QueryTimes {
  const each = slices.map(slice => sliceSpans(slice.leaves, nodeId))
  const types = LEAF_TIMING_TYPES.map((_, type) => {
    const whole = emptySpan()
    const times: number[] = []
    const counts: number[] = []
    for (const spans of each) {
      const { start, end, count } = spans[type] as Span
      include(whole, start, end, count)
      times.push(end - start)
      counts.push(count)
    }
    const time = statistics(times)
    const count = statistics(counts)
    return {
      time: whole.end - whole.start,
      count: whole.count,
      maxTime: time.max,
      minTime: time.min,
      avgTime: time.avg,
      maxCount: count.max,
      minCount: count.min,
      avgCount: count.avg,
    }
  })
  const spans = each.map(sliceSpan)
  const slice = statistics(spans.map(span => span.time))
  let end = 0
  for (const all of each) for (const span of all) end = Math.max(end, span.end)
  return {
    // A node without calls took only the time to make its weight.
    time: end === 0 ? createTime : Math.max(end - createStart, createTime),
    createWeight: createTime,
    types,
    slices: { maxTime: slice.max, minTime: slice.min, avgTime: slice.avg, each: spans },
  }
}

/** The numbers of a node that one thread ran over all leaves. */
export function reduceSequential(
  slices: readonly SliceProfile[],
  nodeId: number,
  createTime: number,
): QueryTimes {
  const times = new Array<number>(TYPE_COUNT).fill(0)
  const counts = new Array<number>(TYPE_COUNT).fill(0)
  for (const { leaves } of slices)
    for (const { nodes } of leaves)
      nodes[nodeId]?.forEach(({ time, count }, type) => {
        times[type] = (times[type] ?? 0) + time
        counts[type] = (counts[type] ?? 0) + count
      })
  fitIntoRun(times, slices)
  const types = times.map((time, type) => {
    const count = counts[type] ?? 0
    return {
      time,
      count,
      maxTime: time,
      minTime: time,
      avgTime: time,
      maxCount: count,
      minCount: count,
      avgCount: count,
    }
  })
  const time = times.reduce((sum, one) => sum + one, createTime)
  return { time, createWeight: createTime, types, slices: null }
}

/**
 * Sampled times are extrapolated, so one measured call that was interrupted counts for all those
 * around it. A node's calls do not overlap, so their sum cannot exceed the run: if it does, all are
 * scaled down alike.
 */
function fitIntoRun(times: number[], slices: readonly SliceProfile[]): void {
  const room = slices.reduce((sum, { start, end }) => sum + end - start, 0)
  const total = times.reduce((sum, time) => sum + time, 0)
  if (total <= room) return
  times.forEach((time, type) => {
    if (time > 0) times[type] = Math.max(1, Math.floor((time * room) / total))
  })
}

/** A slice's spans of one node, by type; leaves without a record are skipped. */
function sliceSpans(leaves: readonly LeafProfile[], nodeId: number): readonly Span[] {
  const spans = LEAF_TIMING_TYPES.map(emptySpan)
  for (const leaf of leaves)
    leaf.nodes[nodeId]?.forEach(({ start, time, count }, type) => {
      const end = Math.max(Math.min(start + time, leaf.end), start + 1)
      include(spans[type] as Span, start, end, count)
    })
  return spans
}

function sliceSpan(spans: readonly Span[]): SliceSpan {
  const whole = emptySpan()
  for (const { start, end, count } of spans) include(whole, start, end, count)
  return {
    time: whole.end - whole.start,
    start: whole.start,
    types: spans.map(({ start, end, count }) => ({ time: end - start, count })),
  }
}

/** Max, min and truncated mean; all 0 for an empty list. */
export function statistics(values: readonly number[]): { max: number; min: number; avg: number } {
  if (values.length === 0) return { max: 0, min: 0, avg: 0 }
  let max = Number.NEGATIVE_INFINITY
  let min = Number.POSITIVE_INFINITY
  let sum = 0
  for (const value of values) {
    max = Math.max(max, value)
    min = Math.min(min, value)
    sum += value
  }
  return { max, min, avg: Math.floor(sum / values.length) }
}
