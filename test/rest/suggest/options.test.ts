import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Each word is in as many documents. */
const WORDS = {
  world: 40,
  word: 12,
  words: 6,
  wordy: 3,
  work: 2,
  sword: 2,
  ward: 1,
  wrod: 1,
  wo: 1,
} as const

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: {
      number_of_shards: 1,
      analysis: {
        filter: { pairs: { type: 'shingle', token_separator: '_' } },
        analyzer: {
          pairs: { tokenizer: 'standard', filter: ['lowercase', 'pairs'] },
          stems: { tokenizer: 'standard', filter: ['lowercase', 'porter_stem'] },
        },
      },
    },
    mappings: {
      properties: {
        t: { type: 'text', fields: { pairs: { type: 'text', analyzer: 'pairs' } } },
        other: { type: 'text' },
        c: { type: 'completion' },
        folded: { type: 'completion', analyzer: 'simple' },
      },
    },
  })
  const texts = Object.entries(WORDS).flatMap(([word, count]) => Array<string>(count).fill(word))
  const more = ['hello there', 'hello there', 'hollow word', 'jello mold']
  const lines = [...texts, ...more].flatMap(t => [{ index: {} }, { t }])
  const inputs = ['ab', 'abc', 'abd', 'abe', 'abf', 'abg', 'xab', 'añb', 'qwerty']
  await ok('POST /i/_bulk', ndjson(...lines))
  await ok(
    'POST /i/_bulk',
    ndjson(...inputs.flatMap(c => [{ index: {} }, { c: [c, `also ${c}`], other: `${c} word` }])),
  )
  await ok('POST /i/_refresh')
})
afterAll(() => rest.close())

interface Entry {
  readonly text: string
  readonly offset: number
  readonly length: number
  readonly options: readonly { readonly text: string; readonly score: number }[]
}

async function entries(suggestion: object, global?: string): Promise<readonly Entry[]> {
  const text = global === undefined ? {} : { text: global }
  return (await ok('POST /i/_search', { suggest: { ...text, s: suggestion } })).suggest.s
}

const textsOf = (found: readonly Entry[]): string[][] =>
  found.map(({ options }) => options.map(({ text }) => text))

describe('term', () => {
  const words = async (text: string, options: object = {}): Promise<string> => {
    const term = { field: 't', max_term_freq: 100, ...options }
    return textsOf(await entries({ text, term }))[0]!.join(' ')
  }

  it.each<[string, object, string, string]>([
    // An option, the word, and what is suggested without the option and with it.
    ['size', { size: 2 }, 'wird', 'word ward'],
    ['shard_size', { shard_size: 1 }, 'wird', 'word'],
    ['sort', { sort: 'frequency' }, 'wird', 'world word words wordy work'],
    ['suggest_mode', { suggest_mode: 'popular' }, 'words', 'word world'],
    ['suggest_mode', { suggest_mode: 'always' }, 'words', 'wordy word world work ward'],
    ['max_edits', { max_edits: 1 }, 'wird', 'word ward'],
    ['prefix_length', { prefix_length: 2 }, 'wird', ''],
    ['prefix_length', { prefix_length: 0, max_edits: 1 }, 'sord', 'word sword'],
    ['min_word_length', { min_word_length: 5 }, 'wird', ''],
    ['min_word_length', { min_word_length: 2, max_edits: 1 }, 'wi', 'wo'],
    ['max_inspections', { max_inspections: 0 }, 'wird', ''],
    ['min_doc_freq', { min_doc_freq: 2 }, 'wird', 'word world words wordy'],
    ['accuracy', { accuracy: 0.7 }, 'wird', 'word ward'],
    ['string_distance', { string_distance: 'jaro_winkler', size: 3 }, 'wird', 'word ward wrod'],
  ])('takes %s: %j', async (_, options, word, expected) => {
    const found = await words(word, options)
    expect(found).toBe(expected)
    expect(found).not.toBe(await words(word))
  })

  it('has defaults', async () => {
    const defaults = {
      size: 5,
      shard_size: 5,
      sort: 'score',
      suggest_mode: 'missing',
      max_edits: 2,
      prefix_length: 1,
      min_word_length: 4,
      max_inspections: 5,
      min_doc_freq: 0,
      accuracy: 0.5,
      string_distance: 'internal',
      analyzer: 'standard',
    }
    for (const word of ['wird', 'words', 'wi', 'sord', 'worlds'])
      expect([word, await words(word, defaults)]).toEqual([word, await words(word)])
    expect(await words('wird')).toBe('word ward world words wordy')
    // A word of more than one in a hundred documents is frequent.
    const mode = { suggest_mode: 'always' }
    const plain = { text: 'ward', term: { field: 't', ...mode } }
    expect(textsOf(await entries(plain))).not.toEqual([[]])
    expect(textsOf(await entries({ ...plain, text: 'words' }))).toEqual([[]])
    const share = { ...plain.term, max_term_freq: 0.01 }
    expect(textsOf(await entries({ text: 'words', term: share }))).toEqual([[]])
    const counted = async (max_term_freq: number): Promise<number> =>
      textsOf(await entries({ text: 'words', term: { ...plain.term, max_term_freq } }))[0]!.length
    expect([await counted(5), await counted(6)]).toEqual([0, 5])
  })

  it('has an entry of each word, where it stands, by the analyzer that is asked for', async () => {
    const found = await entries({ text: 'The  Wird, wirds', term: { field: 't' } })
    expect(found.map(({ text, offset, length }) => [text, offset, length])).toEqual([
      ['the', 0, 3],
      ['wird', 5, 4],
      ['wirds', 11, 5],
    ])
    const stems = await entries({ text: 'The Wirds', term: { field: 't', analyzer: 'stems' } })
    expect(stems.map(({ text, offset, length }) => [text, offset, length])).toEqual([
      ['the', 0, 3],
      ['wird', 4, 5],
    ])
    const whole = await entries({ text: 'The Wird', term: { field: 't', analyzer: 'keyword' } })
    expect(whole.map(({ text }) => text)).toEqual(['The Wird'])
  })

  it('takes the text of all suggestions, unless it has its own', async () => {
    const term = { field: 't' }
    expect((await entries({ term }, 'wird'))[0]!.text).toBe('wird')
    expect((await entries({ text: 'wirds', term }, 'wird'))[0]!.text).toBe('wirds')
  })
})

describe('phrase', () => {
  const generator = {
    field: 't',
    suggest_mode: 'always',
    min_word_length: 1,
    max_term_freq: 100,
  }
  const phrases = async (text: string, options: object, of: object = {}): Promise<Entry> => {
    const phrase = { field: 't', confidence: 0, direct_generator: [{ ...generator, ...of }] }
    const [entry, ...more] = await entries({ text, phrase: { ...phrase, ...options } })
    expect(more).toEqual([])
    return entry!
  }
  const best = async (text: string, options: object, of: object = {}): Promise<string> =>
    (await phrases(text, options, of)).options[0]?.text ?? ''

  it.each<[object, number]>([
    [{ size: 2 }, 2],
    [{ shard_size: 3 }, 3],
    // Two words in the place of the first, eight of the second.
    [{ size: 30 }, 16],
    [{}, 5],
  ])('has so many options with %j', async (sizes, count) => {
    const more = { max_errors: 2, ...sizes }
    expect((await phrases('hello wird', more, { size: 30 })).options).toHaveLength(count)
  })

  it('looks at as many words together as gram_size says, joined by the separator', async () => {
    const ask = (options: object): Promise<string> =>
      best('hollow world', { field: 't.pairs', max_errors: 1, ...options })
    // `hollow word` stands in a document, and is one term of the pairs; `world` is far more frequent.
    expect(await ask({ separator: '_' })).toBe('hollow word')
    expect(await ask({ separator: '_', gram_size: 2 })).toBe('hollow word')
    expect(await ask({ separator: '_', gram_size: 1 })).toBe('hollow world')
    expect(await ask({})).toBe('hollow world')
  })

  it('believes a word that is a term as much as real_word_error_likelihood says', async () => {
    const score = async (likelihood: number): Promise<number> => {
      const found = await phrases('word', { real_word_error_likelihood: likelihood })
      return found.options.find(({ text }) => text === 'word')!.score
    }
    // The score is e to the logarithm of base 10.
    const ratio = Math.exp(Math.log10(0.95) - Math.log10(0.2))
    expect((await score(0.95)) / (await score(0.2))).toBeCloseTo(ratio, 4)
    const found = await phrases('word', {})
    expect(found.options.find(({ text }) => text === 'word')!.score).toBe(await score(0.95))
  })

  it.each<[object, string, string]>([
    [{ size: 1 }, 'wird', 'word'],
    [{ max_edits: 1 }, 'wird', 'word ward'],
    [{ prefix_length: 2 }, 'wird', ''],
    [{ min_word_length: 5 }, 'wird', ''],
    [{ max_inspections: 0 }, 'wird', ''],
    [{ min_doc_freq: 10 }, 'wird', 'word world'],
    [{ accuracy: 0.7 }, 'wird', 'word ward'],
    [{ string_distance: 'jaro_winkler', size: 3 }, 'wird', 'word ward wrod'],
    [{ sort: 'frequency', size: 2 }, 'wird', 'world word'],
    [{ max_term_freq: 3 }, 'words', ''],
    [{ suggest_mode: 'missing' }, 'words', ''],
    [{ suggest_mode: 'popular' }, 'words', 'world word'],
  ])('draws by the generator %j', async (of, word, expected) => {
    const drawn = async (more: object): Promise<string> => {
      const { options } = await phrases(word, { size: 50, shard_size: 50 }, more)
      return options
        .map(({ text }) => text)
        .filter(text => text !== word)
        .join(' ')
    }
    const found = await drawn(of)
    expect(found.split(' ').sort()).toEqual(expected.split(' ').sort())
    expect(found).not.toBe(await drawn({}))
  })

  it('takes the words that the analyzer makes', async () => {
    const options = { analyzer: 'stems' }
    expect(await best('Wirds', options, { size: 1 })).toBe('word')
    const shown = await phrases('Wirds', options)
    expect([shown.text, shown.offset, shown.length]).toEqual(['Wirds', 0, 5])
  })

  it('takes numbers of smoothing models by default', async () => {
    const scores = async (smoothing?: object): Promise<readonly object[]> => {
      const options = { field: 't.pairs', separator: '_', max_errors: 2 }
      const model = smoothing === undefined ? {} : { smoothing }
      return (await phrases('hello wird', { ...options, ...model })).options
    }
    expect(await scores({ stupid_backoff: { discount: 0.4 } })).toEqual(
      await scores({ stupid_backoff: {} }),
    )
    expect(await scores({ laplace: { alpha: 0.5 } })).toEqual(await scores({ laplace: {} }))
    expect(await scores({ laplace: { alpha: 0.7 } })).not.toEqual(await scores({ laplace: {} }))
    expect(await scores({ stupid_backoff: {} })).toEqual(await scores())
  })
})

describe('completion', () => {
  const found = async (text: object, options: object = {}): Promise<string> => {
    const completion = { field: 'c', ...options }
    const [entry] = await entries({ ...text, completion })
    return entry!.options.map(({ text: each }) => each).join(' ')
  }

  it('has five options by default, and as many as are asked for', async () => {
    expect(await found({ prefix: 'a' })).toBe('ab abc abd abe abf')
    expect(await found({ prefix: 'ab' }, { size: 2 })).toBe('ab abc')
    expect(await found({ prefix: 'ab' }, { size: 50 })).toBe('ab abc abd abe abf abg')
    expect(await found({ prefix: 'AB' }, { size: 1 })).toBe('ab')
    expect(await found({ prefix: 'AB' }, { size: 1, analyzer: 'keyword' })).toBe('')
    // The text of all does for a beginning.
    expect(textsOf(await entries({ completion: { field: 'c', size: 1 } }, 'abg'))).toEqual([
      ['abg'],
    ])
  })

  it.each<[object | boolean, string, string]>([
    [true, 'xbb', 'xab'],
    [false, 'xbb', ''],
    [{}, 'xbb', 'xab'],
    [{ fuzziness: 0 }, 'xbb', ''],
    [{ fuzziness: 2, prefix_length: 0 }, 'yyb', 'ab abc abd abe abf'],
    [{ fuzziness: 'AUTO' }, 'xbb', 'xab'],
    [{ transpositions: false }, 'qewrty', ''],
    [{ transpositions: true }, 'qewrty', 'qwerty'],
    [{ min_length: 4 }, 'xbb', ''],
    [{ prefix_length: 2 }, 'xbb', ''],
    [{ prefix_length: 0 }, 'yab', 'ab abc abd abe abf'],
    // Of two bytes for `ñ`, one is an edit.
    [{ unicode_aware: true }, 'aob', 'ab abc abd abe abf'],
    [{ max_determinized_states: 1 }, 'xbb', 'xab'],
  ])('takes fuzzy: %j for %s', async (fuzzy, prefix, expected) => {
    expect(await found({ prefix }, { fuzzy })).toBe(expected)
  })

  it.each<[string, object | undefined, string]>([
    ['ab[e-g]', undefined, 'abe abf abg'],
    ['a[^l][^b-f]', undefined, 'abg'],
    // `~` is no operator.
    ['x~b.*', undefined, ''],
    ['ab&.*', { flags: 'NONE' }, ''],
    ['ab.&.*g', { flags: 'INTERSECTION' }, 'abg'],
    ['ab.&.*g', { flags: 'NONE' }, ''],
    ['ab.&.*g', { flags_value: 1 }, 'abg'],
    ['ab.&.*g', { flags: 'ALL', max_determinized_states: 100 }, 'abg'],
  ])('takes regex %s with %j', async (regex, options, expected) => {
    expect(await found({ regex }, options === undefined ? {} : { regex: options })).toBe(expected)
  })

  it('gives a document once, by the best of its inputs', async () => {
    const suggest = { s: { prefix: 'a', completion: { field: 'c', size: 50 } } }
    const { suggest: answer } = await ok('POST /i/_search', { suggest })
    const ids = answer.s[0].options.map(({ _id }: { _id: string }) => _id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
