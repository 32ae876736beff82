/**
 * Unsigned numbers of 0–32 bits, packed consecutively into 32-bit words, lowest bit first: value i
 * of width w starts at bit i·w. Used by doc values and points.
 */

/** `width` bits from bit `bit` of the words from index `start` on. */
export function bitsAt(u32: Uint32Array, start: number, bit: number, width: number): number {
  if (width === 0) return 0
  const word = start + (bit >>> 5)
  const shift = bit & 31
  let value = u32[word]! >>> shift
  if (shift + width > 32) value |= u32[word + 1]! << (32 - shift)
  return width === 32 ? value >>> 0 : value & ((1 << width) - 1)
}

/** Sets `width` bits at bit `bit` of words that are 0 there. */
export function putBits(words: Uint32Array, bit: number, value: number, width: number): void {
  if (width === 0) return
  const word = bit >>> 5
  const shift = bit & 31
  words[word] = words[word]! | (value << shift)
  if (shift + width > 32) words[word + 1] = words[word + 1]! | (value >>> (32 - shift))
}
