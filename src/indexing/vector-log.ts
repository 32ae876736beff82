/**
 * The tokens of a field's documents in a buffer, for vectors: beside the field's log of terms, which has
 * as many entries, what is kept of each token besides.
 *
 *   token := varint position (from the one before), zigzag varint start (likewise), varint length,
 *            varint length of the payload, and it
 */
import { VectorWriter } from '../codec/vectors/writer.ts'
import type { VectorParts } from '../schema/field-storage.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { compareByteRanges } from '../util/bytes.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { ByteLog } from './byte-log.ts'
import type { TermBytes } from './term-order.ts'

const NO_PAYLOAD = new Uint8Array(0)

/** A token that is logged; offsets are those in the document's text. */
interface LoggedToken {
  readonly term: number
  readonly position: number
  readonly start: number
  readonly end: number
  readonly payload: Uint8Array | null
}

/** The logged tokens of one field. */
export class VectorLog {
  readonly parts: VectorParts
  readonly #log: ByteLog
  readonly #scratch = new ByteWriter(32)
  readonly #writer: VectorWriter
  /** Where each document begins in the log. */
  readonly #starts: number[] = []
  /** Where the current value begins in the document's text. */
  offset = 0
  #position = 0
  #start = 0

  constructor(memory: BufferMemory, parts: VectorParts) {
    this.parts = parts
    this.#log = new ByteLog(memory)
    this.#writer = new VectorWriter(parts)
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#log.length + 8 * this.#starts.length
  }

  startDocument(): void {
    this.#starts.push(this.#log.length)
    this.offset = 0
    this.#position = 0
    this.#start = 0
  }

  dropDocument(): void {
    this.#log.truncate(this.#starts.pop()!)
  }

  /**
   * Logs a token; offsets are those in its value.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full
   */
  token(position: number, start: number, end: number, payload: Uint8Array | null): void {
    const out = this.#scratch
    const from = this.offset + start
    const delta = from - this.#start
    out.clear()
    out.varint(position - this.#position)
    out.varint(delta < 0 ? -2 * delta - 1 : 2 * delta)
    out.varint(Math.max(0, end - start))
    const bytes = payload ?? NO_PAYLOAD
    out.varint(bytes.length)
    out.bytes(bytes)
    this.#log.append(out.view(), 0, out.length)
    this.#position = position
    this.#start = from
  }

  /**
   * The vector of a document, as a view that the next one overwrites; null: it has no tokens.
   * @param terms of its tokens, in the order in which they were logged
   * @param table the terms' bytes
   */
  vector(
    entry: number,
    terms: readonly number[],
    { bytes, offsets }: TermBytes,
  ): Uint8Array | null {
    const tokens = this.#tokensOf(entry, terms)
    tokens.sort(
      (a, b) =>
        compareByteRanges(
          bytes,
          offsets[a.term]!,
          offsets[a.term + 1]!,
          bytes,
          offsets[b.term]!,
          offsets[b.term + 1]!,
        ) || a.position - b.position,
    )
    const writer = this.#writer
    for (const [i, { term, position, start, end, payload }] of tokens.entries()) {
      writer.token(position, start, end, payload)
      if (tokens[i + 1]?.term !== term)
        writer.endTerm(bytes.subarray(offsets[term]!, offsets[term + 1]!))
    }
    return writer.finish()
  }

  release(): void {
    this.#log.release()
  }

  #tokensOf(entry: number, terms: readonly number[]): LoggedToken[] {
    const bytes = this.#log.view()
    let at = this.#starts[entry]!
    const varint = (): number => {
      let value = 0
      for (let factor = 1; ; factor *= 0x80) {
        const byte = bytes[at++]!
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    }
    let position = 0
    let start = 0
    return terms.map(term => {
      position += varint()
      const code = varint()
      start += code % 2 === 0 ? code / 2 : -(code + 1) / 2
      const end = start + varint()
      const length = varint()
      const payload = length === 0 ? null : bytes.slice(at, at + length)
      at += length
      return { term, position, start, end, payload }
    })
  }
}
