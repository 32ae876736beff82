import { CorruptSegmentError } from '../../util/errors.ts'
import { murmur3 } from '../../util/murmur3.ts'
import { bitsAt } from '../packed-bits.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  ALPHABETS,
  bucketOf,
  IDS_HEADER_BYTES,
  IDS_PER_BLOCK,
  IDS_VERSION,
  RAGGED,
  STEPPING,
} from './format.ts'
import { SLOT_IDS_VERSION, SlotIds } from './slot-ids.ts'

/** The `_id`s of one leaf. */
export interface IdsReader {
  readonly maxDoc: number
  /** UTF-8 of a document's id, as a copy. */
  id(docId: number): Uint8Array
  /**
   * The document with an id, or −1.
   * @param accept filters documents of the same id, called for the newest first
   */
  lookup(id: Uint8Array, accept?: (docId: number) => boolean): number
}

/**
 * Opens the ids of a leaf, in any version.
 * @throws {CorruptSegmentError} corrupt header
 */
export function openIds(section: Section): IdsReader {
  const isFirst = section.views.u32[section.start >> 2] === SLOT_IDS_VERSION
  return isFirst ? new SlotIds(section) : new BucketIds(section)
}

/** The last id that was read, of any leaf: an array for each would be made for each leaf of each search. */
let lastId = new Uint8Array(256)

class BucketIds implements IdsReader {
  readonly maxDoc: number
  readonly #section: Section
  readonly #u8: Uint8Array
  readonly #u32: Uint32Array
  readonly #bucketCount: number
  readonly #docBits: number
  readonly #starts: number
  readonly #docs: number
  readonly #fingerprints: number
  readonly #blockOffsets: number
  readonly #blocks: number
  readonly #end: number

  constructor(section: Section) {
    checkSection(section, IDS_VERSION, IDS_HEADER_BYTES)
    const { u8, u32 } = section.views
    const header = section.start >> 2
    const maxDoc = u32[header + 1]!
    this.#section = section
    this.#u8 = u8
    this.#u32 = u32
    this.maxDoc = maxDoc
    this.#bucketCount = u32[header + 2]!
    this.#docBits = u32[header + 3]!
    this.#starts = partOf(section, 16, 4 * (this.#bucketCount + 1)) >> 2
    this.#docs = partOf(section, 20, Math.ceil((maxDoc * this.#docBits) / 8)) >> 2
    this.#fingerprints = partOf(section, 24, maxDoc)
    this.#blockOffsets = partOf(section, 28, 4 * Math.ceil(maxDoc / IDS_PER_BLOCK)) >> 2
    this.#blocks = partOf(section, 32, 0)
    this.#end = partOf(section, 36, 0)
  }

  id(docId: number): Uint8Array {
    const length = this.#read(docId)
    return lastId.slice(0, length)
  }

  lookup(id: Uint8Array, accept?: (docId: number) => boolean): number {
    if (this.maxDoc === 0) return -1
    const hash = murmur3(id, 0)
    const bucket = this.#starts + bucketOf(hash, this.#bucketCount)
    const end = this.#u32[bucket + 1]!
    if (end > this.maxDoc) this.#corrupt(`an entry of at most ${this.maxDoc}`, end)
    const u8 = this.#u8
    const fingerprint = hash & 0xff
    for (let entry = this.#u32[bucket]!; entry < end; entry++) {
      if (u8[this.#fingerprints + entry] !== fingerprint) continue
      const docId = bitsAt(this.#u32, this.#docs, entry * this.#docBits, this.#docBits)
      if (docId >= this.maxDoc) this.#corrupt(`a document below ${this.maxDoc}`, docId)
      if (this.#equals(docId, id) && (accept === undefined || accept(docId))) return docId
    }
    return -1
  }

  #equals(docId: number, id: Uint8Array): boolean {
    if (this.#read(docId) !== id.length) return false
    const found = lastId
    for (let i = 0; i < id.length; i++) if (found[i] !== id[i]) return false
    return true
  }

  /** Reads a document's id and returns its length. */
  #read(docId: number): number {
    const block = Math.floor(docId / IDS_PER_BLOCK)
    const index = docId % IDS_PER_BLOCK
    const at = this.#blocks + this.#u32[this.#blockOffsets + block]!
    if (at + 4 > this.#end) this.#corrupt('a block inside the section', at - this.#section.start)
    return this.#u8[at] === RAGGED ? this.#readRagged(at, block, index) : this.#readEven(at, index)
  }

  #readEven(at: number, index: number): number {
    const u8 = this.#u8
    const id = lastId
    const alphabet = ALPHABETS[u8[at]!]
    if (alphabet === undefined) this.#corrupt('an alphabet of 0–2', u8[at]!)
    const mask = alphabet.length - 1
    const length = u8[at + 1]!
    const columns = at + 4
    const rows = columns + 2 * length
    const rowBits = u8[at + 2]! | (u8[at + 3]! << 8)
    let bit = index * rowBits
    if (rows + ((bit + rowBits) >>> 3) > this.#end)
      this.#corrupt('ids inside the section', rows - this.#section.start)
    for (let column = 0; column < length; column++) {
      const shape = u8[columns + 2 * column + 1]!
      let number = u8[columns + 2 * column]!
      if (shape !== 0) {
        const width = shape & 15
        const word = rows + (bit >>> 3)
        number += ((u8[word]! | (u8[word + 1]! << 8)) >>> (bit & 7)) & ((1 << width) - 1)
        if ((shape & STEPPING) !== 0) number += index
        bit += width
      }
      id[column] = alphabet[number & mask]!
    }
    return length
  }

  #readRagged(at: number, block: number, index: number): number {
    const u8 = this.#u8
    const count = Math.min(IDS_PER_BLOCK, this.maxDoc - block * IDS_PER_BLOCK)
    const endBits = u8[at + 1]!
    const shared = u8[at + 2]! | (u8[at + 3]! << 8)
    const ends = at + 4 + shared
    const rests = ends + ((count * endBits + 7) >>> 3)
    const from = index === 0 ? 0 : this.#end25(ends, (index - 1) * endBits, endBits)
    const to = this.#end25(ends, index * endBits, endBits)
    if (from > to || rests + to > this.#end)
      this.#corrupt('ids inside the section', rests + to - this.#section.start)
    const length = shared + to - from
    if (length > lastId.length) lastId = new Uint8Array(2 * length)
    const id = lastId
    for (let i = 0; i < shared; i++) id[i] = u8[at + 4 + i]!
    for (let i = from; i < to; i++) id[shared + i - from] = u8[rests + i]!
    return length
  }

  /** Up to 25 bits from a bit on: four bytes always cover them. */
  #end25(at: number, bit: number, width: number): number {
    const u8 = this.#u8
    const first = at + (bit >>> 3)
    const four =
      u8[first]! | (u8[first + 1]! << 8) | (u8[first + 2]! << 16) | (u8[first + 3]! << 24)
    return (four >>> (bit & 7)) & ((1 << width) - 1)
  }

  #corrupt(expected: string, found: number): never {
    throw new CorruptSegmentError(this.#section.name, 0, expected, `${found}`)
  }
}
