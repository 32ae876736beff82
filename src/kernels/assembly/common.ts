/** What several terms have in common that all have sets: their bits, intersected word by word. */
import { inRange } from './bits'
import { membersOf } from './cursor'
import { accept, count, look, matches, narrowed } from './plan'
import { end, start, termAt, terms } from './required-terms'

/** Documents that are intersected at once. */
const STEP: i32 = 4096
/** Documents between two looks at what others found: some microseconds. */
const DOCS_PER_LOOK: i32 = 1 << 18
/** Most documents of a block. */
const MOST: i32 = 128

/**
 * Intersects what may match of the `STEP` documents from `base` on, as far as [from, to) has any.
 * @returns where the word of document `base` is, or would be
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

/** Counts the documents in [from, to) that may match and that all terms have. */
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
 * Counts all matches, which are told at every look.
 * @returns false: to be stopped
 */
export function countCommon(): bool {
  for (let from = start; from < end; from += DOCS_PER_LOOK) {
    count(countRange(from, min(end, from + DOCS_PER_LOOK)))
    if (from + DOCS_PER_LOOK < end && look()) return false
  }
  return true
}

/**
 * Takes what the terms have in common in [from, to), which holds no more than a block of one of them, to
 * `matches`.
 * @returns how many there are
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
        // Documents that do not rise, which no writer makes, must not leave the buffer.
        if (found == MOST) return found
        store<i32>(docs + ((<usize>found) << 2), (word << 6) + <i32>ctz(held))
        found++
      }
    }
  }
  return found
}
