/**
 * The distinct terms of one field of a buffer: byte strings numbered in order of arrival, found by
 * hash. No object per term: the bytes lie one after another in a pool.
 */
import { randomBytes } from 'node:crypto'
import { compareByteRanges } from '../util/bytes.ts'

/** Unknown to whoever writes the text, so that terms cannot be made to collide. */
const HASH_SEED = randomBytes(4).readInt32LE(0)

/** Terms of this field so far. */
export class TermTable {
  count = 0
  /** Term i is `bytes[offsets[i], offsets[i + 1])`. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(64)
  offsets: Int32Array<ArrayBuffer> = new Int32Array(9)
  #hashes = new Int32Array(8)
  /** Term number + 1 by hash, 0 for none; open addressing, at most half full. */
  #table = new Int32Array(16)
  #mask = 15

  /** Bytes of memory taken. */
  get memory(): number {
    return this.bytes.length + 4 * (this.offsets.length + this.#hashes.length + this.#table.length)
  }

  /** Number of the term `source[start, end)`, which is added when it is new. */
  add(source: Uint8Array, start: number, end: number): number {
    let hash = HASH_SEED
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ source[i]!, 0x5bd1e995)
    hash ^= hash >>> 15
    const table = this.#table
    const mask = this.#mask
    let at = hash & mask
    for (;;) {
      const found = table[at]!
      if (found === 0) return this.#insert(source, start, end, hash, at)
      if (this.#hashes[found - 1] === hash && this.#isTerm(found - 1, source, start, end))
        return found - 1
      at = (at + 1) & mask
    }
  }

  /** Order of two terms. */
  compare(a: number, b: number): number {
    const { bytes, offsets } = this
    return compareByteRanges(
      bytes,
      offsets[a]!,
      offsets[a + 1]!,
      bytes,
      offsets[b]!,
      offsets[b + 1]!,
    )
  }

  #isTerm(term: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.offsets[term]!
    const length = end - start
    if (this.offsets[term + 1]! - from !== length) return false
    const bytes = this.bytes
    for (let i = 0; i < length; i++) if (bytes[from + i] !== source[start + i]) return false
    return true
  }

  #insert(source: Uint8Array, start: number, end: number, hash: number, at: number): number {
    const term = this.count
    const from = this.offsets[term]!
    const to = from + end - start
    if (to > this.bytes.length) {
      const larger = new Uint8Array(Math.max(to, this.bytes.length * 2))
      larger.set(this.bytes)
      this.bytes = larger
    }
    if (term === this.#hashes.length) {
      const offsets = new Int32Array(2 * term + 1)
      offsets.set(this.offsets)
      this.offsets = offsets
      const hashes = new Int32Array(2 * term)
      hashes.set(this.#hashes)
      this.#hashes = hashes
    }
    const bytes = this.bytes
    for (let i = 0; i < end - start; i++) bytes[from + i] = source[start + i]!
    this.offsets[term + 1] = to
    this.#hashes[term] = hash
    this.#table[at] = term + 1
    this.count = term + 1
    if (this.count * 2 > this.#table.length) this.#growTable()
    return term
  }

  #growTable(): void {
    const size = this.#table.length * 2
    const table = new Int32Array(size)
    const mask = size - 1
    for (let term = 0; term < this.count; term++) {
      let at = this.#hashes[term]! & mask
      while (table[at] !== 0) at = (at + 1) & mask
      table[at] = term + 1
    }
    this.#table = table
    this.#mask = mask
  }

  /**
   * Numbers of the terms for which `keep` is above 0, in ascending order of their bytes.
   *
   * Sorts doubles of 32 bits of the term and 21 bits of its number with the engine's own sort, which
   * calls no comparator, and only then the runs that share those four bytes: 5 times faster than one
   * sort with a comparator for 100,000 English words.
   */
  sorted(keep: Int32Array): Int32Array {
    const order = new Int32Array(this.count)
    let count = 0
    for (let term = 0; term < this.count; term++) if (keep[term]! > 0) order[count++] = term
    const terms = order.subarray(0, count)
    if (count < 2) return terms
    if (this.count > 2 ** 21) return terms.sort((a, b) => this.compare(a, b))
    const skip = this.#sharedPrefix(terms)
    const keys = new Float64Array(count)
    for (let i = 0; i < count; i++) keys[i] = this.#prefix(terms[i]!, skip) * 2 ** 21 + terms[i]!
    keys.sort()
    let runStart = 0
    let runPrefix = -1
    for (let i = 0; i <= count; i++) {
      const prefix = i < count ? Math.floor(keys[i]! / 2 ** 21) : -2
      if (prefix !== runPrefix) {
        if (i - runStart > 1) terms.subarray(runStart, i).sort((a, b) => this.compare(a, b))
        runStart = i
        runPrefix = prefix
      }
      if (i < count) terms[i] = keys[i]! % 2 ** 21
    }
    return terms
  }

  /** How many bytes all these terms share at their start. */
  #sharedPrefix(terms: Int32Array): number {
    const { bytes, offsets } = this
    const first = offsets[terms[0]!]!
    let shared = offsets[terms[0]! + 1]! - first
    for (let i = 1; i < terms.length && shared > 0; i++) {
      const start = offsets[terms[i]!]!
      shared = Math.min(shared, offsets[terms[i]! + 1]! - start)
      let same = 0
      while (same < shared && bytes[start + same] === bytes[first + same]) same++
      shared = same
    }
    return shared
  }

  /** Four bytes of a term from `skip` on as one number; what is missing is 0. */
  #prefix(term: number, skip: number): number {
    const start = this.offsets[term]! + skip
    const end = this.offsets[term + 1]!
    let prefix = 0
    for (let i = 0; i < 4; i++)
      prefix = prefix * 256 + (start + i < end ? this.bytes[start + i]! : 0)
    return prefix
  }
}
