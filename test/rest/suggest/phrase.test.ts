import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

const TEXTS = [
  'the quick brown fox',
  'the quick red fox jumps',
  'a lazy brown dog',
  'the brown bear sleeps',
  'quick foxes are quick',
  'nobody likes a lazy fox',
]

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const shingle = (more: object): object => ({ type: 'shingle', max_shingle_size: 3, ...more })
  await rest.call('PUT /i', {
    settings: {
      number_of_shards: 1,
      analysis: {
        filter: { grams: shingle({}), only: shingle({ output_unigrams: false }) },
        analyzer: {
          grams: { tokenizer: 'standard', filter: ['lowercase', 'grams'] },
          only: { tokenizer: 'standard', filter: ['lowercase', 'only'] },
          backwards: { tokenizer: 'standard', filter: ['lowercase', 'reverse'] },
        },
      },
    },
    mappings: {
      properties: {
        t: {
          type: 'text',
          fields: {
            grams: { type: 'text', analyzer: 'grams' },
            only: { type: 'text', analyzer: 'only' },
            back: { type: 'text', analyzer: 'backwards' },
          },
        },
      },
    },
  })
  const lines = TEXTS.flatMap(t => [{ index: {} }, { t }])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

interface Option {
  readonly text: string
  readonly score: number
  readonly highlighted?: string
}

async function options(text: string, phrase: object): Promise<Option[]> {
  const { json } = await rest.call('POST /i/_search', { suggest: { s: { text, phrase } } })
  expect(json.error).toBeUndefined()
  const [entry] = json.suggest.s
  expect([entry.text, entry.offset, entry.length]).toEqual([text, 0, text.length])
  return entry.options
}

const GENERATOR = { suggest_mode: 'always', min_word_length: 1, max_term_freq: 100 }

/** Occurrences of an n-gram in all texts. */
function frequency(gram: string): number {
  const size = gram.split(' ').length
  return TEXTS.flatMap(text => {
    const words = text.split(' ')
    return words.slice(size - 1).map((_, i) => words.slice(i, i + size).join(' '))
  }).filter(each => each === gram).length
}

const TERMS = new Set(
  TEXTS.flatMap(text => {
    const words = text.split(' ')
    return [1, 2, 3].flatMap(size =>
      words.slice(size - 1).map((_, i) => words.slice(i, i + size).join(' ')),
    )
  }),
)
const OCCURRENCES = [...TERMS].reduce((sum, term) => sum + frequency(term), 0)

/** How likely a word is behind those before it, by the definitions of the models. */
function likelihood(words: readonly string[], at: number, model: string): number {
  const [word = '', before = '', first = ''] = [words[at], words[at - 1], words[at - 2]]
  const f = frequency
  const alone = (1 + f(word)) / (OCCURRENCES + TERMS.size)
  if (model === 'laplace') {
    if (at === 0) return (0.7 + f(word)) / (OCCURRENCES + 0.7 * TERMS.size)
    const pair = f(`${before} ${word}`)
    if (at === 1) return (0.7 + pair) / (f(before) + 0.7 * TERMS.size)
    return (0.7 + f(`${first} ${before} ${word}`)) / (pair + 0.7 * TERMS.size)
  }
  if (at === 0) return alone
  const pair = f(`${before} ${word}`)
  if (model === 'stupid_backoff') {
    if (pair === 0) return 0.3 * alone
    const three = f(`${first} ${before} ${word}`)
    if (at === 1) return pair / (f(before) + 1e-11)
    return three === 0 ? 0.3 * (pair / (f(before) + 1e-11)) : three / (pair + 1e-11)
  }
  const two = pair === 0 ? 0.2 * alone : 0.3 * (pair / (0.5 + f(before))) + 0.2 * alone
  if (at === 1) return two
  const three = f(`${word} ${before} ${first}`)
  return three === 0 ? two : 0.5 * (three / (1 + f(`${word} ${before}`))) + two
}

it.each([
  ['stupid_backoff', { discount: 0.3 }],
  ['laplace', { alpha: 0.7 }],
  ['linear', { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 }],
  ['linear_interpolation', { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 }],
])('scores phrases by %s as it is defined', async (model, smoothing) => {
  const found = await options('teh quick brown fix', {
    field: 't.grams',
    max_errors: 2,
    confidence: 0,
    size: 50,
    shard_size: 50,
    smoothing: { [model]: smoothing },
    direct_generator: [{ field: 't.grams', ...GENERATOR }],
  })
  expect(found.length).toBeGreaterThan(3)
  const input = ['teh', 'quick', 'brown', 'fix']
  const edits: Record<string, number> = { 'the|teh': 1, 'fox|fix': 1 }
  const real = Math.fround(0.95)
  for (const { text, score } of found) {
    const words = text.split(' ')
    if (words.some((word, i) => word !== input[i] && edits[`${word}|${input[i]}`] === undefined))
      continue
    const sum = words.reduce((total, word, at) => {
      const similarity = word === input[at] ? real : Math.fround(1 - Math.fround(1 / 3))
      return total + Math.log10(similarity * likelihood(words, at, model))
    }, 0)
    expect(score, text).toBeCloseTo(Math.exp(sum), 7)
  }
  expect(found.map(({ text }) => text)).toContain('the quick brown fox')
  const scores = found.map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
})

// From the real server's source: below 1 a share of the words, rounded half up, but one at least; else a
// number of words, cut to an integer. The default is the specification's and the documentation's (decision 0054).
it.each([
  [0.01, 1],
  [0.3, 1],
  // 0.375 of four words is 1.5.
  [0.375, 2],
  [0.37, 1],
  [undefined, 1],
  [0.5, 2],
  [0.6, 2],
  [0.625, 3],
  [0.99, 4],
  [1, 1],
  [1.99, 1],
  [2.5, 2],
  [9, 4],
  [1e20, 4],
])('with max_errors %s of four words so many are corrected: %i', async (max_errors, count) => {
  const found = await options('teh quikc bronw fix', {
    field: 't.grams',
    confidence: 0,
    direct_generator: [{ field: 't.grams', ...GENERATOR }],
    size: 1000,
    shard_size: 1000,
    max_errors,
  })
  const input = ['teh', 'quikc', 'bronw', 'fix']
  const corrections = found.map(
    ({ text }) => text.split(' ').filter((word, i) => word !== input[i]).length,
  )
  expect(Math.max(...corrections)).toBe(count)
})

it('gives what is better than the text itself, as confident as it shall be', async () => {
  const phrase = {
    field: 't.grams',
    max_errors: 2,
    direct_generator: [{ field: 't.grams', ...GENERATOR }],
  }
  const [best] = await options('teh quick brown fix', phrase)
  expect(best!.text).toBe('the quick brown fox')
  expect(await options('the quick brown fox', phrase)).toEqual([])
  expect((await options('the quick brown fox', { ...phrase, confidence: 0 }))[0]!.text).toBe(
    'the quick brown fox',
  )
  const few = await options('teh quick brown fix', { ...phrase, confidence: 0, size: 2 })
  expect(few).toHaveLength(2)
})

it('highlights what it corrected, neighbours as one', async () => {
  const phrase = {
    field: 't.grams',
    max_errors: 3,
    highlight: { pre_tag: '<em>', post_tag: '</em>' },
    direct_generator: [{ field: 't.grams', ...GENERATOR }],
  }
  const [first] = await options('teh quikc brown fix', phrase)
  expect(first).toMatchObject({
    text: 'the quick brown fox',
    highlighted: '<em>the quick</em> brown <em>fox</em>',
  })
  expect(Object.keys(first!)).toEqual(['text', 'highlighted', 'score'])
})

it('draws from another field through filters', async () => {
  const generator = { field: 't.back', ...GENERATOR, prefix_length: 1 }
  const through = { ...generator, pre_filter: 'backwards', post_filter: 'backwards' }
  const phrase = { field: 't', max_errors: 1, confidence: 0, size: 1 }
  // The first letter is wrong, which stays as it is the other way round.
  const ask = async (direct_generator: object[]): Promise<string | undefined> =>
    (await options('the wuick brown', { ...phrase, direct_generator }))[0]?.text
  expect(await ask([{ field: 't', ...GENERATOR }])).toBe('the wuick brown')
  expect(await ask([through])).toBe('the quick brown')
  expect(await ask([{ field: 't', ...GENERATOR }, through])).toBe('the quick brown')
})

it('wants words by themselves, unless it is told not to', async () => {
  const suggest = (phrase: object): Promise<{ status: number; text: string }> =>
    rest.call('POST /i/_search', { suggest: { s: { text: 'quick brown', phrase } } })
  const refused = await suggest({ field: 't.only' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(
    "The default candidate generator for phrase suggest can't operate on field: [t.only] since it " +
      "doesn't emit unigrams. If this is intentional try to set the candidate generator field explicitly",
  )
  const generator = [{ field: 't' }]
  const grams = await suggest({ field: 't.only', direct_generator: generator })
  expect([grams.status, grams.text]).toEqual([
    400,
    expect.stringContaining('At least one unigram is required but all tokens were ngrams'),
  ])
  expect((await suggest({ field: 't.only', force_unigrams: false })).status).toBe(200)
})

it('leaves long texts alone', async () => {
  const phrase = { field: 't', confidence: 0, direct_generator: [{ field: 't', ...GENERATOR }] }
  const text = 'teh quick brown'
  expect(await options(text, { ...phrase, token_limit: 4 })).not.toEqual([])
  expect(await options(text, { ...phrase, token_limit: 3 })).toEqual([])
})

it('answers nothing where no document has the field', async () => {
  await rest.call('PUT /empty', { mappings: { properties: { t: { type: 'text' } } } })
  const { json } = await rest.call('POST /empty/_search', {
    suggest: {
      s: { text: 'x', phrase: { field: 't' } },
      r: { text: 'word', term: { field: 't' } },
    },
  })
  expect(json.suggest).toEqual({
    s: [{ text: 'x', offset: 0, length: 1, options: [] }],
    r: [{ text: 'word', offset: 0, length: 4, options: [] }],
  })
})

it('is cancelled where there are more phrases to score than any time is enough for', async () => {
  // Each of seven words has forty in its place: 40⁷ phrases.
  const near = Array.from({ length: 40 }, (_, i) => `word${String.fromCharCode(0x101 + 2 * i)}`)
  await rest.call('PUT /near/_doc/1?refresh', { t: near.join(' ') })
  const phrase = {
    field: 't',
    max_errors: 9,
    confidence: 0,
    shard_size: 50,
    direct_generator: [{ field: 't', ...GENERATOR, accuracy: 0, size: 50 }],
  }
  const began = performance.now()
  const { status, json } = await rest.call('POST /near/_search?cancel_after_time_interval=50ms', {
    suggest: { s: { text: Array(7).fill('wordy').join(' '), phrase } },
  })
  expect([status, json.error?.type]).toEqual([429, 'task_cancelled_exception'])
  expect(performance.now() - began).toBeGreaterThan(40)
})

it('sums the frequencies of shards, and sorts by what is asked', async () => {
  await rest.call('PUT /many', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { t: { type: 'text' } } },
  })
  const words = [
    'worn',
    'word',
    'word',
    'word',
    'work',
    'work',
    'ward',
    'wordy',
    'wordy',
    'wordy',
    'wordy',
    'wordy',
  ]
  await rest.call(
    'POST /many/_bulk?refresh',
    ndjson(...words.flatMap((t, i) => [{ index: { _id: `${i}` } }, { t }])),
  )
  const found = async (term: object): Promise<string[]> => {
    const { json } = await rest.call('POST /many/_search', {
      suggest: { s: { text: 'worc', term: { field: 't', ...term } } },
    })
    return json.suggest.s[0].options.map(
      ({ text, freq }: { text: string; freq: number }) => `${text}:${freq}`,
    )
  }
  expect(await found({})).toEqual(['word:3', 'work:2', 'worn:1', 'wordy:5', 'ward:1'])
  expect(await found({ sort: 'frequency' })).toEqual([
    'wordy:5',
    'word:3',
    'work:2',
    'worn:1',
    'ward:1',
  ])
  expect(await found({ size: 2 })).toEqual(['word:3', 'work:2'])
  expect(await found({ accuracy: 0.7 })).toEqual(['word:3', 'work:2', 'worn:1'])
})
