/**
 * A walk over a range of a dictionary's terms: counts their postings, and sets the bits of their
 * documents. The formats are those of `codec/terms/format.ts` and `codec/postings/format.ts`; the
 * record of the destination is that of `search/weight/term-walk.ts`.
 */
import { orPostings, orTail } from './bits'
import { setTerm } from './cursor-blocks'
import {
  behindNumber,
  BLOCK_DOCS,
  GROUP_TERMS,
  HAS_FREQS,
  HAS_IMPACTS,
  HAS_POSITIONS,
  varint as varintAt,
} from './dictionary-entry'

// ---- the record of the destination
// ----------------------------------------------------------------

/** Postings: start and end of the tails, number of blocks. */
const TAILS: usize = 0
const TAILS_END: usize = 4
const BLOCK_COUNT: usize = 8
/** Columns of the blocks' metadata, as in a cursor at the field's first block. */
const LAST_DOCS: usize = 12
const BLOCK_OFFSETS: usize = 16
const DOC_BITS: usize = 20
const FREQ_BITS: usize = 24
/** A doc-only cursor. */
const CURSOR: usize = 28
const BITS: usize = 32
/** Documents in [MIN_DOC, MAX_DOC); the bits of others are undefined. */
const MIN_DOC: usize = 36
const MAX_DOC: usize = 40
/** Upper limit of documents from tails and single documents: those of the leaf, or fewer. */
const LEAF_DOCS: usize = 44

/** Address of the next byte of the current entry. */
let at: usize = 0

@inline function varint(): u64 {
  const value = varintAt(at)
  at = behindNumber
  return value
}

/** Of the entry at `at`: its ord, and blocks and bytes of tails before it; −1: there is none. */
let next: i32 = -1
let nextBlock: u64 = 0
let nextTail: u64 = 0

let flags: u32 = 0
let start: usize = 0
let end: usize = 0
let index: usize = 0
let target: usize = 0

/**
 * Walks the terms with ords in [from, to) of a dictionary whose terms have postings.
 * @param ofIndex  of the dictionary's groups
 * @param ofStart  of its section
 * @param ofEnd    of its section
 * @param ofFlags  `HAS_FREQS` and the others
 * @param ofTarget a record as above, 0 to count only
 * @returns the terms' postings; −1 when the bytes are corrupt
 */
export function walkTerms(
  ofIndex: usize, ofStart: usize, ofEnd: usize, ofFlags: u32, from: i32, to: i32, ofTarget: usize,
): f64 {
  index = ofIndex
  start = ofStart
  end = ofEnd
  flags = ofFlags
  target = ofTarget
  next = -1
  return walk(from, to)
}

/** The same for ranges of ords, as pairs of i32, ascending and disjoint. */
export function walkRanges(
  ofIndex: usize, ofStart: usize, ofEnd: usize, ofFlags: u32, ranges: usize, count: i32, ofTarget: usize,
): f64 {
  let postings: f64 = 0
  for (let i = 0; i < count; i++) {
    const range = ranges + (<usize>i << 3)
    const from = load<i32>(range)
    const to = load<i32>(range, 4)
    const found = i == 0
      ? walkTerms(ofIndex, ofStart, ofEnd, ofFlags, from, to, ofTarget)
      : walk(from, to)
    if (found < 0) return -1
    postings += found
  }
  return postings
}

/** Goes on where the last range ended, if that is in the same group. */
function walk(from: i32, to: i32): f64 {
  const hasFreqs = (flags & HAS_FREQS) != 0
  const hasImpacts = (flags & HAS_IMPACTS) != 0
  const hasPositions = (flags & HAS_POSITIONS) != 0
  let bits: usize = 0
  let tails: usize = 0
  let tailsEnd: usize = 0
  let blockCount: u64 = 0
  let leafDocs: i32 = 0
  if (target) {
    bits = <usize>load<u32>(target, BITS)
    tails = <usize>load<u32>(target, TAILS)
    tailsEnd = <usize>load<u32>(target, TAILS_END)
    blockCount = <u64>load<u32>(target, BLOCK_COUNT)
    leafDocs = load<i32>(target, LEAF_DOCS)
  }
  const group = from / GROUP_TERMS
  if (next <= group * GROUP_TERMS || next > from) open(group)
  let postings: f64 = 0
  for (; next < to; next++) {
    if (next % GROUP_TERMS == 0) open(next / GROUP_TERMS)
    if (at >= end) return -1
    varint()
    const rest = varint()
    if (at > end || rest > <u64>(end - at)) return -1
    at += <usize>rest
    const docFreq = varint()
    const isWanted = next >= from
    if (isWanted) postings += <f64>docFreq
    if (docFreq == 1) {
      const doc = varint()
      if (hasFreqs) varint()
      if (hasImpacts) at++
      if (isWanted && bits && doc < <u64>leafDocs) {
        const byte = bits + <usize>(doc >> 3)
        store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (<u32>doc & 7)))
      }
    } else {
      if (hasFreqs) varint()
      if (hasImpacts) at += 4
      if (docFreq < BLOCK_DOCS) {
        const tail = tails + <usize>nextTail
        nextTail += varint()
        if (isWanted && bits) {
          if (tail >= tailsEnd) return -1
          orTail(tail, <i32>docFreq, hasFreqs ? 1 : 0, bits, leafDocs)
        }
      }
    }
    if (docFreq >= BLOCK_DOCS) {
      const first = nextBlock
      const blocks = (docFreq + BLOCK_DOCS - 1) / BLOCK_DOCS
      nextBlock += blocks
      if (isWanted && bits) {
        if (nextBlock > blockCount) return -1
        orBlocks(target, <usize>first, <i32>blocks, <i32>docFreq)
      }
    } else if (hasPositions) at++
    if (at > end) return -1
  }
  return postings
}

/** Puts the walk before a group's first term. */
function open(group: i32): void {
  const entry = index + (<usize>group << 4)
  // The end of the section, where the walk stops, in place of an offset outside it.
  at = start + min(<usize>load<u32>(entry), end - start)
  nextBlock = <u64>load<u32>(entry, 4)
  nextTail = <u64>load<u32>(entry, 8)
  next = group * GROUP_TERMS
}

function orBlocks(target: usize, first: usize, blocks: i32, docFreq: i32): void {
  const cursor = <usize>load<u32>(target, CURSOR)
  setTerm(
    cursor,
    <usize>load<u32>(target, LAST_DOCS) + (first << 2),
    <usize>load<u32>(target, BLOCK_OFFSETS) + (first << 2),
    <usize>load<u32>(target, DOC_BITS) + first,
    <usize>load<u32>(target, FREQ_BITS) + first,
    blocks,
    docFreq,
  )
  const bits = <usize>load<u32>(target, BITS)
  orPostings(cursor, bits, 0, load<i32>(target, MIN_DOC), load<i32>(target, MAX_DOC))
}
