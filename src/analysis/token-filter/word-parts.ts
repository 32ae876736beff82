/** Finds the parts of a word: between delimiters, at changes of case, between letters and digits. */

/** Kinds of characters, as bits. */
export const LOWER = 1
export const UPPER = 2
export const DIGIT = 4
export const DELIMITER = 8
export const ALPHA: number = LOWER | UPPER
export const ALPHANUM: number = ALPHA | DIGIT

/** Kinds of some UTF-16 units; those not in it have the kinds that Unicode gives them. */
export type UnitKinds = ReadonlyMap<number, number>

const NO_KINDS: UnitKinds = new Map()

/** Where words are cut. */
export interface PartRules {
  readonly onCaseChange: boolean
  readonly onNumerics: boolean
  /** Whether an English 's at the end of a part is left out. */
  readonly dropsPossessive: boolean
  /** Null: Lucene's, in which Latin-1 letters without case are delimiters. */
  readonly kinds: UnitKinds | null
}

/** Steps through the parts of one word after the other. */
export class WordParts {
  readonly #rules: PartRules
  readonly #kinds: Uint8Array
  #text = ''
  /** The word without delimiters around it. */
  #first = 0
  #last = 0
  #endsWithPossessive = false
  #skipsPossessive = false
  /** The part at hand, half open; `end` is −1 behind the last. */
  start = 0
  end = 0

  constructor(rules: PartRules) {
    this.#rules = rules
    this.#kinds = latinKinds(rules.kinds)
  }

  /** Takes a word; call `next` for its first part. */
  open(text: string): void {
    this.#text = text
    let first = 0
    let last = text.length
    while (first < last && this.#isDelimiter(first)) first++
    while (last > first && this.#isDelimiter(last - 1)) last--
    this.#first = first
    this.#last = last
    this.start = first
    this.end = 0
    this.#skipsPossessive = false
    this.#endsWithPossessive = this.#isPossessiveBefore(last)
  }

  /** Moves to the next part; false, and `end` −1, behind the last. */
  next(): boolean {
    const text = this.#text
    this.start = this.end
    if (this.end < 0) return false
    if (this.#skipsPossessive) {
      this.start += 2
      this.#skipsPossessive = false
    }
    let kind = 0
    while (
      this.start < this.#last &&
      ((kind = this.#kindAt(text.charCodeAt(this.start))) & DELIMITER) !== 0
    )
      this.start++
    if (this.start >= this.#last) {
      this.end = -1
      return false
    }
    let end = this.start + 1
    for (; end < this.#last; end++) {
      const next = this.#kindAt(text.charCodeAt(end))
      if (this.#isBreak(kind, next)) break
      kind = next
    }
    this.end = end
    this.#skipsPossessive = end < this.#last - 1 && this.#isPossessiveBefore(end + 2)
    return true
  }

  /** Kinds of the part at hand: those of its first character, both cases as letters. */
  get kind(): number {
    if (this.end < 0) return 0
    const kind = this.#kindAt(this.#text.charCodeAt(this.start))
    return kind === LOWER || kind === UPPER ? ALPHA : kind
  }

  /** Whether the part at hand is the whole word but delimiters and a possessive around it. */
  get isSingle(): boolean {
    const end = this.#endsWithPossessive ? this.#last - 2 : this.#last
    return this.start === this.#first && this.end === end
  }

  #isBreak(before: number, after: number): boolean {
    if ((before & after) !== 0) return false
    const { onCaseChange, onNumerics } = this.#rules
    const isAlphaBefore = (before & ALPHA) !== 0
    const isAlphaAfter = (after & ALPHA) !== 0
    if (!onCaseChange && isAlphaBefore && isAlphaAfter) return false
    // A capital belongs to what follows it.
    if ((before & UPPER) !== 0 && isAlphaAfter) return false
    if (onNumerics) return true
    const isDigitBefore = (before & DIGIT) !== 0
    const isDigitAfter = (after & DIGIT) !== 0
    return !((isAlphaBefore && isDigitAfter) || (isDigitBefore && isAlphaAfter))
  }

  #isPossessiveBefore(end: number): boolean {
    if (!this.#rules.dropsPossessive || end <= 2) return false
    const text = this.#text
    const last = text.charAt(end - 1)
    return (
      text.charAt(end - 2) === "'" &&
      (last === 's' || last === 'S') &&
      (this.#kindAt(text.charCodeAt(end - 3)) & ALPHA) !== 0 &&
      (end === this.#last || this.#isDelimiter(end))
    )
  }

  #isDelimiter(at: number): boolean {
    return (this.#kindAt(this.#text.charCodeAt(at)) & DELIMITER) !== 0
  }

  #kindAt(unit: number): number {
    if (unit < 256) return this.#kinds[unit]!
    return this.#rules.kinds?.get(unit) ?? unicodeKind(unit)
  }
}

function latinKinds(own: UnitKinds | null): Uint8Array {
  const kinds = new Uint8Array(256)
  for (let unit = 0; unit < 256; unit++) {
    const kind = unicodeKind(unit)
    const isOfOneKind = kind === LOWER || kind === UPPER || /\p{Nd}/u.test(char(unit))
    // Without a table of the user's, only what has a case or is a digit counts as part of a word:
    // ª and º do, as Java's lower case, ² and ¼ do not.
    const isOrdinal = unit === 0xaa || unit === 0xba
    kinds[unit] = own !== null || isOfOneKind ? kind : isOrdinal ? LOWER : DELIMITER
  }
  for (const [unit, kind] of own ?? NO_KINDS) if (unit < 256) kinds[unit] = kind
  return kinds
}

function char(unit: number): string {
  return String.fromCharCode(unit)
}

function unicodeKind(unit: number): number {
  const text = char(unit)
  // Halves of pairs are cut from nothing.
  if (unit >= 0xd800 && unit < 0xe000) return ALPHANUM
  if (/\p{Lu}/u.test(text)) return UPPER
  if (/\p{Ll}/u.test(text)) return LOWER
  if (/[\p{L}\p{M}]/u.test(text)) return ALPHA
  return /\p{N}/u.test(text) ? DIGIT : DELIMITER
}
