// Plain loops over columns: what an aggregation costs where nothing is done but to read values and to count them. A packed column
// is `width` bits a value, 57 at most, one behind the other; a raw one is of doubles.

/** The value of a packed column at an index. */
@inline
function at(column: usize, width: u64, i: u32): u64 {
  const bit = <u64>i * width
  return (load<u64>(column + <usize>(bit >> 3)) >> (bit & 7)) & ((<u64>1 << width) - 1)
}

@inline
function add(counts: usize, key: usize): void {
  const slot = counts + (key << 2)
  store<u32>(slot, load<u32>(slot) + 1)
}

/** The whole number of steps below a value. */
@inline
function step(value: u64, offset: f64, inverse: f64): usize {
  return <usize>((<f64>value + offset) * inverse)
}

export function countKeys(column: usize, width: u64, count: u32, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) add(counts, <usize>at(column, width, i))
}

export function countSteps(column: usize, width: u64, count: u32, offset: f64, inverse: f64, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) add(counts, step(at(column, width, i), offset, inverse))
}

/** As above, of steps that have a key each, a byte. */
export function countMapped(
  column: usize,
  width: u64,
  count: u32,
  offset: f64,
  inverse: f64,
  keys: usize,
  counts: usize,
): void {
  for (let i: u32 = 0; i < count; i++)
    add(counts, <usize>load<u8>(keys + step(at(column, width, i), offset, inverse)))
}

export function countListedKeys(docs: usize, count: u32, column: usize, width: u64, counts: usize): void {
  for (let i: u32 = 0; i < count; i++)
    add(counts, <usize>at(column, width, load<u32>(docs + (<usize>i << 2))))
}

export function countListedSteps(
  docs: usize,
  count: u32,
  column: usize,
  width: u64,
  offset: f64,
  inverse: f64,
  counts: usize,
): void {
  for (let i: u32 = 0; i < count; i++)
    add(counts, step(at(column, width, load<u32>(docs + (<usize>i << 2))), offset, inverse))
}

/** Counts how many of four bounds lie at or below each value. */
export function countRanges(column: usize, width: u64, count: u32, a: u64, b: u64, c: u64, d: u64, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const value = at(column, width, i)
    add(counts, <usize>(value >= a) + <usize>(value >= b) + <usize>(value >= c) + <usize>(value >= d))
  }
}

export function markKeys(column: usize, width: u64, count: u32, marks: usize): void {
  for (let i: u32 = 0; i < count; i++) store<u8>(marks + <usize>at(column, width, i), 1)
}

/** Notes the most leading zeros of hashes by their 14 highest bits. */
export function noteHashes(column: usize, width: u64, count: u32, registers: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    let hash = at(column, width, i) * 0x9e3779b97f4a7c15
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93
    hash ^= hash >> 32
    const register = registers + <usize>(hash >> 50)
    const zeros = <u8>(clz<u64>((hash << 14) | 8192) + 1)
    if (zeros > load<u8>(register)) store<u8>(register, zeros)
  }
}

/** Adds a double to a compensated sum at an address: the sum, and what it lacks. */
@inline
function sum(place: usize, value: f64): void {
  const before = load<f64>(place)
  const corrected = value - load<f64>(place, 8)
  const after = before + corrected
  store<f64>(place, after)
  store<f64>(place, after - before - corrected, 8)
}

/** Sum, its error, min, max and count at an address. */
@inline
function note(place: usize, value: f64): void {
  sum(place, value)
  store<f64>(place, min(value, load<f64>(place, 16)), 16)
  store<f64>(place, max(value, load<f64>(place, 24)), 24)
  store<u32>(place, load<u32>(place, 32) + 1, 32)
}

/** Bytes of what `note` keeps. */
const NOTED: usize = 40

export function statsOf(doubles: usize, count: u32, place: usize): void {
  let total: f64 = 0
  let lack: f64 = 0
  let least: f64 = Infinity
  let most: f64 = -Infinity
  for (let i: u32 = 0; i < count; i++) {
    const value = load<f64>(doubles + (<usize>i << 3))
    const corrected = value - lack
    const after = total + corrected
    lack = after - total - corrected
    total = after
    least = min(least, value)
    most = max(most, value)
  }
  store<f64>(place, total)
  store<f64>(place, least, 16)
  store<f64>(place, most, 24)
  store<u32>(place, count, 32)
}

/** Sums of doubles by key, 16 bytes each, and counts. */
export function sumByKey(column: usize, width: u64, count: u32, doubles: usize, sums: usize, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const key = <usize>at(column, width, i)
    add(counts, key)
    sum(sums + (key << 4), load<f64>(doubles + (<usize>i << 3)))
  }
}

/** What `note` keeps, by the key of a step and a key below it of ten. */
export function noteByKeys(
  times: usize,
  timeWidth: u64,
  offset: f64,
  inverse: f64,
  keys: usize,
  column: usize,
  width: u64,
  doubles: usize,
  count: u32,
  places: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const outer = <usize>load<u8>(keys + step(at(times, timeWidth, i), offset, inverse))
    const key = outer * 10 + <usize>at(column, width, i)
    note(places + key * NOTED, load<f64>(doubles + (<usize>i << 3)))
  }
}

/** Counts by key and the step below it. */
export function countStepsByKey(
  column: usize,
  width: u64,
  times: usize,
  timeWidth: u64,
  offset: f64,
  inverse: f64,
  steps: usize,
  count: u32,
  counts: usize,
): void {
  for (let i: u32 = 0; i < count; i++)
    add(counts, <usize>at(column, width, i) * steps + step(at(times, timeWidth, i), offset, inverse))
}

/** Counts by key, and the three least values of each, ascending. */
export function leastByKey(
  column: usize,
  width: u64,
  values: usize,
  valueWidth: u64,
  count: u32,
  least: usize,
  counts: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const key = <usize>at(column, width, i)
    add(counts, key)
    const value = <u32>at(values, valueWidth, i)
    const own = least + key * 12
    if (value >= load<u32>(own, 8)) continue
    const first = load<u32>(own)
    const second = load<u32>(own, 4)
    store<u32>(own, min(first, value))
    store<u32>(own, max(first, min(second, value)), 4)
    store<u32>(own, max(second, value), 8)
  }
}

/** Counts doubles that are not negative by their exponent and the seven highest bits of their fraction. */
export function countCells(doubles: usize, count: u32, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) add(counts, <usize>(load<u64>(doubles + (<usize>i << 3)) >> 45))
}
