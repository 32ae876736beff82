import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

interface Found {
  readonly total: unknown
  readonly max_score: number | null
  readonly hits: readonly Hit[]
}
interface Hit {
  readonly _id: string
  readonly _score: number | null
  readonly _nested?: unknown
  readonly _source?: unknown
  readonly inner_hits?: Readonly<Record<string, { readonly hits: Found }>>
}

const MAPPINGS = {
  properties: {
    t: { type: 'text' },
    c: {
      type: 'nested',
      properties: {
        t: { type: 'text' },
        n: { type: 'integer' },
        k: { type: 'keyword' },
        r: { type: 'nested', properties: { t: { type: 'text' }, n: { type: 'integer' } } },
      },
    },
    o: { properties: { d: { type: 'nested', properties: { n: { type: 'integer' } } } } },
  },
}

async function fill(documents: readonly object[], shards = 1): Promise<void> {
  await rest.call('DELETE /*')
  await ok('PUT /i', {
    settings: { number_of_shards: shards, refresh_interval: '-1' },
    mappings: MAPPINGS,
  })
  for (const [id, document] of documents.entries())
    await ok(`PUT /i/_doc/${id}${id % 3 === 0 ? '?refresh' : ''}`, document)
  await ok('POST /i/_refresh')
}

const search = async (body: object): Promise<Found> => (await ok('POST /i/_search', body)).hits
/** The inner hits of a name, of each hit. */
const inner = async (body: object, name: string): Promise<readonly Found[]> =>
  (await search(body)).hits.map(({ inner_hits }) => inner_hits![name]!.hits)

const nested = (path: string, query: object, inner_hits?: object): object => ({
  nested: { path, query, ...(inner_hits === undefined ? {} : { inner_hits }) },
})

/** Score of a nested document by its number. */
const byNumber = (field: string): object => ({
  bool: {
    should: [1, 2, 3, 4, 5].map(n => ({
      constant_score: { filter: { term: { [field]: n } }, boost: n },
    })),
  },
})

const DOCUMENT = {
  t: 'root',
  c: [
    {
      t: 'a b',
      n: 2,
      k: 'x',
      r: [
        { t: 'p', n: 1 },
        { t: 'q', n: 2 },
      ],
    },
    { t: 'b', n: 5, k: 'y' },
    { t: 'a', n: 3, k: 'z', r: { t: 'q', n: 3 } },
    { t: 'a', n: 1 },
    { t: 'a', n: 4 },
  ],
  o: { d: [{ n: 1 }, { n: 2 }] },
}

describe('inner hits of nested queries', () => {
  beforeAll(() => fill([{ t: 'other' }, DOCUMENT, { c: { t: 'b', n: 1 } }]))

  it('are the 3 best of the nested documents that match, by score', async () => {
    const [found] = await inner({ query: nested('c', byNumber('c.n'), {}) }, 'c')
    expect(found).toEqual({
      total: { value: 5, relation: 'eq' },
      max_score: 5,
      hits: [
        {
          _index: 'i',
          _id: '1',
          _nested: { field: 'c', offset: 1 },
          _score: 5,
          _source: DOCUMENT.c[1],
        },
        {
          _index: 'i',
          _id: '1',
          _nested: { field: 'c', offset: 4 },
          _score: 4,
          _source: DOCUMENT.c[4],
        },
        {
          _index: 'i',
          _id: '1',
          _nested: { field: 'c', offset: 2 },
          _score: 3,
          _source: DOCUMENT.c[2],
        },
      ],
    })
  })

  it('come for each hit, even where none match', async () => {
    const query = {
      bool: { should: [{ match: { t: 'other' } }, nested('c', { match: { 'c.t': 'a' } }, {})] },
    }
    const found = await search({ query, sort: ['_doc'] })
    expect(found.hits.map(({ _id, inner_hits }) => [_id, inner_hits!.c!.hits.total])).toEqual([
      ['0', { value: 0, relation: 'eq' }],
      ['1', { value: 4, relation: 'eq' }],
    ])
    expect(found.hits[0]!.inner_hits!.c!.hits).toEqual({
      total: { value: 0, relation: 'eq' },
      max_score: null,
      hits: [],
    })
  })

  it('are sorted, paged and named as they are asked for', async () => {
    const asked = { name: 'sorted', from: 1, size: 2, sort: [{ 'c.n': 'asc' }], _source: false }
    const [found] = await inner({ query: nested('c', { match: { 'c.t': 'a' } }, asked) }, 'sorted')
    expect(found!.max_score).toBe(null)
    expect(found!.hits).toEqual([
      { _index: 'i', _id: '1', _nested: { field: 'c', offset: 0 }, _score: null, sort: [2] },
      { _index: 'i', _id: '1', _nested: { field: 'c', offset: 2 }, _score: null, sort: [3] },
    ])
    const tracked = { ...asked, track_scores: true, name: 't' }
    const [scored] = await inner({ query: nested('c', byNumber('c.n'), tracked) }, 't')
    expect([scored!.max_score, scored!.hits[0]!._score]).toEqual([5, 2])
  })

  it('carry what they are asked for', async () => {
    const asked = {
      size: 1,
      _source: ['c.t', 'c.r.n'],
      docvalue_fields: ['c.k', '_seq_no'],
      fields: ['c.n'],
      version: true,
      seq_no_primary_term: true,
      explain: true,
    }
    const query = {
      bool: {
        must: { match: { 'c.t': { query: 'b', _name: 'named' } } },
        filter: { term: { 'c.n': 2 } },
      },
    }
    const [found] = await inner({ query: nested('c', query, asked) }, 'c')
    expect(found!.hits[0]).toMatchObject({
      _version: 1,
      _seq_no: expect.any(Number),
      _primary_term: 1,
      _source: { t: 'a b', r: [{ n: 1 }, { n: 2 }] },
      fields: { 'c.k': ['x'], 'c.n': [2], _seq_no: [expect.any(Number)] },
      matched_queries: ['named'],
      _explanation: { value: found!.hits[0]!._score },
    })
  })

  it('carry the names of the queries within them, and none of those around them', async () => {
    const named = {
      bool: { should: [{ term: { 'c.n': { value: 5, _name: 'five' } } }], _name: 'any' },
    }
    const around = { nested: { path: 'c', query: named, inner_hits: {}, _name: 'around' } }
    const query = { bool: { must: [around, { match_all: { _name: 'all' } }] } }
    const [hit] = (await search({ query })).hits as (Hit & { matched_queries: string[] })[]
    expect(hit!.matched_queries).toEqual(['around', 'all'])
    const [found] = await inner({ query }, 'c')
    expect(found!.hits.map(each => (each as typeof hit)!.matched_queries)).toEqual([
      ['five', 'any'],
    ])
  })

  it('have fields that scripts make of their own values', async () => {
    const script_fields = { x: { script: "doc['c.n'].value * 10" } }
    const query = nested('c', { term: { 'c.n': 5 } }, { script_fields })
    const [found] = await inner({ query }, 'c')
    expect(found!.hits.map(hit => (hit as { fields?: unknown }).fields)).toEqual([{ x: [50] }])
    const whole = { x: { script: 'params._source.n' } }
    const [read] = await inner(
      { query: nested('c', { term: { 'c.n': 5 } }, { script_fields: whole }) },
      'c',
    )
    expect(read!.hits.map(hit => (hit as { fields?: unknown }).fields)).toEqual([{ x: [5] }])
  })

  it('leave an empty source where a filter leaves nothing', async () => {
    const [found] = await inner(
      { query: nested('c', { term: { 'c.n': 5 } }, { _source: ['t'] }) },
      'c',
    )
    expect(found!.hits[0]!._source).toEqual({})
  })

  it('have inner hits of their own, whose places begin at the whole document', async () => {
    const query = nested('c', nested('c.r', { match: { 'c.r.t': 'q' } }, {}), { size: 5 })
    const [found] = await inner({ query }, 'c')
    const places = found!.hits.map(hit => [
      hit._nested,
      hit.inner_hits!['c.r']!.hits.hits.map(({ _nested, _source }) => [_nested, _source]),
    ])
    expect(places).toEqual([
      [
        { field: 'c', offset: 0 },
        [
          [
            { field: 'c', offset: 0, _nested: { field: 'r', offset: 1 } },
            { t: 'q', n: 2 },
          ],
        ],
      ],
      [
        { field: 'c', offset: 2 },
        [
          [
            { field: 'c', offset: 2, _nested: { field: 'r', offset: 0 } },
            { t: 'q', n: 3 },
          ],
        ],
      ],
    ])
  })

  it('name every level of a path that is asked for at once', async () => {
    const [found] = await inner({ query: nested('c.r', byNumber('c.r.n'), {}) }, 'c.r')
    expect(found!.hits.map(({ _nested, _source }) => [_nested, _source])).toEqual([
      [
        { field: 'c', offset: 2, _nested: { field: 'r', offset: 0 } },
        { t: 'q', n: 3 },
      ],
      [
        { field: 'c', offset: 0, _nested: { field: 'r', offset: 1 } },
        { t: 'q', n: 2 },
      ],
      [
        { field: 'c', offset: 0, _nested: { field: 'r', offset: 0 } },
        { t: 'p', n: 1 },
      ],
    ])
    const [within] = await inner({ query: nested('o.d', { match_all: {} }, {}) }, 'o.d')
    expect(within!.hits.map(({ _nested, _source }) => [_nested, _source])).toEqual([
      [{ field: 'o.d', offset: 0 }, { n: 1 }],
      [{ field: 'o.d', offset: 1 }, { n: 2 }],
    ])
  })

  it('of a query within one that has none are nowhere, as are those of what is prohibited', async () => {
    const silent = nested('c', nested('c.r', { match_all: {} }, {}))
    expect((await search({ query: silent })).hits[0]).not.toHaveProperty('inner_hits')
    const prohibited = { bool: { must_not: nested('c', { term: { 'c.n': 99 } }, {}) } }
    for (const hit of (await search({ query: prohibited })).hits)
      expect(hit).not.toHaveProperty('inner_hits')
  })

  it('have totals as plain numbers where the search has them', async () => {
    const { hits } = await ok('POST /i/_search?rest_total_hits_as_int=true', {
      query: nested('c', { match: { 'c.t': 'a' } }, {}),
    })
    expect([hits.total, hits.hits[0].inner_hits.c.hits.total]).toEqual([1, 4])
  })

  it('are the same with a `collapse`, which only hits of groups heed', async () => {
    const found = async (asked: object): Promise<unknown> =>
      (await ok('POST /i/_search', { query: nested('c', { match_all: {} }, asked) })).hits.hits
    expect(await found({ collapse: { field: 'c.k' } })).toEqual(await found({}))
  })

  it('of one name stand once', async () => {
    const query = {
      bool: { must: [nested('c', { match_all: {} }, {}), nested('c', { match_all: {} }, {})] },
    }
    const { json } = await rest.call('POST /i/_search', { query })
    expect(json.error.root_cause[0].reason).toContain(
      '[inner_hits] already contains an entry for key [c]',
    )
  })

  it('go no further than the index lets them', async () => {
    const reasonOf = async (asked: object): Promise<string> =>
      (await rest.call('POST /i/_search', { query: nested('c', { match_all: {} }, asked) })).json
        .error.root_cause[0].reason
    expect(await reasonOf({ name: 'x', from: 99, size: 2 })).toBe(
      "Inner result window is too large, the inner hit definition's [x]'s from + size must be less than or " +
        'equal to: [100] but was [101]. This limit can be set by changing the ' +
        '[index.max_inner_result_window] index level setting.',
    )
  })

  it.each([
    [{ from: -1 }, 'x_content_parse_exception', '[1:78] [inner_hits] failed to parse field [from]'],
    [
      { script_fields: 1 },
      'x_content_parse_exception',
      '[1:87] [inner_hits] failed to parse field [script_fields]',
    ],
    [
      { collapse: { field: 'c.k', inner_hits: {} } },
      'x_content_parse_exception',
      expect.stringMatching(/\[inner_hits\] failed to parse field \[collapse\]$/),
    ],
  ])('are refused with %j', async (asked, type, reason) => {
    const query = nested('c', { match_all: {} }, asked)
    expect(await failure('POST /i/_search', { query })).toEqual([400, type, reason])
  })
})

it('agree with a model in any number of segments, shards and slices', async () => {
  const object = fc.record({ n: fc.integer({ min: 1, max: 5 }), k: fc.constantFrom('x', 'y') })
  const scene = fc.record({
    documents: fc.array(
      fc.record({ c: fc.array(fc.oneof(object, fc.constant(null)), { maxLength: 6 }) }),
      { minLength: 1, maxLength: 8 },
    ),
    key: fc.constantFrom('x', 'y'),
    from: fc.nat(2),
    size: fc.integer({ min: 0, max: 4 }),
    shards: fc.constantFrom(1, 3),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ documents, key, from, size, shards }) => {
      await fill(documents, shards)
      const query = { bool: { must: byNumber('c.n'), filter: { term: { 'c.k': key } } } }
      const found = await search({ query: nested('c', query, { from, size }), size: 50 })
      const byId = new Map(found.hits.map(hit => [hit._id, hit]))
      for (const [id, { c }] of documents.entries()) {
        const matching = c
          .flatMap(each => (each === null ? [] : [each]))
          .map((each, offset) => ({ ...each, offset }))
          .filter(({ k }) => k === key)
          .sort((a, b) => b.n - a.n || a.offset - b.offset)
        const hit = byId.get(String(id))
        expect(hit === undefined).toBe(matching.length === 0)
        if (hit === undefined) continue
        const { total, hits } = hit.inner_hits!.c!.hits
        expect(total).toEqual({ value: matching.length, relation: 'eq' })
        expect(hits.map(({ _nested, _score, _source }) => [_nested, _score, _source])).toEqual(
          matching
            .slice(from, from + size)
            .map(({ offset, n, k }) => [{ field: 'c', offset }, n, { n, k }]),
        )
      }
    }),
    { numRuns: 50 },
  )
})

it('leaves the event loop to others while it reads the inner hits of one hit', async () => {
  const rest = await openRest()
  try {
    await rest.call('PUT /wide', {
      mappings: { properties: { a: { type: 'nested', properties: { n: { type: 'integer' } } } } },
    })
    const a = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(100) }))
    await rest.call('PUT /wide/_doc/1?refresh', { a })
    const should = Array.from({ length: 60 }, (_, i) => ({
      nested: {
        path: 'a',
        query: { match_all: { _name: `q${i}` } },
        inner_hits: { name: `inner-${i}`, size: 100 },
      },
    }))
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const { status, json } = await rest.call('POST /wide/_search', { query: { bool: { should } } })
    isOver = true
    expect(status).toBe(200)
    const [hit] = json.hits.hits
    expect(Object.keys(hit.inner_hits).length).toBe(60)
    expect(hit.inner_hits['inner-59'].hits.hits.length).toBe(100)
    expect(turns).toBeGreaterThan(5)
  } finally {
    await rest.close()
  }
})
