/**
 * Texts within a few edits of a word, by sets of positions as bits: bit i of the set of e edits says
 * that i code points of the word are read with e edits. A position between two swapped code points
 * stands in a set of its own, at the first of them.
 *
 *   word  := record, then a u64 for each ASCII code point: bit i where it is the word's ith
 *   state := u64 for 0, 1 and 2 edits, u64 for swaps of 1 and of 2 edits, and u64 for all of them together, whose
 *            highest bit says that any code point may follow
 */

/** The word's code points, u32; and how many, max 62. */
const POINTS: usize = 0
const LENGTH: usize = 4
const MAX_EDITS: usize = 8
const SWAPS: usize = 12
/** u64: positions from which an edit may be made. */
const FREE: usize = 16
const MASKS: usize = 24

/** Bytes of a state. */
export const NEAR_BYTES: usize = 48
const TOGETHER: usize = 40
const ANY: u64 = 0x8000000000000000

/** Positions of the word's code points that equal a given one. */
function maskOf(word: usize, point: u32): u64 {
  if (point < 0x80) return load<u64>(word + MASKS + (<usize>point << 3))
  const points = load<usize>(word, POINTS)
  const length = load<i32>(word, LENGTH)
  let mask: u64 = 0
  for (let i = 0; i < length; i++)
    if (load<u32>(points + (<usize>i << 2)) == point) mask |= (<u64>1) << <u64>i
  return mask
}

/**
 * The state behind a code point.
 * @returns the edits of the text that ends here; −1: it is not near enough; −2: nor is one that goes on
 */
export function stepNear(word: usize, from: usize, to: usize, point: u32): i32 {
  const maxEdits = load<i32>(word, MAX_EDITS)
  const free = load<u64>(word, FREE)
  const last = (<u64>1) << <u64>load<i32>(word, LENGTH)
  const all = (last << 1) - 1
  const mask = maskOf(word, point)
  const none = load<u64>(from)
  const next0 = (none & mask) << 1
  let next1: u64 = 0
  let next2: u64 = 0
  let swap1: u64 = 0
  let swap2: u64 = 0
  if (maxEdits > 0) {
    const one = load<u64>(from, 8)
    const freely = none & free
    // Read as they are, inserted, substituted, the second of two swapped, deleted.
    next1 = ((one & mask) << 1) | freely | (freely << 1) | ((load<u64>(from, 24) & mask) << 2)
    next1 = (next1 | ((next0 & free) << 1)) & all
    if (load<i32>(word, SWAPS)) swap1 = freely & (mask >> 1)
    if (maxEdits > 1) {
      const again = one & free
      next2 = ((load<u64>(from, 16) & mask) << 1) | again | (again << 1)
      next2 |= ((load<u64>(from, 32) & mask) << 2) | ((next1 & free) << 1)
      next2 &= all
      if (load<i32>(word, SWAPS)) swap2 = again & (mask >> 1)
    }
  }
  store<u64>(to, next0)
  store<u64>(to, next1, 8)
  store<u64>(to, next2, 16)
  store<u64>(to, swap1, 24)
  store<u64>(to, swap2, 32)
  const together = next0 | next1 | next2 | swap1 | swap2
  const mayEdit = (maxEdits > 0 && next0 & free) || (maxEdits > 1 && next1 & free)
  store<u64>(to, mayEdit ? together | ANY : together, TOGETHER)
  return together == 0 ? -2 : editsIn(word, to)
}

/** Whether no text goes on from a state with an ASCII code point. */
@inline export function isNearEnd(word: usize, state: usize, point: u32): bool {
  const mask = load<u64>(word + MASKS + (<usize>point << 3)) | ANY
  return (load<u64>(state, TOGETHER) & mask) == 0
}

/** The edits of a text that ends in a state; −1: it is not near enough. */
export function editsIn(word: usize, state: usize): i32 {
  const last = (<u64>1) << <u64>load<i32>(word, LENGTH)
  if (load<u64>(state) & last) return 0
  if (load<u64>(state, 8) & last) return 1
  return load<u64>(state, 16) & last ? 2 : -1
}
