/**
 * Word boundaries of UAX #29 as Lucene's StandardTokenizer applies them, over a string: the same
 * automaton that `StandardByteTokenizer` runs over bytes.
 */
import { Tokenizer } from '../token-stream.ts'
import { HARD_BREAK, MAX_TOKEN_LENGTH, NO_START, PLAIN_WORD } from './byte-tokenizer.ts'
import { TOKEN_TYPES } from './generated/word-break-data.ts'
import {
  ASCII_CLASSES,
  WORD_BREAK_NEXT,
  WORD_BREAK_SHIFT,
  WORD_BREAK_TYPES,
  wordBreakClass,
} from './unicode-tables.ts'

/** By the number of a type, 1 for those of scripts without case; among emoji are letters in circles. */
const CASELESS: Uint8Array = Uint8Array.from(TOKEN_TYPES, type =>
  /SOUTHEAST_ASIAN|IDEOGRAPHIC|HIRAGANA|KATAKANA|HANGUL/.test(type) ? 1 : 0,
)

let singles: string[] | null = null

/**
 * The string of the unit at a place. Ideographs are tokens by themselves, and few thousand make up
 * most texts: each has one string a thread, whose hash is made once.
 */
function singleUnit(text: string, at: number): string {
  singles ??= new Array<string>(0x10000).fill('')
  const unit = text.charCodeAt(at)
  const known = singles[unit]!
  if (known !== '') return known
  const made = text.charAt(at)
  singles[unit] = made
  return made
}

/** In `alone`: nothing of what stands before a unit goes on with it. */
const IS_APART = 0x80

let alone: Uint8Array | null = null

/**
 * By unit: the number of its type where it is a token by itself whenever what follows is apart from it,
 * as ideographs and Hiragana are, else 0; and `IS_APART`. Asks the automaton, once a thread.
 */
function unitsAlone(): Uint8Array {
  const after = (state: number, group: number): number =>
    WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | group]!
  const groups = Array.from({ length: 1 << WORD_BREAK_SHIFT }, (_, group) => group)
  const ideograph = after(1, wordBreakClass(0x4e00))
  const joins = groups.map(group => after(ideograph, group) !== 0)
  const isAlone = groups.map(group => {
    const state = after(1, group)
    return state !== 0 && groups.every(next => after(state, next) === 0 || joins[next])
  })
  const units = new Uint8Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) {
    // Half of a pair says nothing yet.
    if (unit >= 0xd800 && unit < 0xe000) continue
    const group = wordBreakClass(unit)
    const type = isAlone[group] ? WORD_BREAK_TYPES[after(1, group)]! : 0
    units[unit] = type | (joins[group] ? 0 : IS_APART)
  }
  return units
}

/** Tokenizer `standard`. */
export class StandardTokenizer extends Tokenizer {
  protected readonly maxTokenLength: number
  protected at = 0
  #isLower = false
  /** What the automaton found last: where it ends, and the number of its type, 0 for nothing. */
  protected tokenEnd = 0
  protected type = 0

  /** @param maxTokenLength UTF-16 units after which a token is split */
  constructor(maxTokenLength: number = MAX_TOKEN_LENGTH) {
    super()
    this.maxTokenLength = maxTokenLength
  }

  reset(): void {
    this.at = 0
  }

  next(): boolean {
    const { text } = this
    const end = text.length
    let at = this.at
    let unit = 0
    for (;;) {
      while (at < end && (unit = text.charCodeAt(at)) < 0x80 && NO_START[unit] === 1) at++
      if (at === end) {
        this.at = at
        return false
      }
      // A word of ASCII letters and digits, which English text is made of, needs no automaton.
      const most = Math.min(end, at + this.maxTokenLength)
      let to = at
      let isNumber = true
      let isLower = true
      while (to < most && (unit = text.charCodeAt(to)) < 0x80 && PLAIN_WORD[unit] !== 0) {
        if (unit > 0x39) {
          isNumber = false
          if (unit < 0x5b) isLower = false
        }
        to++
      }
      if (
        to > at &&
        (to === end || ((unit = text.charCodeAt(to)) < 0x80 && HARD_BREAK[unit] === 1))
      ) {
        this.take(at, to, isNumber ? '<NUM>' : '<ALPHANUM>')
        this.#isLower = isLower
        return true
      }
      if (to === at && (unit = text.charCodeAt(at)) >= 0x80) {
        alone ??= unitsAlone()
        const type = alone[unit]! & ~IS_APART
        if (type !== 0 && (at + 1 === end || (alone[text.charCodeAt(at + 1)]! & IS_APART) !== 0)) {
          this.#set(at, at + 1, singleUnit(text, at), TOKEN_TYPES[type]!)
          this.#isLower = CASELESS[type] === 1
          return true
        }
      }
      if (this.run(at, most)) {
        const to = this.tokenEnd
        const term = to - at === 1 ? singleUnit(text, at) : text.slice(at, to)
        this.#set(at, to, term, TOKEN_TYPES[this.type]!)
        this.#isLower = CASELESS[this.type] === 1
        return true
      }
      at += text.codePointAt(at)! > 0xffff ? 2 : 1
    }
  }

  /** Runs the automaton from `at` as far as it goes; the last place where a token may end counts. */
  protected run(at: number, most: number): boolean {
    const { text } = this
    let state = 1
    let place = at
    this.type = 0
    while (place < most) {
      const unit = text.charCodeAt(place)
      if (unit < 0x80) {
        state = WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | ASCII_CLASSES[unit]!]!
        if (state === 0) break
        place++
      } else {
        const point = unit < 0xd800 || unit > 0xdbff ? unit : text.codePointAt(place)!
        // A pair is not split.
        if (point > 0xffff && place + 2 > most) break
        state = WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | wordBreakClass(point)]!
        if (state === 0) break
        place += point > 0xffff ? 2 : 1
      }
      const type = WORD_BREAK_TYPES[state]!
      if (type !== 0) {
        this.type = type
        this.tokenEnd = place
      }
    }
    return this.type !== 0
  }

  protected take(start: number, end: number, type: string): boolean {
    this.#set(start, end, this.text.slice(start, end), type)
    this.#isLower = false
    return true
  }

  #set(start: number, end: number, term: string, type: string): void {
    this.at = end
    const { token } = this
    token.clear()
    token.term = term
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(end)
    token.type = type
  }

  override isLower(): boolean {
    return this.#isLower
  }
}
