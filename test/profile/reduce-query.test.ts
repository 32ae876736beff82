import { describe, expect, it } from 'vitest'
import { humanDuration } from '../../src/profile/human-duration.ts'
import { reduceConcurrent, reduceSequential } from '../../src/profile/reduce-query.ts'
import type { LeafProfile, SliceProfile } from '../../src/profile/slice-profile.ts'
import type { TimerReading } from '../../src/profile/timer.ts'
import { LEAF_TIMING_TYPES, type LeafTimingType } from '../../src/profile/timing-types.ts'

type Readings = Partial<Record<LeafTimingType, readonly [number, number, number]>>

function leaf(leafOrd: number, readings: Readings | null): LeafProfile {
  const node: TimerReading[] = LEAF_TIMING_TYPES.map(type => {
    const [start, time, count] = readings?.[type] ?? [0, 0, 0]
    return { start, time, count }
  })
  return { leafOrd, minDoc: 0, maxDoc: 100, end: 1e6, nodes: [readings === null ? null : node] }
}

function slice(sliceId: number, leaves: readonly LeafProfile[]): SliceProfile {
  return {
    sliceId,
    worker: sliceId,
    queued: 1,
    start: 1,
    end: 1e6,
    leaves,
    collectors: [],
    gathers: [],
  }
}

/** The worked example of the profile specification, §5.5. */
const A = slice(0, [
  leaf(0, {
    build_scorer: [2000, 150, 2],
    advance: [2200, 20, 1],
    next_doc: [2300, 300, 3],
    score: [2350, 90, 3],
  }),
  leaf(2, {
    build_scorer: [3000, 100, 2],
    advance: [3150, 10, 1],
    next_doc: [3200, 200, 2],
    score: [3210, 60, 2],
  }),
])
const B = slice(1, [
  leaf(1, {
    build_scorer: [2100, 500, 2],
    advance: [2650, 30, 1],
    next_doc: [2700, 900, 8],
    score: [2710, 240, 8],
    shallow_advance: [2880, 25, 1],
    compute_max_score: [2885, 40, 1],
    set_min_competitive_score: [2900, 15, 1],
  }),
])

function row(times: ReturnType<typeof reduceConcurrent>, type: LeafTimingType): number[] {
  const own = times.types[LEAF_TIMING_TYPES.indexOf(type)]
  if (own === undefined) return []
  const { time, maxTime, minTime, avgTime, count, maxCount, minCount, avgCount } = own
  return [time, maxTime, minTime, avgTime, count, maxCount, minCount, avgCount]
}

describe('reduceConcurrent', () => {
  it('gives the numbers of the worked example', () => {
    const times = reduceConcurrent([A, B], 0, 1000, 400)
    expect(times.time).toBe(2600)
    expect(times.createWeight).toBe(400)
    expect(times.slices).toMatchObject({ maxTime: 1500, minTime: 1400, avgTime: 1450 })
    expect(row(times, 'build_scorer')).toEqual([1100, 1100, 500, 800, 6, 4, 2, 3])
    expect(row(times, 'advance')).toEqual([960, 960, 30, 495, 3, 2, 1, 1])
    expect(row(times, 'next_doc')).toEqual([1300, 1100, 900, 1000, 13, 8, 5, 6])
    expect(row(times, 'score')).toEqual([920, 920, 240, 580, 13, 8, 5, 6])
    expect(row(times, 'shallow_advance')).toEqual([25, 25, 0, 12, 1, 1, 0, 0])
    expect(row(times, 'compute_max_score')).toEqual([40, 40, 0, 20, 1, 1, 0, 0])
    expect(row(times, 'set_min_competitive_score')).toEqual([15, 15, 0, 7, 1, 1, 0, 0])
    expect(row(times, 'match')).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(times.slices?.each.map(each => each.time)).toEqual([1400, 1500])
  })

  it('passes over leaves that have no record of the node', () => {
    const withGap = slice(1, [...B.leaves, leaf(3, null)])
    expect(reduceConcurrent([A, withGap], 0, 1000, 400)).toEqual(
      reduceConcurrent([A, B], 0, 1000, 400),
    )
  })

  it('shows only the making of the weight where no leaf asked for the node', () => {
    const times = reduceConcurrent([slice(0, [leaf(0, null)])], 0, 1000, 400)
    expect(times.time).toBe(400)
    expect(times.slices).toMatchObject({ maxTime: 0, minTime: 0, avgTime: 0 })
    expect(times.types.every(type => type.time === 0 && type.count === 0)).toBe(true)
    expect(reduceConcurrent([], 0, 1000, 400)).toMatchObject({ time: 400 })
  })

  it('ends no span after its leaf', () => {
    const late = { ...leaf(0, { score: [2000, 9_000_000, 5] }), end: 2500 }
    expect(row(reduceConcurrent([slice(0, [late])], 0, 1000, 400), 'score')[0]).toBe(500)
  })
})

describe('reduceSequential', () => {
  it('adds up the nine times', () => {
    const times = reduceSequential([A], 0, 400)
    expect(times.time).toBe(400 + 250 + 30 + 500 + 150)
    expect(times.slices).toBeNull()
  })
})

describe('humanDuration', () => {
  it.each([
    [0, '0s'],
    [123, '123nanos'],
    [1999, '1.9micros'],
    [113711, '113.7micros'],
    [1_000_000, '1ms'],
    [90_000_000_000, '1.5m'],
  ])('prints %d nanoseconds as %s', (nanos, text) => {
    expect(humanDuration(nanos)).toBe(text)
  })
})
