/** Boxes and grids over shapes, held to a search of every cell for every shape. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { geohashCorner } from '../../../src/util/geohash.ts'
import { Random } from '../../../src/util/random.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'
import { hasRelation, kept, type PlainShape } from '../../support/shapes/plain-shapes.ts'
import { type Corner, randomRings } from '../../support/shapes/random-rings.ts'

const SEED = 20261123
const COUNT = 120

let rest: Rest
const ok = okOf(() => rest)
const random = new Random(SEED)
const shapes = Array.from({ length: COUNT }, () => randomShape(random))

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    s: { type: 'geo_shape' },
    k: { type: 'keyword' },
    n: { type: 'nested', properties: { s: { type: 'geo_shape' } } },
  }
  for (const [index, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${index}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    // Several segments, and documents without a shape between those with one.
    for (let from = 0; from < COUNT; from += 50) {
      const lines = shapes.slice(from, from + 50).flatMap((shape, i) => {
        const id = from + i
        const source = id % 7 === 3 ? {} : { s: geoJson(shape), n: [{ s: geoJson(shape) }] }
        return [{ index: { _id: `${id}` } }, { ...source, k: `k${id % 3}` }]
      })
      await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
    }
    await ok(`POST /${index}/_delete_by_query?refresh`, { query: { ids: { values: ['5', '60'] } } })
  }
  await ok('PUT /bare', { mappings: { properties: { k: { type: 'keyword' } } } })
  await ok('PUT /points', { mappings: { properties: { s: { type: 'geo_point' } } } })
}, PATIENCE_IN_MILLIS)
afterAll(() => rest.close())

/** Of the documents that are left, those with a shape. */
const present = (id: number): boolean => id % 7 !== 3 && id !== 5 && id !== 60

function randomShape(random: Random): PlainShape {
  const at = (): Corner => [
    random.below(300_000) / 1000 - 150.0003,
    random.below(140_000) / 1000 - 70.0007,
  ]
  const [lon, lat] = at()
  const size = 2 + random.below(25) / 2
  const polygons = random.below(2) === 0 ? [randomRings(random, lon, lat, size)] : []
  const near = (): Corner => [
    lon + random.below(10_000) / 1000 - 5.0001,
    lat + random.below(10_000) / 1000 - 5.0003,
  ]
  return {
    points: random.below(2) === 0 ? [near()] : [],
    lines: random.below(2) === 0 || polygons.length === 0 ? [[near(), near(), near()]] : [],
    polygons,
  }
}

function geoJson({ points, lines, polygons }: PlainShape): object {
  return {
    type: 'geometrycollection',
    geometries: [
      ...points.map(coordinates => ({ type: 'point', coordinates })),
      ...lines.map(coordinates => ({ type: 'linestring', coordinates })),
      ...polygons.map(coordinates => ({ type: 'polygon', coordinates })),
    ],
  }
}

interface Box {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** All cells of a grid by name. */
function* cellsOf(
  grid: 'geohash_grid' | 'geotile_grid',
  precision: number,
): Generator<[string, Box]> {
  if (grid === 'geotile_grid') {
    const tiles = 2 ** precision
    const lat = (y: number): number =>
      (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / tiles))) * 180) / Math.PI
    for (let x = 0; x < tiles; x++)
      for (let y = 0; y < tiles; y++)
        yield [
          `${precision}/${x}/${y}`,
          {
            west: (x / tiles) * 360 - 180,
            east: ((x + 1) / tiles) * 360 - 180,
            south: lat(y + 1),
            north: lat(y),
          },
        ]
    return
  }
  const digits = '0123456789bcdefghjkmnpqrstuvwxyz'
  let names = ['']
  for (let i = 0; i < precision; i++) names = names.flatMap(name => [...digits].map(d => name + d))
  for (const name of names) {
    const { lat, lon } = geohashCorner(name) as { lat: number; lon: number }
    const width = 360 / 2 ** Math.ceil((5 * precision) / 2)
    const height = 180 / 2 ** Math.floor((5 * precision) / 2)
    yield [name, { west: lon, east: lon + width, south: lat, north: lat + height }]
  }
}

/** The cells that each shape touches, counted. */
function counted(grid: 'geohash_grid' | 'geotile_grid', precision: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [name, { west, east, south, north }] of cellsOf(grid, precision)) {
    const ring: Corner[] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]
    const asked = { points: [], lines: [], polygons: [[ring]] }
    const count = shapes.filter(
      (shape, id) =>
        present(id) &&
        isNear(shape, west, east, south, north) &&
        hasRelation('intersects', kept(shape), asked),
    ).length
    if (count > 0) counts.set(name, count)
  }
  return counts
}

const cornersOf = ({ points, lines, polygons }: PlainShape): Corner[] => [
  ...points,
  ...lines.flat(),
  ...polygons.flat(2),
]

function isNear(
  shape: PlainShape,
  west: number,
  east: number,
  south: number,
  north: number,
): boolean {
  const corners = cornersOf(shape)
  return (
    corners.some(([lon]) => lon >= west) &&
    corners.some(([lon]) => lon <= east) &&
    corners.some(([, lat]) => lat >= south) &&
    corners.some(([, lat]) => lat <= north)
  )
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
type Json = any
const agg = async (x: object, index = 'i', more: object = {}): Promise<Json> =>
  (await ok(`POST /${index}/_search`, { size: 0, ...more, aggs: { x } })).aggregations.x

const countsOf = (buckets: readonly { key: string; doc_count: number }[]): Map<string, number> =>
  new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))

describe('grids over shapes', () => {
  it.each([
    ['geohash_grid', 1],
    ['geohash_grid', 2],
    ['geotile_grid', 0],
    ['geotile_grid', 3],
    ['geotile_grid', 5],
  ] as const)(
    'count the documents whose shapes touch a cell: %s of %i',
    async (grid, precision) => {
      const expected = counted(grid, precision)
      const body = { [grid]: { field: 's', precision } }
      for (const index of ['i', 'two', 'i,bare'])
        expect(countsOf((await agg(body, index)).buckets)).toEqual(expected)
      for (const slices of [1, 4]) {
        await ok('PUT /_cluster/settings', {
          persistent: { 'search.concurrent.max_slice_count': slices },
        })
        expect(countsOf((await agg(body, 'i', { profile: true })).buckets)).toEqual(expected)
      }
    },
  )

  it('order cells by count, then by number, and cut to a size', async () => {
    const { buckets } = await agg({ geotile_grid: { field: 's', precision: 4, size: 5 } })
    const all = (await agg({ geotile_grid: { field: 's', precision: 4 } })).buckets
    expect(buckets).toEqual(all.slice(0, 5))
    const counts = all.map(({ doc_count }: Json) => doc_count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })

  it('have children, and stand below others', async () => {
    const x = { geohash_grid: { field: 's', precision: 1 }, aggs: { k: { terms: { field: 'k' } } } }
    for (const { doc_count, k } of (await agg(x)).buckets)
      expect(k.buckets.reduce((sum: number, each: Json) => sum + each.doc_count, 0)).toBe(doc_count)
    const below = {
      terms: { field: 'k' },
      aggs: { g: { geotile_grid: { field: 's', precision: 2 } } },
    }
    const sums = new Map<string, number>()
    for (const { g } of (await agg(below)).buckets)
      for (const { key, doc_count } of g.buckets) sums.set(key, (sums.get(key) ?? 0) + doc_count)
    expect(sums).toEqual(counted('geotile_grid', 2))
    const nested = {
      nested: { path: 'n' },
      aggs: { g: { geotile_grid: { field: 'n.s', precision: 2 } } },
    }
    expect(countsOf((await agg(nested)).g.buckets)).toEqual(counted('geotile_grid', 2))
  })

  it('let shapes in by the corners of the box around them', async () => {
    const box = { top: 40, left: -60, bottom: -20, right: 70 }
    const bounds = { geotile_grid: { field: 's', precision: 0, bounds: box } }
    const within = shapes.filter((shape, id) => {
      if (!present(id)) return false
      const { west, east, south, north } = boxOf(shape)
      return [south, north].some(
        lat =>
          lat >= box.bottom &&
          lat <= box.top &&
          [west, east].some(lon => lon >= box.left && lon <= box.right),
      )
    })
    expect((await agg(bounds)).buckets[0].doc_count).toBe(within.length)
  })

  it('take a shape for documents without one', async () => {
    const all = (await ok('GET /i/_count')).count
    const missing = 'POLYGON ((0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1))'
    const with_ = await agg({ geotile_grid: { field: 's', precision: 0, missing } })
    expect(with_.buckets).toEqual([{ key: '0/0/0', doc_count: all }])
    const bounds = await agg({ geo_bounds: { field: 's', missing: 'POINT (10 20)' } }, 'i', {
      query: { ids: { values: ['3'] } },
    })
    expect(bounds.bounds.top_left.lon).toBeCloseTo(10, 6)
  })

  it('go on at the antimeridian and at the poles', async () => {
    await ok('PUT /edges', { mappings: { properties: { s: { type: 'geo_shape' } } } })
    const wraps = 'POLYGON ((170 -10, 190 -10, 190 10, 170 10, 170 -10))'
    const pole = 'POLYGON ((0 80, 10 80, 10 90, 0 90, 0 80))'
    await ok('PUT /edges/_doc/1?refresh', { s: wraps })
    const tiles = await agg({ geotile_grid: { field: 's', precision: 2 } }, 'edges')
    expect([...countsOf(tiles.buckets).keys()].sort()).toEqual(['2/0/1', '2/0/2', '2/3/1', '2/3/2'])
    await ok('PUT /edges/_doc/1?refresh', { s: pole })
    const hashes = await agg({ geohash_grid: { field: 's', precision: 1 } }, 'edges')
    expect(hashes.buckets).toEqual([{ key: 'u', doc_count: 1 }])
    // Maps end at 85 degrees.
    const north = 'POLYGON ((0 86, 10 86, 10 88, 0 88, 0 86))'
    await ok('PUT /edges/_doc/1?refresh', { s: north })
    expect((await agg({ geotile_grid: { field: 's', precision: 3 } }, 'edges')).buckets).toEqual([])
  })
})

function boxOf(shape: PlainShape): Box {
  const corners = cornersOf(kept(shape))
  const lons = corners.map(([lon]) => lon)
  const lats = corners.map(([, lat]) => lat)
  return {
    west: Math.min(...lons),
    east: Math.max(...lons),
    south: Math.min(...lats),
    north: Math.max(...lats),
  }
}

describe('geo_bounds over shapes', () => {
  it('is the box around the boxes of shapes', async () => {
    for (const index of ['i', 'two']) {
      const found = (await agg({ geo_bounds: { field: 's', wrap_longitude: false } }, index)).bounds
      const boxes = shapes.filter((_, id) => present(id)).map(boxOf)
      expect(found).toEqual({
        top_left: {
          lat: Math.max(...boxes.map(({ north }) => north)),
          lon: Math.min(...boxes.map(({ west }) => west)),
        },
        bottom_right: {
          lat: Math.min(...boxes.map(({ south }) => south)),
          lon: Math.max(...boxes.map(({ east }) => east)),
        },
      })
    }
    const profiled = await ok('POST /i/_search', {
      size: 0,
      profile: true,
      aggs: { x: { geo_bounds: { field: 's' } } },
    })
    expect(profiled.profile.shards[0].aggregations[0].type).toBe('GeoBoundsGeoShapeAggregator')
  })

  it('is around each bucket and around each single shape', async () => {
    const x = {
      filters: { filters: { a: { ids: { values: ['1'] } }, b: { ids: { values: ['3'] } } } },
    }
    const { buckets } = await agg({ ...x, aggs: { box: { geo_bounds: { field: 's' } } } })
    const { west, north } = boxOf(shapes[1]!)
    expect(buckets.a.box.bounds.top_left).toEqual({ lat: north, lon: west })
    expect(buckets.b.box).toEqual({})
  })
})

describe('aggregations over shapes refuse', () => {
  it.each<[object, string]>([
    [
      { geo_centroid: { field: 's' } },
      'Field [s] of type [geo_shape] is not supported for aggregation [geo_centroid]',
    ],
    [
      { geohex_grid: { field: 's' } },
      'Field [s] of type [geo_shape] is not supported for aggregation [geohex_grid]',
    ],
    [
      { geo_distance: { field: 's', origin: '0,0', ranges: [{ to: 1 }] } },
      'Field [s] of type [geo_shape] is not supported for aggregation [geo_distance]',
    ],
    [
      { geo_bounds: { field: 's', script: '1' } },
      'value source of type [geopoint] is not supported by scripts',
    ],
    [
      { geohash_grid: { field: 's', missing: 'nowhere' } },
      'Unable to parse the missing value [nowhere] provided in the input.',
    ],
    [
      { geotile_grid: { field: 's', precision: 29 } },
      '[geotile_grid] of precision [29] would compare a shape with more than [1048576] cells; ' +
        'ask for a lower precision',
    ],
  ])('%j', async (x, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { size: 0, aggs: { x } })
    expect([status, json.error.failed_shards[0].reason.reason]).toEqual([400, reason])
  })

  it('a shape in place of missing points', async () => {
    const x = { geo_bounds: { field: 's', missing: 'LINESTRING (0 0, 1 1)' } }
    const { status } = await rest.call('POST /points/_search', { size: 0, aggs: { x } })
    expect(status).toBe(400)
  })
})
