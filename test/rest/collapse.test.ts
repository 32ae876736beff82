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

interface Document {
  readonly k?: string | null
  readonly n?: number
  readonly d?: number
  readonly score?: number
}

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  d: { type: 'double' },
  score: { type: 'integer' },
  t: { type: 'text' },
  bare: { type: 'keyword', doc_values: false },
  hidden: { type: 'keyword', index: false },
  date: { type: 'date' },
}

async function fill(documents: readonly Document[], shards = 1, every = 3): Promise<void> {
  await rest.call('DELETE /*')
  await ok('PUT /i', {
    settings: { number_of_shards: shards, refresh_interval: '-1' },
    mappings: { properties: PROPERTIES },
  })
  for (const [id, document] of documents.entries())
    await ok(`PUT /i/_doc/${id}${id % every === 0 ? '?refresh' : ''}`, document)
  await ok('POST /i/_refresh')
}

interface Hit {
  readonly _id: string
  readonly _score: number | null
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly inner_hits?: Readonly<
    Record<
      string,
      { hits: { total: { value: number }; max_score: number | null; hits: readonly Hit[] } }
    >
  >
}

const search = async (
  body: object,
): Promise<{ total: unknown; max_score: unknown; hits: readonly Hit[] }> =>
  (await ok('POST /i/_search', body)).hits

/** Score by a field of the document, from 0 to 9. */
const BY_FIELD = {
  bool: {
    should: Array.from({ length: 10 }, (_, n) => ({
      constant_score: { filter: { term: { score: n } }, boost: n + 1 },
    })),
  },
}

const DOCUMENTS: readonly Document[] = [
  { k: 'a', n: 1, d: 0.5, score: 1 },
  { k: 'a', n: 1, d: 0.5, score: 5 },
  { k: 'b', n: 2, d: -0.5, score: 3 },
  { score: 4 },
  { k: 'b', n: 2, d: 0.25, score: 3 },
  { k: null, score: 2 },
  { k: 'c', n: -7, d: 0.25, score: 0 },
]

describe('collapse', () => {
  beforeAll(() => fill(DOCUMENTS))

  it('keeps the best hit of each value, and one of those without, and counts all', async () => {
    const { total, max_score, hits } = await search({ query: BY_FIELD, collapse: { field: 'k' } })
    expect(hits.map(({ _id, _score, fields }) => [_id, _score, fields])).toEqual([
      ['1', 6, { k: ['a'] }],
      ['3', 5, undefined],
      ['2', 4, { k: ['b'] }],
      ['6', 1, { k: ['c'] }],
    ])
    expect([total, max_score]).toEqual([{ value: 7, relation: 'eq' }, 6])
  })

  it('groups by whole numbers and by floating-point ones', async () => {
    const ids = async (field: string): Promise<unknown[]> =>
      (await search({ query: BY_FIELD, collapse: { field } })).hits.map(({ _id, fields }) => [
        _id,
        fields?.[field]?.[0],
      ])
    expect(await ids('n')).toEqual([
      ['1', 1],
      ['3', undefined],
      ['2', 2],
      ['6', -7],
    ])
    expect(await ids('d')).toEqual([
      ['1', 0.5],
      ['3', undefined],
      ['2', -0.5],
      ['4', 0.25],
    ])
  })

  it('sorts groups by their first hits, and pages through groups', async () => {
    const body = { sort: [{ score: 'asc' }], collapse: { field: 'k' } }
    const all = (await search(body)).hits.map(({ _id }) => _id)
    expect(all).toEqual(['6', '0', '5', '2'])
    for (let from = 0; from < 4; from++)
      expect((await search({ ...body, from, size: 1 })).hits.map(({ _id }) => _id)).toEqual([
        all[from],
      ])
    expect((await search({ ...body, size: 0 })).hits).toEqual([])
  })

  it('goes on after a value of the field that it collapses by', async () => {
    const body = { sort: [{ n: 'asc' }], collapse: { field: 'n' }, size: 1 }
    const seen: unknown[] = []
    let after: readonly unknown[] | undefined
    while (seen.length < 3) {
      const { hits } = await search(after === undefined ? body : { ...body, search_after: after })
      const [hit] = hits as readonly (Hit & { sort: readonly number[] })[]
      if (hit === undefined) break
      seen.push(hit.sort[0])
      after = hit.sort
    }
    expect(seen).toEqual([-7, 1, 2])
    // Documents without a value come last, as the highest long.
    expect((await search({ ...body, search_after: after })).hits).toHaveLength(1)
    const last = await search({ ...body, search_after: ['9223372036854775807'] })
    expect(last.hits).toEqual([])
  })

  it('brings other hits of each group, with the scores that they had', async () => {
    const inner_hits = [
      { name: 'best', size: 2, _source: ['score'], version: true },
      {
        name: 'worst',
        size: 1,
        sort: [{ score: 'asc' }],
        _source: false,
        docvalue_fields: ['score'],
      },
    ]
    const { hits } = await search({
      query: BY_FIELD,
      collapse: { field: 'k', inner_hits },
      size: 2,
    })
    const { best, worst } = hits[0]!.inner_hits!
    expect(best!.hits.total.value).toBe(2)
    expect(best!.hits.max_score).toBe(6)
    expect(best!.hits.hits).toEqual([
      { _index: 'i', _id: '1', _version: 1, _score: 6, _source: { score: 5 } },
      { _index: 'i', _id: '0', _version: 1, _score: 2, _source: { score: 1 } },
    ])
    expect(worst!.hits.hits).toEqual([
      { _index: 'i', _id: '0', _score: null, fields: { score: [1] }, sort: [1] },
    ])
    // The group of documents without a value.
    expect(hits[1]!.inner_hits!.best!.hits.hits.map(({ _id }) => _id)).toEqual(['3', '5'])
  })

  it('names inner hits like the field, takes 3 of them, and applies post filters to them', async () => {
    const { hits } = await search({
      collapse: { field: 'k', inner_hits: {} },
      post_filter: { range: { score: { lte: 4 } } },
      query: BY_FIELD,
    })
    const inner = hits.map(({ inner_hits }) => inner_hits!.k!.hits.hits.map(({ _id }) => _id))
    expect(inner).toEqual([['3', '5'], ['2', '4'], ['0'], ['6']])
  })

  it('collapses inner hits once more', async () => {
    const inner_hits = { name: 'in', size: 5, collapse: { field: 'd' } }
    const { hits } = await search({ query: BY_FIELD, collapse: { field: 'k', inner_hits } })
    const b = hits.find(({ _id }) => _id === '2')
    expect(b!.inner_hits!.in!.hits.hits.map(({ _id, fields }) => [_id, fields])).toEqual([
      ['2', { d: [-0.5] }],
      ['4', { d: [0.25] }],
    ])
    const twice = { ...inner_hits, collapse: { field: 'd', inner_hits: {} } }
    const bounded = { ...inner_hits, collapse: { field: 'd', max_concurrent_group_searches: 2 } }
    for (const asked of [twice, bounded]) {
      const { status, json } = await rest.call('POST /i/_search', {
        collapse: { field: 'k', inner_hits: asked },
      })
      expect([status, json.error.root_cause]).toEqual([
        400,
        [
          expect.objectContaining({
            type: 'parsing_exception',
            reason: 'Invalid token in the inner collapse',
          }),
        ],
      ])
      expect(json.error.caused_by.reason).toMatch(
        /\[inner_hits\] failed to parse field \[collapse\]$/,
      )
    }
  })

  it('is one collector of the profile', async () => {
    const body = { query: BY_FIELD, collapse: { field: 'k' }, profile: true }
    const { profile } = await ok('POST /i/_search', body)
    expect(profile.shards[0].searches[0].collector[0].name).toMatch(/^CollapsingTopDocsCollector/)
  })

  it.each([
    [{ field: 'no' }, 'no mapping found for `no` in order to collapse on'],
    [{ field: 't' }, 'unknown type for collapse field `t`, only keywords and numbers are accepted'],
    [
      { field: 'date' },
      'unknown type for collapse field `date`, only keywords and numbers are accepted',
    ],
    [{ field: 'bare' }, 'cannot collapse on field `bare` without `doc_values`'],
    [
      { field: 'hidden', inner_hits: {} },
      'cannot expand `inner_hits` for collapse field `hidden`, only indexed field can retrieve `inner_hits`',
    ],
  ])('is refused in each shard by %j', async (collapse, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { collapse })
    expect([status, json.error.root_cause[0].type, json.error.root_cause[0].reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it.each([
    [{ collapse: {} }, 400, 'illegal_argument_exception', '[collapse] field name is null or empty'],
    [
      { collapse: { fild: 'k' } },
      400,
      'x_content_parse_exception',
      '[1:14] [collapse] unknown field [fild] did you mean [field]?',
    ],
    [
      { collapse: { field: 'k', inner_hits: { foo: 1 } } },
      400,
      'x_content_parse_exception',
      '[1:39] [collapse] failed to parse field [inner_hits]',
    ],
    [
      { collapse: { field: 'k', max_concurrent_group_searches: 0 } },
      400,
      'x_content_parse_exception',
      '[1:58] [collapse] failed to parse field [max_concurrent_group_searches]',
    ],
  ])('is refused in %j', async (body, status, type, reason) => {
    expect(await failure('POST /i/_search', body)).toEqual([status, type, reason])
  })
})

it('refuses to collapse by several values of a document', async () => {
  await fill([{ k: ['a', 'b'] as unknown as string }])
  const { json } = await rest.call('POST /i/_search', { collapse: { field: 'k' } })
  expect(json.error.root_cause[0]).toMatchObject({
    type: 'illegal_state_exception',
    reason: 'failed to collapse 0, the collapse field must be single valued',
  })
})

it('agrees with a model in any number of shards, segments and slices, profiled or not', async () => {
  const document = fc.record(
    {
      k: fc.constantFrom('a', 'b', 'c', 'd', 'é'),
      n: fc.integer({ min: -2, max: 2 }),
      score: fc.integer({ min: 0, max: 9 }),
    },
    { requiredKeys: ['score'] },
  )
  const scene = fc.record({
    documents: fc.array(document, { minLength: 1, maxLength: 25 }),
    field: fc.constantFrom('k' as const, 'n' as const),
    sort: fc.constantFrom(null, 'asc' as const, 'desc' as const),
    from: fc.integer({ min: 0, max: 3 }),
    size: fc.integer({ min: 1, max: 6 }),
    slices: fc.constantFrom(1, 2, 4),
    profile: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ documents, field, sort, from, size, slices, profile }) => {
      await fill(documents, 1, 4)
      await ok('PUT /i/_settings', {
        'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
      })
      const sign = sort === 'asc' ? 1 : -1
      const ordered = documents
        .map((each, id) => ({ ...each, id }))
        .sort((a, b) => sign * (a.score - b.score) || a.id - b.id)
      const seen = new Set<unknown>()
      const groups = ordered.filter(each => {
        const value = each[field] ?? null
        const isNew = !seen.has(value)
        seen.add(value)
        return isNew
      })
      const { total, hits } = await search({
        query: BY_FIELD,
        ...(sort === null ? {} : { sort: [{ score: sort }] }),
        collapse: { field },
        from,
        size,
        profile,
      })
      expect(total).toEqual({ value: documents.length, relation: 'eq' })
      expect(hits.map(({ _id }) => Number(_id))).toEqual(
        groups.slice(from, from + size).map(({ id }) => id),
      )
    }),
    { numRuns: 60 },
  )
})

it('merges the groups of several shards', async () => {
  await fill(DOCUMENTS, 4)
  const { total, hits } = await search({ query: BY_FIELD, collapse: { field: 'k' } })
  expect(total).toEqual({ value: 7, relation: 'eq' })
  expect(hits.map(({ fields }) => fields?.k?.[0])).toEqual(['a', undefined, 'b', 'c'])
})
