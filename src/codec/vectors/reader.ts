import type { VectorParts } from '../../schema/field-storage.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  VECTORS_HEADER_BYTES,
  VECTORS_OFFSETS,
  VECTORS_PAYLOADS,
  VECTORS_POSITIONS,
  VECTORS_VERSION,
} from './format.ts'

/** The vectors of one field of one leaf. */
export class VectorsReader {
  readonly section: Section
  readonly parts: VectorParts
  readonly docCount: number
  readonly maxDoc: number
  readonly #index: number
  readonly #data: number
  readonly #dataEnd: number

  /** @throws {CorruptSegmentError} its header contradicts its length */
  constructor(section: Section) {
    checkSection(section, VECTORS_VERSION, VECTORS_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    const flags = u32[header + 1]!
    this.section = section
    this.parts = {
      positions: (flags & VECTORS_POSITIONS) !== 0,
      offsets: (flags & VECTORS_OFFSETS) !== 0,
      payloads: (flags & VECTORS_PAYLOADS) !== 0,
    }
    this.maxDoc = u32[header + 2]!
    this.docCount = u32[header + 3]!
    this.#index = partOf(section, 16, 4 * (this.maxDoc + 1)) >> 2
    this.#data = partOf(section, 20, u32[this.#index + this.maxDoc]!)
    this.#dataEnd = this.#data + u32[this.#index + this.maxDoc]!
  }

  /** A document's vector as its bytes, in place; empty where it has none. */
  bytes(docId: number): Uint8Array {
    const { u32, u8 } = this.section.views
    const start = this.#data + u32[this.#index + docId]!
    const end = this.#data + u32[this.#index + docId + 1]!
    if (start > end || end > this.#dataEnd)
      throw new CorruptSegmentError(
        this.section.name,
        VECTORS_HEADER_BYTES + 4 * docId,
        `a vector that ends at most at ${this.#dataEnd - this.section.start}`,
        `${end - this.section.start}`,
      )
    return u8.subarray(start, end)
  }

  /** A cursor ahead of the first term of a document's vector. */
  cursor(docId: number): VectorCursor {
    return new VectorCursor(this.bytes(docId), this.parts, this.section.name)
  }
}

/** Reads the terms of one document in turn, and the tokens of those that are asked for. */
export class VectorCursor {
  /** The current term: valid up to `termLength`, overwritten by the next one. */
  term: Uint8Array = new Uint8Array(64)
  termLength = 0
  /** Tokens of the current term. */
  freq = 0
  /** The current token; −1 for what the vectors do not keep. */
  position = -1
  start = -1
  end = -1
  /** A view; null: there is none. */
  payload: Uint8Array | null = null
  readonly #bytes: Uint8Array
  readonly #parts: VectorParts
  readonly #name: string
  #left: number
  #at = 0
  #tokensEnd = 0
  #tokensLeft = 0

  /** @param name of the section, for errors */
  constructor(bytes: Uint8Array, parts: VectorParts, name: string) {
    this.#bytes = bytes
    this.#parts = parts
    this.#name = name
    this.#left = bytes.length === 0 ? 0 : this.#varint()
    this.#tokensEnd = this.#at
  }

  /** Moves to the next term; false behind the last. @throws {CorruptSegmentError} */
  nextTerm(): boolean {
    if (this.#left === 0) return false
    this.#left--
    this.#at = this.#tokensEnd
    const shared = this.#varint()
    const rest = this.#varint()
    const length = shared + rest
    if (shared > this.termLength || this.#at + rest > this.#bytes.length) throw this.#corrupt()
    if (length > this.term.length) {
      const larger = new Uint8Array(2 * length)
      larger.set(this.term.subarray(0, shared))
      this.term = larger
    }
    for (let i = 0; i < rest; i++) this.term[shared + i] = this.#bytes[this.#at + i]!
    this.termLength = length
    this.#at += rest
    this.freq = this.#varint()
    const tokenBytes = this.#varint()
    this.#tokensEnd = this.#at + tokenBytes
    if (this.#tokensEnd > this.#bytes.length) throw this.#corrupt()
    this.#tokensLeft = this.freq
    this.position = this.#parts.positions ? 0 : -1
    this.start = this.#parts.offsets ? 0 : -1
    return true
  }

  /** Moves to the next token of the current term; false behind the last. @throws {CorruptSegmentError} */
  nextToken(): boolean {
    if (this.#tokensLeft === 0) return false
    this.#tokensLeft--
    const { positions, offsets, payloads } = this.#parts
    if (positions) this.position += this.#varint()
    if (offsets) {
      const code = this.#varint()
      this.start += code % 2 === 0 ? code / 2 : -(code + 1) / 2
      this.end = this.start + this.#varint()
    }
    if (payloads) {
      const length = this.#varint()
      this.payload = length === 0 ? null : this.#bytes.subarray(this.#at, this.#at + length)
      this.#at += length
    }
    if (this.#at > this.#tokensEnd) throw this.#corrupt()
    return true
  }

  #varint(): number {
    const bytes = this.#bytes
    let value = 0
    for (let factor = 1; factor <= 0x800000000000; factor *= 0x80) {
      const byte = bytes[this.#at++]
      if (byte === undefined) throw this.#corrupt()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw this.#corrupt()
  }

  #corrupt(): CorruptSegmentError {
    return new CorruptSegmentError(
      this.#name,
      this.#at,
      'a vector of terms with tokens within it',
      'another end',
    )
  }
}
