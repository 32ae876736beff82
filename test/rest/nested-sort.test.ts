import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

const MAPPINGS = {
  properties: {
    offers: {
      type: 'nested',
      properties: {
        price: { type: 'integer' },
        rate: { type: 'double' },
        colour: { type: 'keyword' },
        parts: { type: 'nested', properties: { weight: { type: 'long' } } },
      },
    },
    flat: { properties: { n: { type: 'long' } } },
  },
}
const PRODUCTS = [
  {
    offers: [
      { price: [4, 9], rate: 0.5, colour: 'red', parts: [{ weight: 7 }, { weight: 2 }] },
      { price: 1, rate: 0.25, colour: 'blue' },
    ],
  },
  { offers: [{ colour: 'red' }, { price: 3, colour: 'green', parts: { weight: 5 } }] },
  { offers: [] },
  { offers: { price: 6, rate: 2, colour: 'blue' } },
]

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /shop', { mappings: MAPPINGS, settings: { 'index.refresh_interval': '-1' } })
  const lines = PRODUCTS.flatMap((product, i) => [{ index: { _id: String(i) } }, product])
  await rest.call('POST /shop/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const sorted = async (field: string, level: object, more: object = {}): Promise<unknown[]> => {
  const body = { sort: [{ [field]: level }], ...more }
  const { status, json } = await rest.call('POST /shop/_search', body)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, hit.sort[0]])
}
const refused = async (field: string, level: object): Promise<unknown[]> => {
  const { status, json } = await rest.call('POST /shop/_search', { sort: [{ [field]: level }] })
  const error = json.error?.root_cause?.[0]
  return [status, error?.type, error?.reason]
}
const MIN = Number.MIN_SAFE_INTEGER

describe('a sort by nested objects', () => {
  it('takes the values of all nested objects by its mode', async () => {
    const nested = { path: 'offers' }
    const asc = await sorted('offers.price', { nested })
    expect(asc.map(each => (each as unknown[])[0])).toEqual(['0', '1', '3', '2'])
    expect(asc.slice(0, 3)).toEqual([
      ['0', 1],
      ['1', 3],
      ['3', 6],
    ])
    const desc = await sorted('offers.price', { order: 'desc', nested })
    expect(desc.slice(0, 3)).toEqual([
      ['0', 9],
      ['3', 6],
      ['1', 3],
    ])
    expect((desc[3] as [string, number])[1]).toBeLessThan(MIN)
    const modeOf = async (mode: string): Promise<unknown> =>
      (await sorted('offers.price', { mode, nested })).find(each => (each as unknown[])[0] === '0')
    expect(await modeOf('sum')).toEqual(['0', 14])
    expect(await modeOf('avg')).toEqual(['0', 5])
    expect(await sorted('offers.rate', { mode: 'avg', nested, missing: 1 })).toEqual([
      ['0', 0.375],
      ['1', 1],
      ['2', 1],
      ['3', 2],
    ])
  })

  it('takes those that a filter lets through, up to a number of objects', async () => {
    const filter = { term: { 'offers.colour': 'red' } }
    expect(
      await sorted('offers.price', { missing: 0, nested: { path: 'offers', filter } }),
    ).toEqual([
      ['1', 0],
      ['2', 0],
      ['3', 0],
      ['0', 4],
    ])
    const nested = { path: 'offers', max_children: 1 }
    // Objects without a value are not counted.
    expect(await sorted('offers.price', { missing: 7, nested })).toEqual([
      ['1', 3],
      ['0', 4],
      ['3', 6],
      ['2', 7],
    ])
  })

  it('takes terms of nested objects, and pages behind them', async () => {
    const nested = { path: 'offers' }
    const all = [
      ['0', 'blue'],
      ['3', 'blue'],
      ['1', 'green'],
      ['2', null],
    ]
    expect(await sorted('offers.colour', { nested })).toEqual(all)
    expect(await sorted('offers.colour', { order: 'desc', nested })).toEqual([
      ['0', 'red'],
      ['1', 'red'],
      ['3', 'blue'],
      ['2', null],
    ])
    expect(await sorted('offers.colour', { nested }, { search_after: ['blue'] })).toEqual(
      all.slice(2),
    )
  })

  it('reads objects within those alone that an outer level accepts', async () => {
    const colour = (name: string): object => ({ term: { 'offers.colour': name } })
    const weights = (name: string, filter?: object): Promise<unknown[]> =>
      sorted('offers.parts.weight', {
        missing: 9,
        nested: {
          path: 'offers',
          filter: colour(name),
          nested: { path: 'offers.parts', ...(filter === undefined ? {} : { filter }) },
        },
      })
    expect(await weights('red')).toEqual([
      ['0', 2],
      ['1', 9],
      ['2', 9],
      ['3', 9],
    ])
    expect(await weights('green')).toEqual([
      ['1', 5],
      ['0', 9],
      ['2', 9],
      ['3', 9],
    ])
    const heavy = { range: { 'offers.parts.weight': { gt: 2 } } }
    expect((await weights('red', heavy))[0]).toEqual(['0', 7])
    // Levels of one path narrow each other.
    expect(
      await sorted('offers.price', {
        missing: 0,
        order: 'desc',
        nested: {
          path: 'offers',
          filter: colour('red'),
          nested: { path: 'offers', filter: { range: { 'offers.price': { gt: 5 } } } },
        },
      }),
    ).toEqual([
      ['0', 9],
      ['1', 0],
      ['2', 0],
      ['3', 0],
    ])
  })

  it('orders inner hits by objects within them', async () => {
    const level = { order: 'desc', missing: 0, nested: { path: 'offers.parts' } }
    const inner = { sort: [{ 'offers.parts.weight': level }], size: 9, _source: false }
    const query = { nested: { path: 'offers', query: { match_all: {} }, inner_hits: inner } }
    const { json } = await rest.call('POST /shop/_search', { query, sort: ['_doc'] })
    const found = json.hits.hits.map((hit: { inner_hits: { offers: { hits: { hits: [] } } } }) =>
      hit.inner_hits.offers.hits.hits.map((each: { _nested: { offset: number }; sort: [] }) => [
        each._nested.offset,
        ...each.sort,
      ]),
    )
    expect(found).toEqual([
      [
        [0, 7],
        [1, 0],
      ],
      [
        [1, 5],
        [0, 0],
      ],
      [[0, 0]],
    ])
  })

  it('reaches objects within objects', async () => {
    const inner = { path: 'offers.parts' }
    const expected = [
      ['0', 2],
      ['1', 5],
      ['2', 9],
      ['3', 9],
    ]
    const weights = (nested: object): Promise<unknown[]> =>
      sorted('offers.parts.weight', { missing: 9, nested })
    expect(await weights(inner)).toEqual(expected)
    expect(await weights({ path: 'offers', nested: inner })).toEqual(expected)
  })

  it('reads the older keys', async () => {
    const filter = { range: { 'offers.price': { gte: 2 } } }
    expect(
      await sorted('offers.price', { missing: 0, nested_path: 'offers', nested_filter: filter }),
    ).toEqual(await sorted('offers.price', { missing: 0, nested: { path: 'offers', filter } }))
    // The document itself has no such values.
    expect(await sorted('offers.price', { missing: 5, nested_filter: filter })).toEqual(
      await sorted('offers.price', { missing: 5 }),
    )
    expect(
      await refused('offers.price', { nested_path: 'offers', nested: { path: 'offers' } }),
    ).toEqual([
      400,
      'illegal_argument_exception',
      'Setting both nested_path/nested_filter and nested not allowed',
    ])
  })

  it('is refused where it does not fit the index or the form', async () => {
    expect(await refused('offers.price', { nested: { path: 'nowhere' } })).toEqual([
      400,
      'query_shard_exception',
      '[nested] failed to find nested object under path [nowhere]',
    ])
    expect(await refused('flat.n', { nested: { path: 'flat' } })).toEqual([
      400,
      'query_shard_exception',
      '[nested] nested object under path [flat] is not of nested type',
    ])
    const inner = { path: 'offers.parts' }
    expect(
      await refused('offers.parts.weight', {
        nested: { path: 'offers', max_children: 1, nested: inner },
      }),
    ).toEqual([
      400,
      'query_shard_exception',
      'max_children is only supported on last level of nested sort',
    ])
    const malformed = async (nested: unknown): Promise<unknown> => {
      const sort = { 'offers.price': { nested } }
      const { json } = await rest.call('POST /shop/_search', { sort })
      expect(json.error.reason).toMatch(
        /^\[1:\d+\] \[field_sort\] failed to parse field \[nested\]$/,
      )
      return json.error.caused_by.reason
    }
    expect(await malformed({ path: 'offers', depth: 1 })).toBe(
      'malformed nested sort format, unknown field name [depth]',
    )
    expect(await malformed('offers')).toBe(
      'malformed nested sort format, must start with an object',
    )
    expect(await malformed({})).toBe("[nested] requires 'path' field")
    expect(await refused('offers.price', { mode: 'median', nested: { path: 'offers' } })).toEqual([
      400,
      'illegal_argument_exception',
      'Unsupported sort mode: MEDIAN',
    ])
  })
})
