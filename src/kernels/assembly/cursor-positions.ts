/** The positions of a cursor's documents. */
import { countPositions } from './counters'
import {
  DOC_FREQ,
  FREQS,
  OFFSET,
  POSITION,
  POSITION_BITS,
  POSITION_DATA,
  POSITION_OFFSETS,
  POSITIONS,
  RUN_AT,
  RUN_END,
  RUN_INDEX,
  RUN_WIDTH,
  SMALL_WIDTH,
  SUMS,
  SUMS_DECODED,
  UNPACKED,
} from './cursor'
import { decodeFreqsAt } from './cursor-blocks'
import { sumFreqs } from './decode'

/** Prepares `startPositions` for a block's slots. */
function openPositions(c: usize, block: i32): void {
  store<i32>(c, block, SUMS_DECODED)
  sumFreqs(load<usize>(c, FREQS), load<usize>(c, SUMS))
  const small = load<i32>(c, SMALL_WIDTH)
  if (small >= 0) {
    store<usize>(c, load<usize>(c, POSITION_DATA), RUN_AT)
    store<i32>(c, small, RUN_WIDTH)
  } else {
    const offset = load<u32>(load<usize>(c, POSITION_OFFSETS) + ((<usize>block) << 2))
    store<usize>(c, load<usize>(c, POSITION_DATA) + offset, RUN_AT)
    store<i32>(c, <i32>load<u8>(load<usize>(c, POSITION_BITS) + <usize>block), RUN_WIDTH)
  }
}

/**
 * Opens a block for reading positions: its frequencies, their prefix sums, and the address of the
 * run.
 */
export function openRuns(c: usize, block: i32): void {
  decodeFreqsAt(c, block)
  if (load<i32>(c, SUMS_DECODED) != block) openPositions(c, block)
}
/** Address of the open run. */
@inline export function runAt(c: usize): usize {
  return load<usize>(c, RUN_AT)
}
/** Bits of a position in the open run. */
@inline export function runWidth(c: usize): u32 {
  return load<u32>(c, RUN_WIDTH)
}
/** Number of positions of the open block. */
export function runEnd(c: usize, block: i32): i32 {
  const last = <usize>(min(load<i32>(c, DOC_FREQ) - (block << 7), 128) - 1) << 2
  return load<i32>(load<usize>(c, SUMS) + last) + load<i32>(load<usize>(c, FREQS) + last)
}
/** Address of the unpacked positions. */
@inline export function positionsOf(c: usize): usize {
  return load<usize>(c, POSITIONS)
}
/** The block whose positions are unpacked; −1: none. */
@inline export function unpackedOf(c: usize): i32 {
  return load<i32>(c, UNPACKED)
}
/** Records the block whose positions are unpacked. */
@inline export function setUnpacked(c: usize, block: i32): void {
  store<i32>(c, block, UNPACKED)
}
/** Index of a slot's first position in the open block. */
@inline export function runStart(c: usize, slot: i32): i32 {
  return load<i32>(load<usize>(c, SUMS) + ((<usize>slot) << 2))
}

/** Opens the positions of a slot; the block's frequencies must be decoded. */
@inline export function startPositions(c: usize, block: i32, slot: i32): void {
  if (load<i32>(c, SUMS_DECODED) != block) openPositions(c, block)
  const offset = (<usize>slot) << 2
  const start = load<i32>(load<usize>(c, SUMS) + offset)
  store<i32>(c, start, RUN_INDEX)
  store<i32>(c, start + load<i32>(load<usize>(c, FREQS) + offset), RUN_END)
  store<i32>(c, i32.MIN_VALUE, POSITION)
}

/** Whether the open run has another position. */
@inline export function hasPosition(c: usize): bool {
  return load<i32>(c, RUN_INDEX) < load<i32>(c, RUN_END)
}

/**
 * Frequency of two terms at their phrase offsets in the current document; a repeated position of
 * the first one counts each time (as in Lucene's `ExactPhraseMatcher`).
 */
export function pairFrequency(a: usize, b: usize): i32 {
  const atA = load<usize>(a, RUN_AT)
  const atB = load<usize>(b, RUN_AT)
  const widthA = load<u32>(a, RUN_WIDTH)
  const widthB = load<u32>(b, RUN_WIDTH)
  const endA = load<i32>(a, RUN_END)
  const endB = load<i32>(b, RUN_END)
  const shift = load<i32>(b, OFFSET) - load<i32>(a, OFFSET)
  const startA = load<i32>(a, RUN_INDEX)
  const startB = load<i32>(b, RUN_INDEX)
  let i = startA
  let j = startB
  let freq = 0
  // Branch-free: which of the two is lower is unpredictable.
  while (i < endA && j < endB) {
    const wanted = positionAt(atA, widthA, i) + shift
    const found = positionAt(atB, widthB, j)
    freq += <i32>(wanted == found)
    i += <i32>(wanted <= found)
    j += <i32>(found < wanted)
  }
  countPositions(i - startA + j - startB)
  return freq
}

/** The position at an index of a run with the given address and width. */
@inline export function positionAt(at: usize, width: u32, index: i32): i32 {
  const bit = <u64>index * <u64>width
  const mask: u64 = ((<u64>1) << (<u64>width)) - 1
  return <i32>((load<u64>(at + <usize>(bit >> 3)) >> (bit & 7)) & mask)
}

/** The current document's next position, ascending. */
@inline export function nextPosition(c: usize): i32 {
  countPositions(1)
  const index = load<i32>(c, RUN_INDEX)
  const width = load<i32>(c, RUN_WIDTH)
  store<i32>(c, index + 1, RUN_INDEX)
  const bit = (<u64>index) * (<u64>width)
  const word = load<u64>(load<usize>(c, RUN_AT) + <usize>(bit >> 3)) >> (bit & 7)
  const position = <i32>(<u32>(word & (((<u64>1) << (<u64>width)) - 1)))
  store<i32>(c, position, POSITION)
  return position
}

/** The last position read; before the first, a value below all positions. */
@inline export function positionOf(c: usize): i32 {
  return load<i32>(c, POSITION)
}
