import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const VALUES = [1, 51, 101, 151]

beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${index}`, {
      settings: { number_of_shards: shards },
      mappings: {
        properties: {
          n: { type: 'integer' },
          d: { type: 'double' },
          t: { type: 'date' },
          k: { type: 'keyword' },
        },
      },
    })
    const sources = VALUES.map((n, i) => ({ n, d: n - 100, t: n, k: i < 2 ? 'a' : 'b' }))
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...sources.flatMap((source, i) => [{ index: { _id: `${i}` } }, source])),
    )
  }
  await ok('PUT /empty', {})
})

afterAll(() => rest.close())

/** The answer to one aggregation, the same in one shard and in two. */
async function found(aggregation: object, index = 'one', more: object = {}): Promise<object> {
  const answers = await Promise.all(
    (index === 'one' ? ['one', 'two'] : [index]).map(name =>
      ok(`POST /${name}/_search?size=0`, { ...more, aggs: { p: aggregation } }),
    ),
  )
  expect(answers.at(-1).aggregations).toEqual(answers[0].aggregations)
  return answers[0].aggregations.p
}

describe('percentiles', () => {
  it('are the values at their ranks, in order of the percents', async () => {
    expect(await found({ percentiles: { field: 'n' } })).toEqual({
      values: {
        '1.0': 1,
        '5.0': 1,
        '25.0': 51,
        '50.0': 101,
        '75.0': 151,
        '95.0': 151,
        '99.0': 151,
      },
    })
    const { text } = await rest.call('POST /one/_search?size=0&filter_path=aggregations', {
      aggs: { p: { percentiles: { field: 'd', percents: [50, '0', 12.5], keyed: false } } },
    })
    expect(text).toBe(
      '{"aggregations":{"p":{"values":[{"key":0.0,"value":-99.0},{"key":12.5,"value":-99.0},' +
        '{"key":50.0,"value":1.0}]}}}',
    )
  })

  it('are the ends of cells by the method hdr', async () => {
    const hdr = { number_of_significant_value_digits: 3 }
    expect(await found({ percentiles: { field: 'n', percents: [25, 50, 95], hdr } })).toEqual({
      values: { '25.0': 1, '50.0': 51.0302734375, '95.0': 151.1240234375 },
    })
    expect(await found({ percentiles: { field: 'n', percents: 50, hdr: {} } })).toEqual({
      values: { '50.0': 51.0302734375 },
    })
  })

  it('have a text where a format applies', async () => {
    const { text } = await rest.call('POST /one/_search?size=0&filter_path=aggregations', {
      aggs: {
        n: { percentiles: { field: 'n', percents: [50], format: '0.00' } },
        t: { percentiles: { field: 't', percents: [50], keyed: false } },
      },
    })
    expect(text).toBe(
      '{"aggregations":{"n":{"values":{"50.0":101.0,"50.0_as_string":"101.00"}},' +
        '"t":{"values":[{"key":50.0,"value":101.0,"value_as_string":"1970-01-01T00:00:00.101Z"}]}}}',
    )
  })

  it('are null without values', async () => {
    const nothing = { query: { match_none: {} } }
    const none = { values: { '50.0': null } }
    for (const field of ['n', 't', 'unmapped'])
      expect(await found({ percentiles: { field, percents: [50] } }, 'one', nothing)).toEqual(none)
    expect(await found({ percentiles: { field: 'x', percents: [50], hdr: {} } }, 'empty')).toEqual(
      none,
    )
    expect(await found({ percentile_ranks: { field: 'n', values: [5] } }, 'one', nothing)).toEqual({
      values: { '5.0': null },
    })
  })

  it('take a value for documents without one', async () => {
    await ok('PUT /gaps', { mappings: { properties: { n: { type: 'long' } } } })
    await ok('POST /gaps/_bulk?refresh', ndjson({ index: {} }, { n: 4 }, { index: {} }, {}))
    expect(
      await found({ percentiles: { field: 'n', missing: 2, percents: [0, 50] } }, 'gaps'),
    ).toEqual({ values: { '0.0': 2, '50.0': 4 } })
    expect(
      await found({ percentiles: { field: 'none', missing: 7, percents: [50] } }, 'gaps'),
    ).toEqual({ values: { '50.0': 7 } })
  })

  it('have the method in their typed name', async () => {
    const { aggregations } = await ok('POST /one/_search?size=0&typed_keys=true', {
      aggs: {
        a: { percentiles: { field: 'n' } },
        b: { percentiles: { field: 'n', hdr: {} } },
        c: { percentile_ranks: { field: 'n', values: [1] } },
        d: { percentile_ranks: { field: 'n', values: [1], hdr: {} } },
      },
    })
    expect(Object.keys(aggregations)).toEqual([
      'tdigest_percentiles#a',
      'hdr_percentiles#b',
      'tdigest_percentile_ranks#c',
      'hdr_percentile_ranks#d',
    ])
  })

  it('sort buckets by one of their percents', async () => {
    for (const path of ['p.75', 'p.75.0', 'p[75.0]']) {
      const { aggregations } = await ok('POST /two/_search?size=0', {
        aggs: {
          k: {
            terms: { field: 'k', order: { [path]: 'desc' } },
            aggs: { p: { percentiles: { field: 'n', percents: [75] } } },
          },
        },
      })
      expect(
        aggregations.k.buckets.map((bucket: { key: string; p: object }) => [bucket.key, bucket.p]),
      ).toEqual([
        ['b', { values: { '75.0': 151 } }],
        ['a', { values: { '75.0': 51 } }],
      ])
    }
  })
})

describe('percentile ranks', () => {
  it('count values below and half of the equal ones', async () => {
    expect(await found({ percentile_ranks: { field: 'n', values: [200, 51, 0, 60] } })).toEqual({
      values: { '0.0': 0, '51.0': 37.5, '60.0': 50, '200.0': 100 },
    })
  })

  it('count the values of cells up to theirs by the method hdr', async () => {
    expect(
      await found({ percentile_ranks: { field: 'n', values: [51, 60], hdr: {}, keyed: false } }),
    ).toEqual({
      values: [
        { key: 51, value: 50 },
        { key: 60, value: 50 },
      ],
    })
  })
})

describe('a negative value by the method hdr', () => {
  it('fails its shard alone', async () => {
    const asked = { aggs: { p: { percentiles: { field: 'd', hdr: {}, percents: [50] } } } }
    const alone = await rest.call('POST /one/_search', asked)
    expect([alone.status, alone.json.error.failed_shards[0].reason]).toEqual([
      400,
      {
        type: 'array_index_out_of_bounds_exception',
        reason: 'The value -99.0 is out of bounds for histogram, which has no negative values',
      },
    ])
    await ok('PUT /positive', { mappings: { properties: { d: { type: 'double' } } } })
    await ok('POST /positive/_doc?refresh', { d: 3 })
    const { _shards, aggregations } = await ok('POST /one,positive/_search', asked)
    expect([_shards.successful, _shards.failed]).toEqual([1, 1])
    expect(_shards.failures[0].reason.type).toBe('array_index_out_of_bounds_exception')
    expect(aggregations.p.values['50.0']).toBe(3)
  })
})

describe('a faulty request', () => {
  const faulty = async (aggregation: object): Promise<unknown[]> => {
    const { status, json } = await rest.call('POST /one/_search', { aggs: { p: aggregation } })
    let { error } = json
    while (error.caused_by !== undefined) error = error.caused_by
    return [status, error.type, error.reason]
  }
  const percentiles = (body: object): Promise<unknown[]> =>
    faulty({ percentiles: { field: 'n', ...body } })
  const illegal = 'illegal_argument_exception'

  it('names what is wrong with its percents', async () => {
    expect(await percentiles({ percents: [] })).toEqual([
      400,
      illegal,
      '[percents] must not be an empty array: [p]',
    ])
    expect(await percentiles({ percents: null })).toEqual([
      400,
      illegal,
      '[percents] must not be null: [p]',
    ])
    expect(await percentiles({ percents: [1, 100.5] })).toEqual([
      400,
      illegal,
      'percent must be in [0,100], got [100.5]: [p]',
    ])
    expect(await percentiles({ percents: [-1] })).toEqual([
      400,
      illegal,
      'percent must be in [0,100], got [-1.0]: [p]',
    ])
    expect(await percentiles({ percents: ['foo'] })).toEqual([
      400,
      'number_format_exception',
      'For input string: "foo"',
    ])
    expect(await faulty({ percentile_ranks: { field: 'n' } })).toEqual([
      400,
      illegal,
      'Required [values]',
    ])
    expect(await faulty({ percentile_ranks: { field: 'n', values: [] } })).toEqual([
      400,
      illegal,
      '[values] must not be an empty array: [p]',
    ])
  })

  it('names what is wrong with its method', async () => {
    expect(await percentiles({ tdigest: { compression: -1 } })).toEqual([
      400,
      illegal,
      '[compression] must be greater than or equal to 0. Found [-1.0]',
    ])
    for (const digits of [-1, 6])
      expect(await percentiles({ hdr: { number_of_significant_value_digits: digits } })).toEqual([
        400,
        illegal,
        '[numberOfSignificantValueDigits] must be between 0 and 5',
      ])
    expect(await percentiles({ tdigest: {}, hdr: {} })).toEqual([
      400,
      'illegal_state_exception',
      'Only one percentiles method should be declared.',
    ])
    expect(await percentiles({ hdr: 3 })).toEqual([
      400,
      'parsing_exception',
      'Expected [START_OBJECT] but found [VALUE_NUMBER]',
    ])
    expect((await percentiles({ tdigest: { speed: 1 } }))[2]).toMatch(
      /\[tdigest\] unknown field \[speed\]$/,
    )
  })

  it('names fields that have no numbers', async () => {
    expect(await percentiles({ field: 'k' })).toEqual([
      400,
      illegal,
      'Field [k] of type [keyword] is not supported for aggregation [percentiles]',
    ])
    expect(await faulty({ percentiles: {} })).toEqual([
      400,
      illegal,
      'Required one of fields [field, script], but none were specified. ',
    ])
    expect(await percentiles({ missing: '1e999' })).toEqual([
      400,
      'number_format_exception',
      'For input string: "1e999"',
    ])
  })

  it('names metrics that orders cannot have', async () => {
    const ordered = async (path: string, child: object): Promise<unknown> => {
      const { json } = await rest.call('POST /one/_search', {
        aggs: { k: { terms: { field: 'k', order: { [path]: 'asc' } }, aggs: { p: child } } },
      })
      return [json.error.type, json.error.reason]
    }
    const type = 'aggregation_execution_exception'
    const child = { percentiles: { field: 'n', percents: [75] } }
    expect(await ordered('p.50', child)).toEqual([
      type,
      'Invalid aggregation order path [p.50]. Unknown metric name [50] on multi-value metrics ' +
        'aggregation [p]',
    ])
    expect(await ordered('p', child)).toEqual([
      type,
      'Invalid aggregation order path [p]. When ordering on a multi-value metrics aggregation a ' +
        'metric name must be specified.',
    ])
    expect(await ordered('p.median', { stats: { field: 'n' } })).toEqual([
      type,
      'Invalid aggregation order path [p.median]. Unknown metric name [median] on multi-value ' +
        'metrics aggregation [p]',
    ])
    expect(await ordered('p.max', { max: { field: 'n' } })).toEqual([
      type,
      'Invalid aggregation order path [p.max]. Ordering on a single-value metrics aggregation can ' +
        'only be done on its value. Either drop the key (a la "p") or change it to "value" ' +
        '(a la "p.value")',
    ])
  })
})
