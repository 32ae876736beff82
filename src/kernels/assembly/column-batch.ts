/** Values of a list of documents, read at once from a column of any number of values a document. */
import { indexOf, openColumn, valueAt } from './column'

// The record; `aggregation/column-batch.ts` names the same offsets.
const PRESENCE: usize = 0
const RANKS: usize = 4
const BLOCKS: usize = 8
const DATA: usize = 12
/** First values by index of a document with values; 0: each has one. */
const ADDRESSES: usize = 16
const DOCS: usize = 20
const COUNT: usize = 24
/** Max values that there is room for. */
const CAPACITY: usize = 28
/** Output: the index in the list of each value's document, i32. */
const INDEXES: usize = 32
/** Output: upper and lower halves, i32 and u32. */
const HIGHS: usize = 36
const LOWS: usize = 40
/** Output: decoded values, f64; 0: none are asked for. */
const DOUBLES: usize = 44
/** 0: signed integers; 1: sortable doubles; 2: sortable floats. */
const ENCODING: usize = 48
/** f64 that decoded integers are divided by. */
const SCALE: usize = 56

/** Reads the values of a list of documents; returns their number, −1 without room. */
export function readColumn(at: usize): i32 {
  openColumn(
    load<usize>(at, PRESENCE), load<usize>(at, RANKS), load<usize>(at, BLOCKS), load<usize>(at, DATA),
  )
  const addresses = load<usize>(at, ADDRESSES)
  const docs = load<usize>(at, DOCS)
  const count = load<i32>(at, COUNT)
  const capacity = load<i32>(at, CAPACITY)
  const indexes = load<usize>(at, INDEXES)
  const highs = load<usize>(at, HIGHS)
  const lows = load<usize>(at, LOWS)
  let next: i32 = 0
  for (let i = 0; i < count; i++) {
    const rank = indexOf(load<i32>(docs + (<usize>i << 2)))
    if (rank < 0) continue
    let from = rank
    let to = rank + 1
    if (addresses) {
      from = load<i32>(addresses + (<usize>rank << 2))
      to = load<i32>(addresses + (<usize>rank << 2), 4)
    }
    if (next + to - from > capacity) return -1
    for (let index = from; index < to; index++) {
      const value = valueAt(index)
      const offset = <usize>next << 2
      store<i32>(indexes + offset, i)
      store<i32>(highs + offset, <i32>(value >> 32))
      store<i32>(lows + offset, <i32>value)
      next++
    }
  }
  const doubles = load<usize>(at, DOUBLES)
  if (doubles) decode(highs, lows, next, doubles, load<i32>(at, ENCODING), load<f64>(at, SCALE))
  return next
}

function decode(
  highs: usize, lows: usize, count: i32, doubles: usize, encoding: i32, scale: f64,
): void {
  for (let i = 0; i < count; i++) {
    const offset = <usize>i << 2
    const value = (<i64>load<i32>(highs + offset) << 32) | <i64>load<u32>(lows + offset)
    let decoded: f64
    if (encoding == 0) decoded = <f64>value / scale
    else if (encoding == 1)
      decoded = reinterpret<f64>(value ^ ((value >> 63) & 0x7fffffffffffffff))
    else {
      const int = <i32>value
      decoded = <f64>reinterpret<f32>(int ^ ((int >> 31) & 0x7fffffff))
    }
    store<f64>(doubles + (<usize>i << 3), decoded)
  }
}
