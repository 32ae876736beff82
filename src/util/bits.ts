/** Number of trailing zeros of a 32-bit word that is not 0. */
export function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** Number of set bits of a 32-bit word. */
export function countOnes(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
