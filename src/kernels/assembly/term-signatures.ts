/**
 * Signatures of a dictionary: of each term which code points it has once and which twice, so that the terms within
 * a few edits of a word are found without a walk of their beginnings.
 *
 *   signatures := bounds once × n twice × n ord × n          n = ⌈terms / 4⌉ × 4
 *      bounds  u32 × 68: terms stand by their number of code points; where those of so many begin, from 0 to 66,
 *              and where the last ones end. Longer terms have no signature
 *      once    u32: bit i where the term has a code point c with c mod 32 = i
 *      twice   u32: bit i where it has two or more
 *      ord     u32: its ord
 *
 * An insertion or deletion changes the count of one code point by one, and so at most one of the 64 bits; a substitution
 * changes two, the swap of two neighbours none. Of two texts whose lengths differ by d at least d edits are insertions
 * or deletions, so that texts within k edits differ by at most 2k − d bits.
 */
import { behindData, behindNumber, GROUP_TERMS, varint } from './dictionary-entry'

/** Lengths with a signature, in code points, and those that stand behind each other in `bounds`. */
const MAX_POINTS: usize = 66
const BOUNDS_BYTES: usize = 4 * (MAX_POINTS + 2)
/** Of a term so many bytes are kept; a longer one has more code points than have a signature. */
export const SIGNED_BYTES: usize = 4 * MAX_POINTS + 8

let once: u32 = 0
let twice: u32 = 0

/**
 * Makes the signatures of a dictionary of the format `codec/terms/format.ts`.
 * @param index of its groups
 * @param start of its section
 * @param end   of its section
 * @param flags of its header
 * @param term  room for 272 bytes
 * @param into  where they are written: 272 bytes, and 12 for each term
 * @returns 0; −1: the bytes are corrupt
 */
export function makeTermSignatures(
  index: usize, start: usize, end: usize, flags: u32, termCount: i32, term: usize, into: usize,
): i32 {
  memory.fill(into, 0, BOUNDS_BYTES)
  if (walk(index, start, end, flags, termCount, term, into, false) < 0) return -1
  // From how many there are of a length to where they begin.
  let before: u32 = 0
  for (let length: usize = 0; length <= MAX_POINTS + 1; length++) {
    const at = into + (length << 2)
    const count = load<u32>(at)
    store<u32>(at, before)
    before += count
  }
  // A vector may go on behind the last term: with one that there is.
  const last = into + BOUNDS_BYTES + 2 * strideOf(termCount) + (<usize>before << 2)
  for (let at = last; (at - into) & 15; at += 4) store<u32>(at, 0)
  if (walk(index, start, end, flags, termCount, term, into, true) < 0) return -1
  // Each now says where those of its length end.
  for (let length: usize = MAX_POINTS + 1; length > 0; length--)
    store<u32>(into + (length << 2), load<u32>(into + ((length - 1) << 2)))
  store<u32>(into, 0)
  return 0
}

/** Counts the terms of each length, or writes their signatures and raises the bounds to the ends. */
function walk(
  index: usize, start: usize, end: usize, flags: u32, termCount: i32, term: usize, into: usize,
  writes: bool,
): i32 {
  const stride = strideOf(termCount)
  for (let base = 0; base < termCount; base += GROUP_TERMS) {
    const offset = <usize>load<u32>(index + (<usize>(base / GROUP_TERMS) << 4))
    if (offset >= end - start) return -1
    const count = min(GROUP_TERMS, termCount - base)
    let at = start + offset
    let length: usize = 0
    for (let i = 0; i < count; i++) {
      if (at >= end) return -1
      const shared = <usize>varint(at)
      const rest = <usize>varint(behindNumber)
      const from = behindNumber
      if (from > end || rest > end - from || shared > length) return -1
      length = shared + rest
      const kept = min(length, SIGNED_BYTES)
      for (let place = shared; place < kept; place++)
        store<u8>(term + place, load<u8>(from + place - shared))
      at = behindData(from + rest, end, flags)
      if (at > end) return -1
      const points = signed(term, kept)
      if (length > SIGNED_BYTES || points > MAX_POINTS) continue
      const bound = into + (points << 2)
      const place = load<u32>(bound)
      store<u32>(bound, place + 1)
      if (!writes) continue
      const entry = into + BOUNDS_BYTES + (<usize>place << 2)
      store<u32>(entry, once)
      store<u32>(entry + stride, twice)
      store<u32>(entry + 2 * stride, <u32>(base + i))
    }
  }
  return 0
}

/** Bytes of one of the three columns. */
@inline function strideOf(termCount: i32): usize {
  return ((<usize>termCount + 3) & ~3) << 2
}

/** The signature of a text in UTF-8, in `once` and `twice`; returns its code points. */
function signed(at: usize, length: usize): usize {
  once = 0
  twice = 0
  let points: usize = 0
  for (let i: usize = 0; i < length; i++) {
    // The last byte of a code point has its five lowest bits.
    if (i + 1 < length && (load<u8>(at + i + 1) & 0xc0) == 0x80) continue
    const bit = <u32>1 << (load<u8>(at + i) & 31)
    twice |= once & bit
    once |= bit
    points++
  }
  return points
}

/**
 * Marks the terms that may be within some edits of a word: of others none.
 * @param signatures of the dictionary
 * @param word       the word in UTF-8
 * @param bytes      of the word, which has no more than 64 code points
 * @param maxEdits   1 or 2
 * @param marks      u32 for each group of terms: bit i is set for its ith term; zeros before
 */
export function markNearTerms(
  signatures: usize, termCount: i32, word: usize, bytes: i32, maxEdits: i32, marks: usize,
): void {
  const points = <i32>signed(word, <usize>bytes)
  const stride = strideOf(termCount)
  const onces = signatures + BOUNDS_BYTES
  const ords = onces + 2 * stride
  const wordOnce = i32x4.splat(<i32>once)
  const wordTwice = i32x4.splat(<i32>twice)
  for (let length = max(0, points - maxEdits); length <= points + maxEdits; length++) {
    const difference = length < points ? points - length : length - points
    const most = i32x4.splat(2 * maxEdits - difference)
    const bound = signatures + (<usize>length << 2)
    const from = <usize>load<u32>(bound)
    const to = <usize>load<u32>(bound, 4)
    // Those in front of the first and behind the last of a vector are of other lengths: no harm is in them.
    for (let i = from & ~3; i < to; i += 4) {
      const at = onces + (i << 2)
      const bits = i8x16.add(
        i8x16.popcnt(v128.xor(v128.load(at), wordOnce)),
        i8x16.popcnt(v128.xor(v128.load(at + stride), wordTwice)),
      )
      const differ = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits))
      for (let near = i32x4.bitmask(i32x4.le_u(differ, most)); near != 0; near &= near - 1) {
        const ord = load<u32>(ords + ((i + <usize>ctz(near)) << 2))
        const mark = marks + (<usize>(ord >> 5) << 2)
        store<u32>(mark, load<u32>(mark) | (<u32>1 << (ord & 31)))
      }
    }
  }
}
