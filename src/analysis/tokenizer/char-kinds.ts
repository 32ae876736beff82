/** Kinds of characters by name, of which `token_chars` and `tokenize_on_chars` are lists. */

import type { TokenCharTest } from './char-tokenizer.ts'
import { isBlank, isLetter } from './unicode-tables.ts'

/** As Java's and OpenSearch's tests of the same names: by general category. */
export const CHAR_KINDS: ReadonlyMap<string, TokenCharTest> = new Map<string, TokenCharTest>([
  ['letter', isLetter],
  ['digit', test(/^\p{Nd}$/u)],
  ['whitespace', isBlank],
  ['punctuation', test(/^\p{P}$/u)],
  ['symbol', test(/^\p{S}$/u)],
])

function test(shape: RegExp): TokenCharTest {
  const ascii = Uint8Array.from({ length: 128 }, (_, b) =>
    shape.test(String.fromCharCode(b)) ? 1 : 0,
  )
  return point => (point < 128 ? ascii[point] === 1 : shape.test(String.fromCodePoint(point)))
}
