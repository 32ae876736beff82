import type { VectorParts } from '../../schema/field-storage.ts'
import { ByteWriter } from '../../util/byte-writer.ts'
import type { ByteColumn } from '../bytes/byte-column.ts'
import {
  VECTORS_HEADER_BYTES,
  VECTORS_OFFSETS,
  VECTORS_PAYLOADS,
  VECTORS_POSITIONS,
  VECTORS_VERSION,
} from './format.ts'

/** The vectors of one field. */
export interface VectorColumn {
  readonly parts: VectorParts
  /** Of each document at most one, as `VectorWriter` makes it; documents ascend. Min one. */
  readonly vectors: ByteColumn
}

/** Writes the vectors section of one field. */
export function writeVectors({ parts, vectors }: VectorColumn, maxDoc: number): Uint8Array {
  const index = new Uint32Array(maxDoc + 1)
  for (let i = 0; i < vectors.length; i++) index[vectors.docs[i]! + 1] = vectors.ends[i]!
  for (let doc = 1; doc <= maxDoc; doc++) index[doc] = Math.max(index[doc]!, index[doc - 1]!)
  const data = vectors.data()
  const out = new ByteWriter(VECTORS_HEADER_BYTES + 4 * index.length + data.length + 4)
  const flags =
    (parts.positions ? VECTORS_POSITIONS : 0) |
    (parts.offsets ? VECTORS_OFFSETS : 0) |
    (parts.payloads ? VECTORS_PAYLOADS : 0)
  const dataStart = VECTORS_HEADER_BYTES + 4 * index.length
  const end = dataStart + data.length
  for (const word of [VECTORS_VERSION, flags, maxDoc, vectors.length]) out.u32(word)
  for (const word of [VECTORS_HEADER_BYTES, dataStart, end, 0]) out.u32(word)
  out.array(index)
  out.bytes(data)
  out.align(4)
  return out.view()
}

const NO_PAYLOAD = new Uint8Array(0)

/** Writes the vector of one document, term by term. */
export class VectorWriter {
  readonly #parts: VectorParts
  readonly #terms = new ByteWriter(256)
  readonly #tokens = new ByteWriter(64)
  readonly #out = new ByteWriter(256)
  #before: Uint8Array = NO_PAYLOAD
  #count = 0
  #freq = 0
  #position = 0
  #start = 0

  constructor(parts: VectorParts) {
    this.#parts = parts
  }

  /** Adds a token of the current term; positions ascend. @param end ≥ start */
  token(position: number, start: number, end: number, payload: Uint8Array | null): void {
    const { positions, offsets, payloads } = this.#parts
    const out = this.#tokens
    this.#freq++
    if (positions) out.varint(position - this.#position)
    if (offsets) {
      out.varint(zigzag(start - this.#start))
      out.varint(end - start)
    }
    if (payloads) {
      const bytes = payload ?? NO_PAYLOAD
      out.varint(bytes.length)
      out.bytes(bytes)
    }
    this.#position = position
    this.#start = start
  }

  /** Ends a term of which there are tokens. @param term above the one before; not kept */
  endTerm(term: Uint8Array): void {
    const before = this.#before
    const limit = Math.min(before.length, term.length)
    let shared = 0
    while (shared < limit && before[shared] === term[shared]) shared++
    const out = this.#terms
    out.varint(shared)
    out.varint(term.length - shared)
    out.bytes(term, shared)
    out.varint(this.#freq)
    out.varint(this.#tokens.length)
    out.bytes(this.#tokens.view())
    this.#before = term.slice()
    this.#tokens.clear()
    this.#count++
    this.#freq = 0
    this.#position = 0
    this.#start = 0
  }

  /** The vector, as a view that the next document overwrites; null: it has no term. */
  finish(): Uint8Array | null {
    if (this.#count === 0) return null
    const out = this.#out
    out.clear()
    out.varint(this.#count)
    out.bytes(this.#terms.view())
    this.#terms.clear()
    this.#before = NO_PAYLOAD
    this.#count = 0
    return out.view()
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}
