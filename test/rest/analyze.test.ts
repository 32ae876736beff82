import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const made = await rest.call('PUT /texts', {
    settings: {
      index: { analyze: { max_token_count: 6 } },
      analysis: {
        char_filter: { amp: { type: 'mapping', mappings: ['& => and'] } },
        filter: { few: { type: 'stop', stopwords: ['x', 'y'] } },
        tokenizer: { dashes: { type: 'char_group', tokenize_on_chars: ['-'] } },
        normalizer: {
          plain: { type: 'custom', char_filter: ['amp'], filter: ['lowercase', 'asciifolding'] },
        },
        analyzer: {
          mine: {
            tokenizer: 'dashes',
            char_filter: ['html_strip', 'amp'],
            filter: ['lowercase', 'few'],
            position_increment_gap: 7,
          },
          whole: { type: 'standard' },
        },
      },
    },
    mappings: {
      properties: {
        t: { type: 'text', analyzer: 'mine' },
        k: { type: 'keyword', normalizer: 'plain' },
        exact: { type: 'keyword' },
        n: { type: 'integer' },
      },
    },
  })
  expect(made.status).toBe(200)
})
afterAll(() => rest.close())

const shown = async (line: string, body?: object): Promise<string[]> => {
  const { status, json } = await rest.call(line, body)
  expect([status, json.error]).toEqual([200, undefined])
  return json.tokens.map(
    (each: { token: string; position: number; start_offset: number; end_offset: number }) =>
      `${each.token}@${each.position} ${each.start_offset}-${each.end_offset}`,
  )
}

describe('_analyze', () => {
  it('answers in the documented form, keys in their order', async () => {
    const { text } = await rest.call('POST /_analyze', { analyzer: 'standard', text: 'Two 2' })
    expect(text).toBe(
      '{"tokens":[{"token":"two","start_offset":0,"end_offset":3,"type":"<ALPHANUM>","position":0},' +
        '{"token":"2","start_offset":4,"end_offset":5,"type":"<NUM>","position":1}]}',
    )
    expect((await rest.call('POST /_analyze', { text: '' })).text).toBe('{"tokens":[]}')
  })

  it('chooses: tokenizer, filters over keyword, analyzer, normalizer, field, default', async () => {
    const text = 'A-B & <b>C</b>'
    expect(await shown('GET /texts/_analyze', { tokenizer: 'dashes', text })).toEqual([
      'A@0 0-1',
      'B & <b>C</b>@1 2-14',
    ])
    expect(await shown('GET /texts/_analyze', { filter: ['lowercase'], text: 'A-B' })).toEqual([
      'a-b@0 0-3',
    ])
    expect(await shown('GET /texts/_analyze', { char_filter: ['amp'], text: 'A&B' })).toEqual([
      'AandB@0 0-3',
    ])
    expect(await shown('GET /texts/_analyze', { analyzer: 'mine', text })).toEqual([
      'a@0 0-1',
      'b and c@1 2-14',
    ])
    expect(await shown('GET /texts/_analyze', { normalizer: 'plain', text: 'É&B' })).toEqual([
      'eandb@0 0-3',
    ])
    expect(await shown('GET /texts/_analyze', { field: 't', text: 'X-Y-Z' })).toEqual(['z@2 4-5'])
    expect(await shown('GET /texts/_analyze', { field: 'k', text: 'ÄB' })).toEqual(['ab@0 0-2'])
    expect(await shown('GET /texts/_analyze', { field: 'exact', text: 'Ä B' })).toEqual([
      'Ä B@0 0-3',
    ])
    expect(await shown('GET /texts/_analyze', { field: 'nowhere', text: 'A b' })).toEqual([
      'a@0 0-1',
      'b@1 2-3',
    ])
    expect(
      await shown('GET /texts/_analyze', { field: 't', analyzer: 'keyword', text }),
    ).toHaveLength(1)
  })

  it('takes its parts as query parameters too', async () => {
    expect(await shown('GET /_analyze?analyzer=simple&text=A1b')).toEqual(['a@0 0-1', 'b@1 2-3'])
    expect(await shown('GET /_analyze?tokenizer=keyword&filter=lowercase,reverse&text=AB')).toEqual(
      ['ba@0 0-2'],
    )
    expect(await shown('GET /_analyze?index=texts&field=t&text=A-b')).toEqual([
      'a@0 0-1',
      'b@1 2-3',
    ])
    expect(
      await shown('GET /_analyze?char_filter=html_strip&tokenizer=whitespace&text=%3Cb%3Ex'),
    ).toEqual(['x@0 3-4'])
    const { json } = await rest.call('GET /_analyze?text=a&explain=true&attributes=bytes')
    expect(json.detail.analyzer.tokens[0].bytes).toBe('[61]')
    expect(json.detail.analyzer.tokens[0].termFrequency).toBeUndefined()
  })

  it('defines components in the request', async () => {
    expect(
      await shown('POST /_analyze', {
        char_filter: [{ type: 'pattern_replace', pattern: '(\\d+)', replacement: '#$1#' }],
        tokenizer: { type: 'ngram', min_gram: 2, max_gram: 2 },
        filter: [{ type: 'stop', stopwords: ['#1'] }, 'lowercase'],
        text: 'A1',
      }),
    ).toEqual(['a#@0 0-1', '1#@2 1-2'])
  })

  it('lets positions and offsets run on, by the gap of what analyses', async () => {
    const text = ['a-b', 'c']
    expect((await shown('GET /texts/_analyze', { analyzer: 'mine', text })).at(-1)).toBe('c@9 4-5')
    expect((await shown('GET /texts/_analyze', { analyzer: 'whole', text })).at(-1)).toBe(
      'c@102 4-5',
    )
    expect((await shown('GET /_analyze', { analyzer: 'standard', text })).at(-1)).toBe('c@2 4-5')
  })

  it('explains every stage of a custom chain', async () => {
    const { json } = await rest.call('POST /texts/_analyze', {
      analyzer: 'mine',
      text: ['<i>X-É&', 'q'],
      explain: true,
      attributes: ['BYTES'],
    })
    expect(json.detail).toEqual({
      custom_analyzer: true,
      charfilters: [
        { name: 'html_strip', filtered_text: ['X-É&', 'q'] },
        { name: 'amp', filtered_text: ['X-Éand', 'q'] },
      ],
      tokenizer: {
        name: 'dashes',
        tokens: [
          { token: 'X', start_offset: 3, end_offset: 4, type: 'word', position: 0, bytes: '[58]' },
          {
            token: 'Éand',
            start_offset: 5,
            end_offset: 7,
            type: 'word',
            position: 1,
            bytes: '[c3 89 61 6e 64]',
          },
          { token: 'q', start_offset: 8, end_offset: 9, type: 'word', position: 9, bytes: '[71]' },
        ],
      },
      tokenfilters: [
        { name: 'lowercase', tokens: [{}, {}, {}].map(() => expect.anything()) },
        {
          name: 'few',
          tokens: [expect.objectContaining({ token: 'éand', position: 1 }), expect.anything()],
        },
      ],
    })
  })

  it('shows the keyword flag from the first filter on that knows it', async () => {
    const { json } = await rest.call('POST /_analyze', {
      tokenizer: 'whitespace',
      filter: [
        'lowercase',
        { type: 'keyword_marker', keywords: ['cats'] },
        { type: 'stemmer', language: 'english' },
      ],
      text: 'cats dogs',
      explain: true,
    })
    const [lower, marker, stemmer] = json.detail.tokenfilters
    expect(json.detail.charfilters).toEqual([])
    expect(json.detail.tokenizer.name).toBe('whitespace')
    expect(lower.tokens[0]).not.toHaveProperty('keyword')
    expect(marker.name).toBe('__anonymous__keyword_marker')
    expect(marker.tokens.map((each: { keyword: boolean }) => each.keyword)).toEqual([true, false])
    expect(stemmer.tokens.map((each: { token: string }) => each.token)).toEqual(['cats', 'dog'])
    expect(Object.keys(stemmer.tokens[0])).toEqual([
      ...['token', 'start_offset', 'end_offset', 'type', 'position'],
      ...['bytes', 'keyword', 'positionLength', 'termFrequency'],
    ])
  })

  it('answers a GET that it knows from before as it did', async () => {
    const body = { analyzer: 'mine', text: 'one-two' }
    const first = await rest.call('GET /texts/_analyze', body)
    const second = await rest.call('GET /texts/_analyze', body)
    const posted = await rest.call('POST /texts/_analyze', body)
    expect(second.text).toBe(first.text)
    expect(posted.text).toBe(first.text)
    // A changed setting is not answered from before.
    const long = { analyzer: 'mine', text: '1-2-3-4-5' }
    expect((await rest.call('GET /texts/_analyze', long)).status).toBe(200)
    await rest.call('PUT /texts/_settings', { 'index.analyze.max_token_count': 2 })
    expect((await rest.call('GET /texts/_analyze', long)).status).toBe(500)
    await rest.call('PUT /texts/_settings', { 'index.analyze.max_token_count': 6 })
  })

  it.each<[string, object, number, string, string]>([
    [
      'GET /_analyze',
      {},
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: text is missing;',
    ],
    [
      'GET /_analyze',
      { text: [] },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: text is missing;',
    ],
    [
      'GET /_analyze',
      { normalizer: 'n', text: 'x' },
      400,
      'action_request_validation_exception',
      '1: index is required if normalizer is specified;',
    ],
    [
      'GET /texts/_analyze',
      { normalizer: 'plain', analyzer: 'mine', text: 'x' },
      400,
      'action_request_validation_exception',
      '1: tokenizer/analyze should be null if normalizer is specified;',
    ],
    [
      'GET /texts/_analyze',
      { analyzer: 'mine', filter: ['few'], text: 'x' },
      400,
      'action_request_validation_exception',
      '1: cannot define extra components on a named analyzer;',
    ],
    [
      'GET /texts/_analyze',
      { field: 't', tokenizer: 'keyword', text: 'x' },
      400,
      'action_request_validation_exception',
      '1: cannot define extra components on a field-specific analyzer;',
    ],
    [
      'GET /_analyze',
      { field: 't', text: 'x' },
      400,
      'illegal_argument_exception',
      'analysis based on a specific field requires an index',
    ],
    [
      'GET /texts/_analyze',
      { field: 'n', text: 'x' },
      400,
      'illegal_argument_exception',
      "Can't process field [n], Analysis requests are only supported on tokenized fields",
    ],
    [
      'GET /_analyze',
      { analyzer: 'mine', text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find global analyzer [mine]',
    ],
    [
      'GET /texts/_analyze',
      { analyzer: 'nope', text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find analyzer [nope]',
    ],
    [
      'GET /texts/_analyze',
      { normalizer: 'nope', text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find normalizer under [nope]',
    ],
    [
      'GET /_analyze',
      { tokenizer: 'dashes', text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find global tokenizer under [dashes]',
    ],
    [
      'GET /texts/_analyze',
      { tokenizer: 'nope', text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find tokenizer under [nope]',
    ],
    [
      'GET /_analyze',
      { filter: ['few'], text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find global token filter under [few]',
    ],
    [
      'GET /texts/_analyze',
      { filter: ['nope'], text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find token filter under [nope]',
    ],
    [
      'GET /_analyze',
      { filter: ['lowercase', 'word_delimiter'], text: 'x' },
      400,
      'illegal_argument_exception',
      'Custom normalizer may not use filter [word_delimiter]',
    ],
    [
      'GET /_analyze',
      { filter: ['lowercase', { type: 'stop' }], explain: true, text: 'x' },
      400,
      'illegal_argument_exception',
      'Custom normalizer may not use filter [__anonymous__stop]',
    ],
    [
      'GET /_analyze',
      { char_filter: ['amp'], text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find global char filter under [amp]',
    ],
    [
      'GET /texts/_analyze',
      { char_filter: ['nope'], text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find char filter under [nope]',
    ],
    [
      'GET /_analyze',
      { tokenizer: { max_token_length: 3 }, text: 'x' },
      400,
      'illegal_argument_exception',
      'Missing [type] setting for anonymous tokenizer: {"max_token_length":"3"}',
    ],
    ...['tokenizer', 'analyzer'].map((key): [string, object, number, string, string] => [
      'GET /texts/_analyze',
      { normalizer: 'plain', [key]: 'keyword', text: 'x' },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: tokenizer/analyze should be null if normalizer is specified;',
    ]),
    ...['tokenizer', 'filter', 'char_filter'].flatMap(
      (key): [string, object, number, string, string][] => [
        [
          'GET /texts/_analyze',
          { analyzer: 'mine', [key]: key === 'tokenizer' ? 'keyword' : ['few'], text: 'x' },
          400,
          'action_request_validation_exception',
          'Validation Failed: 1: cannot define extra components on a named analyzer;',
        ],
        [
          'GET /texts/_analyze',
          { field: 't', [key]: key === 'tokenizer' ? 'keyword' : ['few'], text: 'x' },
          400,
          'action_request_validation_exception',
          'Validation Failed: 1: cannot define extra components on a field-specific analyzer;',
        ],
      ],
    ),
    [
      'GET /_analyze',
      { tokenizer: 'keyword', filter: [{ min: 2 }], text: 'x' },
      400,
      'illegal_argument_exception',
      'Missing [type] setting for anonymous filter: {"min":"2"}',
    ],
    [
      'GET /_analyze',
      { tokenizer: 'keyword', char_filter: [{ pattern: 'x' }], text: 'x' },
      400,
      'illegal_argument_exception',
      'Missing [type] setting for anonymous char_filter: {"pattern":"x"}',
    ],
    [
      'GET /_analyze',
      { tokenizer: { type: 'nope' }, text: 'x' },
      400,
      'illegal_argument_exception',
      'failed to find global tokenizer under [nope]',
    ],
    ...['nGram', 'edgeNGram'].map((name): [string, object, number, string, string] => [
      'GET /_analyze',
      { tokenizer: 'keyword', filter: [name], text: 'x' },
      400,
      'illegal_argument_exception',
      `The [${name}] token filter name was deprecated in 6.4 and cannot be used in new indices.`,
    ]),
    [
      'GET /_analyze',
      {
        tokenizer: 'whitespace',
        filter: [{ type: 'multiplexer', filters: ['word_delimiter_graph', 'trim'] }],
        text: '-',
      },
      400,
      'illegal_argument_exception',
      'Increment must be zero or greater: -1',
    ],
    ['GET /nope/_analyze', { text: 'x' }, 404, 'index_not_found_exception', 'no such index [nope]'],
    [
      'GET /texts/_analyze',
      { analyzer: 'mine', text: ['1-2-3', '4-5-6-7'] },
      500,
      'illegal_state_exception',
      'The number of tokens produced by calling _analyze has exceeded the allowed maximum of [6]. ' +
        'This limit can be set by changing the [index.analyze.max_token_count] index level setting.',
    ],
    [
      'GET /_analyze',
      { txt: 'x' },
      400,
      'x_content_parse_exception',
      '[1:2] [analyze_request] unknown field [txt] did you mean [text]?',
    ],
    [
      'GET /_analyze',
      { text: {} },
      400,
      'x_content_parse_exception',
      "[analyze_request] text doesn't support values of type: START_OBJECT",
    ],
  ])('refuses %s %j', async (line, body, status, type, reason) => {
    const answer = await rest.call(line, body)
    expect(answer.status).toBe(status)
    expect(answer.json.error.type).toBe(type)
    expect(answer.json.error.reason).toContain(reason)
  })

  it('takes just as many tokens as the limit says, over all texts together', async () => {
    expect(
      await shown('GET /texts/_analyze', { analyzer: 'mine', text: ['1-2-3', '4-5-6'] }),
    ).toHaveLength(6)
    const many = 'a '.repeat(10_000)
    expect(await shown('POST /_analyze', { analyzer: 'whitespace', text: many })).toHaveLength(
      10_000,
    )
    expect(
      (await rest.call('POST /_analyze', { analyzer: 'whitespace', text: `${many} b` })).status,
    ).toBe(500)
  })
})

describe('settings.analysis', () => {
  it.each<[object, string]>([
    [
      { analyzer: { a: { filter: ['lowercase'] } } },
      'analyzer [a] must specify either an analyzer type, or a tokenizer',
    ],
    [
      { analyzer: { a: { type: 'custom' } } },
      'Custom Analyzer [a] must be configured with a tokenizer',
    ],
    [
      { analyzer: { a: { tokenizer: 'nope' } } },
      'Custom Analyzer [a] failed to find tokenizer under name [nope]',
    ],
    [
      { analyzer: { a: { tokenizer: 'keyword', char_filter: 'nope' } } },
      'Custom Analyzer [a] failed to find char_filter under name [nope]',
    ],
    [
      { analyzer: { a: { tokenizer: 'keyword', filter: 'nope' } } },
      'Custom Analyzer [a] failed to find filter under name [nope]',
    ],
    [{ analyzer: { a: { type: 'nope' } } }, 'Unknown analyzer type [nope] for [a]'],
    [{ tokenizer: { t: { type: 'nope' } } }, 'Unknown tokenizer type [nope] for [t]'],
    [{ char_filter: { c: { type: 'nope' } } }, 'Unknown char_filter type [nope] for [c]'],
    [{ filter: { f: { type: 'nope' } } }, 'Unknown filter type [nope] for [f]'],
    [{ normalizer: { n: { type: 'nope' } } }, 'Unknown normalizer type [nope] for [n]'],
    [
      { normalizer: { n: { tokenizer: 'keyword' } } },
      'Custom normalizer [n] cannot configure a tokenizer',
    ],
    [
      { normalizer: { n: { filter: ['stop'] } } },
      'Custom normalizer [n] may not use filter [stop]',
    ],
    [
      { normalizer: { n: { filter: ['lowercase', 'word_delimiter'] } } },
      'Custom normalizer [n] may not use filter [word_delimiter]',
    ],
    [
      { normalizer: { n: { filter: ['nope'] } } },
      'Custom normalizer [n] failed to find filter under name [nope]',
    ],
    [
      { normalizer: { n: { char_filter: ['html_strip'] } } },
      'Custom normalizer [n] may not use char filter [html_strip]',
    ],
    [
      { char_filter: { c: { type: 'mapping' } } },
      'mapping requires either `mappings` or `mappings_path` to be configured',
    ],
    [{ char_filter: { c: { type: 'mapping', mappings: ['ab'] } } }, 'Invalid Mapping Rule : [ab]'],
    [
      { char_filter: { c: { type: 'mapping', mappings: ['a=>b', 'a=>c'] } } },
      'match "a" was already added',
    ],
    [
      { char_filter: { c: { type: 'pattern_replace' } } },
      "pattern is missing for [c] char filter of type 'pattern_replace'",
    ],
    [
      { char_filter: { c: { type: 'pattern_replace', pattern: 'a', replacement: '$1' } } },
      'No group 1',
    ],
    [
      { tokenizer: { t: { type: 'ngram', min_gram: 1, max_gram: 3 } } },
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [1] but was [2]. This limit can be set by changing the [index.max_ngram_diff] index level setting.',
    ],
    [
      { tokenizer: { t: { type: 'edge_ngram', min_gram: 0 } } },
      'minGram must be greater than zero',
    ],
    [
      { tokenizer: { t: { type: 'edge_ngram', min_gram: 3, max_gram: 2 } } },
      'minGram must not be greater than maxGram',
    ],
    [
      { tokenizer: { t: { type: 'ngram', token_chars: ['letters'] } } },
      "Unknown token type: 'letters', must be one of [custom, digit, letter, punctuation, symbol, whitespace]",
    ],
    [
      { tokenizer: { t: { type: 'ngram', token_chars: ['custom'] } } },
      "Token type: 'custom' requires setting `custom_token_chars`",
    ],
    [
      { tokenizer: { t: { type: 'char_group', tokenize_on_chars: ['ab'] } } },
      'Invalid escaped char in [ab]',
    ],
    [
      { tokenizer: { t: { type: 'path_hierarchy', delimiter: '//' } } },
      'delimiter must be a one char value',
    ],
    [{ tokenizer: { t: { type: 'path_hierarchy', skip: -1 } } }, 'skip cannot be negative'],
    [{ tokenizer: { t: { type: 'simple_pattern', pattern: '[a' } } }, "expected ']' at position 2"],
    [{ tokenizer: { t: { type: 'pattern', pattern: '(a', group: 0 } } }, 'Unclosed group'],
    [
      { tokenizer: { t: { type: 'pattern', pattern: 'a', group: 1 } } },
      'invalid group specified: pattern only has: 0 capturing groups',
    ],
    [
      { tokenizer: { t: { type: 'standard', max_token_length: 'x' } } },
      'Failed to parse value [x] for setting [max_token_length]',
    ],
    [
      { tokenizer: { t: { type: 'keyword', buffer_size: 0 } } },
      'maxTokenLength must be greater than 0',
    ],
  ])('refuses %j when the index is made', async (analysis, reason) => {
    const made = await rest.call('PUT /refused', { settings: { analysis } })
    expect([made.status, made.json.error.type]).toEqual([400, 'illegal_argument_exception'])
    expect(made.json.error.reason).toContain(reason)
    expect((await rest.call('HEAD /refused')).status).toBe(404)
  })

  it('refuses mappings that name what there is not', async () => {
    for (const key of ['analyzer', 'search_analyzer', 'search_quote_analyzer']) {
      const reason = 'analyzer [nope] has not been configured in mappings'
      const properties = {
        t: { type: 'text', analyzer: 'standard', search_analyzer: 'standard', [key]: 'nope' },
      }
      const made = await rest.call('PUT /refused', { mappings: { properties } })
      expect(made.status).toBe(400)
      expect(made.json.error.reason).toContain(reason)
    }
    const properties = { k: { type: 'keyword', normalizer: 'nope' } }
    const made = await rest.call('PUT /refused', { mappings: { properties } })
    expect([made.status, made.json.error.reason]).toEqual([
      400,
      expect.stringContaining('normalizer [nope] not found for field [k]'),
    ])
  })

  it('analyses queries by default_search, search_analyzer and search_quote_analyzer', async () => {
    await rest.call('PUT /searched', {
      settings: {
        analysis: {
          analyzer: {
            default: { tokenizer: 'whitespace' },
            default_search: { tokenizer: 'whitespace', filter: ['lowercase'] },
            default_search_quoted: { tokenizer: 'whitespace' },
            quoted: { tokenizer: 'whitespace', filter: ['uppercase'] },
          },
        },
      },
      mappings: {
        properties: {
          plain: { type: 'text' },
          own: {
            type: 'text',
            analyzer: 'whitespace',
            search_analyzer: 'simple',
            search_quote_analyzer: 'quoted',
          },
        },
      },
    })
    await rest.call('PUT /searched/_doc/1?refresh', { plain: 'Ab cd', own: 'Ab cd EF GH' })
    const total = async (query: object): Promise<number> =>
      (await rest.call('GET /searched/_search', { query })).json.hits.total.value
    // Indexed by `default`: case stays; searched in lower case.
    expect(await total({ match: { plain: 'CD' } })).toBe(1)
    expect(await total({ match: { plain: 'Ab' } })).toBe(0)
    expect(await total({ match: { plain: { query: 'Ab', analyzer: 'whitespace' } } })).toBe(1)
    expect(await total({ match_phrase: { plain: 'Ab cd' } })).toBe(1)
    expect(await total({ match_phrase: { plain: 'AB CD' } })).toBe(0)
    expect(await total({ match: { own: 'CD' } })).toBe(1)
    expect(await total({ match: { own: 'EF' } })).toBe(0)
    expect(await total({ match_phrase: { own: 'ef gh' } })).toBe(1)
    expect(await total({ match_phrase: { own: { query: 'ef gh', analyzer: 'whitespace' } } })).toBe(
      0,
    )
  })

  it('counts a word as often as delimited_term_freq says, where no positions are kept', async () => {
    await rest.call('PUT /counted', {
      settings: {
        analysis: { analyzer: { f: { tokenizer: 'whitespace', filter: ['delimited_term_freq'] } } },
      },
      mappings: {
        properties: {
          t: { type: 'text', analyzer: 'f', search_analyzer: 'whitespace', index_options: 'freqs' },
          p: { type: 'text', analyzer: 'f' },
        },
      },
    })
    await rest.call('PUT /counted/_doc/1', { t: 'a|9 b' })
    await rest.call('PUT /counted/_doc/2?refresh', { t: 'a b b b b b b b b b' })
    const { json } = await rest.call('GET /counted/_search', { query: { match: { t: 'a' } } })
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['1', '2'])
    const refused = await rest.call('PUT /counted/_doc/3', { p: 'a|2' })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toContain('cannot index positions while using custom')
    const tooMany = await rest.call('PUT /counted/_doc/4', { t: 'a|2000000000' })
    expect([tooMany.status, JSON.stringify(tooMany.json)]).toEqual([
      400,
      expect.stringContaining('sum up to more than'),
    ])
  })
})
