import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

let index: FieldIndex
let rest: Rest

beforeAll(async () => {
  index = await fieldIndex({
    s: { type: 'geo_shape' },
    closes: { type: 'geo_shape', coerce: true },
    left: { type: 'geo_shape', orientation: 'cw' },
    flat: { type: 'geo_shape', ignore_z_value: false },
    lenient: { type: 'geo_shape', ignore_malformed: true },
    multi: { type: 'geo_shape', fields: { k: { type: 'keyword' } } },
    n: { type: 'nested', properties: { s: { type: 'geo_shape' } } },
  })
  rest = index.rest
})
afterAll(() => index.close())

const at = (lon: number, lat: number, field = 's'): object => ({
  geo_shape: { [field]: { shape: { type: 'point', coordinates: [lon, lat] } } },
})

/** Whether a shape in a field holds a point. */
async function holds(shape: unknown, field: string, lon: number, lat: number): Promise<boolean> {
  const put = await rest.call('PUT /i/_doc/held?refresh', { [field]: shape })
  expect(put.json.error).toBeUndefined()
  const { json } = await rest.call('POST /i/_search', {
    query: { bool: { filter: [{ ids: { values: ['held'] } }, at(lon, lat, field)] } },
  })
  return json.hits.total.value === 1
}

describe('the field type geo_shape', () => {
  it('reads each shape as GeoJSON and as well-known text', async () => {
    const shapes: readonly (readonly [json: object, text: string, inside: [number, number]])[] = [
      [{ type: 'Point', coordinates: [1, 2] }, 'POINT (1 2)', [1, 2]],
      [
        {
          type: 'MultiPoint',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
        'MULTIPOINT (1 2, 3 4)',
        [3, 4],
      ],
      [
        {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [4, 0],
          ],
        },
        'LineString (0 0, 4 0)',
        [2, 0],
      ],
      [
        {
          type: 'MultiLineString',
          coordinates: [
            [
              [0, 0],
              [4, 0],
            ],
            [
              [0, 8],
              [4, 8],
            ],
          ],
        },
        'MULTILINESTRING ((0 0, 4 0), (0 8, 4 8))',
        [2, 8],
      ],
      [
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [4, 0],
              [2, 4],
              [0, 0],
            ],
          ],
        },
        'POLYGON ((0 0, 4 0, 2 4, 0 0))',
        [2, 2],
      ],
      [
        {
          type: 'MultiPolygon',
          coordinates: [
            [
              [
                [0, 0],
                [4, 0],
                [2, 4],
                [0, 0],
              ],
            ],
            [
              [
                [10, 0],
                [14, 0],
                [12, 4],
                [10, 0],
              ],
            ],
          ],
        },
        'MULTIPOLYGON (((0 0, 4 0, 2 4, 0 0)), ((10 0, 14 0, 12 4, 10 0)))',
        [12, 2],
      ],
      [
        {
          type: 'envelope',
          coordinates: [
            [0, 4],
            [4, 0],
          ],
        },
        'BBOX (0, 4, 4, 0)',
        [2, 2],
      ],
      [
        {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Point', coordinates: [50, 50] },
            { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
          ],
        },
        'GEOMETRYCOLLECTION (POINT (50 50), GEOMETRYCOLLECTION (POINT (1 2)))',
        [1, 2],
      ],
    ]
    for (const [json, text, [lon, lat]] of shapes)
      for (const shape of [json, text]) {
        expect(await holds(shape, 's', lon, lat), text).toBe(true)
        expect(await holds(shape, 's', lon + 0.5, lat + 40), text).toBe(false)
      }
    expect(await holds(['POINT (1 2)', 'POINT (3 4)'], 's', 3, 4)).toBe(true)
    expect(await holds('GEOMETRYCOLLECTION EMPTY', 's', 0, 0)).toBe(false)
    expect(await holds('POLYGON EMPTY', 's', 0, 0)).toBe(false)
    expect(await holds(null, 's', 0, 0)).toBe(false)
  })

  it('leaves holes out', async () => {
    const ring = 'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 3 6, 6 6, 6 3, 3 3))'
    expect(await holds(ring, 's', 1, 1)).toBe(true)
    expect(await holds(ring, 's', 4, 4)).toBe(false)
    const touching = 'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (0 0, 3 6, 6 6, 6 3, 0 0))'
    expect(await holds(touching, 's', 4, 4)).toBe(false)
    expect(await holds(touching, 's', 8, 1)).toBe(true)
  })

  it('goes across the antimeridian', async () => {
    for (const shape of [
      'LINESTRING (170 0, 190 0)',
      'POLYGON ((170 -10, 190 -10, 190 10, 170 10, 170 -10))',
      // Wider than half the Earth, and the wrong way round: the short way is meant.
      {
        type: 'Polygon',
        coordinates: [
          [
            [170, -10],
            [170, 10],
            [-170, 10],
            [-170, -10],
            [170, -10],
          ].reverse(),
        ],
      },
      {
        type: 'envelope',
        coordinates: [
          [170, 10],
          [-170, -10],
        ],
      },
    ]) {
      expect(await holds(shape, 's', 175, 0), JSON.stringify(shape)).toBe(true)
      expect(await holds(shape, 's', -175, 0), JSON.stringify(shape)).toBe(true)
      expect(await holds(shape, 's', 0, 0), JSON.stringify(shape)).toBe(false)
    }
    const wide = 'POLYGON ((-170 -10, 170 -10, 170 10, -170 10, -170 -10))'
    expect(await holds(wide, 's', 0, 0)).toBe(true)
    expect(await holds(wide, 's', 175, 0)).toBe(false)
    expect(await holds(wide, 'left', 0, 0)).toBe(false)
    expect(await holds(wide, 'left', 175, 0)).toBe(true)
    const turned = {
      type: 'polygon',
      orientation: 'left',
      coordinates: [
        [
          [-170, -10],
          [170, -10],
          [170, 10],
          [-170, 10],
          [-170, -10],
        ],
      ],
    }
    expect(await holds(turned, 's', 175, 0)).toBe(true)
    const holed =
      'POLYGON ((160 -20, 200 -20, 200 20, 160 20, 160 -20), (175 -5, 175 5, 185 5, 185 -5, 175 -5))'
    expect(await holds(holed, 's', 179, 0)).toBe(false)
    expect(await holds(holed, 's', -179, 0)).toBe(false)
    expect(await holds(holed, 's', -165, 0)).toBe(true)
    expect(await holds(holed, 's', 165, 10)).toBe(true)
    expect(await holds('POINT (190 95)', 's', 10, 85)).toBe(true)
  })

  it('closes rings, refuses heights and passes over malformed shapes where it is told to', async () => {
    const open = 'POLYGON ((0 0, 4 0, 2 4))'
    expect(await holds(open, 'closes', 2, 2)).toBe(true)
    expect(await index.refused({ s: open })).toEqual([
      'illegal_argument_exception',
      'first and last points of the linear ring must be the same (it must close itself): ' +
        'x[0]=0.0 x[2]=2.0 y[0]=0.0 y[2]=4.0',
    ])
    expect(await holds('POINT (1 2 3)', 's', 1, 2)).toBe(true)
    expect(await index.refused({ flat: 'POINT (1 2 3)' })).toEqual([
      'illegal_argument_exception',
      'found Z value [3.0] but [ignore_z_value] parameter is [false]',
    ])
    await rest.call('PUT /i/_doc/odd?refresh', { lenient: 'POLYGON (0 0)' })
    const { json } = await rest.call('POST /i/_search', {
      query: { term: { _ignored: 'lenient' } },
      fields: ['lenient'],
    })
    expect(json.hits.hits[0]._ignored).toEqual(['lenient'])
    expect(json.hits.hits[0].fields).toBeUndefined()
  })

  it('refuses what is no shape, in the words of the real API', async () => {
    const polygon = (...coordinates: unknown[]): object => ({ type: 'polygon', coordinates })
    const square = [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
      [0, 0],
    ]
    const refusals: readonly (readonly [value: unknown, type: string, reason: string])[] = [
      [5, 'parse_exception', 'shape must be an object consisting of type and coordinates'],
      [true, 'parse_exception', 'shape must be an object consisting of type and coordinates'],
      [{}, 'parse_exception', 'shape type not included'],
      [{ type: 'point' }, 'parse_exception', 'coordinates not included'],
      [
        { type: 'cube', coordinates: [0, 0] },
        'illegal_argument_exception',
        'unknown geo_shape [cube]',
      ],
      [
        { type: 'constructor', coordinates: [0, 0] },
        'illegal_argument_exception',
        'unknown geo_shape [constructor]',
      ],
      [
        { type: 'point', coordinates: [[0, 0]] },
        'parse_exception',
        'expected a single points but got a list',
      ],
      [
        { type: 'point', coordinates: ['0', 0] },
        'parse_exception',
        'geo coordinates must be numbers',
      ],
      [
        { type: 'point', coordinates: [0, 0, 0, 0] },
        'parse_exception',
        'geo coordinates greater than 3 dimensions are not supported',
      ],
      [
        { type: 'point', coordinates: { lon: 0 } },
        'parse_exception',
        'coordinates cannot be specified as objects',
      ],
      [
        { type: 'point', coordinates: [null, 0] },
        'illegal_argument_exception',
        'coordinates cannot contain NULL values)',
      ],
      [
        { type: 'linestring', coordinates: [0, 0] },
        'parse_exception',
        'expected a list of points but got a point',
      ],
      [
        { type: 'linestring', coordinates: [[0, 0]] },
        'parse_exception',
        'not enough points to build a line',
      ],
      [
        {
          type: 'linestring',
          coordinates: [
            [0, 0],
            [1, 1, 1],
          ],
        },
        'parse_exception',
        'Exception parsing coordinates: number of dimensions do not match',
      ],
      [{ type: 'geometrycollection' }, 'parse_exception', 'geometries not included'],
      [
        { type: 'geometrycollection', geometries: [5] },
        'parse_exception',
        'geometries must be an array of geojson objects',
      ],
      [
        { type: 'point', coordinates: [0, 0], radius: '1m' },
        'parse_exception',
        'parameter radius is not supported for type point',
      ],
      [
        { type: 'point', coordinates: [0, 0], orientation: 'cw' },
        'parse_exception',
        'parameter orientation is not supported for type point',
      ],
      [
        { ...polygon(square), orientation: 'up' },
        'illegal_argument_exception',
        'Unknown orientation [up]',
      ],
      [{ type: 'circle', coordinates: [0, 0] }, 'parse_exception', 'radius is not specified'],
      [
        { type: 'circle', coordinates: [0, 0], radius: '1km' },
        'unsupported_operation_exception',
        'CIRCLE geometry is not supported',
      ],
      [
        { type: 'envelope', coordinates: [[0, 0]] },
        'parse_exception',
        'invalid number of points [1] provided for geo_shape [ENVELOPE] when expecting an array of 2 coordinates',
      ],
      [
        {
          type: 'envelope',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
        'illegal_argument_exception',
        'max y cannot be less than min x',
      ],
      [
        polygon([
          [0, 0],
          [1, 1],
          [0, 0],
        ]),
        'illegal_argument_exception',
        'at least 4 polygon points required',
      ],
      [
        polygon([
          [0, 0],
          [9, 9],
          [9, 0],
          [0, 9],
          [0, 0],
        ]),
        'illegal_argument_exception',
        'Polygon self-intersection at lat=9.0 lon=0.0',
      ],
      [
        polygon([
          [0, 0],
          [0, 0],
          [9, 0],
          [0, 9],
          [0, 0],
        ]),
        'invalid_shape_exception',
        'Provided shape has duplicate consecutive coordinates at: (POINT (0.0 0.0))',
      ],
      [
        polygon([
          [0, 0],
          [5, 0],
          [9, 0],
          [0, 0],
        ]),
        'invalid_shape_exception',
        'Cannot determine orientation: edges adjacent to (0.0,0.0) coincide',
      ],
      [
        polygon(square, [
          [20, 1],
          [21, 1],
          [21, 2],
          [20, 1],
        ]),
        'illegal_argument_exception',
        'Illegal hole detected: [[20.0, 1.0], [21.0, 2.0], [21.0, 1.0], [20.0, 1.0]]',
      ],
      [
        polygon(square, [
          [0, 0],
          [9, 9],
          [3, 5],
          [0, 0],
        ]),
        'illegal_argument_exception',
        'Invalid polygon, interior cannot share more than one point with the exterior',
      ],
      [
        polygon([
          [0, 0],
          [1000, 0],
          [0, 9],
          [0, 0],
        ]),
        'illegal_argument_exception',
        'invalid longitude 1000.0; must be between -540.0 and 540.0',
      ],
      [
        'POINT (NaN 0)',
        'illegal_argument_exception',
        'cannot normalize the point - longitude is not a number',
      ],
      [
        'LINESTRING (0 NaN, 1 1)',
        'illegal_argument_exception',
        'invalid latitude NaN; must be between -90.0 and 90.0',
      ],
      [
        'BBOX (0, 200, 1, 0)',
        'illegal_argument_exception',
        'invalid longitude 200.0; must be between -180.0 and 180.0',
      ],
      ['', 'parse_exception', 'expected word but found: END-OF-STREAM'],
      ['CUBE (1 2)', 'illegal_argument_exception', 'Unknown geometry type: cube'],
      ['POINT 1 2', 'parse_exception', 'expected EMPTY or ( but found: 1'],
      ['POINT (1)', 'parse_exception', "expected number but found: ')'"],
      ['POINT (1 x)', 'parse_exception', 'invalid number found: x'],
      ['POINT (1 2', 'parse_exception', 'expected ) but found: END-OF-STREAM'],
      ['LINESTRING (1 2; 3 4)', 'parse_exception', "expected , or ) but found: ';'"],
      ['LINESTRING (1 2, 3 4 5)', 'parse_exception', 'coordinate dimensions do not match: )'],
      ['POLYGON (1 2, 3 4)', 'parse_exception', 'expected ( but found: 1'],
    ]
    for (const [value, type, reason] of refusals)
      expect(await index.refused({ s: value }), JSON.stringify(value)).toEqual([type, reason])
    const { json } = await rest.call('PUT /i/_doc/1', { s: 5 })
    expect(json.error.reason).toBe('failed to parse field [s] of type [geo_shape]')
  })

  it('takes hostile shapes apart in bounded time', async () => {
    const started = performance.now()
    const deep = `${'GEOMETRYCOLLECTION ('.repeat(1001)}POINT (0 0)${')'.repeat(1001)}`
    expect((await index.refused({ s: deep }))[1]).toBe(
      'a geometry collection with a depth greater than 1000 is not supported',
    )
    const zigzag = Array.from({ length: 30000 }, (_, i) => [i / 1000, i % 2 === 0 ? 0 : 80])
    expect(await holds({ type: 'linestring', coordinates: zigzag }, 's', 0, 0)).toBe(true)
    const star = Array.from({ length: 20001 }, (_, i) => {
      const angle = ((i * 9999) / 20000) * 2 * Math.PI
      return [Math.cos(angle) * 50, Math.sin(angle) * 50]
    })
    star[20000] = star[0]!
    const [type, reason] = await index.refused({ s: { type: 'polygon', coordinates: [star] } })
    expect(type).toBe('illegal_argument_exception')
    expect(reason).toMatch(/^Polygon self-intersection|^Unable to Tessellate/)
    expect(performance.now() - started).toBeLessThan(20000)
  })

  it('is found by its presence, by nested queries, and not by values or sorts', async () => {
    await rest.call('PUT /i/_doc/nested?refresh', { n: [{ s: 'POINT (7 7)' }, {}] })
    const nested = { nested: { path: 'n', query: at(7, 7, 'n.s') } }
    const counted = async (query: object): Promise<number> =>
      (await rest.call('POST /i/_count', { query })).json.count
    expect(await counted(nested)).toBe(1)
    await rest.call('PUT /i/_doc/held?refresh', { multi: 'POINT (1 1)' })
    expect(await counted({ exists: { field: 'multi' } })).toBe(1)
    expect(await counted({ exists: { field: 'multi.k' } })).toBe(0)
    expect(await counted({ bool: { must_not: [{ exists: { field: 'multi' } }] } })).toBeGreaterThan(
      0,
    )
    expect(await index.refusal({ query: { term: { s: 'x' } } })).toEqual([
      400,
      'Geometry fields do not support exact searching, use dedicated geometry queries instead: [s]',
    ])
    expect((await index.refusal({ sort: ['s'] }))[0]).toBe(400)
    expect((await index.refusal({ docvalue_fields: ['s'] }))[1]).toBe(
      "Can't load fielddata on [s] because fielddata is unsupported on fields of type [geo_shape]. " +
        'Use doc values instead.',
    )
    const aggs = { a: { terms: { field: 's' } } }
    expect((await index.refusal({ size: 0, aggs }))[1]).toBe(
      'Field [s] of type [geo_shape] is not supported for aggregation [terms]',
    )
  })

  it('prints in fields as GeoJSON or well-known text', async () => {
    const s = 'POLYGON ((0 0, 4 0, 2 4, 0 0))'
    await rest.call('PUT /i/_doc/held?refresh', { s })
    const printed = async (format?: string): Promise<unknown> => {
      const { json } = await rest.call('POST /i/_search', {
        query: { ids: { values: ['held'] } },
        fields: [format === undefined ? 's' : { field: 's', format }],
      })
      return json.hits.hits[0].fields.s
    }
    expect(await printed()).toEqual([
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [4, 0],
            [2, 4],
            [0, 0],
          ],
        ],
      },
    ])
    expect(await printed('wkt')).toEqual(['POLYGON ((0.0 0.0, 4.0 0.0, 2.0 4.0, 0.0 0.0))'])
    expect((await index.refusal({ fields: [{ field: 's', format: 'x' }] }))[1]).toBe(
      'Unrecognized geometry format [x].',
    )
    for (const [shape, text] of [
      [
        'GEOMETRYCOLLECTION (POINT (1 2), BBOX (0, 4, 4, 0))',
        'GEOMETRYCOLLECTION (POINT (1.0 2.0),BBOX (0.0, 4.0, 4.0, 0.0))',
      ],
      ['MULTIPOINT (1 2 3, 4 5 6)', 'MULTIPOINT (1.0 2.0 3.0, 4.0 5.0 6.0)'],
      ['MULTILINESTRING ((0 0, 1 1))', 'MULTILINESTRING ((0.0 0.0, 1.0 1.0))'],
      ['POINT EMPTY', 'POINT EMPTY'],
    ] as const) {
      await rest.call('PUT /i/_doc/held?refresh', { s: shape })
      expect(await printed('wkt')).toEqual([text])
    }
  })

  it('tells its capabilities, and updates what a mapping may', async () => {
    const own = await openRest()
    const mapping = (s: object): object => ({ properties: { s: { type: 'geo_shape', ...s } } })
    await own.call('PUT /m', { mappings: mapping({ orientation: 'clockwise' }) })
    const shown = async (): Promise<unknown> =>
      (await own.call('GET /m/_mapping')).json.m.mappings.properties.s
    expect(await shown()).toEqual({ type: 'geo_shape', orientation: 'LEFT' })
    const changed = {
      coerce: true,
      ignore_malformed: true,
      ignore_z_value: false,
      orientation: 'right',
    }
    expect((await own.call('PUT /m/_mapping', mapping(changed))).status).toBe(200)
    expect(await shown()).toEqual({ type: 'geo_shape', ...changed, orientation: 'RIGHT' })
    const other = { properties: { s: { type: 'geo_point' } } }
    expect((await own.call('PUT /m/_mapping', other)).json.error.reason).toBe(
      'mapper [s] cannot be changed from type [geo_shape] to [geo_point]',
    )
    const refused = async (s: object): Promise<string> =>
      (await own.call('PUT /x', { mappings: mapping(s) })).json.error.reason
    expect(await refused({ tree: 'quadtree' })).toContain(
      'unsupported parameters:  [tree : quadtree]',
    )
    expect(await refused({ orientation: 'up' })).toContain('Unknown orientation [up]')
    const { json } = await own.call('GET /m/_field_caps?fields=s')
    expect(json.fields.s.geo_shape).toMatchObject({ searchable: true, aggregatable: true })
    await own.close()
  })
})
