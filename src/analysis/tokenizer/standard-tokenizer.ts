/**
 * Word boundaries of UAX #29 as Lucene's StandardTokenizer applies them, over a string: the same
 * automaton that `StandardByteTokenizer` runs over bytes.
 */
import { Tokenizer, type UnitRun } from '../token-stream.ts'
import { HARD_BREAK, MAX_TOKEN_LENGTH, NO_START, PLAIN_WORD } from './byte-tokenizer.ts'
import { TOKEN_TYPES } from './generated/word-break-data.ts'
import { singleUnit } from './single-units.ts'
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

/** In a unit's bits: the number of its type where it is a token by itself if what follows is apart. */
const TYPE = 0x0f
/** A character of runs by itself, as ideographs and hiragana are. */
const OF_RUN = 0x10
/** A character of words of katakana, of hangul, which are runs as wholes. */
const KATAKANA = 0x20
const HANGUL = 0x40
const KINDS = OF_RUN | KATAKANA | HANGUL
/** Bits from a kind to the bit that says that a unit does not go on with what is of that kind. */
const APART = 4
const APART_FROM_ONE = OF_RUN << APART

let bits: Uint16Array | null = null

/** The bits of every unit: asks the automaton, once a thread. */
function unitBits(): Uint16Array {
  const after = (state: number, group: number): number =>
    WORD_BREAK_NEXT[(state << WORD_BREAK_SHIFT) | group]!
  const groups = Array.from({ length: 1 << WORD_BREAK_SHIFT }, (_, group) => group)
  const ideograph = after(1, wordBreakClass(0x4e00))
  const joins = groups.map(group => after(ideograph, group) !== 0)
  const isAlone = groups.map(group => {
    const state = after(1, group)
    return state !== 0 && groups.every(next => after(state, next) === 0 || joins[next])
  })
  const words = [
    [KATAKANA, 0x30a2],
    [HANGUL, 0xac00],
  ].map(([kind = 0, point = 0]) => {
    const group = wordBreakClass(point)
    const first = after(1, group)
    const more = after(first, group)
    // However long the word is, it is in the second state.
    const isWord = first !== 0 && more !== 0 && after(more, group) === more
    const isApart = groups.map(next => after(first, next) === 0 && after(more, next) === 0)
    return { kind, group: isWord ? group : -1, isApart }
  })
  const units = new Uint16Array(0x10000)
  for (let unit = 0; unit < 0x10000; unit++) {
    // Half of a pair says nothing yet.
    if (unit >= 0xd800 && unit < 0xe000) continue
    const group = wordBreakClass(unit)
    const type = isAlone[group] ? WORD_BREAK_TYPES[after(1, group)]! : 0
    let made = type
    if (/IDEOGRAPHIC|HIRAGANA/.test(TOKEN_TYPES[type]!)) made |= OF_RUN
    if (!joins[group]) made |= APART_FROM_ONE
    for (const word of words) {
      // Of another width they are changed by filters.
      if (word.group === group && unit < 0xff00) made |= word.kind
      if (word.isApart[group]) made |= word.kind << APART
    }
    units[unit] = made
  }
  return units
}

/** Tokenizer `standard`. */
export class StandardTokenizer extends Tokenizer {
  protected readonly maxTokenLength: number
  protected at = 0
  #isLower = false
  /** The automaton's last match: where it ends, and the number of its type, 0 for none. */
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
    while (at < end) {
      const unit = text.charCodeAt(at)
      if (unit < 0x80) {
        if (NO_START[unit] === 1) {
          at++
          continue
        }
        if (this.#takePlain(at)) return true
      } else {
        bits ??= unitBits()
        const type = bits[unit]! & TYPE
        if (
          type !== 0 &&
          (at + 1 === end || (bits[text.charCodeAt(at + 1)]! & APART_FROM_ONE) !== 0)
        ) {
          this.#isLower = CASELESS[type] === 1
          this.#set(at, at + 1, singleUnit(unit), TOKEN_TYPES[type]!)
          return true
        }
      }
      if (this.run(at, Math.min(end, at + this.maxTokenLength))) {
        const to = this.tokenEnd
        this.#isLower = CASELESS[this.type] === 1
        const term = to - at === 1 ? singleUnit(unit) : text.slice(at, to)
        this.#set(at, to, term, TOKEN_TYPES[this.type]!)
        return true
      }
      at += text.codePointAt(at)! > 0xffff ? 2 : 1
    }
    this.at = end
    return false
  }

  /** A word of ASCII letters and digits, which English text is made of, needs no automaton. */
  #takePlain(at: number): boolean {
    const { text } = this
    const end = text.length
    const most = Math.min(end, at + this.maxTokenLength)
    let to = at
    let unit = 0
    let isNumber = true
    let isLower = true
    while (to < most && (unit = text.charCodeAt(to)) < 0x80 && PLAIN_WORD[unit] !== 0) {
      if (unit > 0x39) {
        isNumber = false
        if (unit < 0x5b) isLower = false
      }
      to++
    }
    if (to === at) return false
    if (to < end && ((unit = text.charCodeAt(to)) >= 0x80 || HARD_BREAK[unit] !== 1)) return false
    this.#isLower = isLower
    this.#set(at, to, text.slice(at, to), isNumber ? '<NUM>' : '<ALPHANUM>')
    return true
  }

  override takeUnits(run: UnitRun): boolean {
    const { text, at } = this
    if (at !== run.start || !this.isUncorrected) return false
    const end = text.length
    bits ??= unitBits()
    let to = at
    let unitBitsAt = to < end ? bits[text.charCodeAt(to)]! : 0
    for (;;) {
      const kind = unitBitsAt & KINDS
      if (kind === 0) break
      let next = to
      do unitBitsAt = ++next < end ? bits[text.charCodeAt(next)]! : kind << APART
      while (kind !== OF_RUN && (unitBitsAt & kind) !== 0)
      // A character that goes on with it makes another token of it.
      if ((unitBitsAt & (kind << APART)) === 0) break
      to = next
    }
    if (to === at) return false
    run.text = text
    run.end = to
    this.at = to
    return true
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
    this.#isLower = false
    this.#set(start, end, this.text.slice(start, end), type)
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
