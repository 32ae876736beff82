/**
 * Signatures of a dictionary: of each term which code points it has once and which twice, so that the terms within
 * a few edits of a word are found without a walk of their beginnings.
 *
 *   signatures := bounds signature × n ord × n          n = ⌈terms / 4⌉ × 4
 *      bounds     u32 × 4290: terms stand by their number of code points, 0 to 66, and among them by which of six common
 *                 letters they have; where each of these 67 × 64 groups begins, where the last one ends, and 0. Longer terms
 *                 have no signature
 *      signature  u64: bit i where the term has a code point c with c mod 32 = i, bit 32 + i where it has two or more
 *      ord        u32: its ord
 *
 *   marks      := group × ⌈groups / 64⌉ term × groups
 *      group      u64: bit i of the jth says whether any term of the group 64j + i is marked
 *      term       u32: bit i is set for the group's ith term; undefined where none is marked
 *
 * An insertion or deletion changes the count of one code point by one, and so at most one of the 64 bits; a substitution
 * changes two, the swap of two neighbours none. Of two texts whose lengths differ by d at least d edits are insertions
 * or deletions, so that texts within k edits differ by at most 2k − d bits, and so do their six letters.
 */
import { behindData, behindNumber, GROUP_TERMS, varint } from './dictionary-entry'

/** Code points of a term with a signature. */
const MAX_POINTS: usize = 66
/** Terms of one length stand in so many groups. */
const LETTER_GROUPS: usize = 64
const BOUNDS: usize = (MAX_POINTS + 1) * LETTER_GROUPS
const BOUNDS_BYTES: usize = 4 * (BOUNDS + 2)
/** Of a term so many bytes are kept; a longer one has more code points than have a signature. */
export const SIGNED_BYTES: usize = 4 * MAX_POINTS + 8

/** Code points of the text that `signatureOf` read last. */
let points: usize = 0
/** The two parts of the marks that are being made. */
let markedGroups: usize = 0
let markedTerms: usize = 0

/**
 * Makes the signatures of a dictionary of the format `codec/terms/format.ts`.
 * @param index of its groups
 * @param start of its section
 * @param end   of its section
 * @param flags of its header
 * @param term  room for 272 bytes
 * @param into  where they are written: 17,160 bytes, and 12 for each of so many terms that a multiple of four is reached
 * @returns 0; −1: the bytes are corrupt
 */
export function makeTermSignatures(
  index: usize, start: usize, end: usize, flags: u32, termCount: i32, term: usize, into: usize,
): i32 {
  memory.fill(into, 0, BOUNDS_BYTES)
  if (walk(index, start, end, flags, termCount, term, into, false) < 0) return -1
  // From how many there are in a group to where they begin.
  let before: u32 = 0
  for (let group: usize = 0; group <= BOUNDS; group++) {
    const at = into + (group << 2)
    const count = load<u32>(at)
    store<u32>(at, before)
    before += count
  }
  // Four are read at once: behind the last term one that there is.
  const ords = ordsOf(into, termCount)
  for (let at = <usize>before; at & 3; at++) store<u32>(ords + (at << 2), 0)
  if (walk(index, start, end, flags, termCount, term, into, true) < 0) return -1
  // Each now says where its group ends.
  for (let group: usize = BOUNDS; group > 0; group--)
    store<u32>(into + (group << 2), load<u32>(into + ((group - 1) << 2)))
  store<u32>(into, 0)
  return 0
}

/** Counts the terms of each group, or writes their signatures and raises the bounds to the ends. */
function walk(
  index: usize, start: usize, end: usize, flags: u32, termCount: i32, term: usize, into: usize,
  writes: bool,
): i32 {
  const ords = ordsOf(into, termCount)
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
      const signature = signatureOf(term, kept)
      if (length > SIGNED_BYTES || points > MAX_POINTS) continue
      const bound = into + ((points * LETTER_GROUPS + <usize>lettersOf(signature)) << 2)
      const place = <usize>load<u32>(bound)
      store<u32>(bound, <u32>place + 1)
      if (!writes) continue
      store<u64>(into + BOUNDS_BYTES + (place << 3), signature)
      store<u32>(ords + (place << 2), <u32>(base + i))
    }
  }
  return 0
}

/** Where the ords stand. */
@inline function ordsOf(signatures: usize, termCount: i32): usize {
  return signatures + BOUNDS_BYTES + (((<usize>termCount + 3) & ~3) << 3)
}

/** Which of the letters a, e, i, n, r and t a text has, as six bits. */
@inline function lettersOf(signature: u64): u64 {
  return (
    ((signature >> 1) & 1) | ((signature >> 4) & 2) | ((signature >> 7) & 4) |
    ((signature >> 11) & 8) | ((signature >> 14) & 16) | ((signature >> 15) & 32)
  )
}

/** The signature of a text in UTF-8. */
function signatureOf(at: usize, length: usize): u64 {
  let once: u32 = 0
  let twice: u32 = 0
  points = 0
  for (let i: usize = 0; i < length; i++) {
    // The last byte of a code point has its five lowest bits.
    if (i + 1 < length && (load<u8>(at + i + 1) & 0xc0) == 0x80) continue
    const bit = <u32>1 << (load<u8>(at + i) & 31)
    twice |= once & bit
    once |= bit
    points++
  }
  return (<u64>twice << 32) | <u64>once
}

/**
 * Marks the terms that may be within some edits of a word: no other one is.
 * @param signatures of the dictionary
 * @param word       the word in UTF-8
 * @param bytes      of the word, which has no more than 64 code points
 * @param maxEdits   1 or 2
 * @param marks      room for them, aligned to 8 bytes
 */
export function markNearTerms(
  signatures: usize, termCount: i32, word: usize, bytes: i32, maxEdits: i32, marks: usize,
): void {
  memory.fill(marks, 0, groupBitsBytes(termCount))
  markedGroups = marks
  markedTerms = marks + groupBitsBytes(termCount)
  const wanted = signatureOf(word, <usize>bytes)
  const letters = lettersOf(wanted)
  const length = <i32>points
  const ords = ordsOf(signatures, termCount)
  for (let near = max(0, length - maxEdits); near <= length + maxEdits; near++) {
    const difference = near < length ? length - near : near - length
    const bits = <u64>(2 * maxEdits - difference)
    const bounds = signatures + ((<usize>near * LETTER_GROUPS) << 2)
    for (let group: usize = 0; group < LETTER_GROUPS; group++) {
      if (popcnt(<u64>group ^ letters) > bits) continue
      const from = <usize>load<u32>(bounds + (group << 2))
      const to = <usize>load<u32>(bounds + (group << 2), 4)
      markWithin(signatures + BOUNDS_BYTES, ords, from, to, wanted, bits)
    }
  }
}

/** Marks the terms of a group whose signatures differ by no more bits. */
@inline function markWithin(
  terms: usize, ords: usize, from: usize, to: usize, wanted: u64, bits: u64,
): void {
  const least = <i64>bits + 1
  // Of the first and the last four, some are of other groups, whose marks do no harm.
  for (let i = from & ~3; i < to; i += 4) {
    const at = terms + (i << 3)
    const first = <i64>popcnt(load<u64>(at) ^ wanted) - least
    const second = <i64>popcnt(load<u64>(at, 8) ^ wanted) - least
    const third = <i64>popcnt(load<u64>(at, 16) ^ wanted) - least
    const fourth = <i64>popcnt(load<u64>(at, 24) ^ wanted) - least
    if ((first | second | third | fourth) >= 0) continue
    const ord = ords + (i << 2)
    if (first < 0) mark(load<u32>(ord))
    if (second < 0) mark(load<u32>(ord, 4))
    if (third < 0) mark(load<u32>(ord, 8))
    if (fourth < 0) mark(load<u32>(ord, 12))
  }
}

function mark(ord: u32): void {
  const group = <usize>(ord / <u32>GROUP_TERMS)
  const at = markedTerms + (group << 2)
  const bits = markedGroups + (group >> 6 << 3)
  const groups = load<u64>(bits)
  const before = (groups >> (<u64>group & 63)) & 1 ? load<u32>(at) : 0
  store<u32>(at, before | (<u32>1 << (ord % <u32>GROUP_TERMS)))
  store<u64>(bits, groups | ((<u64>1) << (<u64>group & 63)))
}

/** Bytes of a bit for each group of terms. */
@inline function groupBitsBytes(termCount: i32): usize {
  return <usize>((termCount + 64 * GROUP_TERMS - 1) / (64 * GROUP_TERMS)) << 3
}

/** Which terms of a marked group are marked: bit i for its ith one. */
@inline export function marksOf(marks: usize, group: i32, termCount: i32): u32 {
  return load<u32>(marks + groupBitsBytes(termCount) + (<usize>group << 2))
}

/** The first group from `group` on with a marked term; `groupCount` if there is none. */
export function nextMarked(marks: usize, group: i32, groupCount: i32): i32 {
  if (group >= groupCount) return groupCount
  let at = marks + (<usize>group >> 6 << 3)
  const end = marks + (<usize>(groupCount + 63) >> 6 << 3)
  let groups = load<u64>(at) & (~(<u64>0) << (<u64>group & 63))
  while (groups == 0) {
    at += 8
    if (at >= end) return groupCount
    groups = load<u64>(at)
  }
  return <i32>((at - marks) << 3) + <i32>ctz(groups)
}
