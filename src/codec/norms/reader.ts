import { CorruptSegmentError } from '../../util/errors.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import { NORMS_HEADER_BYTES, NORMS_VERSION } from './format.ts'

/** Length codes of one field of one leaf. */
export class NormsReader {
  readonly maxDoc: number
  readonly docCount: number
  /** The bytes that hold the codes, and the index of document 0's. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly #words: Int32Array
  /** Word index of the presence bits, 0 when every document has the field. */
  readonly #presence: number

  constructor(section: Section) {
    checkSection(section, NORMS_VERSION, NORMS_HEADER_BYTES)
    const { u8, i32, u32 } = section.views
    const header = section.start >> 2
    this.maxDoc = u32[header + 1]!
    this.docCount = u32[header + 3]!
    this.bytes = u8
    this.start = section.start + NORMS_HEADER_BYTES
    this.#words = i32
    if (NORMS_HEADER_BYTES + this.maxDoc > section.length)
      throw new CorruptSegmentError(
        section.name,
        4,
        `at most ${section.length - NORMS_HEADER_BYTES} documents`,
        `${this.maxDoc}`,
      )
    const bits = 4 * ((this.maxDoc + 31) >>> 5)
    this.#presence = u32[header + 2] === 0 ? 0 : partOf(section, 8, bits) >> 2
  }

  /** The code of a document's length; 0 when it lacks the field. */
  code(docId: number): number {
    return this.bytes[this.start + docId]!
  }

  has(docId: number): boolean {
    if (this.#presence === 0) return true
    return ((this.#words[this.#presence + (docId >>> 5)]! >>> (docId & 31)) & 1) === 1
  }
}
