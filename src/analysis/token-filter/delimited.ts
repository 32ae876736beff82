/** The part of a term behind a delimiter: a payload or a term frequency. */
import { encodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { TokenFilter, type TokenStream } from '../token-stream.ts'

/** How a payload's text becomes bytes: four, big-endian, for numbers. */
export type PayloadEncoding = 'float' | 'int' | 'identity'

/** Cuts terms at the first delimiter; the rest is the token's payload. */
export class DelimitedPayloadFilter extends TokenFilter {
  readonly #delimiter: string
  readonly #encoding: PayloadEncoding

  /** @param delimiter one UTF-16 unit */
  constructor(input: TokenStream, delimiter: string, encoding: PayloadEncoding) {
    super(input)
    this.#delimiter = delimiter
    this.#encoding = encoding
  }

  /** @throws {IllegalArgumentError} a payload that is no number of the encoding */
  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    const at = token.term.indexOf(this.#delimiter)
    if (at < 0) token.payload = null
    else {
      token.payload = encodePayload(token.term.slice(at + 1), this.#encoding)
      token.term = token.term.slice(0, at)
    }
    return true
  }
}

/** Cuts terms at the first delimiter; the rest is how often the term counts. */
export class DelimitedTermFrequencyFilter extends TokenFilter {
  readonly #delimiter: string

  /** @param delimiter one UTF-16 unit */
  constructor(input: TokenStream, delimiter: string) {
    super(input)
    this.#delimiter = delimiter
  }

  /** @throws {IllegalArgumentError} no whole number above 0 */
  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    const at = token.term.indexOf(this.#delimiter)
    if (at < 0) return true
    const frequency = wholeNumber(token.term.slice(at + 1))
    if (frequency < 1)
      throw new IllegalArgumentError(`Term frequency must be 1 or greater; got ${frequency}`)
    token.termFrequency = frequency
    token.term = token.term.slice(0, at)
    return true
  }
}

/** Makes each token's type its payload. */
export class TypeAsPayloadFilter extends TokenFilter {
  next(): boolean {
    if (!this.input.next()) return false
    const { type } = this.token
    if (type !== '') this.token.payload = encodeUtf8(type)
    return true
  }
}

function encodePayload(text: string, encoding: PayloadEncoding): Uint8Array {
  if (encoding === 'identity') return encodeUtf8(text)
  const bytes = new Uint8Array(4)
  const view = new DataView(bytes.buffer)
  if (encoding === 'int') view.setInt32(0, wholeNumber(text))
  else view.setFloat32(0, floatNumber(text))
  return bytes
}

function floatNumber(text: string): number {
  const plain = text.trim()
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[fd]?$/i.test(plain))
    return Number(plain.replace(/[fd]$/i, ''))
  if (/^[+-]?(NaN|Infinity)$/.test(plain)) return Number(plain.replace(/^[+-]NaN$/, 'NaN'))
  throw notNumber(text)
}

function wholeNumber(text: string): number {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= -(2 ** 31) && value < 2 ** 31) return value
  throw notNumber(text)
}

function notNumber(text: string): IllegalArgumentError {
  return new IllegalArgumentError(
    text.trim() === '' ? 'empty String' : `For input string: "${text}"`,
  )
}
