import { segmenterOf, type TextBreaks } from './text-breaks.ts'

/** Kinds of ASCII characters in the rules of word boundaries (UAX #29). */
const OTHER = 0
const LETTER = 1
const DIGIT = 2
const UNDERSCORE = 3
/** Stands between letters. */
const MID_LETTER = 4
/** Stands between digits. */
const MID_NUMBER = 5
/** Stands between either. */
const MID_BOTH = 6
const SPACE = 7
const RETURN = 8
const NEWLINE = 9

const KINDS = new Uint8Array(128)
let isMade = false

/** Makes the table with the first text: what a colon is depends on the release of Unicode. */
function makeKinds(): void {
  if (isMade) return
  isMade = true
  const colon = segmenterOf(null, 'word').segment('a:b').containing(0)
  const colonJoins = colon?.segment === 'a:b'
  for (let unit = 0; unit < 128; unit++) KINDS[unit] = kindOf(String.fromCharCode(unit), colonJoins)
}

function kindOf(char: string, colonJoins: boolean): number {
  if (/[a-zA-Z]/.test(char)) return LETTER
  if (/[0-9]/.test(char)) return DIGIT
  if (char === '_') return UNDERSCORE
  if (char === ':' && colonJoins) return MID_LETTER
  if (char === ',' || char === ';') return MID_NUMBER
  if (char === '.' || char === "'") return MID_BOTH
  if (char === ' ') return SPACE
  if (char === '\r') return RETURN
  if (char === '\n' || char === '\v' || char === '\f') return NEWLINE
  return OTHER
}

/**
 * Word breaks of a text. Where the two characters on either side of an offset are ASCII, these alone
 * say whether it is one; others are left to `icu`, which gives the same.
 */
export class AsciiWordBreaks implements TextBreaks {
  readonly #text: string
  readonly #icu: TextBreaks

  constructor(text: string, icu: TextBreaks) {
    makeKinds()
    this.#text = text
    this.#icu = icu
  }

  preceding(offset: number): number {
    const text = this.#text
    if (offset <= 0) return -1
    if (offset > text.length) return text.length
    for (let at = offset - 1; at > 0; at--) {
      const is = isBreak(text, at)
      if (is === null) return this.#icu.preceding(at + 1)
      if (is) return at
    }
    return 0
  }

  following(offset: number): number {
    const text = this.#text
    if (offset >= text.length) return -1
    if (offset < 0) return 0
    for (let at = offset + 1; at < text.length; at++) {
      const is = isBreak(text, at)
      if (is === null) return this.#icu.following(at - 1)
      if (is) return at
    }
    return text.length
  }
}

/** Whether a word ends or begins at an offset within the text; null: ASCII does not tell. */
function isBreak(text: string, at: number): boolean | null {
  const before = kindAt(text, at - 1)
  const after = kindAt(text, at)
  if (before < 0 || after < 0) return null
  if (before === RETURN) return after !== NEWLINE || text.charCodeAt(at) !== 0x0a
  if (before === SPACE) {
    // A mark behind a space would belong to it.
    return after !== SPACE
  }
  const joinsBefore = before === LETTER || before === DIGIT || before === UNDERSCORE
  const joinsAfter = after === LETTER || after === DIGIT || after === UNDERSCORE
  if (joinsBefore && joinsAfter) return false
  if (joinsBefore && after >= MID_LETTER && after <= MID_BOTH) {
    const next = kindAt(text, at + 1)
    return next < 0 ? null : !joins(before, after, next)
  }
  if (joinsAfter && before >= MID_LETTER && before <= MID_BOTH) {
    const previous = kindAt(text, at - 2)
    return previous < 0 ? null : !joins(previous, before, after)
  }
  return true
}

/** Whether a character holds the two beside it together. */
function joins(before: number, mid: number, after: number): boolean {
  if (before === LETTER && after === LETTER) return mid !== MID_NUMBER
  return before === DIGIT && after === DIGIT && mid !== MID_LETTER
}

/** The kind of a unit, that of a line's end outside of the text; −1: not ASCII. */
function kindAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return NEWLINE
  const unit = text.charCodeAt(at)
  return unit < 128 ? KINDS[unit]! : -1
}
