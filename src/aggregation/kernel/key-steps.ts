/** The steps of a column: runs of values that a function which does not descend gives one key. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { longWords } from '../../codec/points/reader.ts'
import { encodePoint, highHalf, joinHalves, lowHalf } from '../../search/query/point-value.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { NumberSource } from '../value-source.ts'
import type { BatchRecord } from './batch-record.ts'
import { KeptSteps } from './kept-steps.ts'
import { type KeySpace, slotBytes } from './slot-counts.ts'

/** Max steps of a column: slots hold 16 bits. */
const MAX_STEPS = 1 << 15
/** Bits of the slots of a column's range, each with its first step: more where steps are narrow. */
const MIN_SLOT_BITS = 12
const MAX_SLOT_BITS = 15
/** Scratch of a counter of steps, beside its column. */
export const STEPPED_BYTES: number =
  slotBytes(Number.POSITIVE_INFINITY) + 2 * 2 ** MAX_SLOT_BITS + 8 * (MAX_STEPS + 1) + 128

/** Steps of each thread that are kept, at some 40 bytes. */
const MAX_KEPT_STEPS = 1 << 16
const kept = new KeptSteps<KeySteps>(MAX_KEPT_STEPS)

/** Gives values their keys. */
export interface StepKeys {
  /** The same for functions that give the same keys alone; absent: their steps are not kept. */
  readonly name?: string
  /** The key of a value; does not descend. NaN: the column has no steps. */
  of(value: number): number
  /** About the first value of the key behind one. */
  next(key: number): number
  /** Keys from one to another that there are at least; absent: unknown. */
  minCount?(first: number, last: number): number
}

/** Steps as keys of slots. */
export class KeySteps implements KeySpace {
  readonly repeats: boolean
  /** The key of each step, ascending. */
  readonly keys: readonly number[]
  readonly #base: bigint
  readonly #span: bigint
  readonly #layout: StepLayout

  /** Null where the column has too many steps, or values without a key. */
  static of(
    reader: NumericValuesReader | null,
    source: NumberSource,
    stepKeys: StepKeys,
  ): KeySteps | null {
    if (reader === null || reader.totalValueCount === 0) return null
    if (source.missing !== null || source.isNanos) return null
    const min = joinHalves(reader.minHi, reader.minLo)
    const max = joinHalves(reader.maxHi, reader.maxLo)
    const { multiValued } = reader
    const { encoding, scale } = source
    const { name } = stepKeys
    const id = `${min} ${max} ${multiValued} ${encoding} ${scale} ${name}`
    const known = name === undefined ? null : kept.find(id)
    if (known !== null) return known
    const found = stepsBetween(min, max, source, stepKeys, MAX_STEPS)
    if (found === null) return null
    const steps = new KeySteps(multiValued, found.keys, min, max - min, found.starts)
    if (name !== undefined) kept.keep(id, steps)
    return steps
  }

  private constructor(
    repeats: boolean,
    keys: readonly number[],
    base: bigint,
    span: bigint,
    starts: readonly bigint[],
  ) {
    this.repeats = repeats
    this.keys = keys
    this.#base = base
    this.#span = span
    this.#layout = layoutOf(span, starts)
  }

  get count(): number {
    return this.keys.length
  }

  describe({ scratch, views }: Leaf, record: BatchRecord): boolean {
    const { bounds, slots, shift, isCrowded, equal } = this.#layout
    const at = scratch.tryAllocate(4 * bounds.length + 2 * slots.length)
    if (at < 0) return false
    const { u32 } = views
    u32.set(bounds, at >> 2)
    const behind = at + 4 * bounds.length
    new Uint16Array(u32.buffer, behind, slots.length).set(slots)
    record.set('slots', behind)
    record.set('bounds', at)
    record.set('shift', shift)
    record.set('crowded', isCrowded ? 1 : 0)
    record.setDouble('origin', equal?.origin ?? 0)
    record.setDouble('inverse', equal?.inverse ?? 0)
    record.setLong('base', this.#base)
    record.setLong('span', this.#span)
    return true
  }
}

/** Steps as the kernel reads them. */
interface StepLayout {
  /** The first value of each step, as a sortable integer less the base, in halves; behind them the highest. */
  readonly bounds: Uint32Array
  /** The step at the beginning of each slot. */
  readonly slots: Uint16Array
  readonly shift: number
  readonly isCrowded: boolean
  /** Null: their lengths differ. */
  readonly equal: EqualSteps | null
}

/** Steps of equal length, the first of which may be cut. */
interface EqualSteps {
  /** Taken from 2⁵² and a value less the base. */
  readonly origin: number
  /** Of the length. */
  readonly inverse: number
}

const INTEGERS = 2 ** 52
const MAX_EQUAL = 1n << 49n

/**
 * The step of an integer v, from the beginning of the first whole step on, is the integer nearest to
 * (v + ½) / length + ½, less one. That quotient lies ½ / length or more from where another integer is nearest, and its
 * error is less than 2⁻⁵² of it: too little below 2⁵¹. Differences of integers and halves below 2⁵² are exact.
 */
function equalSteps(span: bigint, starts: readonly bigint[]): EqualSteps | null {
  const [, first, second] = starts
  if (first === undefined || second === undefined || span >= MAX_EQUAL) return null
  const length = second - first
  if (first > length || length >= MAX_EQUAL) return null
  const endOf = (i: number): bigint => first + BigInt(i) * length
  if (starts.some((start, i) => i > 0 && start !== endOf(i - 1))) return null
  // The last one may go on where clocks are set back.
  if (span >= endOf(starts.length - 1)) return null
  const cut = Number(length - first)
  return { origin: INTEGERS - (cut + 0.5 + Number(length) / 2), inverse: 1 / Number(length) }
}

function layoutOf(span: bigint, starts: readonly bigint[]): StepLayout {
  const { shift, firsts, isCrowded } = slotsOf(span, starts)
  const bounds = new Uint32Array(2 * starts.length + 2)
  for (const [i, start] of starts.entries()) {
    bounds[2 * i] = lowHalf(start)
    bounds[2 * i + 1] = highHalf(start)
  }
  bounds.fill(0xffffffff, 2 * starts.length)
  const slots = new Uint16Array(Number(span >> BigInt(shift)) + 1)
  for (let slot = 0, step = 0; slot < slots.length; slot++) {
    // A step that begins in a slot is met from the one before on.
    while (step + 1 < firsts.length && firsts[step + 1]! < slot) step++
    slots[slot] = step
  }
  return { bounds, slots, shift, isCrowded, equal: equalSteps(span, starts) }
}

interface Slots {
  /** log2 of the values of a slot. */
  readonly shift: number
  /** The slot in which each step begins. */
  readonly firsts: Float64Array
  /** Whether several steps begin in some slot. */
  readonly isCrowded: boolean
}

/** The widest slots of which each holds the beginning of at most one step, if there are such. */
function slotsOf(span: bigint, starts: readonly bigint[]): Slots {
  const bits = span.toString(2).length
  for (let slotBits = MIN_SLOT_BITS; ; slotBits++) {
    const shift = Math.max(0, bits - slotBits)
    const firsts = Float64Array.from(starts, start => Number(start >> BigInt(shift)))
    const isCrowded = firsts.some((first, i) => i > 1 && first === firsts[i - 1])
    if (!isCrowded || slotBits === MAX_SLOT_BITS) return { shift, firsts, isCrowded }
  }
}

/** Keys of ascending values. */
interface Steps {
  readonly keys: readonly number[]
  /** The first sortable integer of each, less that of the first value. */
  readonly starts: readonly bigint[]
}

/**
 * The keys between two sortable integers.
 * @returns null: there are more than `maxSteps`, or values without a key
 */
function stepsBetween(
  min: bigint,
  max: bigint,
  source: NumberSource,
  stepKeys: StepKeys,
  maxSteps: number,
): Steps | null {
  const { encoding, scale } = source
  const keyAt = (value: bigint): number =>
    stepKeys.of(decodePoint(highHalf(value), lowHalf(value), encoding) / scale)
  const last = keyAt(max)
  let key = keyAt(min)
  if (Number.isNaN(key) || Number.isNaN(last)) return null
  const minCount = stepKeys.minCount?.(key, last) ?? 0
  if (minCount > maxSteps) return null
  const keys = [key]
  const starts = [0n]
  let start = min
  while (key < last) {
    if (keys.length >= maxSteps) return null
    const guess = encoded(stepKeys.next(key) * scale, encoding)
    start = firstAbove(keyAt, key, start, max, guess)
    key = keyAt(start)
    if (Number.isNaN(key)) return null
    keys.push(key)
    starts.push(start - min)
  }
  return { keys, starts }
}

/** Keys of ascending values, to be looked for among points. */
export interface PointSteps {
  readonly keys: readonly number[]
  /** The first value of each but the first key, as words of points. */
  readonly bounds: Uint32Array
}

const keptBetween = new KeptSteps<PointSteps & { readonly count: number }>(MAX_KEPT_STEPS)

/** The same as words of points, found once for all functions of one name. */
export function knownStepsBetween(
  min: bigint,
  max: bigint,
  source: NumberSource,
  stepKeys: StepKeys,
  maxSteps: number,
): PointSteps | null {
  const { encoding, scale } = source
  const { name } = stepKeys
  const id = `${min} ${max} ${encoding} ${scale} ${name}`
  const known = name === undefined ? null : keptBetween.find(id)
  if (known !== null) return known.count > maxSteps ? null : known
  const found = stepsBetween(min, max, source, stepKeys, maxSteps)
  if (found === null) return null
  const { keys, starts } = found
  const bounds = new Uint32Array(2 * (starts.length - 1))
  for (let i = 1; i < starts.length; i++) {
    const start = min + starts[i]!
    bounds.set(longWords(highHalf(start), lowHalf(start)), 2 * (i - 1))
  }
  const steps = { keys, bounds, count: keys.length }
  if (name !== undefined) keptBetween.keep(id, steps)
  return steps
}

/** The sortable integer near a number; null: there is none. */
function encoded(value: number, encoding: NumberSource['encoding']): bigint | null {
  if (!Number.isFinite(value)) return null
  const isWhole = encoding === 'long' || encoding === 'unsignedLong'
  return encodePoint(isWhole ? Math.ceil(value) : value, encoding)
}

/** The first integer in (from, to] whose key is above one; that of `to` is. */
function firstAbove(
  keyAt: (value: bigint) => number,
  key: number,
  from: bigint,
  to: bigint,
  guess: bigint | null,
): bigint {
  let below = from
  let above = to
  // The guess is mostly right or a few integers off: the search widens from there.
  if (guess !== null && guess > below && guess < above)
    for (let step = 1n, at = guess; at > below && at < above; step *= 4n)
      if (keyAt(at) > key) {
        above = at
        at -= step
      } else {
        below = at
        at += step
      }
  while (above - below > 1n) {
    const middle = (below + above) >> 1n
    if (keyAt(middle) > key) above = middle
    else below = middle
  }
  return above
}
