/**
 * Tokens of a text by looking for their terms in it, where an analyzer takes plain words and of positions no more
 * than short distances count. The characters beside an occurrence mostly tell whether it is a token; else the
 * analyzer does.
 */
import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import { HARD_BREAK, PLAIN_WORD } from '../../../analysis/tokenizer/byte-tokenizer.ts'
import { isBreak, RunFilter, visitPlainWords } from './plain-words.ts'

/** A longer run of letters and digits is cut into several tokens. */
const MAX_WORD = 255
/** Terms beyond which it is faster to go through the words. */
const MAX_TERMS = 8

/** A found token; offsets are those in the text. */
export interface FoundWord {
  readonly term: string
  /** Tells distances from those beside it, up to the reach that was asked for. */
  position: number
  readonly start: number
  readonly end: number
}

/** The tokens that were looked for, and how many the text has, as far as the reach goes between two of them. */
export interface FoundWords {
  readonly found: readonly FoundWord[]
  readonly count: number
}

/** Whether terms can be looked for: there are few, of ASCII letters and digits. */
export function canSearch(terms: ReadonlySet<string>): boolean {
  return terms.size <= MAX_TERMS && [...terms].every(term => /^[a-z0-9]{1,64}$/.test(term))
}

/**
 * The tokens of a text that are one of some terms, those of each in the order of the text.
 * @param analyzer takes plain words
 * @param terms    that can be looked for
 * @param reach    other tokens between two from which on their number does not count; 0: it never does
 * @returns null: the text's words must be gone through
 */
export function searchWords(
  analyzer: Analyzer,
  text: string,
  terms: ReadonlySet<string>,
  reach: number,
): FoundWords | null {
  const lower = text.toLowerCase()
  // A letter whose lower case is longer has moved what is behind it.
  if (lower.length !== text.length) return null
  const found: FoundWord[] = []
  for (const term of terms) {
    let at = lower.indexOf(term)
    // Tokens up to here are known.
    let from = 0
    while (at >= 0) {
      const end = at + term.length
      const before = edgeAt(text, at - 1)
      const after = edgeBehind(text, end)
      if (before === BREAK && after === BREAK) {
        found.push({ term, position: 0, start: at, end })
        from = end
        at = lower.indexOf(term, end)
      } else if (before === WORD || after === WORD) {
        if (isLong(text, at)) return null
        at = lower.indexOf(term, at + 1)
      } else if (reach > 0) return null
      else {
        const start = Math.max(from, blankBefore(text, at))
        const next = blankBehind(text, end)
        if (next - start > MAX_WORD) return null
        const stream = analyzer.stream(text.slice(start, next))
        const { token } = stream
        while (stream.next()) {
          if (token.term !== term) continue
          const { startOffset, endOffset } = token
          found.push({ term, position: 0, start: start + startOffset, end: start + endOffset })
        }
        from = next
        at = lower.indexOf(term, next)
      }
    }
  }
  const count = reach === 0 ? 0 : placeWords(analyzer, text, found, reach)
  return { found, count }
}

/** Gives words their positions; returns the tokens of the text, as far as the reach goes. */
function placeWords(analyzer: Analyzer, text: string, found: FoundWord[], reach: number): number {
  found.sort((a, b) => a.start - b.start)
  let count = 0
  let at = 0
  for (const word of found) {
    count += countWords(analyzer, text, at, word.start, reach)
    word.position = count++
    at = word.end
  }
  return count + countWords(analyzer, text, at, text.length, reach)
}

/** Units that are gone through between two looks at the number of tokens. */
const STEP = 64
const NONE = new RunFilter([])
const ignore = (): void => {}

/** The tokens of a part of a text that breaks bound, no more than the reach. */
function countWords(
  analyzer: Analyzer,
  text: string,
  from: number,
  to: number,
  reach: number,
): number {
  const part = text.slice(from, to)
  const cursor = { at: 0, position: -1 }
  while (cursor.at < part.length && cursor.position + 1 < reach)
    visitPlainWords(
      analyzer,
      part,
      cursor,
      cursor.at + STEP,
      Number.POSITIVE_INFINITY,
      NONE,
      ignore,
    )
  return Math.min(reach, cursor.position + 1)
}

const BREAK = 0
const WORD = 1
const OPEN = 2

/** Meaning of a unit beside a run: it ends a word for sure, is part of it, or neither. */
function edgeAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return BREAK
  const unit = text.charCodeAt(at)
  if (unit >= 128) return OPEN
  if (PLAIN_WORD[unit] !== 0) return WORD
  return HARD_BREAK[unit] === 1 ? BREAK : OPEN
}

/** The same of the unit behind a run, which a mark ends where no letter or digit follows it. */
function edgeBehind(text: string, at: number): number {
  const edge = edgeAt(text, at)
  if (edge !== OPEN) return edge
  const unit = text.charCodeAt(at)
  return unit < 128 && isBreak(text, unit, at) ? BREAK : OPEN
}

/** Whether the run of letters and digits around a unit may be longer than a token. */
function isLong(text: string, at: number): boolean {
  let start = at
  while (start > 0 && at - start <= MAX_WORD && edgeAt(text, start - 1) !== BREAK) start--
  let end = at
  while (end < text.length && end - start <= MAX_WORD && edgeAt(text, end) !== BREAK) end++
  return end - start > MAX_WORD
}

/** Where the stretch between blanks begins that a unit is in. */
function blankBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start <= MAX_WORD && !isBlank(text.charCodeAt(start - 1))) start--
  return start
}

function blankBehind(text: string, at: number): number {
  let end = at
  while (end < text.length && end - at <= MAX_WORD && !isBlank(text.charCodeAt(end))) end++
  return end
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}
