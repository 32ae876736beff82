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

/** Decodes integers as doubles; both may be the same memory. */
export function decodeDoubles(
  values: usize, size: i32, out: usize, encoding: i32, scale: f64,
): void {
  const end = <usize>size << 3
  if (encoding == 0) {
    if (scale == 1)
      for (let i: usize = 0; i < end; i += 8) store<f64>(out + i, <f64>load<i64>(values + i))
    else
      for (let i: usize = 0; i < end; i += 8) store<f64>(out + i, <f64>load<i64>(values + i) / scale)
  } else if (encoding == 1) {
    const mask = i64x2.splat(0x7fffffffffffffff)
    // Both memories have room for the number beside the last one.
    for (let i: usize = 0; i < end; i += 16) {
      const pair = v128.load(values + i)
      v128.store(out + i, v128.xor(pair, v128.and(i64x2.shr_s(pair, 63), mask)))
    }
  } else {
    for (let i: usize = 0; i < end; i += 8) {
      const value = load<i32>(values + i)
      store<f64>(out + i, <f64>reinterpret<f32>(value ^ ((value >> 31) & 0x7fffffff)))
    }
  }
}
