/** The ends of what numbers, dates, sizes and trees can be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Bodies as text: JSON of JavaScript has no integers of 64 bits, and no −0.0. */
const ROWS = [
  '{"l":9223372036854775807,"u":18446744073709551615,"d":-0.0,"f":-0.0,"t":"0001-01-01T00:00:00Z","k":"a"}',
  '{"l":-9223372036854775808,"u":0,"d":0.0,"f":0.0,"t":"9999-12-31T23:59:59.999Z","k":"b"}',
  '{"l":9223372036854775806,"u":18446744073709551614,"big":1.7976931348623157e308}',
  '{"l":9223372036854775807,"big":1.7976931348623157e308,"d":4.9e-324}',
]

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    l: { type: 'long' },
    u: { type: 'unsigned_long' },
    d: { type: 'double' },
    big: { type: 'double' },
    f: { type: 'float' },
    t: { type: 'date' },
    k: { type: 'keyword' },
  }
  await ok('PUT /i', { settings: { number_of_shards: 2 }, mappings: { properties } })
  const lines = ROWS.flatMap((row, id) => [`{"index":{"_id":"${id}"}}`, row])
  await ok('POST /i/_bulk?refresh', `${lines.join('\n')}\n`)
})
afterAll(() => rest.close())

const search = (aggregation: string): ReturnType<Rest['call']> =>
  rest.call('POST /i/_search', `{"size":0,"aggs":{"x":${aggregation}}}`)

/** The text of what an aggregation answers. */
async function textOf(aggregation: object | string): Promise<string> {
  const { status, text } = await search(
    typeof aggregation === 'string' ? aggregation : JSON.stringify(aggregation),
  )
  expect(status, text).toBe(200)
  return text.slice(text.indexOf('"aggregations":{"x":') + '"aggregations":{"x":'.length, -2)
}

describe('64 bits', () => {
  it.each([
    ['sum', 'l', '{"value":1.8446744073709552E19}'],
    ['sum', 'u', '{"value":3.6893488147419103E19}'],
    ['min', 'l', '{"value":-9.223372036854776E18}'],
    ['max', 'l', '{"value":9.223372036854776E18}'],
    ['avg', 'l', '{"value":4.611686018427388E18}'],
    ['max', 'u', '{"value":1.8446744073709552E19}'],
    ['cardinality', 'l', '{"value":3}'],
    // Unsigned ones are counted as doubles.
    ['cardinality', 'u', '{"value":2}'],
    ['value_count', 'l', '{"value":4}'],
  ])('%s of %s is %s', async (kind, field, text) => {
    expect(await textOf({ [kind]: { field } })).toBe(text)
  })

  it('are told apart as keys where doubles are not', async () => {
    expect(await textOf({ terms: { field: 'l', order: { _key: 'desc' } } })).toContain(
      '[{"key":9223372036854775807,"doc_count":2},{"key":9223372036854775806,"doc_count":1},' +
        '{"key":-9223372036854775808,"doc_count":1}]',
    )
    expect(await textOf({ terms: { field: 'u', order: { _key: 'desc' }, size: 2 } })).toContain(
      '[{"key":18446744073709551615,"doc_count":1},{"key":18446744073709551614,"doc_count":1}]',
    )
  })

  it('are read in full from the keys of a page', async () => {
    const page = (field: string, after: string): string =>
      `{"composite":{"sources":[{"s":{"terms":{"field":"${field}"}}}],"after":{"s":${after}}}}`
    expect(await textOf(page('l', '9223372036854775806'))).toBe(
      '{"after_key":{"s":9223372036854775807},"buckets":[{"key":{"s":9223372036854775807},"doc_count":2}]}',
    )
    expect(await textOf(page('u', '18446744073709551614'))).toBe(
      '{"after_key":{"s":18446744073709551615},"buckets":[{"key":{"s":18446744073709551615},"doc_count":1}]}',
    )
  })

  it('fall into the buckets of histograms as doubles', async () => {
    expect(await textOf({ histogram: { field: 'l', interval: 1e19 } })).toBe(
      '{"buckets":[{"key":-1.0E19,"doc_count":1},{"key":0.0,"doc_count":3}]}',
    )
  })
})

describe('doubles', () => {
  it('have a zero below zero, which is a key of its own', async () => {
    expect(await textOf({ min: { field: 'd' } })).toBe('{"value":-0.0}')
    expect(await textOf({ min: { field: 'f' } })).toBe('{"value":-0.0}')
    expect(await textOf({ max: { field: 'f' } })).toBe('{"value":0.0}')
    expect(await textOf({ terms: { field: 'd', order: { _key: 'asc' } } })).toContain(
      '[{"key":-0.0,"doc_count":1},{"key":0.0,"doc_count":1},{"key":4.9E-324,"doc_count":1}]',
    )
    expect(await textOf({ cardinality: { field: 'd' } })).toBe('{"value":3}')
    const sources = [{ s: { terms: { field: 'd' } } }]
    expect(await textOf({ composite: { sources, size: 2 } })).toContain(
      '[{"key":{"s":-0.0},"doc_count":1},{"key":{"s":0.0},"doc_count":1}]',
    )
  })

  it('share a bucket of histograms and ranges about zero', async () => {
    expect(await textOf({ histogram: { field: 'f', interval: 1 } })).toBe(
      '{"buckets":[{"key":0.0,"doc_count":2}]}',
    )
    expect(await textOf({ range: { field: 'f', ranges: [{ from: 0 }] } })).toBe(
      '{"buckets":[{"key":"0.0-*","from":0.0,"doc_count":2}]}',
    )
  })

  it('whose sum is past all doubles have none', async () => {
    expect(await textOf({ sum: { field: 'big' } })).toBe('{"value":null}')
    expect(await textOf({ avg: { field: 'big' } })).toBe('{"value":null}')
    expect(await textOf({ max: { field: 'big' } })).toBe('{"value":1.7976931348623157E308}')
    expect(await textOf({ percentiles: { field: 'big', percents: [50] } })).toBe(
      '{"values":{"50.0":1.7976931348623157E308}}',
    )
  })

  it.each([
    ['histogram', '"interval":NUMBER'],
    ['histogram', '"interval":1e300,"offset":NUMBER'],
    ['histogram', '"interval":1e307,"extended_bounds":{"min":0,"max":NUMBER}'],
    ['histogram', '"interval":1e307,"hard_bounds":{"min":NUMBER}'],
    ['range', '"ranges":[{"from":NUMBER}]'],
    ['max', '"missing":NUMBER'],
    ['terms', '"missing":NUMBER'],
    ['terms', '"include":[NUMBER]'],
    ['percentiles', '"percents":[NUMBER]'],
  ])('%s refuses what is no finite number in {%s}', async (kind, body) => {
    for (const number of ['1e999', '-1e999', '"NaN"', '"Infinity"', '"-Infinity"']) {
      const text = `{"${kind}":{"field":"d",${body.replace('NUMBER', number)}}}`
      const answer = await search(text)
      expect([text, answer.status]).toEqual([text, 400])
      expect(answer.text).toMatch(/illegal_argument_exception|number_format_exception|parse/)
    }
  })
})

describe('dates', () => {
  it('reach from the year 1 to the year 9999', async () => {
    const body = { field: 't', calendar_interval: 'year', min_doc_count: 1 }
    expect(await textOf({ date_histogram: body })).toBe(
      '{"buckets":[{"key_as_string":"0001-01-01T00:00:00.000Z","key":-62135596800000,"doc_count":1},' +
        '{"key_as_string":"9999-01-01T00:00:00.000Z","key":253370764800000,"doc_count":1}]}',
    )
    expect(await textOf({ terms: { field: 't', order: { _key: 'asc' } } })).toContain(
      '[{"key":-62135596800000,"key_as_string":"0001-01-01T00:00:00.000Z","doc_count":1},' +
        '{"key":253402300799999,"key_as_string":"9999-12-31T23:59:59.999Z","doc_count":1}]',
    )
    expect(await textOf({ max: { field: 't' } })).toBe(
      '{"value":2.53402300799999E14,"value_as_string":"9999-12-31T23:59:59.999Z"}',
    )
  })

  it('fill all years between', async () => {
    const all = JSON.parse(
      await textOf({ date_histogram: { field: 't', calendar_interval: 'year' } }),
    )
    expect(all.buckets).toHaveLength(9999)
    const auto = JSON.parse(await textOf({ auto_date_histogram: { field: 't', buckets: 100 } }))
    expect(auto.interval).toBe('100y')
    expect(auto.buckets).toHaveLength(100)
  })

  it('have the local year of their zone', async () => {
    const body = { field: 't', calendar_interval: 'year', min_doc_count: 1, time_zone: '+09:00' }
    const { buckets } = JSON.parse(await textOf({ date_histogram: body }))
    expect(buckets.map((bucket: { key_as_string: string }) => bucket.key_as_string)).toEqual([
      '0001-01-01T00:00:00.000+09:00',
      '+10000-01-01T00:00:00.000+09:00',
    ])
  })
})

describe('sizes', () => {
  const SOURCES = [{ s: { terms: { field: 'k' } } }]

  it('of all that there may be take no more than there is', async () => {
    const answer = '"buckets":[{"key":"a","doc_count":1},{"key":"b","doc_count":1}]}'
    const size = 2 ** 31 - 1
    expect(await textOf({ terms: { field: 'k', size } })).toContain(answer)
    expect(await textOf({ terms: { field: 'k', size, shard_size: size } })).toContain(answer)
    const terms = [{ field: 'k' }, { field: 'l' }]
    expect(JSON.parse(await textOf({ multi_terms: { terms, size } })).buckets).toHaveLength(2)
  })

  it.each([
    ['terms', { field: 'k', size: 2 ** 31 }],
    ['terms', { field: 'k', shard_size: 2 ** 31 }],
    ['terms', { field: 'k', min_doc_count: 1e15 }],
    ['composite', { sources: SOURCES, size: 2 ** 31 }],
    ['top_hits', { size: 2 ** 31 - 1 }],
    ['top_hits', { from: 2 ** 31 - 1, size: 2 ** 31 - 1 }],
    ['auto_date_histogram', { field: 't', buckets: 2 ** 31 - 1 }],
    ['rare_terms', { field: 'k', max_doc_count: 2 ** 31 - 1 }],
  ])('of %s %j are refused', async (kind, body) => {
    expect((await search(JSON.stringify({ [kind]: body }))).status).toBe(400)
  })
})

describe('too many buckets', () => {
  it.each([
    ['{"histogram":{"field":"l","interval":1}}', 65_536],
    ['{"histogram":{"field":"d","interval":5e-324,"extended_bounds":{"max":1}}}', 65_536],
    ['{"date_histogram":{"field":"t","fixed_interval":"1ms"}}', 65_536],
    ['{"histogram":{"field":"f","interval":1,"extended_bounds":{"min":0,"max":1e15}}}', 65_536],
    ['{"composite":{"sources":[{"s":{"terms":{"field":"k"}}}],"size":65536}}', 65_536],
    ['{"composite":{"sources":[{"s":{"terms":{"field":"k"}}}],"size":2147483647}}', 2 ** 31 - 1],
  ])('are refused before they are made: %s', async (aggregation, count) => {
    const before = process.memoryUsage().rss
    const { status, json } = await search(aggregation)
    expect(status).toBe(503)
    const causes = [json.error, json.error.caused_by].filter(each => each !== undefined)
    expect(causes).toContainEqual(
      expect.objectContaining({
        type: 'too_many_buckets_exception',
        max_buckets: 65_535,
        reason:
          `Trying to create too many buckets. Must be less than or equal to: [65535] but was ` +
          `[${count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      }),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20)
  })

  it('count those of all levels', async () => {
    await ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': 5 } })
    const two = { terms: { field: 'k' } }
    const deep = { ...two, aggs: { y: two, z: two } }
    const { status, json } = await search(JSON.stringify(deep))
    expect([status, json.error.type]).toEqual([503, 'too_many_buckets_exception'])
    expect(await textOf({ ...two, aggs: { y: two } })).toContain('"buckets"')
    await ok('PUT /_cluster/settings', { persistent: { 'search.max_buckets': null } })
  })
})

describe('deep trees', () => {
  const nestedIn = (depth: number): string =>
    '{"filter":{"match_all":{}},"aggs":{"x":'.repeat(depth) +
    '{"max":{"field":"l"}}' +
    '}}'.repeat(depth)

  it('of hundreds of levels are answered', async () => {
    const text = await textOf(nestedIn(300))
    expect(text.match(/"doc_count":4/g)).toHaveLength(300)
  })

  it('beyond the depth of documents are refused', async () => {
    for (const depth of [600, 100_000]) {
      const { status, json } = await search(nestedIn(depth))
      expect([status, json.error.reason]).toEqual([
        400,
        expect.stringMatching(
          /^Document nesting depth \(1001\) exceeds the maximum allowed \(1000/,
        ),
      ])
    }
  })

  it('of buckets in buckets stop at the limit', async () => {
    let tree: object = { max: { field: 'l' } }
    for (let i = 0; i < 6; i++)
      tree = { histogram: { field: 'l', interval: 4e18, offset: i }, aggs: { x: tree } }
    const { status } = await search(JSON.stringify(tree))
    expect([200, 503]).toContain(status)
  })
})
