/**
 * Unpacks the positions of a term's block to 16 bits each. They are packed consecutively, so that
 * eight of width w take w bytes: a swizzle brings four at a time into lanes, a multiplication
 * shifts each to the top of its lane, and a shift brings it down.
 */
import {
  positionsOf,
  runAt,
  runEnd,
  runStart,
  runWidth,
  setUnpacked,
  unpackedOf,
} from './cursor-positions'
import { freqAt } from './cursor-scores'
import { positionPatterns } from './plan-record'

/** Max positions in a cursor's buffer; and max bits, as wider ones could equal `NONE`. */
const MAX_POSITIONS: i32 = 2048
const WIDEST: u32 = 15

/** Width of the current patterns; valid for one call. */
let patternWidth: u32 = 0

/** Drops the patterns of the last call. */
export function beginPositions(): void {
  patternWidth = 0
}

/**
 * Unpacks an open block, unless it is in the buffer.
 * @param slot   the first one needed
 * @param isSole whether it is the only one: then only its positions are unpacked
 * @returns the number of positions in the cursor's `positionsOf`; 0: too many or too wide
 */
export function unpackBlock(c: usize, block: i32, slot: i32, isSole: bool): i32 {
  const count = runEnd(c, block)
  const width = runWidth(c)
  if (<u32>count > <u32>MAX_POSITIONS || width > WIDEST) return 0
  if (unpackedOf(c) == block) return count
  let from = 0
  let to = count
  if (isSole) {
    from = runStart(c, slot)
    to = from + freqAt(c, slot)
    // Corrupt frequencies make the sums arbitrary: check them.
    if (<u32>from >= <u32>count || <u32>to > <u32>count) return 0
    from &= ~7
  }
  setUnpacked(c, isSole ? -1 : block)
  const out = positionsOf(c)
  if (width == 0) {
    memory.fill(out + (<usize>from << 1), 0, <usize>(to - from + 7) << 1)
    return count
  }
  if (width != patternWidth) makePatterns(width)
  const patterns = positionPatterns()
  const orderA = v128.load(patterns)
  const orderB = v128.load(patterns, 16)
  const factorsA = v128.load(patterns, 32)
  const factorsB = v128.load(patterns, 48)
  const down = <i32>(32 - width)
  const second = <usize>((4 * width) >> 3)
  let at = runAt(c) + <usize>(<u32>from >> 3) * <usize>width
  for (let i = from; i < to; i += 8) {
    const a = i32x4.mul(i8x16.swizzle(v128.load(at), orderA), factorsA)
    const b = i32x4.mul(i8x16.swizzle(v128.load(at + second), orderB), factorsB)
    const eight = i16x8.narrow_i32x4_u(i32x4.shr_u(a, down), i32x4.shr_u(b, down))
    v128.store(out + (<usize>i << 1), eight)
    at += <usize>width
  }
  return count
}

/**
 * For each half of eight values, the byte shuffle and the multipliers that shift them to the top of
 * 32 bits.
 */
function makePatterns(width: u32): void {
  patternWidth = width
  const out = positionPatterns()
  for (let half: u32 = 0; half < 2; half++) {
    const first = (half * 4 * width) & 7
    for (let k: u32 = 0; k < 4; k++) {
      const bit = first + k * width
      const byte = bit >> 3
      const lane = out + (<usize>half << 4) + (<usize>k << 2)
      store<u32>(lane, 0x03020100 + 0x01010101 * byte)
      store<u32>(lane, (<u32>1) << (32 - width - (bit & 7)), 32)
    }
  }
}
