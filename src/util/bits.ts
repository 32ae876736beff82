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

/**
 * Lists the ones of words of 32 bits, ascending.
 * @param start the first word
 * @param first what its lowest bit stands for
 * @param count of ones to list, at most those that there are
 */
export function listOnes(
  words: Uint32Array,
  start: number,
  first: number,
  count: number,
  list: Int32Array,
): void {
  let at = 0
  for (let word = 0; at < count; word++) {
    const base = first + 32 * word
    for (let rest = words[start + word]!; rest !== 0; rest &= rest - 1)
      list[at++] = base + 31 - Math.clz32(rest & -rest)
  }
}
