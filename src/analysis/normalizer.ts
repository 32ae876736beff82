/** Makes one term of a keyword. */
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { Chain } from './analyzer/chain.ts'
import type { AnalyzerParts } from './component.ts'
import { LOWERCASE_GROWTH, lowerCaseInto } from './token-filter/lowercase.ts'
import { Utf8Scratch } from './utf8.ts'

/** A normalizer; safe to use again and again on one thread. */
export interface Normalizer {
  readonly name: string
  readonly parts: AnalyzerParts
  /** The last output of `normalize`, from 0 on. */
  readonly output: Uint8Array
  /**
   * Makes the normal form of `bytes[start, end)`, well-formed UTF-8, in `output`.
   * @returns its length in bytes
   * @throws {IllegalArgumentError} the chain made other than one term
   */
  normalize(bytes: Uint8Array, start: number, end: number): number
}

/** The normal form of a string. */
export function normalizeText(normalizer: Normalizer, text: string): string {
  const bytes = encodeUtf8(text)
  const length = normalizer.normalize(bytes, 0, bytes.length)
  return decodeUtf8(normalizer.output.subarray(0, length))
}

/** Makes a normalizer of a chain over the keyword tokenizer. */
export function makeNormalizer(name: string, parts: AnalyzerParts): Normalizer {
  const isLowercase = parts.filters.every(filter => filter.fast?.kind === 'lowercase')
  if (parts.charFilters.length === 0 && isLowercase) return new ByteNormalizer(name, parts)
  return new ChainNormalizer(name, parts)
}

/** Lower case or nothing, over bytes in place. */
class ByteNormalizer implements Normalizer {
  readonly name: string
  readonly parts: AnalyzerParts
  output: Uint8Array = new Uint8Array(256)

  constructor(name: string, parts: AnalyzerParts) {
    this.name = name
    this.parts = parts
  }

  normalize(bytes: Uint8Array, start: number, end: number): number {
    const most = Math.ceil((end - start) * LOWERCASE_GROWTH)
    if (most > this.output.length) this.output = new Uint8Array(most * 2)
    if (this.parts.filters.length > 0) return lowerCaseInto(bytes, start, end, this.output, 0)
    this.output.set(bytes.subarray(start, end))
    return end - start
  }
}

class ChainNormalizer implements Normalizer {
  readonly name: string
  readonly parts: AnalyzerParts
  readonly #scratch = new Utf8Scratch()
  #chain: Chain | null = null

  constructor(name: string, parts: AnalyzerParts) {
    this.name = name
    this.parts = parts
  }

  get output(): Uint8Array {
    return this.#scratch.bytes
  }

  normalize(bytes: Uint8Array, start: number, end: number): number {
    this.#chain ??= new Chain(this.parts)
    const stream = this.#chain.open(decodeUtf8(bytes.subarray(start, end)))
    let count = 0
    let length = 0
    while (stream.next()) {
      count++
      length = this.#scratch.put(stream.token.term)
    }
    stream.end()
    if (count !== 1)
      throw new IllegalArgumentError(
        `The normalization token stream is expected to produce exactly 1 token, but got ${count}`,
      )
    return length
  }
}
