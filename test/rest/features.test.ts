import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    d: { type: 'date' },
    nano: { type: 'date_nanos' },
    p: { type: 'geo_point' },
    k: { type: 'keyword' },
    plain: { type: 'date', index: false },
    rank: { type: 'rank_feature' },
    length: { type: 'rank_feature', positive_score_impact: false },
    topics: { type: 'rank_features' },
  })
  await index.add(
    { d: '2024-01-01', nano: '2024-01-01T00:00:00.000000100Z', p: [0, 0], rank: 8, length: 4 },
    { d: ['2024-01-11', '2024-01-21'], p: [0, 1], rank: 1, topics: { sea: 4, sky: 1 } },
    { k: 'x', topics: { sea: 2 } },
  )
})
afterAll(() => index.close())

async function close(
  query: object,
  expected: readonly (readonly [string, number])[],
): Promise<void> {
  const found = await scored(index, query)
  expect(found.map(([id]) => id)).toEqual(expected.map(([id]) => id))
  found.forEach(([, score], i) => {
    expect(score).toBeCloseTo(expected[i]![1], 4)
  })
}

describe('distance_feature', () => {
  const near = (options: object): object => ({ distance_feature: options })

  it('scores by the distance of the nearest value', async () => {
    await close(near({ field: 'd', origin: '2024-01-01T00:00:00.000', pivot: '10d' }), [
      ['0', 1],
      ['1', 0.5],
    ])
    await close(near({ field: 'd', origin: '2024-01-21T00:00:00.000', pivot: '10d', boost: 3 }), [
      ['1', 3],
      ['0', 1],
    ])
    const origin = '2024-01-01T00:00:00.000000200Z'
    await close(near({ field: 'nano', origin, pivot: '100nanos' }), [['0', 0.5]])
    await close(near({ field: 'p', origin: [0, 0], pivot: '111195.0802m' }), [
      ['0', 1],
      ['1', 0.5],
    ])
    expect(
      await index.find({ bool: { filter: near({ field: 'd', origin: 'now', pivot: '1h' }) } }),
    ).toEqual(['0', '1'])
    expect(await index.find(near({ field: 'gone', origin: 'now', pivot: '1h' }))).toEqual([])
  })

  it('is printed and explained', async () => {
    const date = near({ field: 'd', origin: '2024-01-01T00:00:00.000', pivot: '10d' })
    expect(await profiled(index, date)).toEqual([
      'LongDistanceFeatureQuery',
      'LongDistanceFeatureQuery(field=d,origin=1704067200000,pivotDistance=864000000)',
    ])
    expect(outlineOf(await explained(index, date, '1'))).toEqual([
      'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:',
      ' weight',
      ' pivotDistance',
      ' origin',
      ' current value',
    ])
    const place = near({ field: 'p', origin: '1,2', pivot: '1km' })
    expect(await profiled(index, place)).toEqual([
      'LatLonPointDistanceFeatureQuery',
      'LatLonPointDistanceFeatureQuery(field=p,originLat=1.0,originLon=2.0,pivotDistance=1000.0)',
    ])
    expect(outlineOf(await explained(index, place, '1'))).toEqual([
      'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:',
      ' weight',
      ' pivotDistance',
      ' originLat',
      ' originLon',
      ' currentLat',
      ' currentLon',
      ' distance',
    ])
  })

  it.each([
    [{ origin: 'now', pivot: '1h' }, 'Required [field]'],
    [{ field: 'd' }, 'Required [origin, pivot]'],
    [
      { field: 'k', origin: '1', pivot: '1' },
      'Illegal data type of [keyword]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!',
    ],
    [
      { field: 'plain', origin: 'now', pivot: '1h' },
      'Cannot search on field [plain] since it is not indexed.',
    ],
    [{ field: 'd', origin: 'now', pivot: '0s' }, 'pivotDistance must be > 0, got 0'],
    [
      { field: 'd', origin: 'now', pivot: '1h', x: 1 },
      '[1:0] [distance_feature] unknown field [x]',
    ],
  ])('refuses %j', async (options, reason) => {
    const [status, text] = await index.refusal({ query: near(options) })
    expect([status, text.replace(/^\[1:\d+\]/, '[1:0]')]).toEqual([400, reason])
  })
})

describe('rank_feature', () => {
  const rank = (options: object): object => ({ rank_feature: { field: 'rank', ...options } })

  it.each<[object, [string, number][]]>([
    [
      { saturation: { pivot: 8 } },
      [
        ['0', 0.5],
        ['1', 1 / 9],
      ],
    ],
    [
      { log: { scaling_factor: 4 }, boost: 2 },
      [
        ['0', 2 * Math.log(12)],
        ['1', 2 * Math.log(5)],
      ],
    ],
    [
      { sigmoid: { pivot: 8, exponent: 2 } },
      [
        ['0', 0.5],
        ['1', 1 / 65],
      ],
    ],
    [
      { linear: {} },
      [
        ['0', 8],
        ['1', 1],
      ],
    ],
    [{ field: 'length', saturation: { pivot: 4 } }, [['0', 0.5]]],
    [
      { field: 'topics.sea', linear: {} },
      [
        ['1', 4],
        ['2', 2],
      ],
    ],
    [{ field: 'topics.sky' }, [['1', 0.5]]],
    [{ field: 'topics.none' }, []],
    [{ field: 'gone' }, []],
  ])('%j', async (options, expected) => {
    await close(rank(options), expected)
    const filtered = { bool: { filter: rank(options) } }
    expect(await index.find(filtered)).toEqual(expected.map(([id]) => id))
  })

  it('takes the mean of the documents as pivot', async () => {
    // Of the bits that are kept: those of 8 and 1 in the middle.
    expect(await profiled(index, rank({}))).toEqual([
      'FeatureQuery',
      'FeatureQuery(field=_feature, feature=rank, function=SaturationFunction(pivot=3.0))',
    ])
    await close(rank({}), [
      ['0', 8 / 11],
      ['1', 1 / 4],
    ])
  })

  it.each([
    [
      { linear: {} },
      'LinearFunction',
      'Linear function on the rank feature for the _feature field, computed as w * S from:',
      2,
    ],
    [
      { log: { scaling_factor: 2 } },
      'LogFunction(scalingFactor=2.0)',
      'Log function on the rank feature, computed as w * log(a + S) from:',
      3,
    ],
    [
      { saturation: { pivot: 2 } },
      'SaturationFunction(pivot=2.0)',
      'Saturation function on the rank feature for the _feature field, computed as w * S / (S + k) from:',
      3,
    ],
    [
      { sigmoid: { pivot: 2, exponent: 0.5 } },
      'SigmoidFunction(pivot=2.0, a=0.5)',
      'Sigmoid function on the rank feature for the _feature field, computed as w * S^a / (S^a + k^a) from:',
      4,
    ],
  ])('prints and explains %j', async (options, printed, words, count) => {
    expect((await profiled(index, rank(options)))[1]).toBe(
      `FeatureQuery(field=_feature, feature=rank, function=${printed})`,
    )
    const { description, details } = await explained(index, rank(options), '0')
    expect([description, details.length]).toEqual([words, count])
  })

  it.each([
    [
      { linear: {}, log: { scaling_factor: 1 } },
      'Can only specify one of [log], [saturation], [sigmoid] and [linear]',
    ],
    [
      { field: 'k' },
      '[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [keyword]',
    ],
    [
      { field: 'length', log: { scaling_factor: 1 } },
      'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
    ],
    [{ saturation: { pivot: 0 } }, 'pivot must be > 0, got: 0'],
    [{ sigmoid: { pivot: 1, exponent: 0 } }, 'exp must be > 0, got: 0'],
    [{ log: { scaling_factor: 0 } }, 'scalingFactor must be >= 1, got: 0'],
    [{ log: {} }, 'Required [scaling_factor]'],
    [{ x: {} }, '[1:0] [rank_feature] unknown field [x]'],
    [{ linear: { x: 1 } }, '[1:0] [linear] unknown field [x]'],
  ])('refuses %j', async (options, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { query: rank(options) })
    let error = json.error.failed_shards?.[0].reason ?? json.error
    while (error.caused_by !== undefined) error = error.caused_by
    expect([status, error.reason.replace(/^\[1:\d+\]/, '[1:0]')]).toEqual([400, reason])
  })
})
