/** Rewriting of single terms that needs no table. */

import { TokenFilter, type TokenStream } from '../token-stream.ts'
import { isBlank } from '../tokenizer/unicode-tables.ts'

const DIGIT = /^\p{Nd}$/u

/** All before the first apostrophe. */
export function beforeApostrophe(term: string): string {
  const at = apostropheIn(term)
  return at < 0 ? term : term.slice(0, at)
}

/** Where the first apostrophe, straight or curved, stands; −1 for none. */
export function apostropheIn(term: string): number {
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    if (unit === 0x27 || unit === 0x2019) return i
  }
  return -1
}

/** Decimal digits of all scripts as 0 to 9. */
export function asciiDigits(term: string): string {
  let result = ''
  let copied = 0
  for (let at = 0; at < term.length; ) {
    const point = term.codePointAt(at)!
    const size = point > 0xffff ? 2 : 1
    if (point > 0x7f && isDigit(point)) {
      result += term.slice(copied, at) + digitOf(point)
      copied = at + size
    }
    at += size
  }
  return copied === 0 ? term : result + term.slice(copied)
}

function isDigit(point: number): boolean {
  return DIGIT.test(String.fromCodePoint(point))
}

/** Digits stand in runs of ten, from 0 to 9, and runs may follow one another. */
function digitOf(point: number): number {
  let before = 0
  while (isDigit(point - before - 1)) before++
  return before % 10
}

/** The term back to front, by code points. */
export function reversed(term: string): string {
  let result = ''
  for (let at = term.length; at > 0; ) {
    const low = term.charCodeAt(at - 1)
    const isPair =
      at > 1 && (low & 0xfc00) === 0xdc00 && (term.charCodeAt(at - 2) & 0xfc00) === 0xd800
    result += term.slice(isPair ? at - 2 : at - 1, at)
    at -= isPair ? 2 : 1
  }
  return result
}

/** Without blanks at either end. */
export function trimmed(term: string): string {
  let start = 0
  while (start < term.length && isBlank(term.charCodeAt(start))) start++
  let end = term.length
  while (end > start && isBlank(term.charCodeAt(end - 1))) end--
  return term.slice(start, end)
}

/** Takes possessives off words with apostrophes and dots out of acronyms, by the token's type. */
export class ClassicFilter extends TokenFilter {
  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    const { term } = token
    if (token.type === '<APOSTROPHE>' && (term.endsWith("'s") || term.endsWith("'S")))
      token.term = term.slice(0, -2)
    else if (token.type === '<ACRONYM>') token.term = term.replaceAll('.', '')
    return true
  }
}

/** Cuts terms that are no keywords at so many UTF-16 units. */
export class TruncateFilter extends TokenFilter {
  readonly #length: number

  constructor(input: TokenStream, length: number) {
    super(input)
    this.#length = length
  }

  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    if (!token.isKeyword && token.term.length > this.#length)
      token.term = token.term.slice(0, this.#length)
    return true
  }
}
