/** Intersection of ascending documents with a decoded block. */
import { slotOf } from './cursor-blocks'

/** Up to this many documents are looked up singly; with this many, each is looked up at least. */
const FEW: i32 = 4
const MANY: i32 = 80
/** Bytes of the output buffer. */
const MAX_FOUND_BYTES: usize = 512

/**
 * Intersects `docs[from, to)` with the 128 slots of a block whose last document is at or above all
 * of them. Writes the indices of common documents: `outA` in the list, `outB` in the block.
 * @returns their number
 */
export function intersect(
  docs: usize, from: i32, to: i32, block: usize, count: i32, outA: usize, outB: usize,
): i32 {
  let i = from
  let found: usize = 0
  if (to - from <= FEW) {
    for (; i < to; i++) {
      const doc = load<i32>(docs + ((<usize>i) << 2))
      const slot = slotOf(block, doc)
      store<i32>(outA + found, i)
      store<i32>(outB + found, slot)
      found += (<usize>(load<i32>(block + ((<usize>slot) << 2)) == doc)) << 2
    }
    return <i32>(found >> 2)
  }
  const first = load<i32>(docs + ((<usize>from) << 2))
  const isRun = load<i32>(docs + ((<usize>(to - 1)) << 2)) - first == to - from - 1
  if (isRun) return takeAll(from, to, first, block, count, outA, outB)
  if (to - from <= MANY) return lookUp(docs, from, to, block, outA, outB)
  let j = slotOf(block, first)
  // Ascending lists have max 128 in common; corrupt ones must not overflow the buffers. Four
  // against four: every pair is compared by rotating one side (Schlegel et al. 2011).
  while (i < to - 3 && j < count - 3 && found <= MAX_FOUND_BYTES - 16) {
    const a = v128.load(docs + ((<usize>i) << 2))
    const b = v128.load(block + ((<usize>j) << 2))
    const b1 = v128.shuffle<i32>(b, b, 1, 2, 3, 0)
    const b2 = v128.shuffle<i32>(b, b, 2, 3, 0, 1)
    const b3 = v128.shuffle<i32>(b, b, 3, 0, 1, 2)
    const equal = v128.or(
      v128.or(i32x4.eq(a, b), i32x4.eq(a, b1)),
      v128.or(i32x4.eq(a, b2), i32x4.eq(a, b3)),
    )
    const a1 = v128.shuffle<i32>(a, a, 1, 2, 3, 0)
    const a2 = v128.shuffle<i32>(a, a, 2, 3, 0, 1)
    const a3 = v128.shuffle<i32>(a, a, 3, 0, 1, 2)
    let left = i32x4.bitmask(equal)
    let right = i32x4.bitmask(
      v128.or(
        v128.or(i32x4.eq(b, a), i32x4.eq(b, a1)),
        v128.or(i32x4.eq(b, a2), i32x4.eq(b, a3)),
      ),
    )
    // Two are written, valid or not: their number is unpredictable.
    store<i32>(outA + found, i + <i32>ctz(left))
    store<i32>(outB + found, j + <i32>ctz(right))
    const both = <usize>popcnt(left)
    left &= left - 1
    right &= right - 1
    store<i32>(outA + found, i + <i32>ctz(left), 4)
    store<i32>(outB + found, j + <i32>ctz(right), 4)
    if (both > 2) {
      left &= left - 1
      right &= right - 1
      store<i32>(outA + found, i + <i32>ctz(left), 8)
      store<i32>(outB + found, j + <i32>ctz(right), 8)
      left &= left - 1
      right &= right - 1
      store<i32>(outA + found, i + <i32>ctz(left), 12)
      store<i32>(outB + found, j + <i32>ctz(right), 12)
    }
    found += both << 2
    const lastA = load<i32>(docs + ((<usize>(i + 3)) << 2))
    const lastB = load<i32>(block + ((<usize>(j + 3)) << 2))
    i += (<i32>(lastA <= lastB)) << 2
    j += (<i32>(lastB <= lastA)) << 2
  }
  while (i < to && j < count && found < MAX_FOUND_BYTES) {
    const a = load<i32>(docs + ((<usize>i) << 2))
    const b = load<i32>(block + ((<usize>j) << 2))
    store<i32>(outA + found, i)
    store<i32>(outB + found, j)
    found += (<usize>(a == b)) << 2
    i += <i32>(a <= b)
    j += <i32>(b <= a)
  }
  return <i32>(found >> 2)
}

/**
 * Looks each document up: first among the last documents of the block's sixteen groups of eight,
 * compared at once, then in the group.
 */
function lookUp(
  docs: usize, from: i32, to: i32, block: usize, outA: usize, outB: usize,
): i32 {
  const a = groupEnds(block)
  const b = groupEnds(block + 128)
  const c = groupEnds(block + 256)
  const d = groupEnds(block + 384)
  let found: usize = 0
  for (let i = from; i < to; i++) {
    const doc = i32x4.splat(load<i32>(docs + ((<usize>i) << 2)))
    const below = i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(i32x4.lt_s(a, doc), i32x4.lt_s(b, doc)),
      i16x8.narrow_i32x4_s(i32x4.lt_s(c, doc), i32x4.lt_s(d, doc)),
    )
    const group = (<usize>popcnt(i8x16.bitmask(below)) & 15) << 3
    const at = block + (group << 2)
    const equal = i16x8.narrow_i32x4_s(
      i32x4.eq(v128.load(at), doc),
      i32x4.eq(v128.load(at, 16), doc),
    )
    const mask = i16x8.bitmask(equal)
    store<i32>(outA + found, i)
    store<i32>(outB + found, <i32>group + <i32>ctz(mask))
    found += (<usize>(mask != 0)) << 2
  }
  return <i32>(found >> 2)
}

/** The last documents of four groups of eight. */
@inline function groupEnds(at: usize): v128 {
  let ends = v128.load32_zero(at + 28)
  ends = v128.load_lane<i32>(at + 60, ends, 1)
  ends = v128.load_lane<i32>(at + 92, ends, 2)
  return v128.load_lane<i32>(at + 124, ends, 3)
}

/** Intersects a list of consecutive documents. */
function takeAll(
  from: i32, to: i32, first: i32, block: usize, count: i32, outA: usize, outB: usize,
): i32 {
  let found: usize = 0
  const length = <u32>(to - from)
  for (let j = slotOf(block, first); j < count; j++) {
    const at = <u32>(load<i32>(block + ((<usize>j) << 2)) - first)
    if (at >= length) break
    store<i32>(outA + found, from + <i32>at)
    store<i32>(outB + found, j)
    found += 4
  }
  return <i32>(found >> 2)
}

/**
 * The index of the first document in docs[from, to) above `end`; `to` if there is none. Reads up to
 * 32 bytes past `to`.
 */
export function behind(docs: usize, from: i32, to: i32, end: i32): i32 {
  // Usually one of the next eight; comparing all of them avoids an unpredictable branch. Entries
  // behind `to` are undefined.
  const at = docs + ((<usize>from) << 2)
  const wanted = i32x4.splat(end)
  const above =
    i32x4.bitmask(i32x4.gt_s(v128.load(at), wanted)) |
    (i32x4.bitmask(i32x4.gt_s(v128.load(at, 16), wanted)) << 4)
  if (above) return min(from + <i32>ctz(above), to)
  let low = from + 7
  let step = 1
  while (low + step < to && load<i32>(docs + ((<usize>(low + step)) << 2)) <= end) {
    low += step
    step <<= 1
  }
  let high = min(low + step, to)
  low = min(low + 1, high)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (load<i32>(docs + ((<usize>middle) << 2)) <= end) low = middle + 1
    else high = middle
  }
  return low
}
