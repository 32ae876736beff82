import { countOnes, trailingZeros } from './bits.ts'

/** A fixed-size bit set, 32 bits to a word; bit i is bit i & 31 of word i >> 5. */
export class BitSet {
  readonly words: Int32Array
  /** Number of bits. */
  readonly size: number

  constructor(size: number, words: Int32Array = new Int32Array((size + 31) >>> 5)) {
    this.size = size
    this.words = words
  }

  has(index: number): boolean {
    return ((this.words[index >>> 5]! >>> (index & 31)) & 1) === 1
  }

  add(index: number): void {
    const at = index >>> 5
    this.words[at] = this.words[at]! | (1 << (index & 31))
  }

  delete(index: number): void {
    const at = index >>> 5
    this.words[at] = this.words[at]! & ~(1 << (index & 31))
  }

  /** Sets all bits in [start, end). */
  addRange(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      if ((i & 31) === 0 && i + 32 <= end) {
        this.words[i >>> 5] = -1
        i += 31
      } else this.add(i)
    }
  }

  /** The first set bit at or after `from`, or `size` when there is none. */
  next(from: number): number {
    if (from >= this.size) return this.size
    let at = from >>> 5
    let word = this.words[at]! >>> (from & 31)
    if (word !== 0) return Math.min(from + trailingZeros(word), this.size)
    const words = this.words
    while (++at < words.length) {
      word = words[at]!
      if (word !== 0) return Math.min((at << 5) + trailingZeros(word), this.size)
    }
    return this.size
  }

  /** The last set bit at or before `from`, or −1 when there is none. */
  previous(from: number): number {
    if (from < 0) return -1
    let at = from >>> 5
    let word = this.words[at]! << (31 - (from & 31))
    if (word !== 0) return from - Math.clz32(word)
    while (at > 0) {
      word = this.words[--at]!
      if (word !== 0) return (at << 5) + 31 - Math.clz32(word)
    }
    return -1
  }

  count(): number {
    let total = 0
    for (const word of this.words) total += countOnes(word)
    return total
  }

  clone(): BitSet {
    return new BitSet(this.size, this.words.slice())
  }
}
