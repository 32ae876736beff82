import type { ByteWriter } from '../util/byte-writer.ts'
import { putBits } from './packed-bits.ts'

/**
 * Appends unsigned numbers of `width` bits each, packed into 32-bit words.
 * @param width 0–32; 0 appends nothing
 */
export function appendPacked(
  out: ByteWriter,
  values: Uint32Array,
  length: number,
  width: number,
): void {
  if (width === 0) return
  const packed = new Uint32Array(Math.ceil((length * width) / 32) + 1)
  for (let i = 0; i < length; i++) putBits(packed, i * width, values[i]!, width)
  out.array(packed.subarray(0, Math.ceil((length * width) / 32)))
}

/** Appends a column of words as the smallest, the width of the others above it, and those packed. */
export function appendAboveBase(out: ByteWriter, words: Uint32Array, length: number): void {
  let min = 0xffffffff
  let max = 0
  for (let i = 0; i < length; i++) {
    const word = words[i]!
    if (word < min) min = word
    if (word > max) max = word
  }
  for (let i = 0; i < length; i++) words[i] = words[i]! - min
  const width = 32 - Math.clz32(max - min)
  out.u32(min)
  out.u32(width)
  appendPacked(out, words, length, width)
}
