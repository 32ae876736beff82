import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: {
      refresh_interval: '-1',
      analysis: {
        analyzer: {
          loaded: { tokenizer: 'standard', filter: ['type_as_payload'] },
          close: { tokenizer: 'standard', position_increment_gap: 3 },
        },
        normalizer: { low: { type: 'custom', filter: ['lowercase'] } },
      },
    },
    mappings: {
      properties: {
        t: {
          type: 'text',
          term_vector: 'with_positions_offsets',
          fields: { raw: { type: 'keyword', normalizer: 'low', ignore_above: 30 } },
        },
        yes: { type: 'text', term_vector: 'yes' },
        at: { type: 'text', term_vector: 'with_positions' },
        off: { type: 'text', term_vector: 'with_offsets' },
        loaded: {
          type: 'text',
          term_vector: 'with_positions_offsets_payloads',
          analyzer: 'loaded',
        },
        plain: { type: 'text', copy_to: 'all' },
        after: { type: 'text', copy_to: 'all' },
        all: { type: 'text', position_increment_gap: 10 },
        close: { type: 'text', analyzer: 'close' },
        typed: { type: 'search_as_you_type', term_vector: 'yes' },
        bare: { type: 'text', index: false },
        n: { type: 'long' },
        nested: {
          type: 'nested',
          properties: { t: { type: 'text', term_vector: 'yes' } },
        },
        shown: {
          type: 'nested',
          include_in_root: true,
          properties: { t: { type: 'text', term_vector: 'with_positions' } },
        },
      },
    },
    aliases: { a: {}, both: {} },
  })
  await ok('PUT /i/_doc/1', { t: 'The quick brown fox is brown.', n: 1 })
  await ok('PUT /i/_doc/2?refresh', { t: ['quick', 'Slow fox'], nested: [{ t: 'in it' }] })
  await ok('PUT /i/_doc/3?refresh', {
    yes: 'b a b',
    at: 'b a b',
    off: 'b a b',
    loaded: 'one 2',
  })
  await ok('PUT /i/_doc/4?refresh', {
    after: 'x',
    plain: ['one two', 'one'],
    close: ['p', 'q'],
    typed: 'so on',
    bare: 'none',
    all: null,
  })
  await ok('PUT /routed', { mappings: { _routing: { required: true } } })
  await ok('PUT /other', {
    aliases: { both: {} },
    mappings: { properties: { t: { type: 'text' } } },
  })
  await ok('PUT /without', {
    mappings: {
      _source: { enabled: false },
      properties: { t: { type: 'text', fields: { v: { type: 'text', term_vector: 'yes' } } } },
    },
  })
  await ok('PUT /without/_doc/1?refresh', { t: 'a' })
  await ok('PUT /shut')
  await ok('POST /shut/_close')
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

interface Token {
  readonly position?: number
  readonly start_offset?: number
  readonly end_offset?: number
  readonly payload?: string
}

interface Term {
  readonly doc_freq?: number
  readonly ttf?: number
  readonly term_freq: number
  readonly tokens?: readonly Token[]
  readonly score?: number
}

interface Vector {
  readonly field_statistics?: Readonly<Record<string, number>>
  readonly terms: Readonly<Record<string, Term>>
}

/** Vectors by field. */
const vectors = async (line: string, body?: object): Promise<Record<string, Vector>> =>
  (await ok(line, body)).term_vectors

/** `term@position[start,end]` of each token, by term. */
function told({ terms }: Vector): string[] {
  return Object.entries(terms).map(([term, { tokens = [] }]) => {
    const at = tokens.map(
      ({ position = '', start_offset = '', end_offset = '' }) =>
        `${position}[${start_offset},${end_offset}]`,
    )
    return `${term}@${at.join(' ')}`
  })
}

describe('the vectors of a document', () => {
  it('print with statistics, keys in the documented order', async () => {
    const { text } = await rest.call('GET /i/_termvectors/1?term_statistics')
    expect(text.replace(/"took":\d+/, '"took":0')).toBe(
      '{"_index":"i","_id":"1","_version":1,"found":true,"took":0,"term_vectors":{"t":{' +
        '"field_statistics":{"sum_doc_freq":8,"doc_count":2,"sum_ttf":9},"terms":{' +
        '"brown":{"doc_freq":1,"ttf":2,"term_freq":2,"tokens":[' +
        '{"position":2,"start_offset":10,"end_offset":15},' +
        '{"position":5,"start_offset":23,"end_offset":28}]},' +
        '"fox":{"doc_freq":2,"ttf":2,"term_freq":1,"tokens":[' +
        '{"position":3,"start_offset":16,"end_offset":19}]},' +
        '"is":{"doc_freq":1,"ttf":1,"term_freq":1,"tokens":[' +
        '{"position":4,"start_offset":20,"end_offset":22}]},' +
        '"quick":{"doc_freq":2,"ttf":2,"term_freq":1,"tokens":[' +
        '{"position":1,"start_offset":4,"end_offset":9}]},' +
        '"the":{"doc_freq":1,"ttf":1,"term_freq":1,"tokens":[' +
        '{"position":0,"start_offset":0,"end_offset":3}]}}}}}',
    )
  })

  it('run on from value to value, with gaps', async () => {
    const { t } = await vectors('GET /i/_termvectors/2')
    expect(told(t!)).toEqual(['fox@102[11,14]', 'quick@0[0,5]', 'slow@101[6,10]'])
    const { close } = await vectors('GET /i/_termvectors/4?fields=close')
    expect(told(close!)).toEqual(['p@0[0,1]', 'q@4[2,3]'])
  })

  it('have the parts that the mapping keeps', async () => {
    const found = await vectors('GET /i/_termvectors/3?field_statistics=false')
    expect(found).toEqual({
      at: {
        terms: {
          a: { term_freq: 1, tokens: [{ position: 1 }] },
          b: { term_freq: 2, tokens: [{ position: 0 }, { position: 2 }] },
        },
      },
      loaded: {
        terms: {
          2: {
            term_freq: 1,
            tokens: [{ position: 1, start_offset: 4, end_offset: 5, payload: 'PE5VTT4=' }],
          },
          one: {
            term_freq: 1,
            tokens: [{ position: 0, start_offset: 0, end_offset: 3, payload: 'PEFMUEhBTlVNPg==' }],
          },
        },
      },
      off: {
        terms: {
          a: { term_freq: 1, tokens: [{ start_offset: 2, end_offset: 3 }] },
          b: {
            term_freq: 2,
            tokens: [
              { start_offset: 0, end_offset: 1 },
              { start_offset: 4, end_offset: 5 },
            ],
          },
        },
      },
      yes: { terms: { a: { term_freq: 1 }, b: { term_freq: 2 } } },
    })
  })

  it('leave out the parts that are not asked for', async () => {
    const tokens = async (params: string): Promise<unknown> =>
      (await vectors(`GET /i/_termvectors/3?fields=loaded&${params}`)).loaded!.terms.one!.tokens
    expect(await tokens('payloads=false&offsets=false')).toEqual([{ position: 0 }])
    expect(await tokens('payloads=false&positions=false')).toEqual([
      { start_offset: 0, end_offset: 3 },
    ])
    expect(await tokens('positions=false&offsets=false')).toEqual([{ payload: 'PEFMUEhBTlVNPg==' }])
    expect(await tokens('payloads=false&positions=false&offsets=false')).toBeUndefined()
  })

  it('are made for fields that are named, by name and pattern', async () => {
    const found = await vectors('GET /i/_termvectors/4?fields=pla*,n,gone,bare', {
      fields: ['close'],
    })
    expect(Object.keys(found)).toEqual(['close', 'plain'])
    expect(found.plain).toEqual({
      field_statistics: { sum_doc_freq: 2, doc_count: 1, sum_ttf: 3 },
      terms: {
        one: {
          term_freq: 2,
          tokens: [
            { position: 0, start_offset: 0, end_offset: 3 },
            { position: 102, start_offset: 8, end_offset: 11 },
          ],
        },
        two: { term_freq: 1, tokens: [{ position: 1, start_offset: 4, end_offset: 7 }] },
      },
    })
    expect(await vectors('GET /i/_termvectors/4?fields=gone')).toEqual({})
  })

  it('have whole values of keywords, as their normalizer leaves them', async () => {
    const { 't.raw': raw } = await vectors('GET /i/_termvectors/2?fields=t.raw&term_statistics')
    expect(raw).toEqual({
      field_statistics: { sum_doc_freq: 3, doc_count: 2, sum_ttf: 3 },
      terms: {
        quick: {
          doc_freq: 1,
          ttf: 1,
          term_freq: 1,
          tokens: [{ position: 0, start_offset: 0, end_offset: 5 }],
        },
        'slow fox': {
          doc_freq: 1,
          ttf: 1,
          term_freq: 1,
          tokens: [{ position: 1, start_offset: 6, end_offset: 14 }],
        },
      },
    })
  })

  it('have values that are copied, in the order of the document', async () => {
    const { all } = await vectors('GET /i/_termvectors/4?fields=all')
    expect(told(all!)).toEqual(['one@11[2,5] 23[10,13]', 'two@12[6,9]', 'x@0[0,1]'])
  })

  it('leave nested documents out, but for those that stand in the whole one too', async () => {
    expect(Object.keys(await vectors('GET /i/_termvectors/2'))).toEqual(['t'])
    const doc = { nested: { t: 'x' }, shown: [{ t: 'y z' }, { t: 'y' }] }
    const given = await vectors('GET /i/_termvectors', { doc })
    expect(Object.keys(given)).toEqual(['shown.t'])
    await ok('PUT /i/_doc/5', doc)
    const { 'shown.t': shown } = await vectors('GET /i/_termvectors/5')
    expect(told(shown!)).toEqual(['y@0[,] 102[,]', 'z@1[,]'])
  })

  it('are made by other analyzers, an unknown one standing for the default', async () => {
    const { t } = await vectors('POST /i/_termvectors/2', { per_field_analyzer: { t: 'keyword' } })
    expect(told(t!)).toEqual(['Slow fox@101[6,14]', 'quick@0[0,5]'])
    const unknown = await vectors('POST /i/_termvectors/2', { per_field_analyzer: { t: 'gone' } })
    expect(told(unknown.t!)).toEqual(['fox@102[11,14]', 'quick@0[0,5]', 'slow@101[6,10]'])
    const others = await vectors('POST /i/_termvectors/2', {
      per_field_analyzer: { plain: 'keyword' },
    })
    expect(Object.keys(others)).toEqual(['t'])
  })

  it('are found through an alias, and none of a document that there is not', async () => {
    const took = expect.any(Number)
    expect(await ok('GET /a/_termvectors/1?fields=gone')).toEqual({
      _index: 'i',
      _id: '1',
      _version: 1,
      found: true,
      took,
      term_vectors: {},
    })
    expect(await ok('GET /a/_termvectors/absent')).toEqual({
      _index: 'i',
      _id: 'absent',
      _version: 0,
      found: false,
      took,
    })
  })

  it('count as no get', async () => {
    const gets = async (): Promise<unknown> => (await ok('GET /i/_stats/get')).indices.i.total.get
    const before = await gets()
    await ok('GET /i/_termvectors/1')
    expect(await gets()).toEqual(before)
  })

  it('are those of the newest write, or of the last refresh', async () => {
    await ok('PUT /fresh', {
      settings: { refresh_interval: '-1' },
      mappings: { properties: { t: { type: 'text', term_vector: 'yes' } } },
    })
    await ok('PUT /fresh/_doc/1?refresh', { t: 'old' })
    await ok('PUT /fresh/_doc/1', { t: 'new' })
    await ok('PUT /fresh/_doc/2', { t: 'new' })
    const past = await ok('GET /fresh/_termvectors/1?realtime=false')
    expect([past._version, Object.keys(past.term_vectors.t.terms)]).toEqual([1, ['old']])
    expect((await ok('GET /fresh/_termvectors/2?realtime=false')).found).toBe(false)
    const now = await ok('GET /fresh/_termvectors/1?term_statistics')
    expect([now._version, now.term_vectors.t.terms]).toEqual([
      2,
      { new: { doc_freq: 2, ttf: 2, term_freq: 1 } },
    ])
    await ok('DELETE /fresh/_doc/1')
    expect((await ok('GET /fresh/_termvectors/1')).found).toBe(false)
    expect((await ok('GET /fresh/_termvectors/1?realtime=false')).found).toBe(true)
  })
})

describe('a document of the request', () => {
  it('has all its texts, with statistics of the shard', async () => {
    const found = await ok('GET /i/_termvectors?term_statistics', {
      doc: { t: 'brown bear', plain: ['two', 'two'], n: 5, gone: 'x', yes: 1 },
    })
    expect(found).toMatchObject({ _index: 'i', _version: 0, found: true })
    expect(found._id).toBeUndefined()
    const names = ['after', 'all', 'plain', 't', 't.raw', 'yes']
    expect(Object.keys(found.term_vectors)).toEqual(names.filter(name => name !== 'after'))
    expect(found.term_vectors.t).toEqual({
      field_statistics: { sum_doc_freq: 8, doc_count: 2, sum_ttf: 9 },
      terms: {
        bear: { term_freq: 1, tokens: [{ position: 1, start_offset: 6, end_offset: 10 }] },
        brown: {
          doc_freq: 1,
          ttf: 2,
          term_freq: 1,
          tokens: [{ position: 0, start_offset: 0, end_offset: 5 }],
        },
      },
    })
    expect(told(found.term_vectors.yes)).toEqual(['1@0[0,1]'])
    expect(await ok('GET /i/_mapping/field/gone')).toEqual({ i: { mappings: {} } })
  })

  it('takes names of fields and analyzers, and counts nothing in an empty index', async () => {
    const body = { doc: { t: 'One two', u: 'x' }, per_field_analyzer: { t: 'whitespace' } }
    const found = await vectors('POST /other/_termvectors?fields=t&term_statistics', body)
    expect(found).toEqual({
      t: {
        field_statistics: { sum_doc_freq: 0, doc_count: 0, sum_ttf: 0 },
        terms: {
          One: { term_freq: 1, tokens: [{ position: 0, start_offset: 0, end_offset: 3 }] },
          two: { term_freq: 1, tokens: [{ position: 1, start_offset: 4, end_offset: 7 }] },
        },
      },
    })
  })

  it('is refused as a write would refuse it', async () => {
    expect(await failure('GET /i/_termvectors', { doc: { n: 'x' } })).toEqual([
      400,
      'mapper_parsing_exception',
      "failed to parse field [n] of type [long] in document with id '_id_for_tv_api'. Preview of field's value: 'x'",
    ])
    expect(await failure('GET /i/_termvectors', { doc: 7 })).toEqual([
      400,
      'mapper_parsing_exception',
      'Malformed content, must start with an object',
    ])
  })
})

describe('a filter', () => {
  const kept = async (filter: object): Promise<string[]> => {
    const { t } = await vectors('POST /i/_termvectors/1', { filter })
    return Object.keys(t!.terms)
  }

  it('scores terms by frequency and rarity', async () => {
    const { t } = await vectors('POST /i/_termvectors/1?positions=false&offsets=false', {
      filter: { max_num_terms: 3 },
    })
    expect(t!.terms).toEqual({
      brown: { term_freq: 2, score: expect.closeTo(2 * (Math.log(3 / 2) + 1), 5) },
      is: { term_freq: 1, score: expect.closeTo(Math.log(3 / 2) + 1, 5) },
      the: { term_freq: 1, score: expect.closeTo(Math.log(3 / 2) + 1, 5) },
    })
  })

  it.each<[object, string[]]>([
    [{}, ['brown', 'fox', 'is', 'quick', 'the']],
    [{ max_num_terms: 1 }, ['brown']],
    [{ max_num_terms: -1 }, []],
    [{ min_term_freq: 2 }, ['brown']],
    [{ max_term_freq: 1 }, ['fox', 'is', 'quick', 'the']],
    [{ min_doc_freq: 2 }, ['fox', 'quick']],
    [{ max_doc_freq: 1 }, ['brown', 'is', 'the']],
    [{ min_word_length: 4 }, ['brown', 'quick']],
    [{ max_word_length: 3 }, ['fox', 'is', 'the']],
  ])('%j', async (filter, expected) => {
    expect(await kept(filter)).toEqual(expected)
  })

  it('drops terms that the shard does not have, unless it does not have the field', async () => {
    const known = await vectors('POST /i/_termvectors', { doc: { t: 'brown bear' }, filter: {} })
    expect(Object.keys(known.t!.terms)).toEqual(['brown'])
    const empty = await vectors('POST /other/_termvectors', {
      doc: { t: 'brown bear bear' },
      filter: {},
    })
    expect(Object.entries(empty.t!.terms).map(([term, { score }]) => [term, score])).toEqual([
      ['bear', 2],
      ['brown', 1],
    ])
  })
})

describe('_mtermvectors', () => {
  it('answers documents in their order, errors by themselves', async () => {
    const { docs } = await ok('POST /_mtermvectors?term_statistics', {
      parameters: { fields: ['t'], positions: false, offsets: false },
      docs: [
        { _index: 'i', _id: '2', term_statistics: false, field_statistics: false },
        { _index: 'i', _id: 'absent' },
        { _index: 'gone', _id: '1' },
        { _index: 'other', doc: { t: 'x' } },
        { _index: 'i', _id: '1', version: 7 },
        { _index: 'both', _id: '1' },
        { _index: 'shut', _id: '1' },
      ],
    })
    expect(docs[0].term_vectors).toEqual({
      t: { terms: { fox: { term_freq: 1 }, quick: { term_freq: 1 }, slow: { term_freq: 1 } } },
    })
    expect([docs[1].found, docs[1].term_vectors]).toEqual([false, undefined])
    expect(docs[2]).toMatchObject({
      _index: 'gone',
      _id: '1',
      error: {
        root_cause: [{ type: 'index_not_found_exception', reason: 'no such index [gone]' }],
        type: 'index_not_found_exception',
        reason: 'no such index [gone]',
      },
    })
    expect(docs[3].term_vectors.t.terms).toEqual({ x: { term_freq: 1 } })
    expect(docs.slice(4).map(({ error }: { error: { type: string } }) => error.type)).toEqual([
      'version_conflict_engine_exception',
      'illegal_argument_exception',
      'index_closed_exception',
    ])
  })

  it('takes ids in the URL and in the body, which win', async () => {
    const ids = async (line: string, body?: object): Promise<string[]> =>
      (await ok(line, body)).docs.map(({ _id }: { _id: string }) => _id)
    expect(await ids('GET /i/_mtermvectors?ids=1,2')).toEqual(['1', '2'])
    expect(await ids('GET /i/_mtermvectors?ids=1,2', { ids: ['3', 4] })).toEqual(['3', '4'])
    expect(await ids('GET /i/_mtermvectors?ids=1', { docs: [{ _id: '2' }] })).toEqual(['2', '1'])
  })

  it.each<[string, object | undefined, string]>([
    [
      '/_mtermvectors',
      undefined,
      'Validation Failed: 1: multi term vectors: no documents requested;',
    ],
    [
      '/_mtermvectors',
      { docs: [{ _id: '1' }] },
      'Validation Failed: 1: index is missing;2: at multi term vectors for doc 0;',
    ],
    [
      '/i/_mtermvectors',
      { docs: [{}] },
      'Validation Failed: 1: id or doc is missing;2: at multi term vectors for doc 0;',
    ],
    ['/i/_mtermvectors', { docs: [1] }, 'docs array element should include an object'],
    ['/i/_mtermvectors', { ids: [{}] }, 'ids array element should only contain ids'],
    ['/i/_mtermvectors', { docz: [] }, 'no parameter named [docz] and type ARRAY'],
    ['/i/_mtermvectors', { docz: {} }, 'no parameter named [docz] and type OBJECT'],
    ['/i/_mtermvectors', { docs: 1 }, '_mtermvectors: Parameter [docs] not supported'],
    [
      '/i/_mtermvectors',
      { docs: [{ _id: '1', versionType: 'external' }] },
      'failed to parse term vectors request. unknown field [versionType]',
    ],
  ])('refuses %s %j', async (path, body, reason) => {
    const [status, , text] = await failure(`POST ${path}`, body)
    expect([status, text]).toEqual([400, reason])
  })
})

describe('refusals', () => {
  it.each<[string, object | undefined, number, string, string]>([
    [
      'GET /i/_termvectors',
      undefined,
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: id or doc is missing;',
    ],
    [
      'GET /i/_termvectors/1',
      { doc: {} },
      400,
      'parse_exception',
      'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
    ],
    [
      'GET /i/_termvectors',
      { doc: {}, _id: '1' },
      400,
      'parse_exception',
      'failed to parse term vectors request. either [id] or [doc] can be specified, but not both!',
    ],
    [
      'GET /i/_termvectors/1',
      { dfs: true },
      400,
      'parse_exception',
      'failed to parse term vectors request. unknown field [dfs]',
    ],
    [
      'GET /i/_termvectors/1',
      { fields: 't' },
      400,
      'parse_exception',
      'failed to parse term vectors request. field [fields] must be an array',
    ],
    [
      'GET /i/_termvectors/1',
      { filter: { max_terms: 1 } },
      400,
      'parse_exception',
      'failed to parse term vectors request. the field [max_terms] is not valid for filter parameter for term vector request',
    ],
    [
      'GET /i/_termvectors/1',
      { filter: 1 },
      400,
      'parse_exception',
      'failed to parse term vectors request. field [filter] must be an object',
    ],
    [
      'GET /i/_termvectors/1',
      { per_field_analyzer: [] },
      400,
      'parse_exception',
      'failed to parse term vectors request. field [per_field_analyzer] must be an object',
    ],
    [
      'GET /i/_termvectors/1',
      { per_field_analyzer: { t: 1 } },
      400,
      'parse_exception',
      'expecting the analyzer at [t] to be a String, but found [number] instead',
    ],
    [
      'GET /i/_termvectors/1',
      { version: 'x' },
      400,
      'parse_exception',
      'Failed to parse value [x] for field [version]',
    ],
    [
      'GET /i/_termvectors/1?version=7',
      undefined,
      409,
      'version_conflict_engine_exception',
      '[1]: version conflict, current version [1] is different than the one provided [7]',
    ],
    [
      'GET /i/_termvectors/1?version_type=other',
      undefined,
      400,
      'illegal_argument_exception',
      'No version type match [other]',
    ],
    [
      'GET /i/_termvectors/1?offset=true',
      undefined,
      400,
      'illegal_argument_exception',
      'request [/i/_termvectors/1] contains unrecognized parameter: [offset] -> did you mean [offsets]?',
    ],
    [
      'GET /gone/_termvectors/1',
      undefined,
      404,
      'index_not_found_exception',
      'no such index [gone]',
    ],
    ['GET /shut/_termvectors/1', undefined, 400, 'index_closed_exception', 'closed'],
    [
      'GET /routed/_termvectors/1',
      undefined,
      400,
      'routing_missing_exception',
      'routing is required for [routed]/[1]',
    ],
  ])('%s %j', async (line, body, status, type, reason) => {
    expect(await failure(line, body)).toEqual([status, type, reason])
  })

  it('has the terms of fields that are derived from texts, with their places', async () => {
    await ok('PUT /grams', {
      mappings: {
        properties: {
          typed: { type: 'search_as_you_type' },
          t: {
            type: 'text',
            analyzer: 'stop',
            index_prefixes: { min_chars: 2, max_chars: 3 },
            index_phrases: true,
          },
        },
      },
    })
    const source = { typed: ['so quick fox', 'on'], t: ['the quick a fox', 'so far'] }
    await ok('PUT /grams/_doc/1?refresh', source)
    const vector = async (field: string): Promise<string[]> => {
      const { term_vectors } = await ok(`GET /grams/_termvectors/1?fields=${field}`)
      const { terms } = term_vectors[field]
      for (const term of Object.keys(terms)) {
        const { count } = await ok('POST /grams/_count', { query: { term: { [field]: term } } })
        expect(count, `${field}: ${term}`).toBe(1)
      }
      return Object.entries<{ tokens: Record<string, number>[] }>(terms).map(([term, { tokens }]) =>
        [
          term,
          ...tokens.map(at => `${at['position']}[${at['start_offset']},${at['end_offset']})`),
        ].join(' '),
      )
    }
    expect(await vector('typed._2gram')).toEqual(['quick fox 1[3,12)', 'so quick 0[0,8)'])
    expect(await vector('typed._3gram')).toEqual(['so quick fox 0[0,12)'])
    const beginnings = await vector('typed._index_prefix')
    expect(beginnings).toContain('so 0[0,12)')
    expect(beginnings).toContain('quick fo 1[3,12)')
    expect(beginnings).toContain('on 103[13,15)')
    expect(await vector('t._index_prefix')).toEqual([
      'fa 105[19,22)',
      'far 105[19,22)',
      'fo 3[12,15)',
      'fox 3[12,15)',
      'qu 1[4,9)',
      'qui 1[4,9)',
      'so 104[16,18)',
    ])
    expect(await vector('t._index_phrase')).toEqual(['quick _ 1[4,9)', 'so far 104[16,22)'])
    const made = await ok('POST /grams/_termvectors?fields=typed._2gram', {
      doc: { typed: 'x y z' },
    })
    expect(Object.keys(made.term_vectors['typed._2gram'].terms)).toEqual(['x y', 'y z'])
  })

  it('leaves out fields of which neither terms nor values are kept', async () => {
    const { found, term_vectors: vectors } = await ok('GET /without/_termvectors/1?fields=t,t.v')
    expect([found, Object.keys(vectors)]).toEqual([true, ['t.v']])
  })

  it('takes versions, routings and preferences that fit', async () => {
    const params = 'version=1&version_type=external&preference=_local&routing=1'
    expect((await ok(`GET /i/_termvectors/1?${params}`)).found).toBe(true)
    expect((await ok('GET /routed/_termvectors/1?routing=x')).found).toBe(false)
  })
})

it('counts terms, tokens and documents as a plain model does, over segments', async () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'ba', '\u{1d400}', '\uff21', '1'), {
    maxLength: 6,
  })
  const documents = fc.array(fc.array(words, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(documents, fc.integer({ min: 1, max: 3 }), async (all, every) => {
      await ok('PUT /r', {
        settings: { refresh_interval: '-1' },
        mappings: {
          properties: {
            t: { type: 'text', analyzer: 'whitespace', term_vector: 'with_positions_offsets' },
          },
        },
      })
      for (const [id, values] of all.entries())
        await ok(`PUT /r/_doc/${id}${id % every === 0 ? '?refresh' : ''}`, {
          t: values.map(value => value.join(' ')),
        })
      await ok('POST /r/_refresh')
      const models = all.map(modelOf)
      for (const [id, model] of models.entries()) {
        const { t } = await vectors(`GET /r/_termvectors/${id}?term_statistics`)
        expect(t === undefined).toBe(model.size === 0)
        if (t === undefined) continue
        const bytes = (term: string): Buffer => Buffer.from(term)
        const terms = [...model.keys()].sort((a, b) => bytes(a).compare(bytes(b)))
        const { text } = await rest.call(`GET /r/_termvectors/${id}`)
        const printed = [...text.matchAll(/"([^"]+)":\{"term_freq"/g)].map(([, term]) => term)
        expect(printed).toEqual(terms)
        expect(t).toEqual({
          field_statistics: {
            sum_doc_freq: sum(models.map(({ size }) => size)),
            doc_count: models.filter(({ size }) => size > 0).length,
            sum_ttf: sum(models.flatMap(each => [...each.values()].map(({ length }) => length))),
          },
          terms: Object.fromEntries(
            [...model].map(([term, tokens]) => [
              term,
              {
                doc_freq: models.filter(each => each.has(term)).length,
                ttf: sum(models.map(each => each.get(term)?.length ?? 0)),
                term_freq: tokens.length,
                tokens,
              },
            ]),
          ),
        })
      }
      await ok('DELETE /r')
    }),
    { numRuns: 20 },
  )
})

/** Tokens by term of values whose words stand apart by one blank. */
function modelOf(values: readonly (readonly string[])[]): Map<string, Token[]> {
  const terms = new Map<string, Token[]>()
  let position = -1
  let offset = 0
  for (const words of values) {
    for (const [i, word] of words.entries()) {
      if (i > 0) offset++
      position++
      const token = { position, start_offset: offset, end_offset: offset + word.length }
      terms.set(word, [...(terms.get(word) ?? []), token])
      offset += word.length
    }
    position += 100
    offset++
  }
  return terms
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
