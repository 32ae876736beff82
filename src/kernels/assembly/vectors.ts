/**
 * Comparisons of one vector with rows of others. Sums of float32 are made in the order that
 * `util/vector-sums.ts` tells, to the bit; those of integers are exact.
 */

// Offsets of the record, which `search/vector/row-comparison.ts` writes.
const KIND: usize = 0
const QUERY: usize = 4
const ROWS: usize = 8
const ROW_BYTES: usize = 12
/** Numbers of the rows, u32 each; 0: a run of rows. */
const ORDS: usize = 16
/** The first row of a run. */
const FIRST: usize = 20
const COUNT: usize = 24
/** A number for each row: f32 where rows are, else i32. */
const OUT: usize = 28

/**
 * Compares `COUNT` rows of a multiple of 16 bytes, and the query's of the same length. For products of bytes the
 * query has two for each component.
 */
export function compareVectors(at: usize): void {
  const kind = load<i32>(at, KIND)
  const query = load<usize>(at, QUERY)
  const rows = load<usize>(at, ROWS)
  const bytes = load<usize>(at, ROW_BYTES)
  const ords = load<usize>(at, ORDS)
  const first = load<u32>(at, FIRST)
  const count = load<u32>(at, COUNT)
  let out = load<usize>(at, OUT)
  for (let i: u32 = 0; i < count; i++, out += 4) {
    const ord = ords ? load<u32>(ords + (<usize>i << 2)) : first + i
    const row = rows + <usize>ord * bytes
    if (kind == 0) store<f32>(out, dotFloats(query, row, bytes))
    else if (kind == 1) store<f32>(out, squaredFloats(query, row, bytes))
    else if (kind == 2) store<f32>(out, absoluteFloats(query, row, bytes))
    else if (kind == 3) store<f32>(out, largestFloats(query, row, bytes))
    else if (kind == 4) store<i32>(out, dotWide(query, row, bytes))
    else if (kind == 5) store<i32>(out, squaredBytes(query, row, bytes))
    else if (kind == 6) store<i32>(out, absoluteBytes(query, row, bytes))
    else if (kind == 7) store<i32>(out, largestBytes(query, row, bytes))
    else store<i32>(out, differingBits(query, row, bytes))
  }
}

/** The sum of four registers: first the registers, then neighbouring lanes. */
@inline function sumFloats(a: v128, b: v128, c: v128, d: v128): f32 {
  const sum = f32x4.add(f32x4.add(a, b), f32x4.add(c, d))
  return (
    f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  )
}

@inline function product(a: usize, b: usize, sum: v128): v128 {
  return f32x4.add(sum, f32x4.mul(v128.load(a), v128.load(b)))
}

export function dotFloats(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0)
  let s1 = f32x4.splat(0)
  let s2 = f32x4.splat(0)
  let s3 = f32x4.splat(0)
  let at: usize = 0
  for (; at + 64 <= bytes; at += 64) {
    s0 = product(a + at, b + at, s0)
    s1 = product(a + at + 16, b + at + 16, s1)
    s2 = product(a + at + 32, b + at + 32, s2)
    s3 = product(a + at + 48, b + at + 48, s3)
  }
  if (at < bytes) s0 = product(a + at, b + at, s0)
  if (at + 16 < bytes) s1 = product(a + at + 16, b + at + 16, s1)
  if (at + 32 < bytes) s2 = product(a + at + 32, b + at + 32, s2)
  return sumFloats(s0, s1, s2, s3)
}

@inline function square(a: usize, b: usize, sum: v128): v128 {
  const difference = f32x4.sub(v128.load(a), v128.load(b))
  return f32x4.add(sum, f32x4.mul(difference, difference))
}

export function squaredFloats(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0)
  let s1 = f32x4.splat(0)
  let s2 = f32x4.splat(0)
  let s3 = f32x4.splat(0)
  let at: usize = 0
  for (; at + 64 <= bytes; at += 64) {
    s0 = square(a + at, b + at, s0)
    s1 = square(a + at + 16, b + at + 16, s1)
    s2 = square(a + at + 32, b + at + 32, s2)
    s3 = square(a + at + 48, b + at + 48, s3)
  }
  if (at < bytes) s0 = square(a + at, b + at, s0)
  if (at + 16 < bytes) s1 = square(a + at + 16, b + at + 16, s1)
  if (at + 32 < bytes) s2 = square(a + at + 32, b + at + 32, s2)
  return sumFloats(s0, s1, s2, s3)
}

@inline function distance(a: usize, b: usize): v128 {
  return f32x4.abs(f32x4.sub(v128.load(a), v128.load(b)))
}

function absoluteFloats(a: usize, b: usize, bytes: usize): f32 {
  let s0 = f32x4.splat(0)
  let s1 = f32x4.splat(0)
  let s2 = f32x4.splat(0)
  let s3 = f32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 64) {
    s0 = f32x4.add(s0, distance(a + at, b + at))
    if (at + 16 < bytes) s1 = f32x4.add(s1, distance(a + at + 16, b + at + 16))
    if (at + 32 < bytes) s2 = f32x4.add(s2, distance(a + at + 32, b + at + 32))
    if (at + 48 < bytes) s3 = f32x4.add(s3, distance(a + at + 48, b + at + 48))
  }
  return sumFloats(s0, s1, s2, s3)
}

function largestFloats(a: usize, b: usize, bytes: usize): f32 {
  let largest = f32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16)
    largest = f32x4.max(largest, distance(a + at, b + at))
  return max(
    max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)),
    max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3)),
  )
}

@inline function sumIntegers(sum: v128): i32 {
  return (
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
  )
}

export function dotBytes(a: usize, b: usize, bytes: usize): i32 {
  let low = i32x4.splat(0)
  let high = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(a + at)
    const y = v128.load(b + at)
    low = i32x4.add(
      low,
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(x), i16x8.extend_low_i8x16_s(y)),
    )
    high = i32x4.add(
      high,
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(x), i16x8.extend_high_i8x16_s(y)),
    )
  }
  return sumIntegers(i32x4.add(low, high))
}

/** The product of a row of 16-bit integers and one of bytes: half of what is widened need not be at each row. */
export function dotWide(wide: usize, b: usize, bytes: usize): i32 {
  let low = i32x4.splat(0)
  let high = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const own = wide + (at << 1)
    low = i32x4.add(low, i32x4.dot_i16x8_s(v128.load(own), v128.load_ext<i8>(b + at)))
    high = i32x4.add(high, i32x4.dot_i16x8_s(v128.load(own, 16), v128.load_ext<i8>(b + at, 8)))
  }
  return sumIntegers(i32x4.add(low, high))
}

@inline function lowDifference(x: v128, y: v128): v128 {
  return i16x8.sub(i16x8.extend_low_i8x16_s(x), i16x8.extend_low_i8x16_s(y))
}

@inline function highDifference(x: v128, y: v128): v128 {
  return i16x8.sub(i16x8.extend_high_i8x16_s(x), i16x8.extend_high_i8x16_s(y))
}

function squaredBytes(a: usize, b: usize, bytes: usize): i32 {
  let sum = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(a + at)
    const y = v128.load(b + at)
    const low = lowDifference(x, y)
    const high = highDifference(x, y)
    sum = i32x4.add(
      sum,
      i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)),
    )
  }
  return sumIntegers(sum)
}

function absoluteBytes(a: usize, b: usize, bytes: usize): i32 {
  let sum = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(a + at)
    const y = v128.load(b + at)
    const both = i16x8.add(i16x8.abs(lowDifference(x, y)), i16x8.abs(highDifference(x, y)))
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(both))
  }
  return sumIntegers(sum)
}

function largestBytes(a: usize, b: usize, bytes: usize): i32 {
  let largest = i16x8.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(a + at)
    const y = v128.load(b + at)
    largest = i16x8.max_s(largest, i16x8.abs(lowDifference(x, y)))
    largest = i16x8.max_s(largest, i16x8.abs(highDifference(x, y)))
  }
  const four = i32x4.max_s(
    i32x4.extend_low_i16x8_s(largest),
    i32x4.extend_high_i16x8_s(largest),
  )
  return max(
    max(i32x4.extract_lane(four, 0), i32x4.extract_lane(four, 1)),
    max(i32x4.extract_lane(four, 2), i32x4.extract_lane(four, 3)),
  )
}

export function differingBits(a: usize, b: usize, bytes: usize): i32 {
  let sum = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    const bits = i8x16.popcnt(v128.xor(v128.load(a + at), v128.load(b + at)))
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits)))
  }
  return sumIntegers(sum)
}
