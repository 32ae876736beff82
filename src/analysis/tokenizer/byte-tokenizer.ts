/**
 * Tokenizers that cut UTF-8 bytes in place: a token is a range of the input, and moving to the next
 * one allocates nothing. The input must be well-formed UTF-8 (the JSON reader has seen to it).
 *
 * Tokens longer than `maxTokenLength` UTF-16 units are split there, as Lucene splits them.
 */
import { codePointAt, utf8Length } from '../utf8.ts'
import { TOKEN_TYPES } from './generated/word-break-data.ts'
import {
  ASCII_CLASSES,
  ASCII_LOWER,
  isBlank,
  isLetter,
  WORD_BREAK_NEXT,
  WORD_BREAK_SHIFT,
  WORD_BREAK_TYPES,
  wordBreakClass,
} from './unicode-tables.ts'

/** Cuts text into tokens; `start`, `end` and `type` describe the last one. */
export interface ByteTokenizer {
  readonly name: string
  start: number
  end: number
  /** As `_analyze` prints it: `word`, `<ALPHANUM>`, … */
  readonly type: string
  /** Moves to the first token that starts in `bytes[from, end)`; false when there is none. */
  next(bytes: Uint8Array, from: number, end: number): boolean
}

/** The default of every tokenizer that has the option. */
export const MAX_TOKEN_LENGTH = 255

/**
 * Lower case of ASCII letters and digits, 0 for all else: what a word of the standard tokenizer is
 * mostly made of.
 */
export const PLAIN_WORD: Uint8Array = Uint8Array.from({ length: 256 }, (_, b) =>
  (b >= 0x30 && b <= 0x39) || isAsciiLetter(b) ? ASCII_LOWER[b]! : 0,
)

/** ASCII that ends every word of letters and digits before it; nothing behind it can join them. */
export const HARD_BREAK: Uint8Array = hardBreaks()

/** ASCII that no token starts with. */
export const NO_START: Uint8Array = Uint8Array.from({ length: 256 }, (_, b) =>
  b < 128 && WORD_BREAK_NEXT[(1 << WORD_BREAK_SHIFT) | ASCII_CLASSES[b]!] === 0 ? 1 : 0,
)

function isAsciiLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

/** The automaton's states after letters and digits. */
function wordStates(): ReadonlySet<number> {
  const reached = new Set([1])
  for (const state of reached)
    for (let b = 0; b < 128; b++) if (PLAIN_WORD[b] !== 0) reached.add(step(state, b))
  reached.delete(1)
  return reached
}

function step(state: number, byte: number): number {
  return WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | ASCII_CLASSES[byte]!]!
}

/** Asks the automaton: a byte that leads nowhere from every state that letters and digits reach. */
function hardBreaks(): Uint8Array {
  const states = [...wordStates()]
  return Uint8Array.from({ length: 256 }, (_, b) =>
    b < 128 && PLAIN_WORD[b] === 0 && states.every(state => step(state, b) === 0) ? 1 : 0,
  )
}

/**
 * Effects of each byte on a word of ASCII letters and digits, as bits: it ends the word; it ends it
 * unless a letter or digit follows (`.` in a number, `'` in a name); no token starts with it; none
 * starts with it unless what follows is not ASCII (`#`, of which a keycap is made).
 */
export const WORD_ENDS: Uint8Array = wordEnds()

function wordEnds(): Uint8Array {
  const states = [...wordStates()]
  const isSoft = (b: number): boolean =>
    states.every(state => WORD_BREAK_TYPES[step(state, b)] === 0)
  const mayEnd = (b: number): boolean => b < 128 && PLAIN_WORD[b] === 0 && isSoft(b)
  const others = Array.from({ length: 128 }, (_, b) => b).filter(mayEnd)
  const startsNoneInAscii = (b: number): boolean => {
    const state = b < 128 ? step(1, b) : 0
    if (state === 0 || WORD_BREAK_TYPES[state] !== 0) return false
    for (let next = 0; next < 128; next++) if (step(state, next) !== 0) return false
    return true
  }
  const endsBefore = (b: number): boolean =>
    states.every(state => others.every(other => step(step(state, b), other) === 0))
  return Uint8Array.from({ length: 256 }, (_, b) => {
    const ends = HARD_BREAK[b] === 1 ? 1 : mayEnd(b) && endsBefore(b) ? 2 : 0
    return ends | (NO_START[b] === 1 ? 4 : startsNoneInAscii(b) ? 8 : 0)
  })
}

/** Word boundaries of UAX #29, and what of it Lucene's StandardTokenizer keeps. */
export class StandardByteTokenizer implements ByteTokenizer {
  readonly name: string = 'standard'
  readonly maxTokenLength: number
  start = 0
  end = 0
  #type = 0

  constructor(maxTokenLength: number = MAX_TOKEN_LENGTH) {
    this.maxTokenLength = maxTokenLength
  }

  get type(): string {
    return TOKEN_TYPES[this.#type]!
  }

  next(bytes: Uint8Array, from: number, end: number): boolean {
    const max = this.maxTokenLength
    let at = from
    while (at < end) {
      // The automaton runs as far as it can; the last place where a token may end counts.
      let state = 1
      let place = at
      let units = 0
      let tokenEnd = 0
      let type = 0
      while (place < end && units < max) {
        const byte = bytes[place]!
        if (byte < 0x80) {
          state = WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | ASCII_CLASSES[byte]!]!
          if (state === 0) break
          place++
          units++
        } else {
          // A code point beyond the basic plane is two units, and is not split.
          if (byte >= 0xf0 && units + 2 > max) break
          const group = wordBreakClass(codePointAt(bytes, place))
          state = WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | group]!
          if (state === 0) break
          place += utf8Length(byte)
          units += byte >= 0xf0 ? 2 : 1
        }
        const ends = WORD_BREAK_TYPES[state]!
        if (ends !== 0) {
          type = ends
          tokenEnd = place
        }
      }
      if (type !== 0) {
        this.start = at
        this.end = tokenEnd
        this.#type = type
        return true
      }
      at += utf8Length(bytes[at]!)
    }
    return false
  }
}

/** Runs of code points that a predicate holds for. */
abstract class RunTokenizer implements ByteTokenizer {
  abstract readonly name: string
  start = 0
  end = 0
  readonly type: string = 'word'
  readonly #maxTokenLength: number
  readonly #ascii: Uint8Array

  protected constructor(maxTokenLength: number, ascii: Uint8Array) {
    this.#maxTokenLength = maxTokenLength
    this.#ascii = ascii
  }

  protected abstract belongs(point: number): boolean

  next(bytes: Uint8Array, from: number, end: number): boolean {
    const ascii = this.#ascii
    let at = from
    while (at < end && !this.#holds(ascii, bytes, at)) at += utf8Length(bytes[at]!)
    if (at >= end) return false
    this.start = at
    let units = 0
    while (at < end && this.#holds(ascii, bytes, at)) {
      const size = bytes[at]! >= 0xf0 ? 2 : 1
      // Java's CharTokenizer looks at the length after it has taken a code point.
      at += utf8Length(bytes[at]!)
      units += size
      if (units >= this.#maxTokenLength) break
    }
    this.end = at
    return true
  }

  #holds(ascii: Uint8Array, bytes: Uint8Array, at: number): boolean {
    const byte = bytes[at]!
    return byte < 0x80 ? ascii[byte] === 1 : this.belongs(codePointAt(bytes, at))
  }
}

const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, b) => (isLetter(b) ? 1 : 0))
const ASCII_NO_BLANKS = Uint8Array.from({ length: 128 }, (_, b) => (isBlank(b) ? 0 : 1))

const ASCII_WORDS = Uint8Array.from({ length: 128 }, (_, b) =>
  PLAIN_WORD[b] !== 0 || b === 0x5f ? 1 : 0,
)

/** Runs of letters. */
export class LetterByteTokenizer extends RunTokenizer {
  readonly name: string

  constructor(name = 'letter', maxTokenLength: number = MAX_TOKEN_LENGTH) {
    super(maxTokenLength, ASCII_LETTERS)
    this.name = name
  }

  protected override belongs(point: number): boolean {
    return isLetter(point)
  }
}

/** Runs between blanks. */
export class WhitespaceByteTokenizer extends RunTokenizer {
  readonly name: string = 'whitespace'

  constructor(maxTokenLength: number = MAX_TOKEN_LENGTH) {
    super(maxTokenLength, ASCII_NO_BLANKS)
  }

  protected override belongs(point: number): boolean {
    return !isBlank(point)
  }
}

/** Runs of ASCII letters, digits and `_`: what the pattern `\W+` leaves; tokens of any length. */
export class WordByteTokenizer extends RunTokenizer {
  readonly name: string = 'pattern'

  constructor() {
    super(Number.POSITIVE_INFINITY, ASCII_WORDS)
  }

  protected override belongs(): boolean {
    return false
  }
}

/** The whole text as one token; none for the empty text. */
export class KeywordByteTokenizer implements ByteTokenizer {
  readonly name: string = 'keyword'
  start = 0
  end = 0
  readonly type: string = 'word'

  next(_bytes: Uint8Array, from: number, end: number): boolean {
    if (from >= end) return false
    this.start = from
    this.end = end
    return true
  }
}
