/** Orders long lists of pairs in turns of the event loop, which one call of `sort` would hold up for seconds. */
import { inChunks, type Turn } from '../../util/turns.ts'

/** Bits of a digit: its counts stay in the first cache. */
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/**
 * The indexes of pairs of integers from 0 on, ascending by the first, then the second, then the index: a
 * radix sort, unless they stand in order already.
 * @param turn yields where it is over
 */
export function* pairOrder(
  firsts: Int32Array,
  seconds: Int32Array,
  turn: Turn,
): Generator<void, Int32Array, void> {
  const { length } = firsts
  let order = new Int32Array(length)
  let isSorted = true
  let maxFirst = 0
  let maxSecond = 0
  yield* inChunks(length, turn, (from, end) => {
    for (let i = from; i < end; i++) {
      const first = firsts[i]!
      const second = seconds[i]!
      order[i] = i
      if (first > maxFirst) maxFirst = first
      if (second > maxSecond) maxSecond = second
      if (i === 0) continue
      const before = firsts[i - 1]!
      if (before > first || (before === first && seconds[i - 1]! > second)) isSorted = false
    }
  })
  if (isSorted) return order
  let spare = new Int32Array(length)
  for (const [keys, max] of [
    [seconds, maxSecond],
    [firsts, maxFirst],
  ] as const)
    for (let shift = 0; shift < 31 && max >>> shift > 0; shift += DIGIT_BITS) {
      yield* byDigit(keys, shift, order, spare, turn)
      const sorted = spare
      spare = order
      order = sorted
    }
  return order
}

/** Moves indexes to the order of one digit of their keys; equal ones keep their order. */
function* byDigit(
  keys: Int32Array,
  shift: number,
  from: Int32Array,
  to: Int32Array,
  turn: Turn,
): Generator<void, void, void> {
  const starts = new Int32Array(DIGITS + 1)
  yield* inChunks(from.length, turn, (first, end) => {
    for (let i = first; i < end; i++) {
      const digit = (keys[from[i]!]! >>> shift) & (DIGITS - 1)
      starts[digit + 1] = starts[digit + 1]! + 1
    }
  })
  for (let digit = 0; digit < DIGITS; digit++)
    starts[digit + 1] = starts[digit + 1]! + starts[digit]!
  yield* inChunks(from.length, turn, (first, end) => {
    for (let i = first; i < end; i++) {
      const index = from[i]!
      const digit = (keys[index]! >>> shift) & (DIGITS - 1)
      const at = starts[digit]!
      to[at] = index
      starts[digit] = at + 1
    }
  })
}
