import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const contexts = [
    { name: 'kind', type: 'category' },
    { name: 'place', type: 'geo', precision: 5 },
  ]
  await rest.call('PUT /i', {
    mappings: {
      properties: {
        t: { type: 'text' },
        k: { type: 'keyword' },
        c: { type: 'completion' },
        x: { type: 'completion', contexts },
      },
    },
  })
  await rest.call('PUT /i/_doc/1?refresh', { t: 'amsterdam meetup', k: 'word', c: 'Amsterdam' })
})
afterAll(() => rest.close())

/** Status, type and reason of the innermost root cause. */
async function refusal(suggest: unknown): Promise<string> {
  const { status, json } = await rest.call('POST /i/_search', { suggest })
  const { error } = json
  let inner = error.caused_by ?? error.root_cause[0]
  while (inner.caused_by !== undefined) inner = inner.caused_by
  return `${status} ${inner.type}: ${inner.reason}`
}

const IAE = '400 illegal_argument_exception: '
const PE = '400 parsing_exception: '

describe('the key suggest', () => {
  it.each<[unknown, string]>([
    [[], `${PE}Unknown key for a START_ARRAY in [suggest].`],
    ['x', `${PE}Unknown key for a VALUE_STRING in [suggest].`],
    [{ global: 'x' }, `${IAE}[suggest] does not support [global]`],
    [{ s: ['x'] }, `${PE}unexpected token [START_ARRAY] after [s]`],
    [{ s: {} }, '400 parse_exception: missing suggestion object'],
    [{ s: { words: 'x' } }, `${PE}suggestion does not support [words]`],
    [{ s: { text: ['x'] } }, `${PE}suggestion does not support [text]`],
    [
      { s: { text: 'x', terms: { field: 't' } } },
      '400 named_object_not_found_exception: [1:29] unknown field [terms]',
    ],
    [{ s: { term: { field: 't' } } }, `${IAE}The required text option is missing`],
    [
      { s: { text: 'x', term: {} } },
      '400 parse_exception: the required field option [field] is missing',
    ],
    [
      { s: { text: 'x', phrase: {} } },
      '400 parse_exception: the required field option [field] is missing',
    ],
    [
      { s: { text: 'x', completion: {} } },
      '400 parse_exception: the required field option [field] is missing',
    ],
    [{ s: { text: 'x', term: { field: '' } } }, `${IAE}suggestion field name is empty`],
    [{ s: { text: 'x', term: { field: 'no' } } }, `${IAE}no mapping found for field [no]`],
    [{ s: { text: 'x', phrase: { field: 'no' } } }, `${IAE}no mapping found for field [no]`],
    [{ s: { text: 'x', completion: { field: 'no' } } }, `${IAE}no mapping found for field [no]`],
    [
      { s: { text: 'x', completion: { field: 't' } } },
      `${IAE}Field [t] is not a completion suggest field`,
    ],
    [
      { s: { text: 'x', term: { field: 't', analyzer: 'no' } } },
      `${IAE}analyzer [no] doesn't exists`,
    ],
    [{ s: { text: 'x', term: { field: 't', size: 0 } } }, `${IAE}size must be positive`],
    [
      { s: { text: 'x', phrase: { field: 't', shard_size: -1 } } },
      `${IAE}shardSize must be positive`,
    ],
    [{ s: { text: 'x', completion: { field: 'c', size: 0 } } }, `${IAE}size must be positive`],
  ])('%j is refused: %s', async (suggest, reason) => {
    expect(await refusal(suggest)).toBe(reason)
  })

  it('has one suggestion of a name', async () => {
    const twice =
      '{"suggest":{"s":{"text":"x","term":{"field":"t"}},"s":{"text":"x","term":{"field":"t"}}}}'
    const { status, json } = await rest.call('POST /i/_search', twice)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toMatch(
      /already added another suggestion with name \[s\]|Duplicate field/,
    )
  })
})

describe('term', () => {
  it.each<[object, string]>([
    [{ nope: 1 }, `${PE}suggester[term] doesn't support field [nope]`],
    [{ sort: {} }, `${PE}suggester[term] parsing failed on [sort]`],
    [{ accuracy: 1.5 }, `${IAE}accuracy must be between 0 and 1`],
    [{ max_edits: 3 }, `${IAE}maxEdits must be between 1 and 2`],
    [{ max_inspections: -1 }, `${IAE}maxInspections must be positive`],
    [{ max_term_freq: -1 }, `${IAE}maxTermFreq must be positive`],
    [{ max_term_freq: 1.5 }, `${IAE}if maxTermFreq is greater than 1, it must not be a fraction`],
    [{ prefix_length: -1 }, `${IAE}prefixLength must be positive`],
    [{ min_word_length: 0 }, `${IAE}minWordLength must be greater or equal to 1`],
    [{ min_doc_freq: -1 }, `${IAE}minDocFreq must be positive`],
    [{ min_doc_freq: 2.5 }, `${IAE}if minDocFreq is greater than 1, it must not be a fraction`],
    [{ string_distance: 'far' }, `${IAE}Illegal distance option far`],
    [{ sort: 'best' }, `${IAE}No enum constant org.opensearch.search.suggest.SortBy.BEST`],
    [
      { suggest_mode: 'never' },
      `${IAE}No enum constant org.opensearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.NEVER`,
    ],
  ])('with %j is refused: %s', async (options, reason) => {
    expect(await refusal({ s: { text: 'x', term: { field: 't', ...options } } })).toBe(reason)
  })
})

describe('phrase', () => {
  const generator = (options: object): object => ({
    direct_generator: [{ field: 't', ...options }],
  })
  it.each<[object, string]>([
    [{ nope: 1 }, `${PE}suggester[phrase] doesn't support field [nope]`],
    [{ nope: [] }, `${PE}suggester[phrase]  doesn't support array field [nope]`],
    [{ nope: {} }, `${PE}suggester[phrase]  doesn't support array field [nope]`],
    [{ max_errors: 0 }, `${IAE}max_error must be > 0.0`],
    [{ max_errors: -0.5 }, `${IAE}max_error must be > 0.0`],
    // Below the smallest float32.
    [{ max_errors: 1e-46 }, `${IAE}max_error must be > 0.0`],
    [{ max_errors: [1] }, `${PE}suggester[phrase]  doesn't support array field [max_errors]`],
    [{ confidence: -1 }, `${IAE}confidence must be >= 0.0`],
    [{ real_word_error_likelihood: 0 }, `${IAE}real_word_error_likelihood must be > 0.0`],
    [{ gram_size: 0 }, `${IAE}gramSize must be >= 1`],
    [{ token_limit: 0 }, `${IAE}token_limit must be >= 1`],
    [
      { collate: { query: {} } },
      `${IAE}must specify either [source] for an inline script or [id] for a stored script`,
    ],
    [
      { collate: { query: { source: 'a' }, nope: 1 } },
      `${PE}suggester[phrase][collate] doesn't support field [nope]`,
    ],
    [
      { collate: { prune: 'yes' } },
      `${PE}suggester[phrase][collate] prune must be either 'true' or 'false'`,
    ],
    [
      { collate: { params: 1 } },
      `${PE}suggester[phrase][collate] params doesn't support values of type: VALUE_NUMBER`,
    ],
    [{ highlight: { tag: 'b' } }, `${PE}suggester[phrase][highlight] doesn't support field [tag]`],
    [
      { highlight: { pre_tag: 'b' } },
      `${IAE}Pre and post tag must both be null or both not be null.`,
    ],
    [{ smoothing: { other: {} } }, `${IAE}suggester[phrase] doesn't support object field [other]`],
    [
      { smoothing: { laplace: 1 } },
      `${PE}[smoothing] unknown token [VALUE_NUMBER] after [laplace]`,
    ],
    [
      { smoothing: { linear: { trigram_lambda: 0.5, bigram_lambda: 0.2, unigram_lambda: 0.2 } } },
      `${IAE}linear smoothing lambdas must sum to 1`,
    ],
    [{ smoothing: { linear: { bigram_lambda: -1 } } }, `${IAE}bigram_lambda must be positive`],
    [
      { smoothing: { linear: { lambda: 1 } } },
      `${IAE}suggester[phrase][smoothing][linear] doesn't support field [lambda]`,
    ],
    [{ direct_generator: [{}] }, `${IAE}Required [field]`],
    [generator({ max_edits: 3 }), `${IAE}Illegal max_edits value 3`],
    [generator({ size: 0 }), `${IAE}Size must be positive`],
    [generator({ suggest_mode: 'Never' }), `${IAE}Illegal suggest mode never`],
    [generator({ string_distance: 'far' }), `${IAE}Illegal distance option far`],
    [generator({ pre_filter: 'no' }), `${IAE}Analyzer [no] doesn't exists`],
    [generator({ post_filter: 'no' }), `${IAE}Analyzer [no] doesn't exists`],
  ])('with %j is refused: %s', async (options, reason) => {
    expect(await refusal({ s: { text: 'x', phrase: { field: 't', ...options } } })).toBe(reason)
  })

  it('tells unknown options of a generator with those that are alike', async () => {
    const phrase = { field: 't', ...generator({ max_edit: 1 }) }
    expect(await refusal({ s: { text: 'x', phrase } })).toMatch(
      /^400 x_content_parse_exception: \[1:\d+\] \[direct_generator\] unknown field \[max_edit\] did you mean \[max_edits\]\?$/,
    )
  })
})

describe('completion', () => {
  const XCE = /^400 x_content_parse_exception: \[1:\d+\] /
  it.each<[object, string]>([
    [{ nope: 1 }, '[completion] unknown field [nope]'],
    [
      { skip_duplicate: true },
      '[completion] unknown field [skip_duplicate] did you mean [skip_duplicates]?',
    ],
    [{ fuzzy: 1 }, "[completion] fuzzy doesn't support values of type: VALUE_NUMBER"],
    [{ contexts: [] }, "[completion] contexts doesn't support values of type: START_ARRAY"],
    [{ fuzzy: { fuzz: 1 } }, '[fuzzy] unknown field [fuzz]'],
  ])('with %j is refused: %s', async (options, reason) => {
    const found = await refusal({ s: { prefix: 'x', completion: { field: 'c', ...options } } })
    expect(found.replace(XCE, '')).toContain(reason)
    expect(found).toMatch(XCE)
  })

  it.each<[string, object, string]>([
    ['c', { fuzzy: { min_length: -1 } }, `${IAE}fuzzyMinLength must not be negative`],
    ['c', { fuzzy: { prefix_length: -1 } }, `${IAE}fuzzyPrefixLength must not be negative`],
    ['c', { fuzzy: { fuzziness: 3 } }, `${IAE}Valid edit distances are [0, 1, 2] but was [3]`],
    [
      'c',
      { regex: { max_determinized_states: -1 } },
      `${IAE}maxDeterminizedStates must not be negative`,
    ],
    ['c', { regex: { flags: 'SOME' } }, `${IAE}Unknown regexp flag [SOME]`],
    ['c', { contexts: { kind: 'a' } }, `${IAE}suggester [c] doesn't expect any context`],
    ['x', {}, `${IAE}Missing mandatory contexts in context query`],
    ['x', { contexts: {} }, `${IAE}Missing mandatory contexts in context query`],
    ['x', { contexts: { place: [] } }, `${IAE}Missing mandatory contexts in context query`],
    [
      'x',
      { contexts: { sort: 'a' } },
      `${IAE}Unknown context name [sort], must be one of [kind, place]`,
    ],
    ['x', { contexts: { kind: { boost: 2 } } }, `${IAE}category must not be null`],
    ['x', { contexts: { place: {} } }, `${IAE}geoPoint must not be null`],
    [
      'x',
      { contexts: { place: 7 } },
      '400 parse_exception: geo context must be an object or string',
    ],
    [
      'x',
      { contexts: { place: { lat: 1, lon: 2, precision: 13 } } },
      `${IAE}Invalid geohash aggregation precision of 13. Must be between 1 and 12.`,
    ],
  ])('of %s with %j is refused: %s', async (field, options, reason) => {
    expect(await refusal({ s: { prefix: 'a', completion: { field, ...options } } })).toBe(reason)
  })

  it('refuses other wrong contexts', async () => {
    for (const [kind, reason] of [
      [null, 'category context must be an object, string, number or boolean'],
      [{ context: 'a', boost: 0 }, 'category context must be a string, number or boolean'],
      [{ contest: 'a' }, 'category context must be a string, number or boolean'],
    ] as const)
      expect(
        await refusal({ s: { prefix: 'a', completion: { field: 'x', contexts: { kind } } } }),
      ).toMatch(new RegExp(`^400 x_content_parse_exception: \\[1:\\d+\\] ${reason}$`))
    const boost = { place: { lat: 1, lon: 2, boost: 0 } }
    expect(await refusal({ s: { prefix: 'a', completion: { field: 'x', contexts: boost } } })).toBe(
      `${IAE}boost must be greater than 0`,
    )
  })

  it('takes no fuzziness beside an expression, and no expression that is none', async () => {
    const completion = { field: 'c', fuzzy: true }
    expect(await refusal({ s: { regex: 'a.*', completion } })).toBe(
      `${IAE}can not use 'fuzzy' options with 'regex`,
    )
    expect(await refusal({ s: { regex: '[a', completion: { field: 'c' } } })).toMatch(
      /^400 illegal_argument/,
    )
    expect(
      await refusal({
        s: {
          regex: '(a|b)*c{20}',
          completion: { field: 'c', regex: { max_determinized_states: 2 } },
        },
      }),
    ).toContain('would require more than 2 effort')
  })
})

describe('the answer', () => {
  it('has no hits where suggestions alone are asked for, and both where a query is', async () => {
    const suggest = { text: 'amsterdan', s: { term: { field: 't' } } }
    const alone = await rest.call('POST /i/_search', { suggest })
    expect(alone.json.hits).toEqual({
      total: { value: 0, relation: 'eq' },
      max_score: null,
      hits: [],
    })
    const entry = {
      text: 'amsterdan',
      offset: 0,
      length: 9,
      options: [{ text: 'amsterdam', score: 0.8888889, freq: 1 }],
    }
    expect(alone.json.suggest).toEqual({ s: [entry] })
    const both = await rest.call('POST /i/_search', { query: { match_all: {} }, suggest })
    expect(both.json.hits.total.value).toBe(1)
    expect(both.json.suggest).toEqual({ s: [entry] })
    expect(Object.keys(both.json)).toEqual(['took', 'timed_out', '_shards', 'hits', 'suggest'])
    const profiled = await rest.call('POST /i/_search', { suggest, profile: true })
    expect(profiled.json.suggest).toEqual({ s: [entry] })
    expect(profiled.json.profile.shards).toEqual([])
    expect((await rest.call('POST /i/_search', {})).json.suggest).toBeUndefined()
  })

  it('is absent where no index was searched', async () => {
    const suggest = { s: { text: 'x', term: { field: 't' } } }
    const { status, json } = await rest.call('POST /none*/_search', { suggest })
    expect([status, json.suggest, json._shards.total]).toEqual([200, undefined, 0])
  })

  it('names kinds where keys are typed', async () => {
    const suggest = {
      text: 'ams',
      a: { term: { field: 't' } },
      b: { completion: { field: 'c' } },
      c: { phrase: { field: 't' } },
    }
    const { json } = await rest.call('POST /i/_search?typed_keys', { suggest })
    expect(Object.keys(json.suggest)).toEqual(['term#a', 'completion#b', 'phrase#c'])
    expect(json.suggest['completion#b'][0].options).toEqual([
      {
        text: 'Amsterdam',
        _index: 'i',
        _id: '1',
        _score: 1.0,
        _source: { t: 'amsterdam meetup', k: 'word', c: 'Amsterdam' },
      },
    ])
  })

  it('comes of the URL too', async () => {
    const by = (query: string): Promise<{ json: { suggest: Record<string, unknown> } }> =>
      rest.call(`GET /i/_search?${query}`)
    const texts = async (query: string): Promise<unknown> => {
      const { json } = await by(query)
      const entries = json.suggest['t'] as { options: { text: string }[] }[]
      return entries.map(({ options }) => options.map(({ text }) => text))
    }
    expect(await texts('suggest_field=t&suggest_text=amsterdan%20metup')).toEqual([
      ['amsterdam'],
      ['meetup'],
    ])
    expect(await texts('suggest_field=t&q=amsterdan')).toEqual([['amsterdam']])
    expect(await texts('suggest_field=t&suggest_text=amsterdam')).toEqual([[]])
    expect(
      await texts('suggest_field=t&suggest_text=amsterdan&suggest_mode=always&suggest_size=1'),
    ).toEqual([['amsterdam']])
    const failed = await rest.call('GET /i/_search?suggest_field=t&suggest_text=x&suggest_size=0')
    expect(failed.json.error.reason).toBe('size must be positive')
    expect((await rest.call('GET /i/_search?suggest_field=t')).status).toBe(400)
    // Without a field the others mean nothing.
    expect((await rest.call('GET /i/_search?suggest_text=x')).json.suggest).toBeUndefined()
  })

  it('is counted as a suggestion where nothing else was searched', async () => {
    const count = async (): Promise<number> =>
      (await rest.call('GET /i/_stats/search')).json._all.total.search.suggest_total
    const before = await count()
    await rest.call('POST /i/_search', { suggest: { s: { text: 'x', term: { field: 't' } } } })
    expect(await count()).toBe(before + 1)
    const suggest = { s: { text: 'x', term: { field: 't' } } }
    await rest.call('POST /i/_search', { query: { match_all: {} }, suggest })
    expect(await count()).toBe(before + 1)
  })

  it('fails in the shards of an index that it does not fit', async () => {
    await rest.call('PUT /other?wait_for_active_shards=0', {})
    const suggest = { s: { text: 'amsterdan', term: { field: 't' } } }
    const { json, status } = await rest.call('POST /i,other/_search', { suggest })
    expect(status).toBe(200)
    expect(json._shards.failures.map((each: { index: string }) => each.index)).toEqual(['other'])
    expect(json._shards.failures[0].reason).toEqual({
      type: 'illegal_argument_exception',
      reason: 'no mapping found for field [t]',
    })
    expect(json.suggest.s[0].options).toHaveLength(1)
    await rest.call('DELETE /other')
  })
})
