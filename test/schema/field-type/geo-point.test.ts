import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentParser } from '../../../src/schema/document-parser.ts'
import { IGNORED_FIELD } from '../../../src/schema/parsed-document.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { type Definition, fieldOf, mappingOf, reasonOf } from '../../support/one-field.ts'

/** The places that a document `{"f": ⟨json⟩}` adds, as `lat,lon` rounded to a millionth. */
function readerOf(definition: object = {}): (json: string) => string[] {
  const parser = new DocumentParser(
    mappingOf({ type: 'geo_point', ...definition } as Definition),
    20,
  )
  return json => {
    const source = encodeUtf8(`{"f":${json}}`)
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    return Array.from({ length: document.count }, (_, i) => {
      if (document.fields[i] === IGNORED_FIELD) return 'ignored'
      const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
      const lat = (document.a[i]! * 180) / 2 ** 32
      const lon = ((document.b[i]! | 0) * 360) / 2 ** 32
      return `${rounded(lat)},${rounded(lon)}`
    })
  }
}

describe('geo_point', () => {
  it.each([
    ['{"lat":41.12,"lon":-71.34}', ['41.12,-71.34']],
    ['{"lon":"-71.34","lat":"41.12"}', ['41.12,-71.34']],
    ['[-71.34,41.12]', ['41.12,-71.34']],
    ['[-71.34,41.12,8]', ['41.12,-71.34']],
    ['"41.12, -71.34"', ['41.12,-71.34']],
    ['"41.12,-71.34,8"', ['41.12,-71.34']],
    ['"POINT (-71.34 41.12)"', ['41.12,-71.34']],
    ['" point(-71.34  41.12 8 ) "', ['41.12,-71.34']],
    ['{"type":"Point","coordinates":[-71.34,41.12]}', ['41.12,-71.34']],
    ['"drm3btev3e86"', ['41.12,-71.34']],
    ['{"geohash":"s"}', ['0,0']],
    ['[[-71.34,41.12],[1,2]]', ['41.12,-71.34', '2,1']],
    ['["41.12,-71.34",{"lat":2,"lon":1},[3,4],null]', ['41.12,-71.34', '2,1', '4,3']],
    ['[]', []],
    ['null', []],
    ['{"lat":90,"lon":180}', ['90,180']],
    ['{"lat":-90,"lon":-180}', ['-90,-180']],
  ])('reads %s', (json, places) => {
    expect(readerOf()(json)).toEqual(places)
  })

  it.each([
    ['{"lat":1,"lan":2}', 'field must be either [lat], [lon] or [geohash]'],
    [
      '{"type":"Point","coordinates":[1,2],"lat":1}',
      'field must be either [lat], [lon] or [geohash]',
    ],
    ['{"lon":1}', 'field [lat] missing'],
    ['{"lat":1}', 'field [lon] missing'],
    ['{}', 'field [lat] missing'],
    ['{"lat":true,"lon":1}', 'latitude must be a number'],
    ['{"lat":1,"lon":null}', 'longitude must be a number'],
    ['{"lat":"x","lon":1}', '[lat] and [lon] must be valid double values'],
    ['{"geohash":5}', 'geohash must be a string'],
    ['{"geohash":"s","lat":5}', 'field must be either lat/lon or geohash'],
    ['{"lat":91,"lon":1}', 'illegal latitude value [91.0] for f'],
    ['"-90.5,1"', 'illegal latitude value [-90.5] for f'],
    ['[181,1]', 'illegal longitude value [181.0] for f'],
    ['"x,1"', 'latitude must be a number'],
    ['"1,x"', 'longitude must be a number'],
    ['"1,2,x"', 'For input string: "x"'],
    ['"1,2,3,4"', 'failed to parse [1,2,3,4], expected 2 or 3 coordinates but found: [4]'],
    ['"NaN,2"', 'cannot normalize the point - latitude is not a number'],
    ['"ua"', 'unsupported symbol [a] in geohash [ua]'],
    ['""', 'empty geohash'],
    ['"POINT (1)"', 'Invalid WKT format'],
    [
      '"MULTIPOINT ((1 2))"',
      '[geo_point] supports only POINT among WKT primitives, but found MULTIPOINT',
    ],
    ['{"type":"Polygon","coordinates":[1,2]}', '[type] for geo_point can only be Point'],
    ['{"coordinates":[1,2]}', 'field [type] missing'],
    ['{"type":"point"}', 'field [coordinates] missing'],
    ['{"type":"point","coordinates":1}', '[coordinates] must be an array'],
    ['[1]', '[geo_point] field type should have at least two dimensions'],
    ['[1,2,3,4]', '[geo_point] field type does not accept more than 3 values'],
    ['[1,"2"]', 'numeric value expected'],
    ['5', 'geo_point expected'],
    ['true', 'geo_point expected'],
    ['[true]', 'geo_point expected'],
  ])('refuses %s', (json, reason) => {
    expect(reasonOf(() => readerOf()(json))).toBe(reason)
  })

  it('takes no height where it may not be passed over', () => {
    const read = readerOf({ ignore_z_value: false })
    const reason = 'found Z value [8.5] but [ignore_z_value] parameter is [false]'
    for (const json of [
      '[1,2,8.5]',
      '"2,1,8.5"',
      '"POINT (1 2 8.5)"',
      '{"type":"Point","coordinates":[1,2,8.5]}',
    ])
      expect(reasonOf(() => read(json))).toBe(reason)
    expect(read('[1,2]')).toEqual(['2,1'])
  })

  it('skips what is malformed where it may, and moves places onto the Earth', () => {
    const read = readerOf({ ignore_malformed: true })
    expect(read('[[1,2],"x,y"]')).toEqual(['ignored'])
    expect(read('5')).toEqual(['ignored'])
    expect(read('{"lat":91,"lon":10}')).toEqual(['89,-170'])
    expect(read('{"lat":-100,"lon":-10}')).toEqual(['-80,170'])
    expect(read('[190,5]')).toEqual(['5,-170'])
    expect(read('[-540,5]')).toEqual(['5,180'])
    expect(read('"Infinity,5"')).toEqual(['ignored'])
  })

  it('puts the null value for null', () => {
    for (const null_value of ['1,2', { lat: 1, lon: 2 }, [2, 1]])
      expect(readerOf({ null_value })('null')).toEqual(['1,2'])
    expect(readerOf({ null_value: '1,2' })('[null,"3,4"]')).toEqual(['1,2', '3,4'])
    expect(reasonOf(() => fieldOf({ type: 'geo_point', null_value: '91,2' }))).toBe(
      'illegal latitude value [91.0]',
    )
  })

  it('gives a place or a documented error, whatever is written', () => {
    const read = readerOf()
    const key = fc.constantFrom('lat', 'lon', 'geohash', 'type', 'coordinates', 'x')
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 4 }),
      fc.tuple(fc.double(), fc.double()).map(pair => pair.join(',')),
      fc.string().map(text => `POINT (${text})`),
    )
    fc.assert(
      fc.property(value, written => {
        try {
          read(JSON.stringify(written))
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          expect(['mapper_parsing_exception', 'json_parse_exception']).toContain(error.type)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keeps coordinates to a ten-millionth of a degree', () => {
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
    const parser = new DocumentParser(mappingOf({ type: 'geo_point' }), 20)
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lon) => {
        const source = encodeUtf8(JSON.stringify({ f: { lat, lon } }))
        parser.parse(source, 0, source.length, '1')
        const { a, b } = parser.document
        expect(Math.abs((a[0]! * 180) / 2 ** 32 - lat)).toBeLessThan(1e-7)
        expect(Math.abs(((b[0]! | 0) * 360) / 2 ** 32 - lon)).toBeLessThan(1e-7)
      }),
    )
  })
})
