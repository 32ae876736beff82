/**
 * The ids section of version 1, which is read but not written any more: a hash table with free slots.
 *
 *   ids    := header offsets table fingerprints bytes
 *   header := 32 bytes, little-endian
 *      0  u32  version       1
 *      4  u32  maxDoc
 *      8  u32  slotCount     a power of two, at least 1.5 · maxDoc
 *     12  u32  offsets       offset of u32[maxDoc + 1], ends of the ids in `bytes`
 *     16  u32  table         offset of u32[slotCount]: doc ID + 1, 0 where the slot is empty
 *     20  u32  fingerprints  offset of u8[slotCount]: the hash's top byte
 *     24  u32  bytes         offset of the ids, UTF-8, one after another
 *     28  u32  end           length
 *
 * A document's slot is the low bits of murmur3(id, 0), or the next free one behind it, round the
 * end; `lookup` meets the younger of two equal ids first.
 *
 * Example: one document "a": slotCount 2, offsets 0 1, bytes 61.
 */
import { murmur3 } from '../../util/murmur3.ts'
import { checkSection, partOf, type Section } from '../section.ts'

/** The version of the section in the format of slots. */
export const SLOT_IDS_VERSION = 1
const HEADER_BYTES = 32

/** The `_id`s of one leaf, in version 1: an `IdsReader`. */
export class SlotIds {
  readonly maxDoc: number
  readonly #u8: Uint8Array
  readonly #u32: Uint32Array
  readonly #slotCount: number
  readonly #offsets: number
  readonly #table: number
  readonly #fingerprints: number
  readonly #bytes: number

  constructor(section: Section) {
    checkSection(section, SLOT_IDS_VERSION, HEADER_BYTES)
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

  id(docId: number): Uint8Array {
    const start = this.#bytes + this.#u32[this.#offsets + docId]!
    return this.#u8.slice(start, this.#bytes + this.#u32[this.#offsets + docId + 1]!)
  }

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
