/** Intersection of terms that all have bit sets, word by word. */
import { inRange } from './bits'
import { membersOf } from './cursor'
import { accept, count, look } from './plan'
import { matches, narrowed } from './plan-record'
import { end, start, termAt, terms } from './required-terms'

/** Documents intersected at once. */
const STEP: i32 = 4096
/** Documents between two exchanges with other slices: some microseconds. */
const DOCS_PER_LOOK: i32 = 1 << 18
/** Max documents of a block. */
const MAX_DOCS: i32 = 128

/**
 * Intersects the accepted documents among the `STEP` from `base` on, within [from, to).
 * @returns the address of the word of document `base`
 */
function intersect(base: i32, from: i32, to: i32): usize {
  const out = narrowed()
  const offset = <usize>base >> 3
  const start = <usize>(max(from - base, 0) >> 7) << 4
  const end = <usize>((min(to - base, STEP) + 127) >> 7) << 4
  let a = (accept ? accept : membersOf(termAt(0))) + offset
  for (let term = accept ? 0 : 1; term < terms; term++) {
    const b = membersOf(termAt(term)) + offset
    for (let i = start; i < end; i += 16)
      v128.store(out + i, v128.and(v128.load(a + i), v128.load(b + i)))
    a = out
  }
  return a
}

/** Counts the accepted documents in [from, to) that all terms have. */
function countRange(from: i32, to: i32): i32 {
  let sum: i64 = 0
  for (let base = from & -STEP; base < to; base += STEP) {
    const bits = intersect(base, from, to)
    const first = max(from, base) >> 6
    const last = (min(to, base + STEP) - 1) >> 6
    for (let word = first; word <= last; word++) {
      const held = load<u64>(bits + (<usize>(word - (base >> 6)) << 3))
      sum += popcnt<u64>(word == first || word == last ? held & inRange(word, from, to) : held)
    }
  }
  return <i32>sum
}

/**
 * Counts all matches, published at every exchange.
 * @returns false: stop
 */
export function countCommon(): bool {
  for (let from = start; from < end; from += DOCS_PER_LOOK) {
    count(countRange(from, min(end, from + DOCS_PER_LOOK)))
    if (from + DOCS_PER_LOOK < end && look()) return false
  }
  return true
}

/**
 * Writes the common documents in [from, to), a range within one block of a term, to `matches`.
 * @returns their number
 */
export function takeCommon(from: i32, to: i32): i32 {
  const docs = matches()
  let found = 0
  for (let base = from & -STEP; base < to; base += STEP) {
    const bits = intersect(base, from, to)
    const first = max(from, base) >> 6
    const last = (min(to, base + STEP) - 1) >> 6
    for (let word = first; word <= last; word++) {
      let held = load<u64>(bits + (<usize>(word - (base >> 6)) << 3))
      if (word == first || word == last) held &= inRange(word, from, to)
      for (; held; held &= held - 1) {
        // Corrupt postings (documents not ascending) must not overflow the buffer.
        if (found == MAX_DOCS) return found
        store<i32>(docs + ((<usize>found) << 2), (word << 6) + <i32>ctz(held))
        found++
      }
    }
  }
  return found
}
