/**
 * Terms that derived fields make of an analyzer's tokens: beginnings of words, words in a row, and
 * beginnings of those. At most as many positions are held as make a row, however long the text.
 */
import type { TokenSink } from '../analysis/analyzer/analyzer.ts'
import type { TokenTail } from '../schema/field-storage.ts'
import { IllegalArgumentError } from '../util/errors.ts'

const SPACE = 0x20
/** Stands for a position without a token, as in Lucene. */
const FILLER = Uint8Array.of(0x5f)
/** Ways of words in a row that may start at one position, as in Lucene. */
const MAX_PATHS = 1000

/** Makes terms of the tokens of a value, and sends them to another sink. */
export class TailSink implements TokenSink {
  readonly words: null = null
  readonly #tail: TokenTail
  readonly #sink: TokenSink
  /** Tokens by position from `#first` on: of the row that is not complete. */
  #row: Uint8Array[][] = []
  #first = 0

  constructor(tail: TokenTail, sink: TokenSink) {
    this.#tail = tail
    this.#sink = sink
  }

  /** Begins a value. */
  start(): void {
    this.#row = []
  }

  /** @throws {IllegalArgumentError} a term that is too long, or too many at one position */
  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    const tail = this.#tail
    if (tail.kind === 'prefixes') {
      this.#prefixes(bytes, start, end, tail.min, tail.max, position)
      return
    }
    while (this.#row.length > 0 && this.#first + tail.size <= position) {
      // The positions up to the token are empty.
      while (this.#row.length < tail.size) this.#row.push([])
      this.#takeFirst(tail)
      if (this.#row.every(tokens => tokens.length === 0)) this.#row = []
    }
    if (this.#row.length === 0) this.#first = position
    const at = position - this.#first
    while (this.#row.length <= at) this.#row.push([])
    this.#row[at]!.push(bytes.slice(start, end))
  }

  repeated(bytes: Uint8Array, start: number, end: number, position: number): void {
    this.token(bytes, start, end, position)
  }

  /**
   * Ends a value, with the rows that its end cuts short.
   * @throws {IllegalArgumentError} a term that is too long, or too many at one position
   */
  flush(): void {
    const tail = this.#tail
    if (tail.kind === 'prefixes') return
    const min = tail.kind === 'shingles' ? tail.size : 1
    while (this.#row.length >= min) this.#takeFirst(tail)
  }

  /** Sends the terms that start at the first position held, and drops it. */
  #takeFirst(tail: Exclude<TokenTail, { kind: 'prefixes' }>): void {
    const positions = this.#row.slice(0, tail.size)
    for (const row of rows(positions)) {
      if (tail.kind === 'shingles') this.#sink.token(row, 0, row.length, this.#first)
      else this.#prefixes(row, 0, row.length, 1, tail.max, this.#first)
    }
    this.#row.shift()
    this.#first++
  }

  /** @param min and max in code points */
  #prefixes(
    bytes: Uint8Array,
    start: number,
    end: number,
    min: number,
    max: number,
    position: number,
  ): void {
    let length = 0
    for (let at = start; at < end && length < max; ) {
      at++
      while (at < end && (bytes[at]! & 0xc0) === 0x80) at++
      length++
      if (length >= min) this.#sink.token(bytes, start, at, position)
    }
  }
}

/** All ways to take one token of each position, joined by spaces; none where the first has no token. */
function rows(positions: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  let paths: Uint8Array[] = [...(positions[0] ?? [])]
  for (let i = 1; i < positions.length && paths.length > 0; i++) {
    const tokens = positions[i]!.length === 0 ? [FILLER] : positions[i]!
    if (paths.length * tokens.length > MAX_PATHS)
      throw new IllegalArgumentError(`Too many graph paths (> ${MAX_PATHS})`)
    paths = paths.flatMap(path => tokens.map(token => joined(path, token)))
  }
  return paths
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + 1 + b.length)
  bytes.set(a)
  bytes[a.length] = SPACE
  bytes.set(b, a.length + 1)
  return bytes
}
