import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { StandardTokenizer } from '../../src/analysis/tokenizer/standard-tokenizer.ts'
import { tokenizeText } from '../support/tokenize-text.ts'

const FILE = '/usr/share/unicode/auxiliary/WordBreakTest.txt'
/** What makes a segment a token: a letter, a digit, an ideograph, an emoji, two halves of a flag; U+2701 is no emoji from Unicode 17 on. */
const KEPT =
  /[\p{Alphabetic}\p{Nd}\p{Script=Han}]|\p{RI}[^\p{RI}]*\p{RI}|(?!\p{RI})[\p{Emoji_Presentation}\p{ExtPict}\u2701]/u

/**
 * Lines that StandardTokenizer's own rules cut in another way, and what Lucene makes of them: a
 * joiner behind a letter ends with it, and a skin tone stands for itself behind what takes none.
 */
const OWN_RULES: ReadonlyMap<string, readonly string[]> = new Map([
  ['a\u200d🛑', ['a\u200d', '🛑']],
  ['a\u200d\u2701', ['a\u200d', '\u2701']],
  ['🛑🏿', ['🛑', '🏿']],
  ['\u200d🛑🏿', ['\u200d🛑', '🏿']],
])

// Debian's package unicode-data brings the file.
describe.runIf(existsSync(FILE))("the lines of Unicode's word-break test", () => {
  it('end tokens where they say, 100 %', () => {
    const wrong: string[] = []
    let count = 0
    for (const line of readFileSync(FILE, 'utf8').split('\n')) {
      const [rule = ''] = line.split('#')
      if (rule.trim() === '') continue
      count++
      const segments = rule
        .trim()
        .split('÷')
        .map(part =>
          part
            .split('×')
            .filter(hex => hex.trim() !== '')
            .map(hex => String.fromCodePoint(Number.parseInt(hex.trim(), 16)))
            .join(''),
        )
        .filter(part => part !== '')
      const text = segments.join('')
      const found = tokenizeText(new StandardTokenizer(), text).tokens.map(token => token.term)
      const expected = OWN_RULES.get(text) ?? segments.filter(segment => KEPT.test(segment))
      if (found.join('|') !== expected.join('|'))
        wrong.push(`${rule.trim()}: ${found.join('|')} for ${expected.join('|')}`)
    }
    expect(count).toBeGreaterThan(1800)
    expect(wrong).toEqual([])
  })
})
