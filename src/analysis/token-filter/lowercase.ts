/**
 * Lower case one code point at a time by Unicode's simple mappings, without context or language:
 * İ becomes i, Σ always σ, as Lucene's LowerCaseFilter has it.
 */
import { ASCII_LOWER, lowerCase } from '../tokenizer/unicode-tables.ts'
import { codePointAt, putCodePoint, utf8Length } from '../utf8.ts'

/** The most that lower case makes of a byte: two bytes may become three. */
export const LOWERCASE_GROWTH = 1.5

/**
 * Writes the lower case of `bytes[start, end)` to `target` from `at` on, which must have room for
 * one and a half times the bytes.
 * @returns the place behind the last byte written
 */
export function lowerCaseInto(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  let from = start
  let to = at
  while (from < end) {
    const byte = bytes[from]!
    if (byte < 0x80) {
      target[to++] = ASCII_LOWER[byte]!
      from++
    } else {
      to = putCodePoint(target, to, lowerCase(codePointAt(bytes, from)))
      from += utf8Length(byte)
    }
  }
  return to
}

/** Lower case of a string, the same way; the string itself where nothing changes. */
export function lowerCaseText(text: string): string {
  const { length } = text
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      if (unit >= 0x41 && unit <= 0x5a) return lowerCaseFrom(text, i)
      continue
    }
    const point = text.codePointAt(i)!
    if (lowerCase(point) !== point) return lowerCaseFrom(text, i)
    if (point > 0xffff) i++
  }
  return text
}

/** @param at a place before which nothing changes; not between the halves of a pair */
function lowerCaseFrom(text: string, at: number): string {
  let i = at
  while (i < text.length && text.charCodeAt(i) < 0x80) i++
  // On ASCII the two agree.
  if (i === text.length) return text.toLowerCase()
  let out = text.slice(0, at)
  for (i = at; i < text.length; i++) {
    const point = text.codePointAt(i)!
    if (point > 0xffff) i++
    out += String.fromCodePoint(lowerCase(point))
  }
  return out
}
