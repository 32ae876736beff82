/**
 * Looks one term up in a dictionary of the format `codec/terms/format.ts`; the record is that of
 * `codec/terms/term-lookup.ts`, which repeats the look-up if this gives up. Up to 48 bytes of an
 * entry that starts in the section are read before its end is checked against the section's.
 */

const INDEX: usize = 0
const START: usize = 4
const END: usize = 8
const FLAGS: usize = 12
const TERM_COUNT: usize = 16
const GROUP_COUNT: usize = 20
const TARGET: usize = 24
const TARGET_LENGTH: usize = 28
// Results.
const IS_EQUAL: usize = 32
const DOC_FREQ: usize = 36
const TOTAL_TERM_FREQ: usize = 40
const IMPACT_AT: usize = 44
const FIRST_BLOCK: usize = 48
const SINGLE_DOC: usize = 52
const TAIL_AT: usize = 56
const POSITIONS_AT: usize = 60
const POSITIONS_WIDTH: usize = 64

const HAS_FREQS: u32 = 1
const HAS_POSITIONS: u32 = 2
const HAS_IMPACTS: u32 = 4
const HAS_POSTINGS: u32 = 8
const GROUP_TERMS: i32 = 32
const BLOCK_DOCS: u32 = 128
/** Larger numbers are left to the caller. */
const MAX_NUMBER: u32 = 0x7fffffff
/** Returned for a larger number: above any length in a section. */
const WRONG: u32 = 0xffffffff

/** Address after the integer that `long` read last. */
let behind: usize = 0

/** A varint; `WRONG` above the max. */
function long(at: usize): u32 {
  let value: u64 = 0
  let shift: u64 = 0
  let byte: u64
  do {
    byte = <u64>load<u8>(at++)
    value |= (byte & 0x7f) << shift
    shift += 7
  } while (byte >= 0x80 && shift < 49)
  behind = at
  return value > <u64>MAX_NUMBER ? WRONG : <u32>value
}

/**
 * Finds the first term at or above the target, in a non-empty dictionary.
 * @returns its ord, or the number of terms if there is none; −1 when the bytes are corrupt or their
 *   numbers very large: nothing is found then
 */
export function lookUpTerm(record: usize): i32 {
  const index = load<usize>(record, INDEX)
  const start = load<usize>(record, START)
  const end = load<usize>(record, END)
  const flags = load<u32>(record, FLAGS)
  const target = load<usize>(record, TARGET)
  const targetLength = load<u32>(record, TARGET_LENGTH)
  const length = end - start
  store<i32>(record, 0, IS_EQUAL)
  // Binary search for the last group whose first term is not above the target, or the first group.
  let low = 0
  let high = load<i32>(record, GROUP_COUNT) - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    const offset = <usize>load<u32>(index + (<usize>middle << 4))
    if (offset >= length) return -1
    // The first entry shares nothing: one zero byte, then the length.
    let at = start + offset + 1
    let bytes = <u32>load<u8>(at++)
    if (bytes >= 0x80) {
      bytes = long(at - 1)
      at = behind
    }
    if (at > end || <usize>bytes > end - at) return -1
    if (order(at, bytes, target, targetLength) <= 0) low = middle
    else high = middle - 1
  }
  return scan(record, low, index, start, end, flags, target, targetLength)
}

/** Compares two byte strings: below 0, 0 or above 0. */
@inline function order(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
  const shared = min(aLength, bLength)
  for (let i: u32 = 0; i < shared; i++) {
    const difference = <i32>load<u8>(a + <usize>i) - <i32>load<u8>(b + <usize>i)
    if (difference != 0) return difference
  }
  return aLength < bLength ? -1 : aLength > bLength ? 1 : 0
}

function scan(
  record: usize, group: i32, index: usize, start: usize, end: usize, flags: u32,
  target: usize, targetLength: u32,
): i32 {
  const hasPostings = (flags & HAS_POSTINGS) != 0
  const hasFreqs = (flags & HAS_FREQS) != 0
  const hasImpacts = (flags & HAS_IMPACTS) != 0
  const hasPositions = (flags & HAS_POSITIONS) != 0
  const entry = index + (<usize>group << 4)
  let nextBlock = <u64>load<u32>(entry, 4)
  let tailAt = <u64>load<u32>(entry, 8)
  let positionsAt = <u64>load<u32>(entry, 12)
  let at = start + <usize>load<u32>(entry)
  const first = group * GROUP_TERMS
  const count = min(GROUP_TERMS, load<i32>(record, TERM_COUNT) - first)
  // Length of the last term, which is below the target; and of the prefix that both share.
  let length: u32 = 0
  let matching: u32 = 0
  for (let i = 0; i < count; i++) {
    if (at >= end) return -1
    let shared = <u32>load<u8>(at++)
    if (shared >= 0x80) {
      shared = long(at - 1)
      at = behind
    }
    let rest = <u32>load<u8>(at++)
    if (rest >= 0x80) {
      rest = long(at - 1)
      at = behind
    }
    if (at > end || shared > length || <usize>rest > end - at) return -1
    length = shared + rest
    let isEqual = false
    // A term that shares more with the previous one is below the target as well.
    if (shared <= matching) {
      matching = shared
      const limit = min(length, targetLength)
      const from = at - <usize>shared
      while (
        matching < limit &&
        load<u8>(from + <usize>matching) == load<u8>(target + <usize>matching)
      )
        matching++
      if (matching < limit) {
        if (load<u8>(from + <usize>matching) > load<u8>(target + <usize>matching)) return first + i
      } else if (length >= targetLength) {
        if (length > targetLength) return first + i
        isEqual = true
      }
    }
    at += <usize>rest
    let docFreq = <u32>load<u8>(at++)
    if (docFreq >= 0x80) {
      docFreq = long(at - 1)
      at = behind
    }
    let total = 0 as u32
    let singleDoc = -1
    let impactAt = at
    let tailBytes: u32 = 0
    let width: u32 = 0
    let hasBlocks = false
    if (hasPostings) {
      hasBlocks = docFreq >= BLOCK_DOCS
      if (docFreq == 1) {
        let doc = <u32>load<u8>(at++)
        if (doc >= 0x80) {
          doc = long(at - 1)
          at = behind
        }
        if (doc > MAX_NUMBER) return -1
        singleDoc = <i32>doc
      }
      total = docFreq
      if (hasFreqs) {
        let more = <u32>load<u8>(at++)
        if (more >= 0x80) {
          more = long(at - 1)
          at = behind
        }
        if (docFreq > MAX_NUMBER || more > MAX_NUMBER - docFreq) return -1
        total += more
      }
      impactAt = at
      if (hasImpacts) at += docFreq == 1 ? 1 : 4
      if (!hasBlocks) {
        if (docFreq != 1) {
          tailBytes = <u32>load<u8>(at++)
          if (tailBytes >= 0x80) {
            tailBytes = long(at - 1)
            at = behind
          }
        }
        if (hasPositions) width = <u32>load<u8>(at++)
      }
    }
    if (docFreq > MAX_NUMBER || at > end) return -1
    if (isEqual) {
      if (nextBlock > <u64>MAX_NUMBER || tailAt > <u64>MAX_NUMBER || positionsAt > <u64>MAX_NUMBER) return -1
      store<i32>(record, 1, IS_EQUAL)
      store<u32>(record, docFreq, DOC_FREQ)
      store<u32>(record, total, TOTAL_TERM_FREQ)
      store<usize>(record, impactAt, IMPACT_AT)
      store<i32>(record, hasBlocks ? <i32>nextBlock : -1, FIRST_BLOCK)
      store<i32>(record, singleDoc, SINGLE_DOC)
      store<u32>(record, <u32>tailAt, TAIL_AT)
      store<u32>(record, <u32>positionsAt, POSITIONS_AT)
      store<u32>(record, width, POSITIONS_WIDTH)
      return first + i
    }
    if (hasBlocks) nextBlock += (<u64>docFreq + BLOCK_DOCS - 1) / BLOCK_DOCS
    else if (width) positionsAt += (<u64>total * <u64>width + 7) >> 3
    tailAt += <u64>tailBytes
  }
  return first + count
}
