/** Values of a batch's documents, read at once from a column of any number of values a document. */
import { CAPACITY, DOUBLES, ENCODING, HIGHS, INDEXES, LOWS, SCALE } from './batch-record'
import { groupIndexes, groupValues, nextGroup, openValues } from './batch-values'

/** Reads the values of a record's batch; returns their number, −1 without room. */
export function readColumn(at: usize): i32 {
  openValues(at)
  const capacity = load<i32>(at, CAPACITY)
  const indexes = load<usize>(at, INDEXES)
  const highs = load<usize>(at, HIGHS)
  const lows = load<usize>(at, LOWS)
  const doubles = load<usize>(at, DOUBLES)
  const encoding = load<i32>(at, ENCODING)
  const scale = load<f64>(at, SCALE)
  const values = groupValues()
  let next: i32 = 0
  for (let size = nextGroup(); size > 0; size = nextGroup()) {
    if (next + size > capacity) return -1
    const offset = <usize>next << 2
    for (let i: usize = 0; i < <usize>size << 2; i += 4) {
      const value = load<i64>(values + (i << 1))
      store<i32>(indexes + offset + i, load<i32>(groupIndexes() + i))
      store<i32>(highs + offset + i, <i32>(value >> 32))
      store<i32>(lows + offset + i, <i32>value)
    }
    if (doubles) decodeDoubles(values, size, doubles + (offset << 1), encoding, scale)
    next += size
  }
  return next
}

/** The encoding of values that are taken as they are. */
export const RAW: i32 = -1

/** Decodes integers as doubles; both may be the same memory. */
export function decodeDoubles(
  values: usize, size: i32, out: usize, encoding: i32, scale: f64,
): void {
  const end = <usize>size << 3
  if (encoding == 0) {
    if (areExact(values, end)) decodeExact(values, end, out)
    else for (let i: usize = 0; i < end; i += 8) store<f64>(out + i, <f64>load<i64>(values + i))
    if (scale == 1) return
    const scales = f64x2.splat(scale)
    for (let i: usize = 0; i < end; i += 16)
      v128.store(out + i, f64x2.div(v128.load(out + i), scales))
  } else if (encoding == 1) {
    const mask = i64x2.splat(0x7fffffffffffffff)
    const zero = i64x2.splat(0)
    // Both memories have room for the number beside the last one. Shifts of signed pairs are four instructions.
    for (let i: usize = 0; i < end; i += 16) {
      const pair = v128.load(values + i)
      v128.store(out + i, v128.xor(pair, v128.and(i64x2.lt_s(pair, zero), mask)))
    }
  } else {
    for (let i: usize = 0; i < end; i += 8) {
      const value = load<i32>(values + i)
      store<f64>(out + i, <f64>reinterpret<f32>(value ^ ((value >> 31) & 0x7fffffff)))
    }
  }
}

/** Of doubles from 2⁵² to 2⁵³ the lower 52 bits are an integer: that of this one, 2⁵² + 2⁵¹, is 2⁵¹. */
const MIDDLE: i64 = 0x4338000000000000

/** Whether integers, and one that lies behind an odd last one, are in [−2⁵¹, 2⁵¹). */
function areExact(values: usize, end: usize): bool {
  const half = i64x2.splat(1 << 51)
  let bits = i64x2.splat(0)
  for (let i: usize = 0; i < end; i += 16) bits = v128.or(bits, i64x2.add(v128.load(values + i), half))
  return (<u64>(i64x2.extract_lane(bits, 0) | i64x2.extract_lane(bits, 1))) >> 52 == 0
}

/** Such integers as doubles, two at once: added to the bits of the middle one they are added to its number. */
function decodeExact(values: usize, end: usize, out: usize): void {
  const integers = i64x2.splat(MIDDLE)
  const middle = f64x2.splat(reinterpret<f64>(MIDDLE))
  for (let i: usize = 0; i < end; i += 16)
    v128.store(out + i, f64x2.sub(i64x2.add(v128.load(values + i), integers), middle))
}
