import { encodeUtf8 } from '../util/bytes.ts'

/** A fixed set of byte strings that is asked with ranges, so that asking makes no string. */
export class ByteSet {
  readonly #entries: readonly Uint8Array[]
  readonly #table: Int32Array
  readonly #longest: number

  constructor(texts: Iterable<string>) {
    this.#entries = [...new Set(texts)].map(encodeUtf8)
    this.#longest = this.#entries.reduce((longest, entry) => Math.max(longest, entry.length), 0)
    let size = 8
    while (size < this.#entries.length * 2) size *= 2
    this.#table = new Int32Array(size).fill(-1)
    for (const [i, entry] of this.#entries.entries()) {
      let at = hash(entry, 0, entry.length) & (size - 1)
      while (this.#table[at] !== -1) at = (at + 1) & (size - 1)
      this.#table[at] = i
    }
  }

  get size(): number {
    return this.#entries.length
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (length > this.#longest) return false
    const table = this.#table
    const mask = table.length - 1
    let at = hash(bytes, start, end) & mask
    for (;;) {
      const index = table[at]!
      if (index === -1) return false
      const entry = this.#entries[index]!
      if (entry.length === length) {
        let i = 0
        while (i < length && entry[i] === bytes[start + i]) i++
        if (i === length) return true
      }
      at = (at + 1) & mask
    }
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = end - start
  for (let i = start; i < end; i++) h = Math.imul(h ^ bytes[i]!, 0x01000193)
  return h ^ (h >>> 15)
}
