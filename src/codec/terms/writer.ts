import { ByteWriter } from '../../util/byte-writer.ts'
import {
  GROUP_TERMS,
  INDEX_ENTRY_BYTES,
  TERMS_HEADER_BYTES,
  TERMS_PADDING_BYTES,
  TERMS_VERSION,
} from './format.ts'

/** Offsets in the postings before a group's first term. */
export interface GroupStart {
  readonly firstBlock: number
  readonly tailAt: number
  readonly positionsAt: number
}

/**
 * Writes a dictionary, term by term. `startTerm` writes the term itself, the caller then appends
 * the rest of the entry to `entries` in the layout of `format.ts`.
 */
export class TermsWriter {
  /** Receives the rest of an entry, after the term's bytes. */
  readonly entries: ByteWriter = new ByteWriter(4096)
  readonly #index = new ByteWriter(1024)
  readonly #flags: number
  #last = new Uint8Array(64)
  #lastLength = 0
  #termCount = 0

  constructor(flags: number) {
    this.#flags = flags
  }

  get termCount(): number {
    return this.#termCount
  }

  /** Starts the entry of `bytes[start, end)`, which must be above all earlier terms. */
  startTerm(bytes: Uint8Array, start: number, end: number, at: GroupStart): void {
    const length = end - start
    let shared = 0
    if (this.#termCount % GROUP_TERMS === 0) {
      this.#index.u32(this.entries.length)
      this.#index.u32(at.firstBlock)
      this.#index.u32(at.tailAt)
      this.#index.u32(at.positionsAt)
    } else {
      const last = this.#last
      const limit = Math.min(length, this.#lastLength)
      while (shared < limit && last[shared] === bytes[start + shared]) shared++
    }
    this.entries.varint(shared)
    this.entries.varint(length - shared)
    this.entries.bytes(bytes, start + shared, end)
    if (length > this.#last.length) this.#last = new Uint8Array(length * 2)
    const last = this.#last
    for (let i = shared; i < length; i++) last[i] = bytes[start + i]!
    // The first term of a group shares nothing, so its whole text was copied.
    this.#lastLength = length
    this.#termCount++
  }

  finish(): Uint8Array {
    const groupCount = Math.ceil(this.#termCount / GROUP_TERMS)
    const index = TERMS_HEADER_BYTES
    const groups = index + groupCount * INDEX_ENTRY_BYTES
    const end = groups + this.entries.length
    const out = new ByteWriter(end + TERMS_PADDING_BYTES)
    out.u32(TERMS_VERSION)
    out.u32(this.#flags)
    out.u32(this.#termCount)
    out.u32(groupCount)
    out.u32(index)
    out.u32(groups)
    out.u32(end)
    out.u32(0)
    const entries = this.#index.copy()
    const view = new DataView(entries.buffer)
    for (let at = 0; at < entries.length; at += INDEX_ENTRY_BYTES)
      view.setUint32(at, view.getUint32(at, true) + groups, true)
    out.bytes(entries)
    out.bytes(this.entries.view())
    out.bytes(new Uint8Array(TERMS_PADDING_BYTES))
    return out.view()
  }
}
