/**
 * Lines of sources behind those of bundled code, by the source maps that the build writes beside it: traces and sampled stacks
 * name modules. Format: ECMA-426, "mappings".
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A line of a source. */
export interface SourceLine {
  /** From the root of `src/`, as `shard/shard.ts`. */
  readonly file: string
  /** From 1 on. */
  readonly line: number
}

/** Values of a letter of base 64, by its code. */
const DIGITS = new Uint8Array(128)
for (const [i, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  DIGITS[letter.charCodeAt(0)] = i

/** A digit has five bits, and one more where another follows. */
const DIGIT_BITS = 5
const CONTINUES = 1 << DIGIT_BITS

const SEMICOLON = ';'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)

/** Order of the numbers of a segment that are of use here. */
const SOURCE_AT = 1
const LINE_AT = 2

/** Maps that were read, by the URL of the code; null where there is none. */
const READ = new Map<string, SourceLines | null>()

/**
 * The line of a source that a line of bundled code was made of.
 * @param url  URL of the file of the code
 * @param line from 1 on
 * @returns null for code that has no map, as that which runs from source
 */
export function sourceLine(url: string, line: number): SourceLine | null {
  let lines = READ.get(url)
  if (lines === undefined) {
    lines = readLines(url)
    READ.set(url, lines)
  }
  return lines?.at(line) ?? null
}

function readLines(url: string): SourceLines | null {
  if (!url.startsWith('file:') || url.endsWith('.ts')) return null
  let text: string
  try {
    text = readFileSync(`${fileURLToPath(url)}.map`, 'utf8')
  } catch {
    return null
  }
  const { sources, mappings } = JSON.parse(text) as { sources: string[]; mappings: string }
  return new SourceLines(sources, mappings)
}

/** For each line of code the first place that it was made of: the rest of a line comes from the same one. */
class SourceLines {
  readonly #sources: readonly string[]
  /** Ord of the source + 1, or 0 for none. */
  readonly #sourceOf: Uint32Array
  /** Lines from 0 on. */
  readonly #lineOf: Uint32Array

  constructor(sources: readonly string[], mappings: string) {
    let count = 1
    for (let i = 0; i < mappings.length; i++) if (mappings.charCodeAt(i) === SEMICOLON) count++
    this.#sources = sources
    this.#sourceOf = new Uint32Array(count)
    this.#lineOf = new Uint32Array(count)
    this.#read(mappings)
  }

  at(line: number): SourceLine | null {
    const source = this.#sources[(this.#sourceOf[line - 1] ?? 0) - 1]
    if (source === undefined) return null
    return { file: source.replace(/^.*?\/?src\//, ''), line: this.#lineOf[line - 1]! + 1 }
  }

  /** Numbers are differences to those before: those of a source and of its line run on through all lines. */
  #read(mappings: string): void {
    let at = 0
    let source = 0
    let sourceLine = 0
    let field = 0
    let value = 0
    let shift = 0
    for (let i = 0; i < mappings.length; i++) {
      const code = mappings.charCodeAt(i)
      if (code === SEMICOLON || code === COMMA) {
        if (code === SEMICOLON) at++
        field = 0
        continue
      }
      const digit = DIGITS[code]!
      value |= (digit & (CONTINUES - 1)) << shift
      shift += DIGIT_BITS
      if ((digit & CONTINUES) !== 0) continue
      // The lowest bit is the sign.
      const difference = (value & 1) === 0 ? value >>> 1 : -(value >>> 1)
      if (field === SOURCE_AT) source += difference
      else if (field === LINE_AT) {
        sourceLine += difference
        if (this.#sourceOf[at] === 0) {
          this.#sourceOf[at] = source + 1
          this.#lineOf[at] = sourceLine
        }
      }
      field++
      value = 0
      shift = 0
    }
  }
}
