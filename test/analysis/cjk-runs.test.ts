/** Bigrams take runs of characters past the stages before them; that way gives what the plain one gives. */
import { expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { type ComponentSpec, makeChain } from '../support/analysis-chain.ts'

/** Scripts, marks that go on with them, what stands between words, and halves of pairs. */
const UNITS = [
  ...'東京日本〆々〇ひらがなゝ゛カタナー・ヽｱｲｶﾞﾟＡｚ１한국어가힣각',
  ..."abZ19_-.,:' 、。\u3000\u3099\u309a\u0301\u200d\u00ad\ufe0f\u0e01\u05d0",
  '𠀋',
  '😀',
  '☃',
  '\ud840',
  '\udc0b',
]
const BEFORE: readonly (readonly ComponentSpec[])[] = [
  [],
  ['cjk_width'],
  ['cjk_width', 'lowercase'],
]

it.each([255, 1, 3])('runs are cut as their characters are, tokens of %i at most', max => {
  const random = new Random(max)
  const tokenizer = { type: 'standard', max_token_length: String(max) }
  const chains = BEFORE.map(before => {
    const fast = makeChain({ tokenizer, filters: [...before, 'cjk_bigram'] })
    // No token of the tokenizer has blanks around it; the stage hides what stands before it.
    const plain = makeChain({ tokenizer, filters: [...before, 'trim', 'cjk_bigram'] })
    return { fast, plain }
  })
  for (let round = 0; round < 3000; round++) {
    let text = ''
    // Texts of few kinds of characters have long runs.
    const kinds = 1 + random.below(UNITS.length)
    const first = random.below(UNITS.length)
    const length = random.below(30)
    for (let i = 0; i < length; i++) text += UNITS[(first + random.below(kinds)) % UNITS.length]!
    for (const { fast, plain } of chains) expect(fast.tokens(text)).toEqual(plain.tokens(text))
  }
})

it('a run goes on across the place where the pairs that wait are moved to the front', () => {
  const chain = makeChain({ tokenizer: 'standard', filters: ['cjk_bigram'] })
  const text = '東ア京한'.repeat(500)
  const { tokens } = chain.tokens(text)
  expect(tokens.map(({ term, startOffset }) => [term, startOffset])).toEqual(
    Array.from({ length: text.length - 1 }, (_, i) => [text.slice(i, i + 2), i]),
  )
})
