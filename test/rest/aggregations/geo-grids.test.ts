import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Of the reference's own documentation, and one that was taken in three rooms. */
const AMSTERDAM = [
  { lat: 52.374081, lon: 4.91235 },
  { lat: 52.369219, lon: 4.901618 },
  { lat: 52.371667, lon: 4.914722 },
]
const ROWS = [
  { at: AMSTERDAM, k: 'a', n: 5 },
  { at: AMSTERDAM[0], k: 'b', n: 7 },
  { at: { lat: 51.2229, lon: 4.4052 }, k: 'a', n: 11 },
  { at: { lat: 48.861111, lon: 2.336389 }, k: 'b', n: 13 },
  { k: 'b', n: 17 },
]

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    at: { type: 'geo_point' },
    plain: { type: 'geo_point', doc_values: false },
    k: { type: 'keyword' },
    n: { type: 'long' },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${name}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    const lines = ROWS.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
  }
  await ok('PUT /bare', { mappings: { properties: { k: { type: 'keyword' } } } })
  await ok('PUT /bare/_doc/1?refresh', { k: 'a' })
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const agg = async (x: object, index = 'i'): Promise<any> =>
  (await ok(`POST /${index}/_search`, { size: 0, aggs: { x } })).aggregations.x

/** The type of the refusal of a body, its reason, and those of its causes. */
const refused = async (x: object): Promise<readonly string[]> => {
  const answer = await rest.call('POST /i/_search', { size: 0, aggs: { x } })
  expect(answer.status).toBe(400)
  const { type, reason, caused_by, failed_shards } = answer.json.error
  const own = failed_shards?.[0].reason ?? { type, reason, caused_by }
  const reasons: string[] = []
  for (let at = own; at !== undefined; at = at.caused_by) reasons.push(at.reason)
  return [own.type, ...reasons]
}

const GRIDS = ['geohash_grid', 'geotile_grid', 'geohex_grid'] as const

describe('grids of places', () => {
  it('count documents by cell, each once however many of its places lie there', async () => {
    for (const index of ['i', 'two', 'i,bare']) {
      expect(await agg({ geohash_grid: { field: 'at', precision: 3 } }, index)).toEqual({
        buckets: [
          { key: 'u17', doc_count: 2 },
          { key: 'u15', doc_count: 1 },
          { key: 'u09', doc_count: 1 },
        ],
      })
      expect(await agg({ geotile_grid: { field: 'at', precision: 8 } }, index)).toEqual({
        buckets: [
          { key: '8/131/84', doc_count: 2 },
          { key: '8/131/85', doc_count: 1 },
          { key: '8/129/88', doc_count: 1 },
        ],
      })
      expect(await agg({ geohex_grid: { field: 'at', precision: 4 } }, index)).toEqual({
        buckets: [
          { key: '841969dffffffff', doc_count: 2 },
          { key: '841fb47ffffffff', doc_count: 1 },
          { key: '841fa4dffffffff', doc_count: 1 },
        ],
      })
    }
  })

  it('have a usual precision each', async () => {
    const first = async (grid: string): Promise<string> =>
      (await agg({ [grid]: { field: 'at' } })).buckets
        .map(({ key }: { key: string }) => key)
        .sort()[0]
    expect(await first('geohash_grid')).toBe('u09tv')
    expect(await first('geotile_grid')).toBe('7/64/44')
    expect(await first('geohex_grid')).toMatch(/^85[0-9a-f]{6}fffffff$/)
  })

  it('name the cells of the finest precisions and of the whole Earth', async () => {
    const query = { ids: { values: ['3'] } }
    const key = async (grid: string, precision: number | string): Promise<string> =>
      (
        await ok('POST /i/_search', {
          query,
          aggs: { x: { [grid]: { field: 'at', precision } } },
        })
      ).aggregations.x.buckets[0].key
    expect(await key('geohash_grid', 12)).toBe('u09tvnvk9g3b')
    expect(await key('geohash_grid', 1)).toBe('u')
    expect(await key('geotile_grid', 0)).toBe('0/0/0')
    expect(await key('geotile_grid', '29')).toBe('29/271919731/184688617')
    expect(await key('geohex_grid', 0)).toBe('8019fffffffffff')
    expect(await key('geohex_grid', 15)).toBe('8f1fb4675a8bd35')
  })

  it('take a distance that geohashes are about as wide as', async () => {
    const digits = async (precision: string): Promise<number> =>
      (await agg({ geohash_grid: { field: 'at', precision } })).buckets[0].key.length
    expect(await digits('1km')).toBe(7)
    expect(await digits('1000m')).toBe(7)
    expect(await digits('10mi')).toBe(5)
    expect(await digits('2')).toBe(2)
    expect(await digits('0m')).toBe(12)
    expect(await digits('50000km')).toBe(1)
  })

  it('leave out places beyond the bounds, of which some cross the date line', async () => {
    const bounds = { top_left: '52.4, 4.9', bottom_right: '52.3, 5.0' }
    for (const grid of GRIDS) {
      const { buckets } = await agg({ [grid]: { field: 'at', precision: 2, bounds } })
      expect(buckets).toEqual([{ key: expect.any(String), doc_count: 2 }])
    }
    const around = { top: 90, bottom: -90, left: 4.5, right: 3 }
    expect(
      (await agg({ geohash_grid: { field: 'at', precision: 2, bounds: around } })).buckets,
    ).toEqual([
      { key: 'u1', doc_count: 2 },
      { key: 'u0', doc_count: 1 },
    ])
    const wkt = { wkt: 'BBOX (4.3, 4.5, 51.3, 51.2)' }
    expect(
      (await agg({ geohash_grid: { field: 'at', precision: 2, bounds: wkt } })).buckets,
    ).toEqual([{ key: 'u1', doc_count: 1 }])
  })

  it('give the cells with most documents, and of equals those with the highest codes', async () => {
    const sized = async (more: object): Promise<string[]> =>
      (await agg({ geohash_grid: { field: 'at', precision: 3, ...more } })).buckets.map(
        ({ key }: { key: string }) => key,
      )
    expect(await sized({ size: 1 })).toEqual(['u17'])
    expect(await sized({ size: 2 })).toEqual(['u17', 'u15'])
    expect(await sized({ size: 3, shard_size: 1 })).toEqual(['u17', 'u15', 'u09'])
  })

  it('take ten cells of each shard at least, and as many as all shards might give', async () => {
    await ok('PUT /apart', {
      settings: { number_of_shards: 2 },
      mappings: { properties: { at: { type: 'geo_point' } } },
    })
    const shardOf = async (routing: string): Promise<number> =>
      (await ok(`GET /apart/_search_shards?routing=${routing}`)).shards[0][0].shard
    const routings = [...'abcdefgh']
    const shards = await Promise.all(routings.map(shardOf))
    const [one, other] = [routings[shards.indexOf(0)]!, routings[shards.indexOf(1)]!]
    const put = async (routing: string, lat: number, count: number): Promise<void> => {
      for (let i = 0; i < count; i++)
        await ok(`POST /apart/_doc?routing=${routing}`, { at: { lat, lon: 1 } })
    }
    // The second of each shard is the first of both.
    await put(one, 10, 3)
    await put(one, 30, 2)
    await put(other, 50, 3)
    await put(other, 30, 2)
    await ok('POST /apart/_refresh')
    const best = async (more: object): Promise<unknown> => {
      const grid = { field: 'at', precision: 1, size: 1, ...more }
      return (await agg({ geohash_grid: grid }, 'apart')).buckets
    }
    expect(await best({})).toEqual([{ key: 's', doc_count: 7 }])
    expect(await best({ precision: 2 })).toEqual([{ key: 'sj', doc_count: 4 }])
    expect(await best({ precision: 2, shard_size: 1 })).toEqual([
      { key: expect.any(String), doc_count: 3 },
    ])
  })

  it('hold aggregations, stand in others, and weigh documents', async () => {
    const grid = { geohash_grid: { field: 'at', precision: 1 } }
    const n = { sum: { field: 'n' } }
    const below = { n, k: { terms: { field: 'k' } } }
    expect((await agg({ ...grid, aggs: below })).buckets).toEqual([
      {
        key: 'u',
        doc_count: 4,
        n: { value: 36 },
        k: {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: 0,
          buckets: [
            { key: 'a', doc_count: 2 },
            { key: 'b', doc_count: 2 },
          ],
        },
      },
    ])
    const { buckets } = await agg({ terms: { field: 'k' }, aggs: { grid } })
    expect(buckets.map((each: { grid: object }) => each.grid)).toEqual([
      { buckets: [{ key: 'u', doc_count: 2 }] },
      { buckets: [{ key: 'u', doc_count: 2 }] },
    ])
  })

  it('give documents without a place the missing one', async () => {
    const missing = { lat: 0, lon: 0 }
    for (const grid of GRIDS) {
      const { buckets } = await agg({ [grid]: { field: 'at', precision: 1, missing } })
      const counts = buckets.map((each: { doc_count: number }) => each.doc_count)
      expect(counts.reduce((a: number, b: number) => a + b)).toBe(5)
      const bare = await agg({ [grid]: { field: 'at', missing } }, 'bare')
      expect(bare.buckets).toEqual([{ key: expect.any(String), doc_count: 1 }])
    }
  })

  it('are empty where no index has the field, under their own type', async () => {
    for (const grid of GRIDS) {
      expect(await agg({ [grid]: { field: 'none' } })).toEqual({ buckets: [] })
      const typed = await ok('POST /i/_search?typed_keys=true', {
        size: 0,
        aggs: { x: { [grid]: { field: 'at' } }, y: { [grid]: { field: 'none' } } },
      })
      expect(Object.keys(typed.aggregations)).toEqual([`${grid}#x`, `${grid}#y`])
    }
  })

  it('stand in profiles under the names of their classes', async () => {
    const aggs = Object.fromEntries(GRIDS.map(grid => [grid, { [grid]: { field: 'at' } }]))
    const { profile } = await ok('POST /i/_search', { size: 0, profile: true, aggs })
    expect(
      profile.shards[0].aggregations.map((each: { type: string; debug?: object }) => [
        each.type,
        each.debug,
      ]),
    ).toEqual([
      ['GeoHashGridAggregator', undefined],
      ['GeoTileGridAggregator', undefined],
      ['GeoHexGridAggregator', undefined],
    ])
    const unmapped = await ok('POST /i/_search', {
      profile: true,
      aggs: { x: { geotile_grid: { field: 'none' } } },
    })
    expect(unmapped.profile.shards[0].aggregations[0].type).toBe('NonCollectingAggregator')
  })

  it('count against the limit of buckets', async () => {
    await ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': 2 } })
    const aggs = { x: { geohash_grid: { field: 'at', precision: 3 } } }
    const { status, json } = await rest.call('POST /i/_search', { size: 0, aggs })
    await ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': null } })
    expect([status, json.error.type]).toEqual([503, 'too_many_buckets_exception'])
  })

  it('refuse precisions that they do not have', async () => {
    const cause = async (grid: string, precision: unknown): Promise<unknown> => {
      const [type, reason, why] = await refused({ [grid]: { field: 'at', precision } })
      expect(type).toBe('x_content_parse_exception')
      expect(reason).toContain(`[${grid}] failed to parse field [precision]`)
      return why
    }
    const geohash = (digits: number): string =>
      `Invalid geohash aggregation precision of ${digits}. Must be between 1 and 12.`
    expect(await cause('geohash_grid', 0)).toBe(geohash(0))
    expect(await cause('geohash_grid', 13)).toBe(geohash(13))
    expect(await cause('geohash_grid', '-1')).toBe(geohash(-1))
    expect(await cause('geohash_grid', '1cm')).toBe('precision too high [1cm]')
    expect(await cause('geohash_grid', 'far')).toBe('For input string: "far"')
    for (const zoom of [-1, 30])
      expect(await cause('geotile_grid', zoom)).toBe(
        `Invalid geotile_grid precision of ${zoom}. Must be between 0 and 29.`,
      )
    expect(await cause('geotile_grid', '1km')).toBe('For input string: "1km"')
    for (const resolution of [-1, 16])
      expect(await cause('geohex_grid', resolution)).toBe(
        `Invalid precision of ${resolution} . Must be between 0 and 15.`,
      )
  })

  it('refuse bodies that make no sense', async () => {
    for (const grid of GRIDS) {
      expect(await refused({ [grid]: {} })).toEqual([
        'illegal_argument_exception',
        'Required one of fields [field, script], but none were specified. ',
      ])
      expect((await refused({ [grid]: { field: 'at', size: 0 } })).at(-1)).toBe(
        '[size] must be greater than 0. Found [0] in [x]',
      )
      expect((await refused({ [grid]: { field: 'at', shard_size: -2 } })).at(-1)).toBe(
        '[shardSize] must be greater than 0. Found [-2] in [x]',
      )
      expect((await refused({ [grid]: { field: 'at', precison: 2 } })).at(-1)).toBe(
        `[1:${41 + grid.length}] [${grid}] unknown field [precison] did you mean [precision]?`,
      )
      expect((await refused({ [grid]: { field: 'k' } })).at(-1)).toBe(
        `Field [k] of type [keyword] is not supported for aggregation [${grid}]`,
      )
      expect((await refused({ [grid]: { field: 'at', bounds: 'all' } })).at(-1)).toBe(
        'failed to parse bounding box. Expected start object but found [VALUE_STRING]',
      )
      expect((await refused({ [grid]: { field: 'at', bounds: { top: 1 } } })).at(-1)).toBe(
        'failed to parse bounding box. a corner or side is missing',
      )
      expect((await refused({ [grid]: { field: 'at', bounds: { up: 1 } } })).at(-1)).toBe(
        'failed to parse bounding box. unexpected field [up]',
      )
    }
  })

  it('cannot be what buckets are sorted by', async () => {
    const order = { grid: 'desc' }
    const grid = { geotile_grid: { field: 'at' } }
    const [type, reason] = await refused({ terms: { field: 'k', order }, aggs: { grid } })
    expect(type).toBe('aggregation_execution_exception')
    expect(reason).toContain('[grid] is not single-bucket.')
  })
})

describe('composite over tiles', () => {
  const source = (more: object = {}): object => ({
    t: { geotile_grid: { field: 'at', precision: 8, ...more } },
  })

  it('give tiles in order of zoom, column and row, page by page', async () => {
    for (const index of ['i', 'two']) {
      const pages: unknown[] = []
      let after: object | undefined
      for (;;) {
        const page = await agg({ composite: { sources: [source()], size: 2, after } }, index)
        if (page.buckets.length === 0) break
        pages.push(page.buckets)
        expect(page.after_key).toEqual(page.buckets.at(-1).key)
        after = page.after_key
      }
      expect(pages).toEqual([
        [
          { key: { t: '8/129/88' }, doc_count: 1 },
          { key: { t: '8/131/84' }, doc_count: 2 },
        ],
        [{ key: { t: '8/131/85' }, doc_count: 1 }],
      ])
    }
  })

  it('may turn the order round, keep documents without a place, and have bounds', async () => {
    const keys = async (more: object): Promise<unknown> =>
      (await agg({ composite: { sources: [source(more)] } })).buckets.map(
        ({ key, doc_count }: { key: { t: string }; doc_count: number }) => [key.t, doc_count],
      )
    expect(await keys({ order: 'desc', missing_bucket: true })).toEqual([
      ['8/131/85', 1],
      ['8/131/84', 2],
      ['8/129/88', 1],
      [null, 1],
    ])
    const bounds = { top: 52, bottom: 51, left: 0, right: 10 }
    expect(await keys({ bounds })).toEqual([['8/131/85', 1]])
    expect(await keys({ bounds, missing_bucket: true })).toEqual([
      [null, 4],
      ['8/131/85', 1],
    ])
  })

  it('combine with other sources', async () => {
    const sources = [{ k: { terms: { field: 'k' } } }, { t: { geotile_grid: { field: 'at' } } }]
    const { buckets } = await agg({ composite: { sources } })
    expect(buckets).toEqual([
      { key: { k: 'a', t: '7/65/42' }, doc_count: 2 },
      { key: { k: 'b', t: '7/64/44' }, doc_count: 1 },
      { key: { k: 'b', t: '7/65/42' }, doc_count: 1 },
    ])
    expect(await agg({ composite: { sources: [source()] } }, 'bare')).toEqual({ buckets: [] })
  })

  it('refuse what is no tile', async () => {
    const afterKey = async (t: unknown): Promise<string | undefined> =>
      (await refused({ composite: { sources: [source()], after: { t } } })).at(-1)
    for (const text of ['x', '8/1', '8/1/2/3', '8/a/2', '8/1.5/2'])
      expect(await afterKey(text)).toBe(
        `Invalid geotile_grid hash string of ${text}. Must be three integers in a form "zoom/x/y".`,
      )
    expect(await afterKey('30/1/1')).toBe(
      'Invalid geotile_grid precision of 30. Must be between 0 and 29.',
    )
    for (const text of ['1/2/0', '1/0/2', '1/-1/0'])
      expect(await afterKey(text)).toBe(`Zoom/X/Y combination is not valid: ${text}`)
    expect(await afterKey({})).toBe('Invalid value for [after.t], found [START_OBJECT]')
    expect(
      (await refused({ composite: { sources: [source({ precision: 30 })] } })).join(),
    ).toContain('Invalid geotile_grid precision of 30. Must be between 0 and 29.')
    const other = { t: { geotile_grid: { field: 'k' } } }
    expect((await refused({ composite: { sources: [other] } })).at(-1)).toBe(
      'Field [k] of type [keyword] is not supported for aggregation [geotile_grid]',
    )
    expect(
      (await refused({ composite: { sources: [{ t: { geotile_grid: {} } }] } })).join(),
    ).toContain('Required one of fields [field, script], but none were specified. ')
  })
})
