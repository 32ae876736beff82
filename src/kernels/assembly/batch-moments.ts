/** Counts, extremes and exact sums of the values of a batch, by owning bucket. */
import {
  CHUNKS,
  COUNTS,
  ENCODING,
  EXTREMES,
  MAXS,
  MINS,
  OWNER_LIMIT,
  OWNERS,
  ROUNDERS,
  SUMS,
} from './batch-record'
import { countOne, ownersOfGroup } from './batch-owners'
import { groupValues, nextGroup, openValues } from './batch-values'
import { decodeDoubles, RAW } from './column-batch'

/**
 * Adds the values of a record's batch. A sum is kept in up to three chunks of bits: a value is cut at
 * the unit of each, so that no addition is rounded while its caller empties the chunks in time.
 * Integers are not divided by their scale.
 */
export function addMoments(at: usize): void {
  openValues(at)
  const encoding = load<i32>(at, ENCODING)
  const owners = load<usize>(at, OWNERS)
  const values = groupValues()
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    if (encoding != RAW) decodeDoubles(values, size, values, encoding, 1)
    if (owners) addOwned(at, size)
    else addAll(at, size)
  }
}

/** Adds a group to the one owning bucket. */
function addAll(at: usize, size: i32): void {
  const values = groupValues()
  const counts = load<usize>(at, COUNTS)
  store<u32>(counts, load<u32>(counts) + <u32>size)
  // An odd value is added alone.
  const even = <usize>(size & ~1) << 3
  const extremes = load<i32>(at, EXTREMES) != 0
  if (extremes) addExtremes(at, values, even)
  const sums = load<usize>(at, SUMS)
  const rounders = load<usize>(at, ROUNDERS)
  const chunks = load<i32>(at, CHUNKS)
  if (chunks == 1) sumOnce(values, even, sums)
  else if (chunks == 2) sumTwice(values, even, sums, load<f64>(rounders))
  else if (chunks == 3) sumThrice(values, even, sums, load<f64>(rounders), load<f64>(rounders, 8))
  if (size & 1) {
    const last = load<f64>(values + even)
    if (extremes) {
      const mins = load<usize>(at, MINS)
      const maxs = load<usize>(at, MAXS)
      store<f64>(mins, min(load<f64>(mins), last))
      store<f64>(maxs, max(load<f64>(maxs), last))
    }
    addToSums(sums, chunks, rounders, last)
  }
}

/** Min and max of pairs of numbers. Which of 0 and −0 a comparison leaves, their signs decide. */
function addExtremes(at: usize, values: usize, bytes: usize): void {
  const end = values + bytes
  let lowest = f64x2.splat(Infinity)
  let highest = f64x2.splat(-Infinity)
  for (let i = values; i < end; i += 16) {
    const value = v128.load(i)
    lowest = f64x2.pmin(lowest, value)
    highest = f64x2.pmax(highest, value)
  }
  const mins = load<usize>(at, MINS)
  const maxs = load<usize>(at, MAXS)
  let least = min(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1))
  let most = max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1))
  if (least == 0) least = hasSign(values, end) ? -0.0 : 0.0
  if (most == 0) most = haveSigns(values, end) ? -0.0 : 0.0
  store<f64>(mins, min(load<f64>(mins), least))
  store<f64>(maxs, max(load<f64>(maxs), most))
}

/** Whether some number of pairs has the sign bit. */
function hasSign(values: usize, end: usize): bool {
  let some = i64x2.splat(0)
  for (let i = values; i < end; i += 16) some = v128.or(some, v128.load(i))
  return (i64x2.extract_lane(some, 0) | i64x2.extract_lane(some, 1)) < 0
}

/** Whether all numbers of pairs have the sign bit. */
function haveSigns(values: usize, end: usize): bool {
  let all = i64x2.splat(-1)
  for (let i = values; i < end; i += 16) all = v128.and(all, v128.load(i))
  return (i64x2.extract_lane(all, 0) & i64x2.extract_lane(all, 1)) < 0
}

// Sums are exact in any order: two side by side do not wait for one another's additions.

function sumOnce(values: usize, bytes: usize, sums: usize): void {
  const end = values + bytes
  let first = f64x2.splat(0)
  let second = f64x2.splat(0)
  let at = values
  for (; at + 32 <= end; at += 32) {
    first = f64x2.add(first, v128.load(at))
    second = f64x2.add(second, v128.load(at, 16))
  }
  if (at < end) first = f64x2.add(first, v128.load(at))
  addPair(sums, f64x2.add(first, second))
}

function sumTwice(values: usize, bytes: usize, sums: usize, rounder: f64): void {
  const end = values + bytes
  const round = f64x2.splat(rounder)
  let tops = f64x2.splat(0)
  let rests = f64x2.splat(0)
  let nextTops = f64x2.splat(0)
  let nextRests = f64x2.splat(0)
  let at = values
  for (; at + 32 <= end; at += 32) {
    const value = v128.load(at)
    const next = v128.load(at, 16)
    const top = f64x2.sub(f64x2.add(value, round), round)
    const nextTop = f64x2.sub(f64x2.add(next, round), round)
    tops = f64x2.add(tops, top)
    nextTops = f64x2.add(nextTops, nextTop)
    rests = f64x2.add(rests, f64x2.sub(value, top))
    nextRests = f64x2.add(nextRests, f64x2.sub(next, nextTop))
  }
  if (at < end) {
    const value = v128.load(at)
    const top = f64x2.sub(f64x2.add(value, round), round)
    tops = f64x2.add(tops, top)
    rests = f64x2.add(rests, f64x2.sub(value, top))
  }
  addPair(sums, f64x2.add(tops, nextTops))
  addPair(sums + 8, f64x2.add(rests, nextRests))
}

function sumThrice(
  values: usize, bytes: usize, sums: usize, rounder: f64, nextRounder: f64,
): void {
  const round = f64x2.splat(rounder)
  const roundNext = f64x2.splat(nextRounder)
  let first = f64x2.splat(0)
  let second = f64x2.splat(0)
  let third = f64x2.splat(0)
  for (let i: usize = 0; i < bytes; i += 16) {
    const value = v128.load(values + i)
    const top = f64x2.sub(f64x2.add(value, round), round)
    const left = f64x2.sub(value, top)
    const middle = f64x2.sub(f64x2.add(left, roundNext), roundNext)
    first = f64x2.add(first, top)
    second = f64x2.add(second, middle)
    third = f64x2.add(third, f64x2.sub(left, middle))
  }
  addPair(sums, first)
  addPair(sums + 8, second)
  addPair(sums + 16, third)
}

@inline function addPair(at: usize, pair: v128): void {
  store<f64>(at, load<f64>(at) + f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1))
}

/** Adds a group to the owning buckets of its documents. */
function addOwned(at: usize, size: i32): void {
  const owners = ownersOfGroup(load<usize>(at, OWNERS), load<u32>(at, OWNER_LIMIT), size)
  if (!owners) return
  const counts = load<usize>(at, COUNTS)
  const sums = load<usize>(at, SUMS)
  const rounders = load<usize>(at, ROUNDERS)
  const chunks = load<i32>(at, CHUNKS)
  if (chunks == 1) sumOwnedOnce(owners, size, counts, sums)
  else if (chunks == 2) sumOwnedTwice(owners, size, counts, sums, load<f64>(rounders))
  else
    for (let i: usize = 0; i < <usize>size << 2; i += 4) {
      const owner = <usize>load<u32>(owners + i)
      countOne(counts + (owner << 2))
      addToSums(sums + owner * (<usize>chunks << 3), chunks, rounders, load<f64>(groupValues() + (i << 1)))
    }
  if (load<i32>(at, EXTREMES)) addOwnedExtremes(owners, size, load<usize>(at, MINS), load<usize>(at, MAXS))
}

function addOwnedExtremes(owners: usize, size: i32, mins: usize, maxs: usize): void {
  const values = groupValues()
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const owner = <usize>load<u32>(owners + i) << 3
    const value = load<f64>(values + (i << 1))
    // Of 0 and −0 either may come first, and a comparison takes them for equal.
    const least = mins + owner
    if (value <= load<f64>(least)) store<f64>(least, min(load<f64>(least), value))
    const most = maxs + owner
    if (value >= load<f64>(most)) store<f64>(most, max(load<f64>(most), value))
  }
}

function sumOwnedOnce(owners: usize, size: i32, counts: usize, sums: usize): void {
  const values = groupValues()
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const owner = <usize>load<u32>(owners + i)
    addTo(sums + (owner << 3), load<f64>(values + (i << 1)))
    countOne(counts + (owner << 2))
  }
}

/** Cuts two values at once; the two chunks of a sum lie side by side, and are added to at once. */
function sumOwnedTwice(owners: usize, size: i32, counts: usize, sums: usize, rounder: f64): void {
  const values = groupValues()
  const round = f64x2.splat(rounder)
  const end = <usize>(size & ~1) << 2
  for (let i: usize = 0; i < end; i += 8) {
    const both = load<u64>(owners + i)
    const first = <usize>both
    const second = <usize>(both >> 32)
    const value = v128.load(values + (i << 1))
    const top = f64x2.sub(f64x2.add(value, round), round)
    const left = f64x2.sub(value, top)
    addPairTo(sums + (first << 4), v128.shuffle<f64>(top, left, 0, 2))
    addPairTo(sums + (second << 4), v128.shuffle<f64>(top, left, 1, 3))
    countOne(counts + (first << 2))
    countOne(counts + (second << 2))
  }
  if (!(size & 1)) return
  const owner = <usize>load<u32>(owners + end)
  const value = load<f64>(values + (end << 1))
  const top = value + rounder - rounder
  addTo(sums + (owner << 4), top)
  addTo(sums + (owner << 4) + 8, value - top)
  countOne(counts + (owner << 2))
}

@inline function addPairTo(sum: usize, pair: v128): void {
  v128.store(sum, f64x2.add(v128.load(sum), pair))
}

@inline function addTo(sum: usize, value: f64): void {
  store<f64>(sum, load<f64>(sum) + value)
}

/** Adds a value to the chunks of one sum. */
function addToSums(sums: usize, chunks: i32, rounders: usize, value: f64): void {
  if (chunks == 0) return
  if (chunks == 1) {
    addTo(sums, value)
    return
  }
  const rounder = load<f64>(rounders)
  const top = value + rounder - rounder
  addTo(sums, top)
  const left = value - top
  if (chunks == 2) {
    addTo(sums + 8, left)
    return
  }
  const nextRounder = load<f64>(rounders, 8)
  const middle = left + nextRounder - nextRounder
  addTo(sums + 8, middle)
  addTo(sums + 16, left - middle)
}
