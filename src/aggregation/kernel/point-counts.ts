/**
 * Counts of a leaf's documents by key, from the points of a field: values stand in order there, so
 * that each step of the keys is a run, whose ends two searches find. No document is read.
 */
import { BLOCK_POINTS } from '../../codec/point-blocks.ts'
import { longOf, longWords, type PointsReader } from '../../codec/points/reader.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import { highHalf, joinHalves, lowHalf, MAX_LONG } from '../../search/query/point-value.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { NumberSource } from '../value-source.ts'
import { knownStepsBetween, type PointSteps, type StepKeys } from './key-steps.ts'

/** Documents by key, and the blocks of points that they were counted in. */
export interface PointCounts {
  /** Ascending. */
  readonly keys: readonly number[]
  /** Documents by index of the key; some may be 0. */
  readonly counts: readonly number[]
  /** Blocks of several keys, unless they reach behind the last one. */
  readonly leafVisited: number
  /** Blocks of one key. */
  readonly innerVisited: number
}

/** The values of a leaf that a search matches, in order. */
export interface MatchedPoints {
  readonly points: PointsReader
  readonly source: NumberSource
  /** The smallest and the largest of them as sortable integers. */
  readonly min: bigint
  readonly max: bigint
  /** They are the points [start, end) in order of value. */
  readonly start: number
  readonly end: number
}

/**
 * The matched values of a leaf; null: they do not follow from its points.
 * @param leaf  without deleted documents
 * @param scope of the search
 */
export function matchedPoints(
  leaf: Leaf,
  source: NumberSource,
  scope: MatchScope,
): MatchedPoints | null {
  const { field, missing, isNanos } = source
  if (missing !== null || isNanos) return null
  if (scope.kind === 'interval' && scope.field !== field) return null
  const values = leaf.numericValues(field)
  const points = leaf.points(field)
  if (values === null || points === null || points.wordCount !== 2) return null
  const { count, docCount } = points
  if (values.multiValued || count !== docCount || count !== values.totalValueCount) return null
  const interval = scope.kind === 'interval' ? scope.interval : null
  const start =
    interval === null ? 0 : points.countBelow(longWords(interval.lowerHi, interval.lowerLo))
  const end =
    interval === null ? count : rankBehind(points, joinHalves(interval.upperHi, interval.upperLo))
  if (start >= end) return { points, source, min: 0n, max: -1n, start: 0, end: 0 }
  const min = longOf(points.valueAt(start))
  const max = longOf(points.valueAt(end - 1))
  return { points, source, min, max, start, end }
}

const NO_STEPS: PointSteps = { keys: [], bounds: new Uint32Array(0) }

/**
 * The keys of matched values.
 * @returns null: there are more than `maxSteps`, or values without one
 */
export function stepsOfPoints(
  { source, min, max, start, end }: MatchedPoints,
  stepKeys: StepKeys,
  maxSteps: number,
): PointSteps | null {
  return start === end ? NO_STEPS : knownStepsBetween(min, max, source, stepKeys, maxSteps)
}

/**
 * Counts matched values by their keys.
 * @param maxSteps keys that there may be
 * @param isBucket whether documents of a key count; the others lie in gaps
 * @returns null: there are more keys, or values without one
 */
export function countPoints(
  matched: MatchedPoints,
  stepKeys: StepKeys,
  maxSteps: number,
  isBucket: (key: number) => boolean = () => true,
): PointCounts | null {
  const { points, start, end } = matched
  const steps = stepsOfPoints(matched, stepKeys, maxSteps)
  if (steps === null) return null
  const ends = points.countsBelow(steps.bounds)
  const walk = new BlockWalk(points.count)
  const keys: number[] = []
  const counts: number[] = []
  let from = start
  for (const [i, key] of steps.keys.entries()) {
    const to = i < ends.length ? ends[i]! : end
    const counted = isBucket(key)
    walk.pass(from, to, counted)
    if (counted) {
      keys.push(key)
      counts.push(to - from)
    }
    from = to
  }
  return { keys, counts, ...walk.visited() }
}

/** The number of points up to a sortable integer. */
function rankBehind(points: PointsReader, value: bigint): number {
  if (value === MAX_LONG) return points.count
  return points.countBelow(longWords(highHalf(value + 1n), lowHalf(value + 1n)))
}

/** The numbers of the smallest and the largest matched value; none where nothing matches. */
export function endsOf({ source, min, max, start, end }: MatchedPoints): readonly number[] {
  if (start === end) return []
  const { encoding, scale } = source
  return [min, max].map(each => decodePoint(highHalf(each), lowHalf(each), encoding) / scale)
}

/** Tells the blocks that a walk over the points reads from those that it counts whole. */
class BlockWalk {
  readonly #count: number
  /** The points of buckets lie in [first, end). */
  #first = -1
  #end = 0
  #inner = 0
  /** Whole blocks of gaps, up to the last bucket and behind it. */
  #gaps = 0
  #trailing = 0

  constructor(count: number) {
    this.#count = count
  }

  /** Passes points [from, to) of one key, or of a gap. */
  pass(from: number, to: number, isCounted: boolean): void {
    if (from === to) return
    const last = to === this.#count ? to + BLOCK_POINTS - 1 : to
    const whole = Math.floor(last / BLOCK_POINTS) - Math.ceil(from / BLOCK_POINTS)
    if (!isCounted) {
      if (this.#first >= 0) this.#trailing += Math.max(0, whole)
      return
    }
    if (this.#first < 0) this.#first = from
    this.#end = to
    this.#inner += Math.max(0, whole)
    this.#gaps += this.#trailing
    this.#trailing = 0
  }

  visited(): { leafVisited: number; innerVisited: number } {
    if (this.#first < 0) return { leafVisited: 0, innerVisited: 0 }
    const touched = Math.ceil(this.#end / BLOCK_POINTS) - Math.floor(this.#first / BLOCK_POINTS)
    // In the last block the walk stops at a value behind all buckets.
    const stops = this.#end < this.#count && this.#end % BLOCK_POINTS !== 0 ? 1 : 0
    return {
      leafVisited: touched - this.#inner - this.#gaps - stops,
      innerVisited: this.#inner,
    }
  }
}
