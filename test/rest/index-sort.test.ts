import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('index-sort')
let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Sends a call that must succeed; its answer. */
const ok = okOf(() => rest)

/** Type and reason of a call that is refused with 400. */
const failure = async (line: string, body?: object) => {
  const { status, json } = await rest.call(line, body)
  expect(status).toBe(400)
  return [json.error?.type, json.error?.reason]
}

beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
})

/** Ids of an index of one shard and one segment, in order of its documents. */
const inOrder = async (index: string): Promise<string[]> => {
  const { hits } = await ok(`POST /${index}/_search`, { sort: ['_doc'], size: 500 })
  return hits.hits.map(({ _id }: { _id: string }) => _id)
}

const create = (sort: Record<string, unknown>, properties: object, settings: object = {}) =>
  ok('PUT /i', {
    settings: {
      number_of_shards: 1,
      refresh_interval: -1,
      ...settings,
      ...Object.fromEntries(
        Object.entries(sort).map(([key, value]) => [`index.sort.${key}`, value]),
      ),
    },
    mappings: { properties },
  })

const load = async (sources: Record<string, object>): Promise<void> => {
  const lines = Object.entries(sources).flatMap(([_id, source]) => [{ index: { _id } }, source])
  await ok('POST /i/_bulk?refresh', ndjson(...lines))
}

describe('a sorted index', () => {
  it.each([
    ['long', { a: 3, b: -5, c: 2 ** 40, d: 0 }, 'b d a c'],
    ['double', { a: 0.5, b: -1e9, c: 1e300, d: -0.25 }, 'b d a c'],
    ['float', { a: 0.5, b: -3, c: 99, d: 0 }, 'b d a c'],
    ['short', { a: 7, b: -32768, c: 32767, d: 0 }, 'b d a c'],
    ['date', { a: '2020-01-01', b: '1960-01-01', c: '2031-05-05', d: 0 }, 'b d a c'],
    [
      'date_nanos',
      { a: '2020-01-01', b: '1980-01-01', c: '2031-05-05', d: '2019-01-01' },
      'b d a c',
    ],
    ['boolean', { a: true, b: false, c: true, d: false }, 'b d a c'],
    ['keyword', { a: 'm', b: '', c: 'é', d: 'Z' }, 'b d a c'],
    ['ip', { a: '10.0.0.1', b: '1.2.3.4', c: 'ff::1', d: '9.255.0.0' }, 'b d a c'],
  ])('keeps documents in order of a %s', async (type, values: Record<string, unknown>, order) => {
    await create({ field: 'f' }, { f: { type } })
    await load(Object.fromEntries(Object.entries(values).map(([id, f]) => [id, { f }])))
    expect(await inOrder('i')).toEqual(order.split(' '))
  })

  it.each([
    [{}, 'c a d b e'],
    [{ order: 'desc' }, 'b d a c e'],
    [{ order: 'DESC', mode: 'min' }, 'd a b c e'],
    [{ mode: 'max' }, 'c a d b e'],
    [{ missing: '_first' }, 'e c a d b'],
    [{ order: 'desc', missing: '_first' }, 'e b d a c'],
    [{ order: 'asc', missing: '_last' }, 'c a d b e'],
  ])('takes order, mode and missing: %j', async (sort: Record<string, string>, order) => {
    await create({ field: 'n', ...sort }, { n: { type: 'integer' } })
    await load({ a: { n: 2 }, b: { n: [9, 2, 4] }, c: { n: 1 }, d: { n: [3, 3] }, e: {} })
    const expected = order.split(' ')
    // Of equal least values the one that came first: `a` before `b`.
    if (!('order' in sort) && !('mode' in sort)) expected.splice(expected.indexOf('d'), 2, 'b', 'd')
    if ('missing' in sort && sort['order'] === 'asc') expected.splice(2, 2, 'b', 'd')
    expect(await inOrder('i')).toEqual(expected)
  })

  it('sorts by several fields, and of equal documents by what came first', async () => {
    await create(
      { field: ['k', 'n'], order: ['desc', 'asc'], missing: ['_first', '_last'] },
      { k: { type: 'keyword' }, n: { type: 'long' } },
    )
    await load({
      a: { k: 'x', n: 2 },
      b: { k: 'y' },
      c: { n: 5 },
      d: { k: 'x', n: 1 },
      e: { k: 'y', n: 7 },
      f: { k: 'x', n: 1 },
    })
    expect(await inOrder('i')).toEqual(['c', 'e', 'b', 'd', 'f', 'a'])
    expect((await ok('GET /i/_settings')).i.settings.index.sort).toEqual({
      field: ['k', 'n'],
      order: ['desc', 'asc'],
      missing: ['_first', '_last'],
    })
  })

  it('keeps nested documents with theirs', async () => {
    await create(
      { field: 'n', order: 'desc' },
      { n: { type: 'long' }, c: { type: 'nested', properties: { a: { type: 'keyword' } } } },
    )
    await load({
      a: { n: 1, c: [{ a: 'x' }, { a: 'y' }] },
      b: { n: 3, c: { a: 'z' } },
      c: { n: 2 },
      d: { n: 4, c: [{ a: 'x' }] },
    })
    expect(await inOrder('i')).toEqual(['d', 'b', 'c', 'a'])
    const query = { nested: { path: 'c', query: { term: { 'c.a': 'x' } } } }
    const { hits } = await ok('POST /i/_search', { query, sort: ['_doc'] })
    expect(hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['d', 'a'])
  })

  it('stays sorted through updates, deletions and merges, whatever order these would make', async () => {
    await create(
      { field: 'n' },
      { n: { type: 'long' }, other: { type: 'long' } },
      { 'index.lamella.reorder': 'field:other' },
    )
    await load({ a: { n: 4, other: 1 }, b: { n: 2, other: 2 }, c: { n: 9, other: 3 } })
    await load({ d: { n: 1, other: 4 }, b: { n: 7, other: 5 }, e: { n: 3, other: 0 } })
    await ok('DELETE /i/_doc/c')
    await ok('PUT /i/_doc/f?refresh', { n: 5, other: 9 })
    await ok('POST /i/_forcemerge?max_num_segments=1')
    expect(await inOrder('i')).toEqual(['d', 'e', 'a', 'f', 'b'])
    for (const [id, seqNo] of Object.entries({ a: 0, d: 3, b: 4, e: 5, f: 7 }))
      expect((await ok(`GET /i/_doc/${id}`))._seq_no).toBe(seqNo)
    const b = await ok('PUT /i/_doc/b?refresh', { n: 0, other: 0 })
    expect([b._version, b._seq_no]).toEqual([3, 8])
    await ok('POST /i/_forcemerge?max_num_segments=1')
    expect(await inOrder('i')).toEqual(['b', 'd', 'e', 'a', 'f'])
  })

  it('is sorted again out of its log, and kept by a clone', async () => {
    const body = {
      settings: { number_of_shards: 1, refresh_interval: -1, 'index.sort.field': 'n' },
      mappings: { properties: { n: { type: 'long' } } },
    }
    let on = await openRest({}, folder)
    const call = okOf(() => on)
    await call('PUT /i', body)
    for (const n of [5, 3, 8, 1]) await call(`PUT /i/_doc/${n}`, { n })
    await call('PUT /i/_settings', { 'index.blocks.write': true })
    await call('PUT /i/_clone/j')
    await on.close()
    on = await openRest({}, folder)
    for (const index of ['i', 'j']) {
      const { hits } = await call(`POST /${index}/_search`, { sort: ['_doc'] })
      expect(hits.hits.map(({ _id }: { _id: string }) => Number(_id))).toEqual([1, 3, 5, 8])
    }
    expect((await call('GET /j/_settings')).j.settings.index.sort).toEqual({ field: 'n' })
    await on.close()
  })
})

const ILLEGAL = 'illegal_argument_exception'

describe('an index sort is refused', () => {
  const properties = {
    n: { type: 'long' },
    off: { type: 'long', doc_values: false },
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    h: { type: 'half_float' },
    g: { type: 'geo_point' },
    o: { properties: { x: { type: 'long' } } },
    a: { type: 'alias', path: 'n' },
    c: {
      type: 'nested',
      properties: { x: { type: 'long' }, d: { properties: { y: { type: 'long' } } } },
    },
  }
  it.each([
    ['missing', 'unknown index sort field:[missing]'],
    ['o', 'unknown index sort field:[o]'],
    ['t', 'docvalues not found for index sort field:[t]'],
    ['off', 'docvalues not found for index sort field:[off]'],
    ['h', 'invalid index sort field:[h]'],
    ['g', 'invalid index sort field:[g]'],
    ['a', 'Cannot use alias [a] as an index sort field'],
    [
      'c.x',
      'index sorting on nested fields is not supported: found nested sort field [c.x] in [i]',
    ],
    [
      'c.d.y',
      'index sorting on nested fields is not supported: found nested sort field [c.d.y] in [i]',
    ],
  ])('by %s', async (field, reason) => {
    const settings = { 'index.sort.field': ['n', field] }
    expect(await failure('PUT /i', { settings, mappings: { properties } })).toEqual([
      ILLEGAL,
      reason,
    ])
    expect((await rest.call('HEAD /i')).status).toBe(404)
  })

  it.each([
    [
      { field: 'n', order: ['asc', 'desc'] },
      'index.sort.field:[n] index.sort.order:[asc, desc], size mismatch',
    ],
    [{ order: 'asc' }, 'index.sort.field:[] index.sort.order:[asc], size mismatch'],
    [{ field: 'n', order: 'up' }, 'Illegal sort order:up'],
    [{ field: 'n', mode: 'sum' }, 'Illegal sort mode: sum'],
    [
      { field: 'n', missing: '_there' },
      'Illegal missing value:[_there], must be one of [_last, _first]',
    ],
  ])('with %j', async (sort, reason) => {
    const body = { settings: { index: { sort } }, mappings: { properties } }
    expect(await failure('PUT /i', body)).toEqual([ILLEGAL, reason])
  })

  it('once the index is there', async () => {
    await create({ field: 'o.x' }, properties)
    expect((await failure('PUT /i/_settings', { 'index.sort.field': 'n' }))[0]).toBe(ILLEGAL)
    await ok('POST /i/_close')
    expect(await failure('PUT /i/_settings', { 'index.sort.field': 'n' })).toEqual([
      ILLEGAL,
      'final i setting [index.sort.field], not updateable',
    ])
  })
})

describe('searches of a sorted index', () => {
  it('see no more of it than the best, where that is all that is asked for', async () => {
    await create({ field: 'n', order: 'desc' }, { n: { type: 'long' } })
    const seen = async (body: object): Promise<number> => {
      const { profile, hits } = await ok('POST /i/_search', { ...body, profile: true })
      expect(hits.hits.map(({ sort }: { sort: number[] }) => sort[0])).toEqual([199, 198, 197])
      const [query] = profile.shards[0].searches[0].query
      return query.breakdown.next_doc_count
    }
    await load(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`d${n}`, { n }])))
    const best = { sort: [{ n: 'desc' }], size: 3, track_total_hits: false }
    expect(await seen(best)).toBeLessThan(10)
    for (const more of [
      { track_total_hits: true },
      { track_scores: true },
      { sort: [{ n: { order: 'desc', mode: 'min' } }] },
      { sort: [{ n: { order: 'desc', missing: 7 } }] },
      { sort: [{ n: 'desc' }, '_doc'] },
    ])
      expect(await seen({ ...best, ...more })).toBeGreaterThanOrEqual(200)
  })

  const words = fc.constantFrom('sea', 'wolf', 'whale', 'sea wolf', 'sea sea whale')
  const documents = fc.array(
    fc.record({
      isGone: fc.boolean(),
      n: fc.option(fc.nat(9), { nil: undefined }),
      k: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      t: words,
    }),
    { minLength: 1, maxLength: 90 },
  )
  const sorts = fc.constantFrom(
    { field: 'n' },
    { field: 'n', order: 'desc', missing: '_first' },
    { field: ['k', 'n'], order: ['desc', 'asc'] },
  )

  it('find the hits, scores and totals that they find without the sort', async () => {
    await fc.assert(
      fc.asyncProperty(documents, sorts, fc.nat(80), async (all, sort, refreshAt) => {
        await rest.call('DELETE /*')
        const properties = {
          n: { type: 'integer' },
          u: { type: 'integer' },
          k: { type: 'keyword' },
          t: { type: 'text' },
        }
        await create(sort, properties)
        await ok('PUT /plain', {
          settings: { number_of_shards: 1, refresh_interval: -1 },
          mappings: { properties },
        })
        const lines = (docs: typeof all, from: number): object[] =>
          docs.flatMap(({ isGone: _, ...doc }, i) => [
            { index: { _id: String(from + i) } },
            { ...doc, u: from + i },
          ])
        for (const index of ['i', 'plain'])
          for (const [from, to] of [
            [0, refreshAt],
            [refreshAt, all.length],
          ] as const)
            if (all.slice(from, to).length > 0)
              await ok(`POST /${index}/_bulk?refresh`, ndjson(...lines(all.slice(from, to), from)))
        const queries = [
          { match_all: {} },
          { match: { t: 'sea wolf' } },
          { match_phrase: { t: 'sea wolf' } },
          { bool: { must: { match: { t: 'sea' } }, filter: { range: { n: { gte: 3 } } } } },
          { bool: { must_not: { term: { k: 'b' } }, should: { match: { t: 'whale' } } } },
          { exists: { field: 'k' } },
        ]
        const check = async (): Promise<void> => {
          for (const query of queries) {
            const found = await Promise.all(
              ['i', 'plain'].map(async index => {
                const scored = await ok(`POST /${index}/_search`, { query, size: 100 })
                const byId = scored.hits.hits
                  .map(({ _id, _score }: { _id: string; _score: number }) => [_id, _score])
                  .sort(([a]: [string], [b]: [string]) => (a < b ? -1 : 1))
                const sorted = []
                for (const by of ['n', 'k', { n: { order: 'desc', missing: '_first' } }]) {
                  const body = { query, sort: [by, 'u'], size: 7, track_total_hits: 5 }
                  const { hits } = await ok(`POST /${index}/_search`, body)
                  sorted.push([
                    hits.total,
                    hits.hits.map(({ _id, sort: values }: { _id: string; sort: unknown }) => [
                      _id,
                      values,
                    ]),
                  ])
                }
                // By the sort of the index, and others.
                for (const by of [
                  ['n'],
                  [{ n: { order: 'desc', missing: '_first' } }],
                  [{ k: 'desc' }],
                  [{ k: 'desc' }, 'n'],
                  ['k', 'n'],
                ]) {
                  const body = { query, size: 4, track_total_hits: false }
                  const first = await ok(`POST /${index}/_search`, { ...body, sort: by })
                  const values = ({ sort }: { sort: unknown }) => sort
                  const after = first.hits.hits.at(-1)?.sort
                  // A number of JavaScript is not exact enough for the stand-in of no value.
                  const isExact = after?.every(
                    (value: unknown) => typeof value !== 'number' || Number.isSafeInteger(value),
                  )
                  const next =
                    isExact !== true
                      ? null
                      : await ok(`POST /${index}/_search`, {
                          ...body,
                          sort: by,
                          search_after: after,
                        })
                  sorted.push([
                    first.hits.total,
                    first.hits.hits.map(values),
                    next?.hits.hits.map(values),
                  ])
                }
                const counted = await ok(`POST /${index}/_count`, { query })
                return [scored.hits.total, scored.hits.max_score, byId, sorted, counted.count]
              }),
            )
            expect(found[0]).toEqual(found[1])
          }
        }
        await check()
        const gone = all.flatMap(({ isGone }, i) =>
          isGone ? [{ delete: { _id: String(i) } }] : [],
        )
        for (const index of ['i', 'plain']) {
          if (gone.length > 0) await ok(`POST /${index}/_bulk?refresh`, ndjson(...gone))
          await ok(`POST /${index}/_forcemerge?max_num_segments=1`)
        }
        await check()
      }),
      { numRuns: 12 },
    )
  }, 300_000)
})
