/** Turns the values of a group into keys: ordinals as they are, or the steps of a column's range. */
import {
  ACCEPTED,
  BASE,
  BOUNDS,
  CROWDED,
  INVERSE,
  KEYS,
  ORIGIN,
  REPEATS,
  RUN,
  SHIFT,
  SLOTS,
  SPAN,
} from './batch-record'
import { countOne } from './batch-owners'
import {
  groupIndexes,
  groupValues,
  haveOneEach,
  listEnd,
  listStart,
  nextGroup,
  nextIntegers,
} from './batch-values'
import { BLOCK_SHIFT, blocksOfColumn, dataOfColumn, valueAt, WIDEST_AT_ONCE } from './column'

const BLOCK_SIZE: i32 = 1 << BLOCK_SHIFT

/** Stands for the key of values that have no bucket. */
export const NO_KEY: i32 = -1

let lastIndex: i32 = -1
let lastKey: i32 = NO_KEY
/** Whether keys are unpacked as such: those of a run of documents with one value each. */
let areUnpacked: bool = false

/** Begins with the first group of a batch that is open. */
export function beginKeys(at: usize): void {
  lastIndex = -1
  const arePlain = !load<usize>(at, SLOTS) && !load<usize>(at, ACCEPTED) && load<f64>(at, INVERSE) == 0
  areUnpacked = arePlain && haveOneEach() && load<i32>(at, RUN) >= 0
}

/** Reads the keys of the next group, i32 in place of values; returns their number, 0 at the end. */
export function nextKeys(at: usize): i32 {
  if (areUnpacked) return nextIntegers(load<i64>(at, BASE), load<u32>(at, KEYS))
  const size = nextGroup()
  if (size > 0) makeKeys(at, size)
  return size
}

/** Replaces a group's values by their keys. */
export function makeKeys(at: usize, size: i32): void {
  if (load<f64>(at, INVERSE) != 0) makeEqualSteps(at, size)
  else if (load<usize>(at, SLOTS)) makeSteps(at, size)
  else if (!load<usize>(at, ACCEPTED)) checkKeys(load<i64>(at, BASE), load<u32>(at, KEYS), size)
  else acceptOrds(load<usize>(at, ACCEPTED), load<u32>(at, KEYS), size)
  if (load<i32>(at, REPEATS)) dropRepeats(size)
}

/** Keys are values less a base; those of a corrupt column may be none. */
function checkKeys(base: i64, keys: u32, size: i32): void {
  const values = groupValues()
  const bases = i64x2.splat(base)
  const limit = i32x4.splat(keys)
  const none = i32x4.splat(NO_KEY)
  const zero = i32x4.splat(0)
  // Keys are written behind the values that are still to be read; both have room beside the last one.
  for (let i: usize = 0; i < <usize>size << 2; i += 16) {
    const first = i64x2.sub(v128.load(values + (i << 1)), bases)
    const second = i64x2.sub(v128.load(values + (i << 1), 16), bases)
    const low = v128.shuffle<i32>(first, second, 0, 2, 4, 6)
    const high = v128.shuffle<i32>(first, second, 1, 3, 5, 7)
    const has = v128.and(i32x4.eq(high, zero), i32x4.lt_u(low, limit))
    v128.store(values + i, v128.or(low, v128.andnot(none, has)))
  }
}

function acceptOrds(accepted: usize, keys: u32, size: i32): void {
  const values = groupValues()
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const ord = load<u64>(values + (i << 1))
    const has =
      ord < <u64>keys && ((load<u32>(accepted + (<usize>(ord >> 5) << 2)) >> (<u32>ord & 31)) & 1) != 0
    store<i32>(values + i, has ? <i32>ord : NO_KEY)
  }
}

/** The key of a value is that of the last bound up to it. */
function makeSteps(at: usize, size: i32): void {
  const values = groupValues()
  const base = load<i64>(at, BASE)
  const span = load<u64>(at, SPAN)
  const shift = <u64>load<u32>(at, SHIFT)
  const slots = load<usize>(at, SLOTS)
  const bounds = load<usize>(at, BOUNDS) + 8
  const crowded = load<i32>(at, CROWDED) != 0
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const value = <u64>(load<i64>(values + (i << 1)) - base)
    if (value > span) {
      store<i32>(values + i, NO_KEY)
      continue
    }
    let key = <i32>load<u16>(slots + (<usize>(value >> shift) << 1))
    if (crowded) while (value >= load<u64>(bounds + (<usize>key << 3))) key++
    else key += <i32>(value >= load<u64>(bounds + (<usize>key << 3)))
    store<i32>(values + i, key)
  }
}

/** Of doubles from 2⁵² on the last bits are the integer that they are beyond it. */
const INTEGERS: i64 = 0x4330000000000000
/** Added to a double below 2³¹ it leaves the nearest integer, less one, in the lower half: 2⁵² + 2³² − 1. */
const TO_NEAREST: f64 = 4503603922337791

/**
 * The same of steps of equal length, four at once and without a table; `equalSteps` of `key-steps.ts` tells why none is
 * another.
 */
function makeEqualSteps(at: usize, size: i32): void {
  const values = groupValues()
  const integers = i64x2.splat(INTEGERS - load<i64>(at, BASE))
  const origin = f64x2.splat(load<f64>(at, ORIGIN))
  const inverse = f64x2.splat(load<f64>(at, INVERSE))
  const toNearest = f64x2.splat(TO_NEAREST)
  const limit = i32x4.splat(load<i32>(at, KEYS))
  const none = i32x4.splat(NO_KEY)
  for (let i: usize = 0; i < <usize>size << 2; i += 16) {
    const key = fourEqualSteps(values + (i << 1), integers, origin, inverse, toNearest)
    // Values of a corrupt column may lie anywhere.
    v128.store(values + i, v128.or(key, v128.andnot(none, i32x4.lt_u(key, limit))))
  }
}

@inline function fourEqualSteps(
  at: usize, integers: v128, origin: v128, inverse: v128, toNearest: v128,
): v128 {
  const first = f64x2.sub(i64x2.add(v128.load(at), integers), origin)
  const second = f64x2.sub(i64x2.add(v128.load(at, 16), integers), origin)
  return v128.shuffle<i32>(
    f64x2.add(f64x2.mul(first, inverse), toNearest),
    f64x2.add(f64x2.mul(second, inverse), toNearest),
    0, 2, 4, 6,
  )
}

/**
 * Counts such steps of a group's values in one owning bucket.
 * @param counts u32 by key, and one more, of the values that have none
 */
export function countEqualSteps(at: usize, size: i32, counts: usize): void {
  const integers = i64x2.splat(INTEGERS - load<i64>(at, BASE))
  const origin = f64x2.splat(load<f64>(at, ORIGIN))
  const inverse = f64x2.splat(load<f64>(at, INVERSE))
  const toNearest = f64x2.splat(TO_NEAREST)
  const limit = i32x4.splat(load<i32>(at, KEYS))
  let values = groupValues()
  for (let left = size; left > 0; left -= 4, values += 32) {
    const keys = i32x4.min_u(fourEqualSteps(values, integers, origin, inverse, toNearest), limit)
    const pair = <u64>i64x2.extract_lane(keys, 0)
    const other = <u64>i64x2.extract_lane(keys, 1)
    countOne(counts + (<usize>(<u32>pair) << 2))
    if (left > 1) countOne(counts + (<usize>(pair >> 32) << 2))
    if (left > 2) countOne(counts + (<usize>(<u32>other) << 2))
    if (left > 3) countOne(counts + (<usize>(other >> 32) << 2))
  }
}

/** Counts the steps of a group's values in one owning bucket. @param counts u32 by key */
export function countSteps(at: usize, size: i32, counts: usize): void {
  const values = groupValues()
  const base = load<i64>(at, BASE)
  const span = load<u64>(at, SPAN)
  const shift = <u64>load<u32>(at, SHIFT)
  const slots = load<usize>(at, SLOTS)
  const bounds = load<usize>(at, BOUNDS) + 8
  for (let i: usize = 0; i < <usize>size << 3; i += 8) {
    const value = <u64>(load<i64>(values + i) - base)
    if (value > span) continue
    const first = <usize>load<u16>(slots + (<usize>(value >> shift) << 1))
    const key = first + <usize>(value >= load<u64>(bounds + (first << 3)))
    const slot = counts + (key << 2)
    store<u32>(slot, load<u32>(slot) + 1)
  }
}

/** The same of the documents of a list, which have one value each. */
export function countListedSteps(at: usize, counts: usize): void {
  const base = load<i64>(at, BASE)
  const span = load<u64>(at, SPAN)
  const shift = <u64>load<u32>(at, SHIFT)
  const slots = load<usize>(at, SLOTS)
  const bounds = load<usize>(at, BOUNDS) + 8
  const end = listEnd()
  let number: i32 = -1
  let from: u64 = 0
  let packed: usize = 0
  let width: u64 = 0
  let mask: u64 = 0
  for (let at = listStart(); at < end; at += 4) {
    const doc = load<i32>(at)
    if (doc >> BLOCK_SHIFT != number) {
      number = doc >> BLOCK_SHIFT
      const block = blocksOfColumn() + (<usize>number << 4)
      from = <u64>(load<i64>(block) - base)
      packed = dataOfColumn() + <usize>load<u32>(block, 8)
      width = <u64>load<u32>(block, 12)
      mask = (<u64>1 << width) - 1
    }
    const bit = <u64>(doc & (BLOCK_SIZE - 1)) * width
    const value =
      width > WIDEST_AT_ONCE
        ? <u64>(valueAt(doc) - base)
        : from + ((load<u64>(packed + <usize>(bit >> 3)) >> (bit & 7)) & mask)
    if (value > span) continue
    const first = <usize>load<u16>(slots + (<usize>(value >> shift) << 1))
    const key = first + <usize>(value >= load<u64>(bounds + (first << 3)))
    countOne(counts + (key << 2))
  }
}

/** Up to so many steps are found by comparing all values with the first one of each. */
export const MAX_COMPARED: i32 = 8
const MAX_NARROW: u64 = 0x7fffffff

/**
 * The same of few steps, four values at once: of a step there are as many values as there are from its
 * first one on, less those of the steps behind it. The group has values less the base, as `unpackNarrow` writes them.
 */
export function compareSteps(at: usize, size: i32, counts: usize): void {
  const values = groupValues()
  const end = values + (<usize>size << 2)
  // Up to fifteen integers behind the last value are compared too: −1 is below all steps.
  for (let i: usize = 0; i < 64; i += 16) v128.store(end + i, i32x4.splat(-1))
  const keys = load<i32>(at, KEYS)
  const span = load<u64>(at, SPAN)
  const bounds = load<usize>(at, BOUNDS)
  let from = size
  for (let key = 0; key < keys; key++) {
    const bound = key + 1 < keys ? load<u64>(bounds + (<usize>(key + 1) << 3)) : span + 1
    const behind = bound - 1 >= MAX_NARROW ? 0 : countFrom(values, end, <i32>bound)
    const count = counts + (<usize>key << 2)
    store<u32>(count, load<u32>(count) + <u32>(from - behind))
    from = behind
  }
}

/** How many of some integers are at least a bound. */
function countFrom(values: usize, end: usize, bound: i32): i32 {
  const bounds = i32x4.splat(bound)
  let found = i32x4.splat(0)
  for (let at = values; at < end; at += 64) {
    const first = i32x4.add(i32x4.ge_s(v128.load(at), bounds), i32x4.ge_s(v128.load(at, 16), bounds))
    const second = i32x4.add(i32x4.ge_s(v128.load(at, 32), bounds), i32x4.ge_s(v128.load(at, 48), bounds))
    found = i32x4.sub(found, i32x4.add(first, second))
  }
  return (
    i32x4.extract_lane(found, 0) + i32x4.extract_lane(found, 1) +
    i32x4.extract_lane(found, 2) + i32x4.extract_lane(found, 3)
  )
}

/** Values of a document ascend, so that those of one key lie side by side. */
function dropRepeats(size: i32): void {
  const values = groupValues()
  const indexes = groupIndexes()
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const key = load<i32>(values + i)
    const index = load<i32>(indexes + i)
    if (key == lastKey && index == lastIndex) store<i32>(values + i, NO_KEY)
    lastKey = key
    lastIndex = index
  }
}
