import { Tokenizer } from '../../src/analysis/token-stream.ts'

/** Java's white space: all separators but those that do not break, and the controls that divide. */
function isSpace(unit: number): boolean {
  if (unit < 0x80) return (unit >= 9 && unit <= 13) || (unit >= 0x1c && unit <= 0x20)
  if (unit >= 0x2000 && unit <= 0x200a) return unit !== 0x2007
  return [0x1680, 0x2028, 0x2029, 0x205f, 0x3000].includes(unit)
}

/** Cuts at white space, tokens of any length: feeds a filter under test and nothing more. */
export class SpaceTokenizer extends Tokenizer {
  #at = 0

  override reset(): void {
    this.#at = 0
  }

  override next(): boolean {
    const { text, token } = this
    let start = this.#at
    while (start < text.length && isSpace(text.charCodeAt(start))) start++
    if (start === text.length) return false
    let end = start
    while (end < text.length && !isSpace(text.charCodeAt(end))) end++
    this.#at = end
    token.clear()
    token.term = text.slice(start, end)
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(end)
    return true
  }
}

/** The same of Lucene. */
export const LUCENE_SPACE_TOKENIZER = {
  name: 'whitespace',
  args: { maxTokenLen: '1000000' },
} as const
