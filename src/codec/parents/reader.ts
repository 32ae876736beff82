import { trailingZeros } from '../../util/bits.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { checkSection, type Section } from '../section.ts'
import { PARENTS_HEADER_BYTES, PARENTS_VERSION } from './format.ts'

/** The documents of a leaf that are no nested ones, deleted ones included. */
export class ParentsReader {
  readonly maxDoc: number
  /** How many they are. */
  readonly count: number
  /** Address of their bits in the section's memory. */
  readonly bits: number
  readonly #words: Int32Array
  readonly #start: number

  /** @throws {CorruptSegmentError} corrupt header, or a last document that is nested */
  constructor(section: Section) {
    checkSection(section, PARENTS_VERSION, PARENTS_HEADER_BYTES)
    const { i32, u32 } = section.views
    const header = section.start >> 2
    this.maxDoc = u32[header + 1]!
    this.count = u32[header + 2]!
    this.#words = i32
    this.bits = section.start + PARENTS_HEADER_BYTES
    this.#start = this.bits >> 2
    const bytes = PARENTS_HEADER_BYTES + 16 * ((this.maxDoc + 127) >>> 7)
    if (bytes > section.length)
      throw new CorruptSegmentError(section.name, 4, `${bytes} bytes`, `${section.length}`)
    if (this.maxDoc > 0 && !this.has(this.maxDoc - 1))
      throw new CorruptSegmentError(section.name, 4, 'a last document that is not nested', 'one')
  }

  has(docId: number): boolean {
    return ((this.#words[this.#start + (docId >>> 5)]! >>> (docId & 31)) & 1) === 1
  }

  /** The first such document from `docId` on; there is one for every document of the leaf. */
  next(docId: number): number {
    const words = this.#words
    let at = this.#start + (docId >>> 5)
    let word = words[at]! >>> (docId & 31)
    if (word !== 0) return docId + trailingZeros(word)
    const last = this.#start + ((this.maxDoc - 1) >>> 5)
    while (at < last) {
      word = words[++at]!
      if (word !== 0) return ((at - this.#start) << 5) + trailingZeros(word)
    }
    return this.maxDoc
  }

  /** The last such document up to `docId`, −1 when there is none. */
  previous(docId: number): number {
    if (docId < 0) return -1
    const words = this.#words
    let at = this.#start + (docId >>> 5)
    let word = words[at]! << (31 - (docId & 31))
    if (word !== 0) return docId - Math.clz32(word)
    while (at > this.#start) {
      word = words[--at]!
      if (word !== 0) return ((at - this.#start) << 5) + 31 - Math.clz32(word)
    }
    return -1
  }

  /** A copy of its words, bit i & 31 of word i >> 5 for document i. */
  words(): Int32Array {
    return this.#words.slice(this.#start, this.#start + ((this.maxDoc + 31) >>> 5))
  }
}
