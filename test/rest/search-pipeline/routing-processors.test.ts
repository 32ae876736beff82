import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { murmur128 } from '../../../src/util/murmur128.ts'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

const SHARDS = 20
let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /b', {
    settings: { number_of_shards: SHARDS },
    mappings: {
      properties: { g: { type: 'keyword' }, p: { type: 'keyword' }, t: { type: 'date' } },
    },
  })
})
afterAll(() => rest.close())

/** A search through one processor of its request. */
function through(processor: object, query: object, params = ''): Promise<Answered> {
  return rest.call(`GET /b/_search${params}`, {
    query,
    search_pipeline: { request_processors: [processor] },
  })
}

/** The shards that a search through a processor looks at, and those of routing values. */
async function shards(processor: object, query: object): Promise<number> {
  return (await through(processor, query)).json._shards.total
}

async function shardsOf(routing: readonly string[]): Promise<number> {
  const { json } = await rest.call(`GET /b/_search_shards?routing=${routing.join(',')}`)
  return json.shards.length
}

/** Whether a document with a routing is found where a search looks. */
async function finds(
  routing: string,
  doc: object,
  processor: object,
  query: object,
): Promise<void> {
  await rest.call(`PUT /b/_doc/x?routing=${routing}&refresh=true`, doc)
  const { json } = await through(processor, query)
  expect([json._shards.total, json.hits.total.value]).toEqual([1, 1])
  await rest.call(`DELETE /b/_doc/x?routing=${routing}&refresh=true`)
}

async function refusal(processor: object): Promise<unknown[]> {
  const { status, json } = await rest.call('PUT /_search/pipeline/p', {
    request_processors: [processor],
  })
  return [status, json.error.type, json.error.reason]
}

function aclRouting(group: string): string {
  const hex = murmur128(encodeUtf8(group)).map(half => half.toString(16).padStart(16, '0'))
  return Buffer.from(hex.join(''), 'hex').toString('base64url')
}

function pathRouting(anchor: string): string {
  const hash = BigInt.asIntN(64, murmur128(encodeUtf8(anchor))[0])
  return String(hash < 0n ? -hash : hash)
}

describe('acl_routing_search', () => {
  const processor = { acl_routing_search: { acl_field: 'g' } }

  it('routes by the terms of a field, wherever they stand', async () => {
    await finds(aclRouting('team'), { g: 'team' }, processor, { term: { g: 'team' } })
    await finds(aclRouting('team'), { g: 'team' }, processor, {
      bool: { should: [{ constant_score: { filter: { term: { g: { value: 'team' } } } } }] },
    })
    const two = ['red', 'blue']
    expect(await shards(processor, { terms: { g: two } })).toBe(await shardsOf(two.map(aclRouting)))
  })

  it('leaves other searches alone', async () => {
    expect(await shards(processor, { term: { p: 'team' } })).toBe(SHARDS)
    expect(await shards(processor, { match_all: {} })).toBe(SHARDS)
    const off = { acl_routing_search: { acl_field: 'g', extract_from_query: false } }
    expect(await shards(off, { term: { g: 'team' } })).toBe(SHARDS)
  })

  it('needs a field', async () => {
    expect(await refusal({ acl_routing_search: {} })).toEqual([
      400,
      'parse_exception',
      '[acl_field] required property is missing',
    ])
  })
})

describe('hierarchical_routing_search', () => {
  const processor = { hierarchical_routing_search: { path_field: 'p' } }
  const doc = { p: '/company/engineering/docs' }

  it('routes by the first segments of paths that have to match', async () => {
    const routing = pathRouting('company/engineering')
    for (const query of [
      { term: { p: '/company/engineering/docs' } },
      { prefix: { p: '//company//engineering/' } },
      { wildcard: { p: { value: '/company/engineering/d*' } } },
      { wildcard: { p: { wildcard: '/company/engineering/d?cs' } } },
      { bool: { filter: [{ terms: { p: ['/company/engineering/docs'] } }] } },
    ]) {
      expect(await shards(processor, query)).toBe(1)
      if (!('prefix' in query)) await finds(routing, doc, processor, query)
    }
    expect(await shards(processor, { terms: { p: ['/a/b/c', '/d/e'] } })).toBe(
      await shardsOf([pathRouting('a/b'), pathRouting('d/e')]),
    )
    const root = await shards(processor, { prefix: { p: '/' } })
    expect(root).toBe(await shardsOf([pathRouting('_root')]))
  })

  it('takes a depth and a separator', async () => {
    const own = { path_field: 'p', anchor_depth: 1, path_separator: '.' }
    const dotted = { hierarchical_routing_search: own }
    await finds(pathRouting('a'), { p: 'a.b' }, dotted, { term: { p: 'a.b' } })
  })

  it('does not route by clauses that need not match, nor over a routing', async () => {
    const term = { term: { p: '/a/b' } }
    for (const query of [
      { bool: { should: [term] } },
      { bool: { must: [{ match_all: {} }], must_not: [term] } },
      { dis_max: { queries: [term] } },
      { wildcard: { p: '*' } },
    ])
      expect(await shards(processor, query)).toBe(SHARDS)
    const routed = await through(
      processor,
      { terms: { p: ['/a/b', '/c/d', '/e/f'] } },
      '?routing=x',
    )
    expect(routed.json._shards.total).toBe(1)
  })

  it.each([
    [{}, '[path_field] required property is missing'],
    [{ path_field: '' }, '[path_field] cannot be null or empty'],
    [{ path_field: 'p', path_separator: '' }, '[path_separator] cannot be null or empty'],
    [{ path_field: 'p', anchor_depth: 0 }, '[anchor_depth] must be greater than 0'],
  ])('refuses %j', async (options, reason) => {
    expect(await refusal({ hierarchical_routing_search: options })).toEqual([
      400,
      'parse_exception',
      reason,
    ])
  })
})

describe('temporal_routing_search', () => {
  const by = (granularity: string, more: object = {}): object => ({
    temporal_routing_search: { timestamp_field: 't', granularity, ...more },
  })
  const at = (gte: string, lte: string): object => ({ range: { t: { gte, lte } } })

  it.each([
    ['hour', '2023-12-15T10'],
    ['day', '2023-12-15'],
    ['WEEK', '2023-W50'],
    ['month', '2023-12'],
  ])('routes by the %s that a range is in', async (granularity, bucket) => {
    const doc = { t: '2023-12-15T10:30:00Z' }
    const range = at('2023-12-15T10:00:00Z', '2023-12-15T10:59:59Z')
    await finds(bucket, doc, by(granularity), range)
    await finds(pathRouting(bucket), doc, by(granularity, { hash_bucket: true }), {
      bool: { must: [range] },
    })
  })

  it('routes by all buckets of a range, in the years that weeks belong to', async () => {
    const days = ['2023-12-30', '2023-12-31', '2024-01-01']
    expect(await shards(by('day'), at('2023-12-30', '2024-01-01'))).toBe(await shardsOf(days))
    expect(await shards(by('week'), at('2024-12-30', '2024-12-31'))).toBe(
      await shardsOf(['2025-W01']),
    )
    expect(await shards(by('month'), at('2023-11-30', '2024-01-01'))).toBe(
      await shardsOf(['2023-11', '2023-12', '2024-01']),
    )
  })

  it('routes a range without an end by the end that it has', async () => {
    for (const range of [{ gt: '2023-12-15' }, { lt: '2023-12-15T01:00:00Z' }])
      expect(await shards(by('day'), { range: { t: range } })).toBe(1)
  })

  it('reads dates in a format, and leaves ranges of others alone', async () => {
    const format = { format: 'yyyyMMdd' }
    const query = { range: { t: { gte: '20231215', lte: '20231215', format: 'yyyyMMdd' } } }
    expect(await shards(by('day', format), query)).toBe(1)
    expect(await shards(by('day'), { range: { t: { gte: 'now-1d' } } })).toBe(SHARDS)
    expect(await shards(by('day'), { match_all: {} })).toBe(SHARDS)
    expect(await shards(by('day'), { bool: { should: [at('2023-12-15', '2023-12-15')] } })).toBe(
      SHARDS,
    )
    const routed = await through(by('day'), at('2023-12-01', '2023-12-09'), '?routing=x')
    expect(routed.json._shards.total).toBe(1)
  })

  it.each([
    [{ timestamp_field: null }, '[timestamp_field] required property is missing'],
    [{ timestamp_field: '' }, '[timestamp_field] cannot be null or empty'],
    [{ granularity: null }, '[granularity] required property is missing'],
    [{ granularity: '' }, '[granularity] cannot be null or empty'],
    [
      { granularity: 'year' },
      '[granularity] Invalid granularity: year. Supported values are: hour, day, week, month',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await refusal(by('day', options))).toEqual([400, 'parse_exception', reason])
  })

  it('refuses a format that cannot be', async () => {
    const [status, type, reason] = await refusal(by('day', { format: 'yyyy{' }))
    expect([status, type]).toEqual([400, 'parse_exception'])
    expect(reason).toContain('[format] invalid date format: ')
  })
})
