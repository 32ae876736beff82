/**
 * Tokens of a text by an analyzer of plain words: runs of ASCII letters and digits are taken as they stand,
 * without a string for those that cannot be looked for; the analyzer's stream takes the rest.
 */
import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import { HARD_BREAK, NO_START, PLAIN_WORD } from '../../../analysis/tokenizer/byte-tokenizer.ts'

const UNDERSCORE = 0x5f

/** Longest run that is taken; tokens may be shorter than longer ones. */
const MAX_RUN = 64

/** Receives tokens that may be looked for. */
export type VisitToken = (term: string, position: number, start: number, end: number) => void

/** Tells which runs may be one of some terms, by their first letter and their length. */
export class RunFilter {
  /** By first character in lower case, a bit for each length up to 31, and bit 0 for longer ones. */
  readonly #lengths = new Int32Array(128)
  readonly #isOpen: boolean

  /** @param terms null: any */
  constructor(terms: Iterable<string> | null) {
    this.#isOpen = terms === null
    for (const term of terms ?? []) {
      const first = term.charCodeAt(0)
      if (first < 128) this.#lengths[first] = this.#lengths[first]! | bitOf(term.length)
    }
  }

  /** @param first in lower case */
  mayHave(first: number, length: number): boolean {
    return this.#isOpen || (this.#lengths[first]! & bitOf(length)) !== 0
  }
}

function bitOf(length: number): number {
  return length < 32 ? 1 << length : 1
}

/** How far the tokens of a text were visited. */
export interface TextCursor {
  /** Offset in the text; its length where all were. */
  at: number
  /** Position of the last token; −1: none. */
  position: number
}

/**
 * Visits tokens of a text that a filter lets through, and some that it would not.
 * @param analyzer takes plain words
 * @param cursor where to begin; moved to where it stopped
 * @param until  offset behind which it stops at the end of a token
 * @param limit  tokens that start behind it are left out
 */
export function visitPlainWords(
  analyzer: Analyzer,
  text: string,
  cursor: TextCursor,
  until: number,
  limit: number,
  filter: RunFilter,
  visit: VisitToken,
): void {
  const { length } = text
  let place = cursor.position
  let at = cursor.at
  cursor.at = length
  while (at < length) {
    if (at >= until) {
      cursor.at = at
      break
    }
    let first = text.charCodeAt(at)
    while (at < length && first < 128 && NO_START[first] === 1) {
      at++
      first = at < length ? text.charCodeAt(at) : 0
    }
    if (at === length || at > limit) break
    let end = at
    let unit = first
    while (unit < 128 && PLAIN_WORD[unit] !== 0 && end - at < MAX_RUN) {
      end++
      unit = end < length ? text.charCodeAt(end) : 0x20
    }
    if (end > at && unit < 128 && isBreak(text, unit, end)) {
      place++
      if (filter.mayHave(PLAIN_WORD[first]!, end - at))
        visit(text.slice(at, end).toLowerCase(), place, at, end)
      at = end
      continue
    }
    // No token goes over a blank.
    end = at
    while (end < length && !isBlank(text.charCodeAt(end))) end++
    const stream = analyzer.stream(text.slice(at, end))
    const { token } = stream
    while (stream.next()) {
      place += token.positionIncrement
      if (at + token.startOffset > limit) {
        cursor.position = place
        return
      }
      visit(token.term, place, at + token.startOffset, at + token.endOffset)
    }
    at = end
  }
  cursor.position = place
}

/** Whether a word ends ahead of an ASCII character: a mark joins words only where one follows it. */
export function isBreak(text: string, unit: number, at: number): boolean {
  if (HARD_BREAK[unit] === 1) return true
  if (unit === UNDERSCORE || PLAIN_WORD[unit] !== 0) return false
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0x20
  return next < 128 && HARD_BREAK[next] === 1
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}
