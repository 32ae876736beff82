import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arcDistance, type Place } from '../../src/util/geo-distance.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

const MAPPINGS = {
  properties: {
    at: { type: 'geo_point' },
    name: { type: 'keyword' },
    stops: { type: 'nested', properties: { at: { type: 'geo_point' } } },
  },
}
const TOWNS = [
  { at: { lat: 0, lon: 0 } },
  { at: { lat: 0, lon: 1 } },
  {
    at: [
      { lat: 0, lon: 3 },
      { lat: 0, lon: 2 },
    ],
    stops: [{ at: '0,5' }, { at: '0,4' }],
  },
  { name: 'nowhere' },
]

beforeAll(async () => {
  rest = await openRest()
  const settings = { 'index.refresh_interval': '-1' }
  await rest.call('PUT /towns', { mappings: MAPPINGS, settings })
  await rest.call('PUT /bare', { settings })
  const lines = TOWNS.flatMap((town, i) => [{ index: { _id: String(i) } }, town])
  await rest.call('POST /towns/_bulk?refresh', ndjson(...lines))
  await rest.call('POST /bare/_doc/b?refresh', {})
})
afterAll(() => rest.close())

const sorted = async (distance: object, more: object = {}, index = 'towns'): Promise<unknown[]> => {
  const body = { sort: [{ _geo_distance: distance }], ...more }
  const { status, json } = await rest.call(`POST /${index}/_search`, body)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, hit.sort[0]])
}
const refused = async (distance: object): Promise<unknown[]> => {
  const body = { sort: [{ _geo_distance: distance }] }
  const { status, json } = await rest.call('POST /towns/_search', body)
  const error = json.error?.root_cause?.[0]
  return [status, error?.type, error?.reason]
}
const meters = (from: Place, to: Place): number => arcDistance(from, to)
const ORIGIN = { lat: 0, lon: 0 }
const degree = meters(ORIGIN, { lat: 0, lon: 1 })

describe('a sort by distance', () => {
  it('takes the nearest place upward and the farthest downward', async () => {
    const asc = (await sorted({ at: ORIGIN })) as [string, number | string][]
    expect(asc.map(([id]) => id)).toEqual(['0', '1', '2', '3'])
    expect(asc[0]![1]).toBe(0)
    expect(asc[1]![1]).toBeCloseTo(degree, 1)
    expect(asc[2]![1]).toBeCloseTo(2 * degree, 1)
    expect(asc[3]![1]).toBe('Infinity')
    const desc = (await sorted({ at: [0, 0], order: 'desc', unit: 'km' })) as [string, number][]
    expect(desc.map(([id]) => id)).toEqual(['3', '2', '1', '0'])
    expect(desc[1]![1]).toBeCloseTo((3 * degree) / 1000, 3)
  })

  it('measures from several places, by its mode', async () => {
    const from = [ORIGIN, { lat: 0, lon: 4 }]
    const valueBy = async (mode: string): Promise<number> =>
      ((await sorted({ at: from, mode })) as [string, number][]).find(([id]) => id === '1')![1]
    expect(await valueBy('min')).toBeCloseTo(degree, 1)
    expect(await valueBy('max')).toBeCloseTo(3 * degree, 1)
    expect(await valueBy('avg')).toBeCloseTo(2 * degree, 1)
    expect(await valueBy('median')).toBeCloseTo(2 * degree, 1)
    const ids = (await sorted({ at: ['0,0', 's0'], mode: 'min' })).map(
      each => (each as unknown[])[0],
    )
    expect(ids[0]).toBe('0')
  })

  it('measures on a plane, at nested objects, and pages', async () => {
    const plane = (await sorted({ at: '0,0', distance_type: 'plane' })) as [string, number][]
    expect(plane[1]![1]).toBeCloseTo(degree, 1)
    const nested = { path: 'stops' }
    const stops = (await sorted({ 'stops.at': ORIGIN, nested })) as [string, number][]
    expect(stops[0]![0]).toBe('2')
    expect(stops[0]![1]).toBeCloseTo(4 * degree, 1)
    const after = (await sorted({ at: ORIGIN }, { search_after: [2 * degree + 1] })) as unknown[][]
    expect(after.map(([id]) => id)).toEqual(['3'])
    expect(await sorted({ at: ORIGIN }, { search_after: ['Infinity'] })).toEqual([])
  })

  it('takes an index without the field where it is told to', async () => {
    expect(await sorted({ at: ORIGIN, ignore_unmapped: true }, {}, 'bare')).toEqual([
      ['b', 'Infinity'],
    ])
    const { json } = await rest.call('POST /bare/_search', {
      sort: { _geo_distance: { at: ORIGIN } },
    })
    expect(json.error.root_cause[0].reason).toBe(
      'failed to find mapper for [at] for geo distance based sort',
    )
  })

  it('is refused where it makes no sense', async () => {
    expect(await refused({ at: { lat: 91, lon: 0 } })).toEqual([
      400,
      'parse_exception',
      'illegal latitude value [91.0] for [GeoDistanceSort] for field [at].',
    ])
    expect(await refused({ at: { lat: 0, lon: 181 } })).toEqual([
      400,
      'parse_exception',
      'illegal longitude value [181.0] for [GeoDistanceSort] for field [at].',
    ])
    const places = { lat: 0, lon: 361 }
    const coerced = (await sorted({ at: places, validation_method: 'COERCE' })) as unknown[][]
    expect(coerced[0]).toEqual(['1', expect.closeTo(0, 1)])
    const reasonOf = async (distance: object): Promise<unknown> => (await refused(distance))[2]
    expect(await reasonOf({ at: ORIGIN, mode: 'sum' })).toBe(
      "sort_mode [sum] isn't supported for sorting by geo distance",
    )
    expect(await reasonOf({ at: ORIGIN, unit: 'league' })).toBe('No distance unit match [league]')
    expect(await reasonOf({ at: ORIGIN, distance_type: 'sphere' })).toBe(
      'No geo distance for [sphere]',
    )
    expect(await reasonOf({ at: ORIGIN, name: 'x,y' })).toBe(
      'Trying to reset fieldName to [name], already set to [at].',
    )
    expect(await reasonOf({ at: 5 })).toBe('[_geo_distance] does not support [at]')
    expect(await reasonOf({ order: 'asc' })).toBe('fieldName must not be null')
    expect(await reasonOf({ at: [] })).toBe('Geo distance sorting needs at least one point.')
    expect(await reasonOf({ name: '0,0' })).toBe('field [name] is not a geo_point field')
    expect(await reasonOf({ at: ORIGIN, missing: 1 })).toBe(
      '[_geo_distance] does not support [missing]',
    )
  })

  it('agrees with a plain reading for any number of slices', async () => {
    const place = fc.record({
      lat: fc.integer({ min: -80, max: 80 }),
      lon: fc.integer({ min: -170, max: 170 }),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(place, { maxLength: 3 }), { minLength: 3, maxLength: 30 }),
        fc.array(place, { minLength: 1, maxLength: 2 }),
        fc.constantFrom('asc', 'desc'),
        async (documents, from, order) => {
          const name = `r${run++}`
          await rest.call(`PUT /${name}`, { mappings: MAPPINGS })
          for (const [i, at] of documents.entries())
            await rest.call(`PUT /${name}/_doc/${i}${i % 7 === 6 ? '?refresh' : ''}`, { at })
          await rest.call(`POST /${name}/_refresh`)
          const chosen = order === 'asc' ? Math.min : Math.max
          const expected = documents.map(at =>
            at.length === 0
              ? Infinity
              : chosen(...at.flatMap(to => from.map(each => meters(each, to)))),
          )
          for (const slices of [1, 2, 4])
            for (const profile of [false, true]) {
              await rest.call(`PUT /${name}/_settings`, {
                'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
                'index.search.concurrent.max_slice_count': Math.max(2, slices),
              })
              const { json } = await rest.call(`POST /${name}/_search?size=100`, {
                sort: [{ _geo_distance: { at: from, order } }],
                profile,
              })
              const values: number[] = json.hits.hits.map(
                ({ _id, sort }: { _id: string; sort: [number | string] }) => {
                  const [value] = sort
                  if (value === 'Infinity') expect(expected[Number(_id)]).toBe(Infinity)
                  else expect(Math.abs(Number(value) - expected[Number(_id)]!)).toBeLessThan(0.1)
                  return Number(value)
                },
              )
              expect(values.length).toBe(documents.length)
              const sign = order === 'asc' ? 1 : -1
              for (let i = 1; i < values.length; i++)
                expect(
                  sign * (values[i]! - values[i - 1]!) >= 0 || values[i] === values[i - 1],
                ).toBe(true)
            }
          await rest.call(`DELETE /${name}`)
        },
      ),
      { seed: 5, numRuns: 12 },
    )
  })
})
