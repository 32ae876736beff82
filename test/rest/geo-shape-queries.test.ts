import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { profiled } from '../support/search-shapes.ts'
import { hasRelation, kept, type PlainShape } from '../support/shapes/plain-shapes.ts'
import { type Corner, type Rings, randomRings } from '../support/shapes/random-rings.ts'

const SEED = 20261123
const COUNT = 600
const RELATIONS = ['intersects', 'disjoint', 'within', 'contains'] as const
let index: FieldIndex
let shapes: readonly PlainShape[]

const NOTHING: PlainShape = { points: [], lines: [], polygons: [] }

/** A shape near the middle of a world of 20 by 20 degrees, so that many have to do with one another. */
function randomShape(random: Random, size: number): PlainShape {
  const at = (): Corner => [random.next() * 20 - 10, random.next() * 20 - 10]
  const rings = (): Rings => randomRings(random, ...at(), size * (0.1 + random.next()))
  switch (random.below(6)) {
    case 0:
      return { ...NOTHING, points: [at()] }
    case 1: {
      const [lon, lat] = at()
      const line = Array.from(
        { length: 2 + random.below(5) },
        (): Corner => [lon + random.next() * size, lat + random.next() * size],
      )
      return { ...NOTHING, lines: [line] }
    }
    case 2:
      return { points: [at(), at()], lines: [[at(), at()]], polygons: [rings()] }
    default:
      return { ...NOTHING, polygons: [rings()] }
  }
}

/** As GeoJSON or as well-known text. */
function written({ points, lines, polygons }: PlainShape, isText: boolean): object | string {
  const all = [
    ...points.map(coordinates => ({ type: 'Point', coordinates })),
    ...lines.map(coordinates => ({ type: 'LineString', coordinates })),
    ...polygons.map(coordinates => ({ type: 'Polygon', coordinates })),
  ]
  const only = all.length === 1 ? all[0]! : null
  if (!isText) return only ?? { type: 'GeometryCollection', geometries: all }
  const text = (part: (typeof all)[number]): string =>
    `${part.type} ${body(part.type === 'Point' ? [part.coordinates] : part.coordinates)}`
  return only === null ? `GEOMETRYCOLLECTION (${all.map(text).join(', ')})` : text(only)
}

function body(of: readonly unknown[]): string {
  const items = of as readonly (readonly (number | Corner)[])[]
  const print = (item: readonly unknown[]): string =>
    typeof item[0] === 'number' ? item.join(' ') : body(item)
  return `(${items.map(print).join(', ')})`
}

const asking = (shape: object | string, relation = 'intersects', field = 's'): object => ({
  geo_shape: { [field]: { shape, relation } },
})

beforeAll(async () => {
  index = await fieldIndex({ s: { type: 'geo_shape' }, k: { type: 'keyword' } })
  const random = new Random(SEED)
  shapes = Array.from({ length: COUNT }, () => randomShape(random, 3))
  const documents = shapes.map((shape, i) => ({
    s: written(shape, i % 3 === 0),
    k: `k${i % 20}`,
  }))
  await index.add(...documents.slice(0, 200), { k: 'k0' })
  await index.add(...documents.slice(200))
})
afterAll(() => index.close())

/** Ids of the documents with a relation; a document without a shape stands behind the first 200. */
function related(relation: (typeof RELATIONS)[number], asked: PlainShape): string[] {
  return shapes.flatMap((shape, i) =>
    hasRelation(relation, kept(shape), asked) ? [`${i < 200 ? i : i + 1}`] : [],
  )
}

describe('geo_shape', () => {
  it.each(RELATIONS)('finds %s as a model does, before and after a merge', async relation => {
    const random = new Random(SEED + relation.length)
    let hits = 0
    const checks: (() => Promise<void>)[] = []
    for (let i = 0; i < 45; i++) {
      const size = [0.4, 4, 12][i % 3]!
      const rings = randomRings(random, random.next() * 20 - 10, random.next() * 20 - 10, size)
      const line = Array.from(
        { length: 3 },
        (): Corner => [random.next() * 20 - 10, random.next() * 20 - 10],
      )
      const asked: PlainShape =
        i % 5 === 0 && relation !== 'within'
          ? { ...NOTHING, lines: [line] }
          : { ...NOTHING, polygons: [rings] }
      const expected = related(relation, asked)
      hits += expected.length
      checks.push(async () => {
        const query = asking(written(asked, i % 2 === 0), relation)
        expect(await index.find(query), JSON.stringify(query)).toEqual(expected)
      })
    }
    for (const check of checks) await check()
    expect(hits, `seed ${SEED}`).toBeGreaterThan(50)
    await index.merge()
    for (const check of checks.slice(0, 20)) await check()
  })

  it('finds shapes by boxes, also across the antimeridian, as by polygons', async () => {
    const random = new Random(SEED)
    for (let i = 0; i < 12; i++) {
      const [west, south] = [random.next() * 16 - 10, random.next() * 16 - 10]
      const [east, north] = [west + random.next() * 8, south + random.next() * 8]
      const envelope = {
        type: 'envelope',
        coordinates: [
          [west, north],
          [east, south],
        ],
      }
      const polygon: PlainShape = {
        ...NOTHING,
        polygons: [
          [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, north],
              [west, south],
            ],
          ],
        ],
      }
      for (const relation of RELATIONS) {
        expect(await index.find(asking(envelope, relation)), relation).toEqual(
          related(relation, polygon),
        )
        const text = `BBOX (${west}, ${east}, ${north}, ${south})`
        expect(await index.find(asking(text, relation))).toEqual(related(relation, polygon))
      }
      // All of the Earth but a strip, around the other side.
      const around = {
        type: 'envelope',
        coordinates: [
          [east, 90],
          [west, -90],
        ],
      }
      const strip: PlainShape = {
        ...NOTHING,
        polygons: [
          [
            [
              [east, -90],
              [180, -90],
              [180, 90],
              [east, 90],
              [east, -90],
            ],
          ],
          [
            [
              [-180, -90],
              [west, -90],
              [west, 90],
              [-180, 90],
              [-180, -90],
            ],
          ],
        ],
      }
      for (const relation of ['intersects', 'disjoint', 'within'] as const)
        expect(await index.find(asking(around, relation))).toEqual(related(relation, strip))
    }
  })

  it('finds shapes that a point lies in, and by circles', async () => {
    const random = new Random(SEED)
    let inside = 0
    for (let i = 0; i < 30; i++) {
      const [lon, lat] = [random.next() * 20 - 10, random.next() * 20 - 10]
      const expected = shapes.flatMap((shape, at) =>
        hasRelation('intersects', kept(shape), { ...NOTHING, points: [[lon, lat]] })
          ? [`${at < 200 ? at : at + 1}`]
          : [],
      )
      inside += expected.length
      const point = { type: 'point', coordinates: [lon, lat] }
      expect(await index.find(asking(point))).toEqual(expected)
      expect(await index.find(asking(point, 'contains'))).toEqual(expected)
      // A circle of a meter around it has to do with the same shapes.
      const circle = { type: 'circle', radius: '1m', coordinates: [lon, lat] }
      expect(await index.find(asking(circle))).toEqual(expected)
      expect(await index.find(asking(circle, 'contains'))).toEqual(expected)
    }
    expect(inside).toBeGreaterThan(30)
    const wide = { type: 'circle', radius: '5000km', coordinates: [0, 0] }
    expect((await index.find(asking(wide, 'within'))).length).toBe(COUNT)
    expect(await index.find(asking(wide, 'disjoint'))).toEqual([])
  })

  it('asks of several shapes that one is touched, none, or all are contained', async () => {
    const random = new Random(SEED)
    for (let i = 0; i < 20; i++) {
      // Far from one another, so that no shape is within two of them together.
      const asked: PlainShape = {
        ...NOTHING,
        polygons: [randomRings(random, -7, -7, 2), randomRings(random, 7, 7, 2)],
      }
      const multi = { type: 'MultiPolygon', coordinates: asked.polygons }
      for (const relation of RELATIONS)
        expect(await index.find(asking(multi, relation)), relation).toEqual(
          related(relation, asked),
        )
    }
    const points = {
      type: 'multipoint',
      coordinates: [
        [0, 0],
        [0.001, 0],
      ],
    }
    const both = related('contains', {
      ...NOTHING,
      points: [
        [0, 0],
        [0.001, 0],
      ],
    })
    expect(await index.find(asking(points, 'contains'))).toEqual(both)
  })

  it('takes a shape from a document', async () => {
    const polygon = {
      type: 'polygon',
      coordinates: [
        [
          [-5, -5],
          [5, -5],
          [5, 5],
          [-5, 5],
          [-5, -5],
        ],
      ],
    }
    const { rest } = index
    await rest.call('PUT /shapes/_doc/box?refresh', { shape: polygon, deep: { er: 'POINT (0 0)' } })
    await rest.call('PUT /shapes/_doc/routed?refresh&routing=r', { shape: polygon })
    const by = (indexed: object): object => ({ geo_shape: { s: { indexed_shape: indexed } } })
    const expected = await index.find(asking(polygon))
    expect(expected.length).toBeGreaterThan(20)
    expect(await index.find(by({ id: 'box' }))).toEqual(expected)
    expect(await index.find(by({ id: 'routed', index: 'shapes', routing: 'r' }))).toEqual(expected)
    const point = await index.find(asking('POINT (0 0)'))
    expect(await index.find(by({ id: 'box', path: 'deep.er' }))).toEqual(point)
    const within = { geo_shape: { s: { indexed_shape: { id: 'box' }, relation: 'within' } } }
    expect(await index.find(within)).toEqual(await index.find(asking(polygon, 'within')))
    expect(await index.refusal({ query: by({ id: 'none' }) })).toEqual([
      400,
      'Shape with ID [none] not found',
    ])
    expect((await index.refusal({ query: by({ id: 'box', path: 'other' }) }))[1]).toBe(
      'Shape with name [box] found but missing other field',
    )
    expect((await index.refusal({ query: by({ id: 'box', index: 'absent' }) }))[0]).toBe(404)
  })

  it('scores its hits with the boost, combines and explains', async () => {
    const query = {
      bool: {
        must: [{ geo_shape: { boost: 3, s: { shape: 'BBOX (-10, 10, 10, -10)' } } }],
        filter: [{ term: { k: 'k3' } }],
      },
    }
    const { json } = await index.rest.call('POST /i/_search?explain', { query })
    expect(json.hits.hits.length).toBeGreaterThan(5)
    for (const hit of json.hits.hits) {
      expect(hit._score).toBe(3)
      expect(hit._explanation.value).toBe(3)
    }
  })

  it('explains hits and misses by the query as it prints', async () => {
    const query = { geo_shape: { boost: 2, s: { shape: 'BBOX (-10, 10, 10, -10)' } } }
    const printed =
      'ConstantScore(LatLonShapeBoundingBoxQuery: field=s:Rectangle(lat=-10.0 TO 10.0 lon=-10.0 TO 10.0))'
    const explained = async (asked: object): Promise<[boolean, number, string]> => {
      const { json } = await index.rest.call('POST /i/_search', { query: asked, size: 1 })
      const [{ _id: id }] = json.hits.hits
      const { json: found } = await index.rest.call(`POST /i/_explain/${id}`, { query })
      return [found.matched, found.explanation.value, found.explanation.description]
    }
    expect(await explained(query)).toEqual([true, 2, `${printed}^2.0`])
    const [isMatch, value, text] = await explained({ bool: { must_not: query } })
    expect([isMatch, value]).toEqual([false, 0])
    expect(text.replace(/\d+$/, 'N')).toBe(`${printed} doesn't match id N`)
  })

  it('shows in profiles as Lucene names it', async () => {
    const shown = async (shape: object | string): Promise<string> =>
      (await profiled(index, asking(shape)))[1]
    expect((await profiled(index, asking('BBOX (1, 2, 4, 3)')))[0]).toBe('ConstantScoreQuery')
    expect(await shown('BBOX (1, 2, 4, 3)')).toBe(
      'ConstantScore(LatLonShapeBoundingBoxQuery: field=s:Rectangle(lat=3.0 TO 4.0 lon=1.0 TO 2.0))',
    )
    expect(await shown('POLYGON ((0 0, 2 0, 1 1, 0 0))')).toBe(
      'ConstantScore(LatLonShapeQuery: field=s:[[0.0, 0.0] [0.0, 2.0] [1.0, 1.0] [0.0, 0.0] ,])',
    )
    expect(await shown('POINT (0 0)')).toBe(
      'ConstantScore(LatLonShapeQuery: field=s:[Point(0.0,0.0),])',
    )
    expect(await shown('LINESTRING (0 0, 1 1)')).toBe(
      'ConstantScore(LatLonShapeQuery: field=s:[Line([0.0, 0.0][1.0, 1.0]),])',
    )
  })

  it('refuses what is no such query', async () => {
    const refusals: readonly (readonly [query: object, reason: string])[] = [
      [{ geo_shape: {} }, 'fieldName is required'],
      [{ geo_shape: { s: {} } }, 'either shape or indexedShapeId is required'],
      [{ geo_shape: { s: { indexed_shape: {} } } }, 'either shape or indexedShapeId is required'],
      [asking('POINT (0 0)', 'near'), 'Unknown shape operation [near ]'],
      [{ geo_shape: { s: { shape: 'POINT (0 0)', x: 1 } } }, 'query does not support [x]'],
      [{ geo_shape: { s: { shape: 'POINT (0 0)' }, x: 1 } }, 'query does not support [x]'],
      [{ geo_shape: { s: { shape: 'POINT (0 0)' }, t: {} } }, 'point specified twice. [t]'],
      [
        { geo_shape: { s: { shape: 'POINT (0 0)', strategy: 'term' } } },
        '[strategy] is not supported yet',
      ],
      [
        { geo_shape: { s: { indexed_shape: { id: [] } } } },
        'unknown token [START_ARRAY] after [id]',
      ],
      [
        asking('POINT (0 0)', 'intersects', 'k'),
        'Field [k] is of unsupported type [keyword] for [geo_shape] query',
      ],
      [asking('POINT (0 0)', 'intersects', 'u'), 'failed to find type for field [u]'],
      [
        asking('LINESTRING (0 0, 1 1)', 'within'),
        'LatLonShapeQuery does not support WITHIN queries with line geometries',
      ],
      [asking('BBOX (0, 1, 0, 1)'), 'max y cannot be less than min x'],
      [asking('BBOX (0, 1, 95, 0)'), 'invalid latitude 95.0; must be between -90.0 and 90.0'],
      [asking('BBOX (0, 190, 1, 0)'), 'invalid longitude 190.0; must be between -180.0 and 180.0'],
      [
        asking({ type: 'circle', radius: '0m', coordinates: [0, 0] }),
        "radiusMeters: '0.0' is invalid; must be finite and positive",
      ],
      [
        asking('POLYGON ((0 0, 1 1, 0 0, 0 0))'),
        'Provided shape has duplicate consecutive coordinates at: (POINT (0.0 0.0))',
      ],
    ]
    for (const [query, reason] of refusals)
      expect(await index.refusal({ query }), JSON.stringify(query)).toEqual([
        400,
        expect.stringMatching(reason.replace(/[[\]().*+?]/g, '\\$&')),
      ])
    const unmapped = { geo_shape: { u: { shape: 'POINT (0 0)' }, ignore_unmapped: true } }
    expect(await index.find(unmapped)).toEqual([])
    expect(await index.find(asking('GEOMETRYCOLLECTION EMPTY'))).toEqual([])
  })
})

describe('geo_shape over places', () => {
  let places: FieldIndex
  beforeAll(async () => {
    places = await fieldIndex({
      s: { type: 'geo_point' },
      columns: { type: 'geo_point', index: false },
    })
    const random = new Random(SEED)
    const at = Array.from({ length: 500 }, () => [random.next() * 20 - 10, random.next() * 20 - 10])
    await places.add(...at.map(s => ({ s, columns: s })))
  })
  afterAll(() => places.close())

  it('finds places in polygons with holes, boxes, circles and all of a collection', async () => {
    const random = new Random(SEED)
    const { json } = await places.rest.call('POST /i/_search?size=1000', {})
    const given = json.hits.hits as { _id: string; _source: { s: Corner } }[]
    for (let i = 0; i < 30; i++) {
      const rings = randomRings(random, random.next() * 8 - 4, random.next() * 8 - 4, 6)
      const asked: PlainShape = { ...NOTHING, polygons: [rings] }
      const expected = given
        .filter(({ _source }) =>
          hasRelation('intersects', kept({ ...NOTHING, points: [_source.s] }), asked),
        )
        .map(({ _id }) => _id)
        .sort((a, b) => Number(a) - Number(b))
      const polygon = written(asked, false)
      for (const field of ['s', 'columns'])
        expect(await places.find(asking(polygon, 'intersects', field))).toEqual(expected)
      const all = {
        type: 'geometrycollection',
        geometries: [
          polygon,
          {
            type: 'envelope',
            coordinates: [
              [0, 90],
              [180, -90],
            ],
          },
        ],
      }
      const east = given.filter(({ _source }) => _source.s[0] >= 0).map(({ _id }) => _id)
      expect(await places.find(asking(all))).toEqual(expected.filter(id => east.includes(id)))
    }
    const circle = { type: 'circle', radius: '300km', coordinates: [0, 0] }
    const distance = { geo_distance: { distance: '300km', s: [0, 0] } }
    expect(await places.find(asking(circle))).toEqual(await places.find(distance))
  })

  it('refuses shapes without an inside and other relations', async () => {
    for (const [shape, name] of [
      ['POINT (0 0)', 'POINT'],
      ['MULTIPOINT (0 0)', 'MULTIPOINT'],
      ['LINESTRING (0 0, 1 1)', 'LINESTRING'],
      ['MULTILINESTRING ((0 0, 1 1))', 'MULTILINESTRING'],
    ] as const)
      expect(await places.refusal({ query: asking(shape) })).toEqual([
        400,
        `Field [s] does not support ${name} queries`,
      ])
    expect(await places.refusal({ query: asking('BBOX (0, 1, 1, 0)', 'within') })).toEqual([
      400,
      'WITHIN query relation not supported for Field [s].',
    ])
    expect(await places.find(asking('POLYGON EMPTY'))).toEqual([])
    expect(await places.find(asking('GEOMETRYCOLLECTION EMPTY'))).toEqual([])
  })
})
