import { murmur3 } from '../../util/murmur3.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import { IDS_HEADER_BYTES, IDS_VERSION } from './format.ts'

/** The `_id`s of one leaf. */
export class IdsReader {
  readonly maxDoc: number
  readonly #u8: Uint8Array
  readonly #u32: Uint32Array
  readonly #slotCount: number
  readonly #offsets: number
  readonly #table: number
  readonly #fingerprints: number
  readonly #bytes: number

  constructor(section: Section) {
    checkSection(section, IDS_VERSION, IDS_HEADER_BYTES)
    const { u8, u32 } = section.views
    const header = section.start >> 2
    this.#u8 = u8
    this.#u32 = u32
    this.maxDoc = u32[header + 1]!
    this.#slotCount = u32[header + 2]!
    this.#offsets = partOf(section, 12, 4 * (this.maxDoc + 1)) >> 2
    this.#table = partOf(section, 16, 4 * this.#slotCount) >> 2
    this.#fingerprints = partOf(section, 20, this.#slotCount)
    this.#bytes = partOf(section, 24, u32[this.#offsets + this.maxDoc]!)
  }

  /** UTF-8 of a document's id, as bytes of its own. */
  id(docId: number): Uint8Array {
    const start = this.#bytes + this.#u32[this.#offsets + docId]!
    return this.#u8.slice(start, this.#bytes + this.#u32[this.#offsets + docId + 1]!)
  }

  /**
   * The document with an id, or −1.
   * @param accept decides between documents of the same id, the youngest asked first
   */
  lookup(id: Uint8Array, accept?: (docId: number) => boolean): number {
    const hash = murmur3(id, 0)
    const mask = this.#slotCount - 1
    const fingerprint = hash >>> 24
    for (let slot = hash & mask, steps = 0; steps <= mask; slot = (slot + 1) & mask, steps++) {
      const entry = this.#u32[this.#table + slot]!
      if (entry === 0) return -1
      if (this.#u8[this.#fingerprints + slot] !== fingerprint) continue
      const docId = entry - 1
      if (this.#equals(docId, id) && (accept === undefined || accept(docId))) return docId
    }
    return -1
  }

  #equals(docId: number, id: Uint8Array): boolean {
    const start = this.#u32[this.#offsets + docId]!
    if (this.#u32[this.#offsets + docId + 1]! - start !== id.length) return false
    const u8 = this.#u8
    const at = this.#bytes + start
    for (let i = 0; i < id.length; i++) if (u8[at + i] !== id[i]) return false
    return true
  }
}
