/** Counts, extremes and exact sums of the values of a batch, by owning bucket. */
import {
  CHUNKS,
  COUNTS,
  ENCODING,
  MAXS,
  MINS,
  OWNER_LIMIT,
  OWNERS,
  ROUNDERS,
  SUMS,
} from './batch-record'
import { groupIndexes, groupValues, nextGroup, openValues } from './batch-values'
import { decodeDoubles } from './column-batch'

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
    decodeDoubles(values, size, values, encoding, 1)
    if (owners) addOwned(at, size)
    else addAll(at, size)
  }
}

/** Adds a group to the one owning bucket. */
function addAll(at: usize, size: i32): void {
  const values = groupValues()
  const counts = load<usize>(at, COUNTS)
  const mins = load<usize>(at, MINS)
  const maxs = load<usize>(at, MAXS)
  const sums = load<usize>(at, SUMS)
  const chunks = load<i32>(at, CHUNKS)
  const rounders = load<usize>(at, ROUNDERS)
  store<u32>(counts, load<u32>(counts) + <u32>size)
  let lowest = f64x2.splat(load<f64>(mins))
  let highest = f64x2.splat(load<f64>(maxs))
  let first = f64x2.splat(0)
  let second = first
  let third = first
  const firstRounder = f64x2.splat(load<f64>(rounders))
  const secondRounder = f64x2.splat(load<f64>(rounders, 8))
  // An odd value stands alone beside itself, and is added as 0 the second time.
  const even = <usize>(size & ~1) << 3
  for (let i: usize = 0; i < even; i += 16) {
    const value = v128.load(values + i)
    lowest = f64x2.min(lowest, value)
    highest = f64x2.max(highest, value)
    if (chunks == 0) continue
    if (chunks == 1) first = f64x2.add(first, value)
    else {
      const top = f64x2.sub(f64x2.add(value, firstRounder), firstRounder)
      first = f64x2.add(first, top)
      const left = f64x2.sub(value, top)
      if (chunks == 2) second = f64x2.add(second, left)
      else {
        const middle = f64x2.sub(f64x2.add(left, secondRounder), secondRounder)
        second = f64x2.add(second, middle)
        third = f64x2.add(third, f64x2.sub(left, middle))
      }
    }
  }
  store<f64>(mins, min(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1)))
  store<f64>(maxs, max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1)))
  if (chunks > 0) addPair(sums, first)
  if (chunks > 1) addPair(sums + 8, second)
  if (chunks > 2) addPair(sums + 16, third)
  if (size & 1) addOne(at, 0, load<f64>(values + even))
}

@inline function addPair(at: usize, pair: v128): void {
  store<f64>(at, load<f64>(at) + f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1))
}

function addOwned(at: usize, size: i32): void {
  const values = groupValues()
  const indexes = groupIndexes()
  const owners = load<usize>(at, OWNERS)
  const counts = load<usize>(at, COUNTS)
  const ownerLimit = load<u32>(at, OWNER_LIMIT)
  for (let i: usize = 0; i < <usize>size << 2; i += 4) {
    const owner = load<u32>(owners + (<usize>load<i32>(indexes + i) << 2))
    if (owner >= ownerLimit) continue
    const slot = counts + (<usize>owner << 2)
    store<u32>(slot, load<u32>(slot) + 1)
    addOne(at, owner, load<f64>(values + (i << 1)))
  }
}

/** Adds a value, counted already, to a bucket. */
@inline function addOne(at: usize, owner: u32, value: f64): void {
  const offset = <usize>owner << 3
  const mins = load<usize>(at, MINS) + offset
  const maxs = load<usize>(at, MAXS) + offset
  store<f64>(mins, min(load<f64>(mins), value))
  store<f64>(maxs, max(load<f64>(maxs), value))
  const chunks = load<i32>(at, CHUNKS)
  if (chunks == 0) return
  const sums = load<usize>(at, SUMS) + offset * <usize>chunks
  if (chunks == 1) {
    store<f64>(sums, load<f64>(sums) + value)
    return
  }
  const rounders = load<usize>(at, ROUNDERS)
  const rounder = load<f64>(rounders)
  const top = value + rounder - rounder
  store<f64>(sums, load<f64>(sums) + top)
  const left = value - top
  if (chunks == 2) {
    store<f64>(sums, load<f64>(sums, 8) + left, 8)
    return
  }
  const nextRounder = load<f64>(rounders, 8)
  const middle = left + nextRounder - nextRounder
  store<f64>(sums, load<f64>(sums, 8) + middle, 8)
  store<f64>(sums, load<f64>(sums, 16) + (left - middle), 16)
}
