import { CorruptSegmentError } from '../util/errors.ts'
import type { Section } from './section.ts'

/**
 * Reads entries in place whose keys leave out the bytes that they share with the key before:
 *
 *   key    := varint shared, varint rest, u8[rest]
 *   varint := groups of 7 bits, the lowest first; the top bit of a byte: another one follows
 *
 * The first key of a run of entries shares nothing: a move to it sets `at`.
 */
export abstract class EntryCursor {
  protected readonly section: Section
  protected readonly u8: Uint8Array
  /** Address behind the last entry. */
  protected readonly end: number
  /** Address of the next byte. */
  protected at = 0
  /** The key in its first `keyLength` bytes; overwritten by the next move. */
  key: Uint8Array = new Uint8Array(64)
  /** Bytes of the key. */
  keyLength = 0

  constructor(section: Section, end: number) {
    this.section = section
    this.u8 = section.views.u8
    this.end = end
  }

  /** @throws {CorruptSegmentError} a key that passes the end, or shares more than there is */
  protected readKey(): void {
    const { u8 } = this
    const shared = this.varint()
    const rest = this.varint()
    const length = shared + rest
    this.checkEnd(this.at + rest)
    if (shared > this.keyLength) this.corrupt(`at most ${this.keyLength} shared`, `${shared}`)
    if (length > this.key.length) {
      const grown = new Uint8Array(2 * length)
      grown.set(this.key)
      this.key = grown
    }
    const { key, at } = this
    for (let i = 0; i < rest; i++) key[shared + i] = u8[at + i]!
    this.at = at + rest
    this.keyLength = length
  }

  /** Below 2⁵⁶; corrupt bytes may give any number. */
  protected varint(): number {
    const { u8 } = this
    let byte = u8[this.at++]!
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let scale = 0x80
    do {
      byte = u8[this.at++]!
      value += (byte & 0x7f) * scale
      scale *= 0x80
    } while (byte >= 0x80 && scale < 2 ** 49)
    return value
  }

  /** @throws {CorruptSegmentError} an address behind the last entry */
  protected checkEnd(at: number): void {
    if (at > this.end) this.corrupt('an entry inside the section', `${at - this.end} bytes past`)
  }

  protected corrupt(expected: string, found: string): never {
    const { name, start } = this.section
    throw new CorruptSegmentError(name, this.at - start, expected, found)
  }
}
