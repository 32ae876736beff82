import { BitSet } from '../util/bit-set.ts'

/** Max documents per posting for which a term is sorted by a bit set instead of comparisons. */
const DENSE_SHARE = 128

/**
 * Sorts a term's postings by document after a merge has reordered documents. One per field; `sort`
 * reuses its output arrays.
 */
export class PostingsSorter {
  docs: Int32Array = new Int32Array(128)
  freqs: Int32Array = new Int32Array(128)
  /** Grouped by document. */
  positions: Int32Array = new Int32Array(256)
  readonly #bits: BitSet
  /** By document, its index in the given postings. */
  readonly #slots: Int32Array
  #keys = new Float64Array(128)
  #order = new Int32Array(128)
  #starts = new Int32Array(128)

  /** @param maxDoc of the merged segment */
  constructor(maxDoc: number) {
    this.#bits = new BitSet(maxDoc)
    this.#slots = new Int32Array(maxDoc)
  }

  /**
   * Fills `docs`, `freqs` and `positions`.
   * @param count     of documents, all distinct
   * @param positions grouped by document, as many as its frequency; null without positions
   */
  sort(docs: Int32Array, freqs: Int32Array, count: number, positions: Int32Array | null): void {
    if (this.docs.length < count) this.#grow(count)
    const order = this.#order
    if (count > this.#slots.length / DENSE_SHARE) this.#orderByBits(docs, count)
    else this.#orderByKeys(docs, count)
    for (let i = 0; i < count; i++) {
      this.docs[i] = docs[order[i]!]!
      this.freqs[i] = freqs[order[i]!]!
    }
    if (positions === null) return
    const starts = this.#starts
    let total = 0
    for (let i = 0; i < count; i++) {
      starts[i] = total
      total += freqs[i]!
    }
    if (this.positions.length < total) this.positions = new Int32Array(2 * total)
    const out = this.positions
    for (let i = 0, at = 0; i < count; i++) {
      const start = starts[order[i]!]!
      for (let j = 0; j < this.freqs[i]!; j++) out[at++] = positions[start + j]!
    }
  }

  #orderByBits(docs: Int32Array, count: number): void {
    const bits = this.#bits
    for (let i = 0; i < count; i++) {
      bits.add(docs[i]!)
      this.#slots[docs[i]!] = i
    }
    for (let i = 0, doc = -1; i < count; i++) {
      doc = bits.next(doc + 1)
      this.#order[i] = this.#slots[doc]!
      bits.delete(doc)
    }
  }

  #orderByKeys(docs: Int32Array, count: number): void {
    const keys = this.#keys.subarray(0, count)
    // Document and index in one number. It stays below 2⁵³: a segment of 1 GiB has fewer than 2²⁷
    // documents, since its ids take more than eight bytes each.
    for (let i = 0; i < count; i++) keys[i] = docs[i]! * count + i
    keys.sort()
    for (let i = 0; i < count; i++) this.#order[i] = keys[i]! % count
  }

  #grow(count: number): void {
    const size = 2 * count
    this.docs = new Int32Array(size)
    this.freqs = new Int32Array(size)
    this.#keys = new Float64Array(size)
    this.#order = new Int32Array(size)
    this.#starts = new Int32Array(size)
  }
}
