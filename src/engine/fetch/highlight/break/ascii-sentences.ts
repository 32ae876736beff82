import { segmenterOf, type TextBreaks } from './text-breaks.ts'

/** Kinds of ASCII characters in the rules of sentence boundaries (UAX #29). */
const OTHER = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SPACE = 4
const CLOSE = 5
/** Follows a full stop without beginning a sentence. */
const CONTINUES = 6
const FULL_STOP = 7
const ENDS = 8
const LINE_END = 9

const KINDS = new Uint8Array(128)
let isMade = false

/** Makes the table with the first text: what a semicolon is depends on the release of Unicode. */
function makeKinds(): void {
  if (isMade) return
  isMade = true
  const semicolon = segmenterOf(null, 'sentence').segment('A? ; A').containing(0)
  const semicolonContinues = semicolon?.segment === 'A? ; A'
  for (let unit = 0; unit < 128; unit++)
    KINDS[unit] = kindOf(String.fromCharCode(unit), semicolonContinues)
}

function kindOf(char: string, semicolonContinues: boolean): number {
  if (/[a-z]/.test(char)) return LOWER
  if (/[A-Z]/.test(char)) return UPPER
  if (/[0-9]/.test(char)) return DIGIT
  if (char === ' ' || char === '\t' || char === '\v' || char === '\f') return SPACE
  if ('"\'()[]{}'.includes(char)) return CLOSE
  if (',-:'.includes(char)) return CONTINUES
  if (char === ';' && semicolonContinues) return CONTINUES
  if (char === '.') return FULL_STOP
  if (char === '!' || char === '?') return ENDS
  if (char === '\n' || char === '\r') return LINE_END
  return OTHER
}

/** Units that are looked through, backwards, for a place that begins a sentence for sure. */
const MAX_BACK = 4096

/** Told where a character is not known here. */
const UNKNOWN = -2

/**
 * Sentence breaks of a text. Where ASCII and the common marks and letters of Latin texts decide, breaks are
 * found here; others are left to `icu`, which gives the same.
 */
export class AsciiSentenceBreaks implements TextBreaks {
  readonly #text: string
  readonly #icu: TextBreaks
  /** A sentence that was found. */
  #start = 0
  #end = 0

  constructor(text: string, icu: TextBreaks) {
    makeKinds()
    this.#text = text
    this.#icu = icu
  }

  preceding(offset: number): number {
    const { length } = this.#text
    if (offset <= 0) return -1
    if (offset > length) return length
    return this.#find(offset - 1) ? this.#start : this.#icu.preceding(offset)
  }

  following(offset: number): number {
    if (offset >= this.#text.length) return -1
    if (offset < 0) return 0
    return this.#find(offset) ? this.#end : this.#icu.following(offset)
  }

  /** Finds the sentence of a unit; false: it is left to ICU. */
  #find(at: number): boolean {
    if (at >= this.#start && at < this.#end) return true
    let start = this.#end
    if (at < start || at - start > MAX_BACK) start = sureStart(this.#text, at)
    if (start < 0) return false
    for (;;) {
      const end = sentenceEnd(this.#text, start)
      if (end < 0) return false
      this.#start = start
      this.#end = end
      if (at < end) return true
      start = end
    }
  }
}

/** A break at or below an offset that needs no look at what is ahead of it; −1: none is near. */
function sureStart(text: string, at: number): number {
  const last = Math.max(1, at - MAX_BACK)
  for (let i = at; i >= last; i--) {
    const before = kindAt(text, i - 1)
    // Between the two halves of a line's end there is no break.
    if (before === LINE_END && kindAt(text, i) !== LINE_END) return i
    if (before === SPACE && kindAt(text, i) === UPPER && isEnd(kindAt(text, i - 2))) return i
  }
  return last === 1 ? 0 : -1
}

/** Whether a kind ends a sentence that a blank and a capital follow. */
function isEnd(kind: number): boolean {
  return kind === FULL_STOP || kind === ENDS
}

/** Where a sentence ends that begins at an offset below the text's end; `UNKNOWN`: it is left to ICU. */
function sentenceEnd(text: string, start: number): number {
  const { length } = text
  let at = start
  while (at < length) {
    const kind = kindAt(text, at)
    if (kind < 0) return UNKNOWN
    if (kind === LINE_END) return behindLineEnd(text, at)
    if (kind !== FULL_STOP && kind !== ENDS) {
      at++
      continue
    }
    if (kind === FULL_STOP) {
      const next = kindAt(text, at + 1)
      if (next === UNKNOWN) return UNKNOWN
      const before = at > start ? kindAt(text, at - 1) : OTHER
      const isWithinWord = (before === UPPER || before === LOWER) && next === UPPER
      if (next === DIGIT || isWithinWord) {
        at++
        continue
      }
    }
    let end = at + 1
    while (kindAt(text, end) === CLOSE) end++
    while (kindAt(text, end) === SPACE) end++
    const follows = kindAt(text, end)
    if (follows === UNKNOWN) return UNKNOWN
    if (kind === FULL_STOP) {
      const goesOn = leadsToLower(text, end)
      if (goesOn === null) return UNKNOWN
      if (goesOn) {
        at = end
        continue
      }
    }
    if (follows === CONTINUES || follows === FULL_STOP || follows === ENDS) {
      at = end
      continue
    }
    return follows === LINE_END && end < length ? behindLineEnd(text, end) : end
  }
  return length
}

/** Whether a small letter is the first of what could begin a sentence; null: it is left to ICU. */
function leadsToLower(text: string, from: number): boolean | null {
  for (let at = from; at < text.length; at++) {
    const kind = kindAt(text, at)
    if (kind === UNKNOWN) return null
    if (kind === LOWER) return true
    if (kind === UPPER || kind === LINE_END || kind === FULL_STOP || kind === ENDS) return false
  }
  return false
}

function behindLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1
}

/** The kinds of other characters that are common in texts of Latin letters. */
function kindBeyond(unit: number): number {
  if (unit <= 0xff) return unit < 0xa0 ? UNKNOWN : kindInLatin(unit)
  if (unit === 0x2018 || unit === 0x2019 || unit === 0x201c || unit === 0x201d) return CLOSE
  if (unit === 0x2013 || unit === 0x2014) return CONTINUES
  // Bullets and ellipses, arrows, operators.
  if (unit === 0x2022 || unit === 0x2026) return OTHER
  return unit >= 0x2190 && unit <= 0x22ff ? OTHER : UNKNOWN
}

/** @param unit from U+00A0 to U+00FF */
function kindInLatin(unit: number): number {
  if (unit >= 0xc0) return unit === 0xd7 || unit === 0xf7 ? OTHER : unit < 0xdf ? UPPER : LOWER
  switch (unit) {
    case 0xa0:
      return SPACE
    case 0xab:
    case 0xbb:
      return CLOSE
    case 0xaa:
    case 0xb5:
    case 0xba:
      return LOWER
    // A soft hyphen is no part of what rules look at.
    case 0xad:
      return UNKNOWN
    default:
      return OTHER
  }
}

/** The kind of a unit, `OTHER` outside of the text; `UNKNOWN`: another than those known here. */
function kindAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return OTHER
  const unit = text.charCodeAt(at)
  return unit < 128 ? KINDS[unit]! : kindBeyond(unit)
}
