import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arcDistance, type Place } from '../../src/util/geo-distance.ts'
import { Random } from '../../src/util/random.ts'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { profiled } from '../support/search-shapes.ts'

const SEED = 20261122
const COUNT = 1500
let index: FieldIndex
let places: readonly (readonly Place[])[]

beforeAll(async () => {
  index = await fieldIndex({
    p: { type: 'geo_point' },
    columns: { type: 'geo_point', index: false },
    points: { type: 'geo_point', doc_values: false },
    neither: { type: 'geo_point', index: false, doc_values: false },
    k: { type: 'keyword' },
  })
  const random = new Random(SEED)
  const place = (): Place =>
    random.below(3) === 0
      ? { lat: random.below(180) - 90, lon: random.below(361) - 180 }
      : { lat: random.next() * 180 - 90, lon: random.next() * 360 - 180 }
  places = Array.from({ length: COUNT }, () =>
    Array.from({ length: random.below(20) === 0 ? 2 : 1 }, place),
  )
  const documents = places.map((p, i) => ({ p, columns: p, points: p, k: `k${i % 40}` }))
  await index.add(...documents.slice(0, 1000))
  await index.add(...documents.slice(1000))
})
afterAll(() => index.close())

/** Ids of the documents that have a place for which a claim holds, as the index keeps places. */
function having(claim: (place: Place) => boolean): string[] {
  return places.flatMap((own, i) => (own.some(place => claim(kept(place))) ? [`${i}`] : []))
}

function kept({ lat, lon }: Place): Place {
  const rounded = (degrees: number, step: number): number =>
    Math.min(Math.floor(degrees / step), 2147483647) * step
  return { lat: rounded(lat, 180 / 2 ** 32), lon: rounded(lon, 360 / 2 ** 32) }
}

describe('geo_distance', () => {
  it('finds the places within a circle', async () => {
    const random = new Random(SEED)
    for (let i = 0; i < 40; i++) {
      const center = { lat: random.next() * 180 - 90, lon: random.next() * 360 - 180 }
      const km = 50 + random.next() ** 3 * 19_000
      const expected = having(place => arcDistance(center, place) <= km * 1000)
      for (const field of ['p', 'columns', 'points']) {
        const query = { geo_distance: { distance: `${km}km`, [field]: center } }
        expect(await index.find(query), JSON.stringify(query)).toEqual(expected)
        const both = { bool: { filter: [query, { term: { k: 'k7' } }] } }
        const few = expected.filter(id => Number(id) % 40 === 7)
        expect(await index.find(both), JSON.stringify(both)).toEqual(few)
      }
    }
  })

  it.each<[object]>([
    [{ distance: 1_000_000, p: [10, 20] }],
    [{ distance: '1000', unit: 'km', p: '20,10', distance_type: 'plane' }],
    [{ distance: '539.956803455724nmi', 'p.lat': 20, 'p.lon': 10, validation_method: 'strict' }],
    [{ distance: '1000km', p: { lat: 20, lon: 370 }, validation_method: 'COERCE' }],
    [{ distance: '1000km', p: 'POINT (10 20)', boost: 2, ignore_unmapped: true }],
  ])('reads %j', async options => {
    const expected = having(place => arcDistance({ lat: 20, lon: 10 }, place) <= 1e6)
    expect(await index.find({ geo_distance: options })).toEqual(expected)
  })

  it.each<[object, string]>([
    [{ p: [0, 0] }, "geo_distance requires 'distance' to be specified"],
    [{ distance: '1km' }, 'fieldName must not be null or empty'],
    [{ distance: '0m', p: [0, 0] }, 'distance must be greater than zero'],
    [{ distance: 'x', p: [0, 0] }, 'failed to parse distance [x]'],
    [{ distance: '1', unit: 'x', p: [0, 0] }, 'No distance unit match [x]'],
    [{ distance: '1', distance_type: 'x', p: [0, 0] }, 'No geo distance for [x]'],
    [{ distance: '1', p: [0, 91] }, 'illegal latitude value [91.0] for [geo_distance]'],
    [{ distance: '1', p: [181, 0] }, 'illegal longitude value [181.0] for [geo_distance]'],
    [
      { distance: '1', p: [0, 0], columns: [0, 0] },
      '[geo_distance] field name already set to [p] but found [columns]',
    ],
    [{ distance: '1', gone: [0, 0] }, 'failed to find geo_point field [gone]'],
    [{ distance: '1', k: [0, 0] }, 'field [k] is not a geo_point field'],
    [
      { distance: '1', neither: [0, 0] },
      'Cannot search on field [neither] since it is both not indexed, and does not have doc_values enabled.',
    ],
    [
      { distance: '1', p: [0, 0], validation_method: 'x' },
      'No enum constant org.opensearch.index.query.GeoValidationMethod.x',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: { geo_distance: options } })).toEqual([400, reason])
  })
})

describe('geo_bounding_box', () => {
  it('finds the places between two latitudes and two longitudes', async () => {
    const random = new Random(SEED)
    for (let i = 0; i < 40; i++) {
      const [a, b] = [random.below(181) - 90, random.below(181) - 90]
      const [top, bottom] = a > b ? [a, b] : [b, a]
      const [left, right] = [random.below(361) - 180, random.below(361) - 180]
      const expected = having(
        ({ lat, lon }) =>
          lat <= top &&
          lat >= bottom &&
          (left <= right ? lon >= left && lon <= right : lon >= left || lon <= right),
      )
      for (const field of ['p', 'columns', 'points']) {
        const query = { geo_bounding_box: { [field]: { top, left, bottom, right } } }
        expect(await index.find(query), JSON.stringify(query)).toEqual(expected)
      }
    }
  })

  it.each<[object]>([
    [{ top_left: [10, 40], bottom_right: '20,30' }],
    [{ top_right: { lat: 40, lon: 30 }, bottom_left: [10, 20] }],
    [{ wkt: 'BBOX (10, 30, 40, 20)' }],
  ])('reads %j', async box => {
    const expected = having(({ lat, lon }) => lat >= 20 && lat <= 40 && lon >= 10 && lon <= 30)
    const query = { geo_bounding_box: { p: box, type: 'indexed' } }
    expect(await index.find(query)).toEqual(expected)
  })

  it('scores nothing as a required clause', async () => {
    const box = { geo_bounding_box: { p: { top: 90, left: -180, bottom: -90, right: 180 } } }
    expect(await profiled(index, { bool: { must: box } })).toEqual([
      'BoostQuery',
      expect.stringContaining('p:[-90.0 TO 90.0],[-180.0 TO 180.0]'),
    ])
    const unmapped = { geo_bounding_box: { gone: { top: 1, left: 0, bottom: 0, right: 1 } } }
    expect(await index.refusal({ query: unmapped })).toEqual([
      400,
      'failed to find geo_point field [gone]',
    ])
    const ignored = { geo_bounding_box: { ...unmapped.geo_bounding_box, ignore_unmapped: true } }
    expect(await index.find(ignored)).toEqual([])
  })

  it.each<[object, string]>([
    [{}, 'failed to parse [geo_bounding_box] query. bounding box not provided'],
    [{ x: 1 }, 'failed to parse [geo_bounding_box] query. unexpected field [x]'],
    [{ p: { x: 1 } }, 'failed to parse bounding box. unexpected field [x]'],
    [{ p: { top: 1 } }, 'failed to parse bounding box. a corner or side is missing'],
    [{ p: { wkt: 'BBOX (1)' } }, 'failed to parse WKT bounding box [BBOX (1)]'],
    [{ p: { top: 1, bottom: 2, left: 0, right: 1 } }, 'top is below bottom corner: 1.0 vs. 2.0'],
    [
      { p: { top: 100, bottom: 2, left: 0, right: 1 } },
      'illegal latitude value [100.0] for [geo_bounding_box]',
    ],
    [{ p: {}, type: 'x' }, 'failed to parse bounding box. a corner or side is missing'],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: { geo_bounding_box: options } })).toEqual([400, reason])
  })
})

describe('geo_polygon', () => {
  it('finds the places in a polygon, its border included', async () => {
    // A diamond and a notch, by their own inequalities.
    const diamond = [
      [0, 60],
      [60, 0],
      [0, -60],
      [-60, 0],
    ]
    const inDiamond = having(({ lat, lon }) => Math.abs(lat) + Math.abs(lon) <= 60)
    const notched = [
      [-100, -50],
      [100, -50],
      [100, 50],
      [0, 0],
      [-100, 50],
      [-100, -50],
    ]
    const inNotched = having(
      ({ lat, lon }) => Math.abs(lon) <= 100 && lat >= -50 && lat <= Math.abs(lon) / 2,
    )
    for (const field of ['p', 'columns', 'points']) {
      expect(await index.find({ geo_polygon: { [field]: { points: diamond } } })).toEqual(inDiamond)
      expect(await index.find({ geo_polygon: { [field]: { points: notched } } })).toEqual(inNotched)
    }
  })

  it.each<[object, string]>([
    [{}, 'no points defined for geo_polygon query'],
    [{ p: { points: [] } }, 'no points defined for geo_polygon query'],
    [
      {
        p: {
          points: [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        },
      },
      'too few points defined for geo_polygon query',
    ],
    [{ p: { x: 1 } }, '[geo_polygon] query does not support [x]'],
    [{ p: { points: 1 } }, '[geo_polygon] token type [VALUE_NUMBER] under [points]'],
    [{ x: 1 }, '[geo_polygon] query does not support [x]'],
    [
      {
        p: {
          points: [
            [0, 0],
            [1, 1],
            [0, 99],
          ],
        },
      },
      'illegal latitude value [99.0] for [geo_polygon]',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: { geo_polygon: options } })).toEqual([400, reason])
  })
})

describe('the options of queries on places', () => {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
  it('brings degrees that are past the ends of the Earth back', async () => {
    const validation_method = 'COERCE'
    const turned = corners.map(([lon, lat]) => [lon! + 360, lat!])
    const polygon = { geo_polygon: { p: { points: turned }, validation_method } }
    const expected = having(({ lat, lon }) => Math.abs(lat) <= 1 && Math.abs(lon) <= 1)
    expect(await index.find(polygon)).toEqual(expected)
    const sides = { top: 40, left: 378, bottom: 20, right: 390 }
    const box = { geo_bounding_box: { p: sides, validation_method } }
    expect(await index.find(box)).toEqual(
      having(({ lat, lon }) => lat >= 20 && lat <= 40 && lon >= 18 && lon <= 30),
    )
  })

  it.each([
    ['geo_distance', { distance: '1km', gone: [0, 0] }],
    ['geo_polygon', { gone: { points: corners } }],
    ['geo_bounding_box', { gone: { top: 1, left: 0, bottom: 0, right: 1 } }],
  ])('lets a %s pass over an index without the field', async (name, asked) => {
    const refusal = [400, 'failed to find geo_point field [gone]']
    expect(await index.refusal({ query: { [name]: asked } })).toEqual(refusal)
    const no = { [name]: { ...asked, ignore_unmapped: false } }
    expect(await index.refusal({ query: no })).toEqual(refusal)
    expect(await index.find({ [name]: { ...asked, ignore_unmapped: true } })).toEqual([])
  })

  it.each([
    { geo_distance: { distance: '1km', p: [0, 99] } },
    { geo_distance: { distance: '1km', p: [999, 0] } },
    { geo_bounding_box: { p: { top: 99, left: -999, bottom: 0, right: 999 } } },
    { geo_polygon: { p: { points: [...corners, [999, 99]] } } },
  ])('takes any degrees where they are not checked: %j', async query => {
    const [[name, asked]] = Object.entries<object>(query) as [[string, object]]
    const unchecked = { [name]: { ...asked, validation_method: 'IGNORE_MALFORMED' } }
    const { status } = await index.rest.call('POST /i/_search', { query: unchecked })
    expect([status, (await index.refusal({ query }))[0]]).toEqual([200, 400])
  })

  it('scores as its boost says', async () => {
    const query = {
      geo_bounding_box: { p: { top: 40, left: 18, bottom: 20, right: 30 }, boost: 3 },
    }
    const { json } = await index.rest.call('POST /i/_search', { query })
    expect(json.hits.max_score).toBe(3)
  })
})

it('prints what is asked of places', async () => {
  const circle = { geo_distance: { distance: '1km', p: [1, 2] } }
  expect(await profiled(index, circle)).toEqual([
    'IndexOrDocValuesQuery',
    'IndexOrDocValuesQuery(indexQuery=p:2.0,1.0 +/- 1000.0 meters, dvQuery=p:2.0,1.0 +/- 1000.0 meters)',
  ])
  const alone = { geo_distance: { distance: '1km', points: [1, 2] } }
  expect((await profiled(index, alone))[0]).toBe('LatLonPointDistanceQuery')
  const columns = {
    geo_polygon: {
      columns: {
        points: [
          [0, 0],
          [1, 1],
          [0, 1],
        ],
      },
    },
  }
  expect(await profiled(index, columns)).toEqual([
    'LatLonDocValuesQuery',
    'columns:[Polygon[0.0, 0.0][1.0, 1.0][1.0, 0.0]]',
  ])
})
