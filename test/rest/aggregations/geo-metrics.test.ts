import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

const mappings = { properties: { at: { type: 'geo_point' }, k: { type: 'keyword' } } }
const LAT_STEP = 180 / 2 ** 32
const LON_STEP = 360 / 2 ** 32
/** Coordinates that doc values keep exactly. */
const place = fc
  .record({ lat: fc.integer({ min: -80, max: 80 }), lon: fc.integer({ min: -160, max: 160 }) })
  .map(({ lat, lon }) => ({
    lat: lat * 2 ** 22 * LAT_STEP,
    lon: lon * 2 ** 22 * LON_STEP,
  }))

async function load(index: string, shards: number, sources: readonly object[]): Promise<void> {
  await ok(`PUT /${index}`, { settings: { number_of_shards: shards }, mappings })
  if (sources.length > 0)
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...sources.flatMap(source => [{ index: {} }, source])),
    )
}

beforeAll(async () => {
  rest = await openRest()
  await load('towns', 2, [
    { at: [{ lat: 10, lon: 170 }, '20,-170'], k: 'a' },
    { at: { lat: -5, lon: 175 }, k: 'b' },
    { k: 'c' },
  ])
})

afterAll(() => rest.close())

async function found(aggregation: object, more: object = {}, index = 'towns'): Promise<Json> {
  const { aggregations } = await ok(`POST /${index}/_search?size=0`, {
    aggs: { g: aggregation },
    ...more,
  })
  return aggregations.g
}

const near = (value: number): unknown => expect.closeTo(value, 6)

describe('geo_bounds', () => {
  it('is the box around all places, across the date line where that is narrower', async () => {
    expect(await found({ geo_bounds: { field: 'at' } })).toEqual({
      bounds: {
        top_left: { lat: near(20), lon: near(170) },
        bottom_right: { lat: near(-5), lon: near(-170) },
      },
    })
    expect(await found({ geo_bounds: { field: 'at', wrap_longitude: false } })).toEqual({
      bounds: {
        top_left: { lat: near(20), lon: near(-170) },
        bottom_right: { lat: near(-5), lon: near(175) },
      },
    })
  })

  it('takes a place for documents without one, and is empty without any', async () => {
    const missing = { lat: 40, lon: 0 }
    const filled = await found({ geo_bounds: { field: 'at', missing } })
    expect(filled.bounds.top_left).toEqual({ lat: near(40), lon: near(0) })
    expect(
      (await found({ geo_bounds: { field: 'none', missing: '1,2' } })).bounds.top_left,
    ).toEqual({
      lat: near(1),
      lon: near(2),
    })
    expect(await found({ geo_bounds: { field: 'none' } })).toEqual({})
    expect(await found({ geo_bounds: { field: 'at' } }, { query: { match_none: {} } })).toEqual({})
  })
})

describe('geo_centroid', () => {
  it('is the mean of all coordinates, with their number', async () => {
    expect(await found({ geo_centroid: { field: 'at' } })).toEqual({
      location: { lat: near(25 / 3), lon: near(175 / 3) },
      count: 3,
    })
    expect(await found({ geo_centroid: { field: 'at', missing: [5, 15] } })).toMatchObject({
      location: { lat: near(10), lon: near(45) },
      count: 4,
    })
  })

  it('is a count of 0 without any', async () => {
    const none = { query: { match_none: {} } }
    expect(await found({ geo_centroid: { field: 'none' } })).toEqual({ count: 0 })
    expect(await found({ geo_centroid: { field: 'at' } }, none)).toEqual({ count: 0 })
  })
})

describe('both', () => {
  it('agree with a plain reading in each bucket, in any number of shards', async () => {
    let count = 0
    const document = fc.record({
      at: fc.array(place, { maxLength: 3 }),
      k: fc.constantFrom('a', 'b'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 20 }), async documents => {
        const index = `random${count++}`
        const answers: Json[] = []
        for (const shards of [1, 3]) {
          await load(`${index}-${shards}`, shards, documents)
          answers.push(
            await found(
              {
                terms: { field: 'k', order: { _key: 'asc' } },
                aggs: {
                  b: { geo_bounds: { field: 'at', wrap_longitude: false } },
                  c: { geo_centroid: { field: 'at' } },
                },
              },
              {},
              `${index}-${shards}`,
            ),
          )
        }
        expect(answers[1]).toEqual(answers[0])
        for (const { key, b, c } of answers[0].buckets) {
          const places = documents.filter(({ k }) => k === key).flatMap(({ at }) => at)
          expect(c.count).toBe(places.length)
          if (places.length === 0) {
            expect([b, c]).toEqual([{}, { count: 0 }])
            continue
          }
          const lats = places.map(({ lat }) => lat)
          const lons = places.map(({ lon }) => lon)
          const mean = (values: number[]): number =>
            values.reduce((sum, value) => sum + value, 0) / values.length
          expect(b.bounds).toEqual({
            top_left: { lat: Math.max(...lats), lon: Math.min(...lons) },
            bottom_right: { lat: Math.min(...lats), lon: Math.max(...lons) },
          })
          expect(c.location.lat).toBeCloseTo(mean(lats), 9)
          expect(c.location.lon).toBeCloseTo(mean(lons), 9)
        }
        await ok(`DELETE /${index}*`)
      }),
      { numRuns: 12 },
    )
  })

  it('have their type in typed names', async () => {
    const { aggregations } = await ok('POST /towns/_search?typed_keys=true', {
      aggs: { b: { geo_bounds: { field: 'at' } }, c: { geo_centroid: { field: 'at' } } },
    })
    expect(Object.keys(aggregations)).toEqual(['geo_bounds#b', 'geo_centroid#c'])
  })

  it('answer what is wrong with a request', async () => {
    for (const type of ['geo_bounds', 'geo_centroid']) {
      const faulty = async (body: object): Promise<unknown[]> => {
        const { status, json } = await rest.call('POST /towns/_search', {
          aggs: { g: { [type]: body } },
        })
        let error = json.error.failed_shards?.[0].reason ?? json.error
        while (error.caused_by !== undefined) error = error.caused_by
        return [status, error.type, error.reason]
      }
      const illegal = 'illegal_argument_exception'
      expect(await faulty({ field: 'k' })).toEqual([
        400,
        illegal,
        `Field [k] of type [keyword] is not supported for aggregation [${type}]`,
      ])
      expect(await faulty({})).toEqual([
        400,
        illegal,
        'Required one of fields [field, script], but none were specified. ',
      ])
      expect(await faulty({ field: 'at', missing: '100,0' })).toEqual([
        400,
        illegal,
        `illegal latitude value [100.0] for [${type}]`,
      ])
      expect((await faulty({ field: 'at', missing: 'x,y' }))[0]).toBe(400)
      expect(await faulty({ field: 'at', format: '0' })).toEqual([
        400,
        'x_content_parse_exception',
        expect.stringContaining(`[${type}] unknown field [format]`),
      ])
      expect((await faulty({ script: 'x' }))[2]).toBe(
        'value source of type [geopoint] is not supported by scripts',
      )
    }
  })
})
