/**
 * Terms that derived fields make of an analyzer's tokens: beginnings of words, words in a row, and
 * beginnings of those. Tokens of one value are gathered and then made into terms.
 */
import type { TokenSink } from '../analysis/analyzer/analyzer.ts'
import type { TokenTail } from '../schema/field-storage.ts'
import { IllegalArgumentError } from '../util/errors.ts'

const SPACE = 0x20
/** Stands for a position without a token, as in Lucene. */
const FILLER = Uint8Array.of(0x5f)
/** Ways of words in a row that may start at one position, as in Lucene. */
const MAX_PATHS = 1000

/** Gathers the tokens of a value, and sends the terms made of them to a sink. */
export class TailSink implements TokenSink {
  readonly words: null = null
  readonly #tail: TokenTail
  readonly #sink: TokenSink
  /** Tokens by position from the first on; a position without any has none. */
  #positions: Uint8Array[][] = []
  #first = 0

  constructor(tail: TokenTail, sink: TokenSink) {
    this.#tail = tail
    this.#sink = sink
  }

  /** Begins a value. */
  start(): void {
    this.#positions = []
  }

  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (this.#positions.length === 0) this.#first = position
    const at = position - this.#first
    while (this.#positions.length <= at) this.#positions.push([])
    this.#positions[at]!.push(bytes.slice(start, end))
  }

  repeated(bytes: Uint8Array, start: number, end: number, position: number): void {
    this.token(bytes, start, end, position)
  }

  /**
   * Sends the terms of the value that was gathered.
   * @throws {IllegalArgumentError} a term that is too long, or too many at one position
   */
  flush(): void {
    const tail = this.#tail
    const positions = this.#positions
    for (const [at, tokens] of positions.entries()) {
      const position = this.#first + at
      if (tail.kind === 'prefixes')
        for (const token of tokens) this.#prefixes(token, tail.min, tail.max, position)
      else if (tail.kind === 'shingles') {
        if (at + tail.size > positions.length) break
        for (const row of rows(positions.slice(at, at + tail.size)))
          this.#sink.token(row, 0, row.length, position)
      } else
        for (const row of rows(positions.slice(at, at + tail.size)))
          this.#prefixes(row, 1, tail.max, position)
    }
  }

  /** @param min and max in code points */
  #prefixes(token: Uint8Array, min: number, max: number, position: number): void {
    let length = 0
    for (let at = 0; at < token.length && length < max; ) {
      at++
      while (at < token.length && (token[at]! & 0xc0) === 0x80) at++
      length++
      if (length >= min) this.#sink.token(token, 0, at, position)
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
