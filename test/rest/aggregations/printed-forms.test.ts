/** How answers of aggregations print: the order of keys, numbers, texts beside them, and typed names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Bodies as text: JSON of JavaScript has no fractions of whole numbers, nor integers of 64 bits. */
const ROWS = [
  '{"k":"a","n":1,"d":50,"big":9223372036854775807,"u":18446744073709551615,"b":true,"t":"2016-05-03T00:00:00Z","ip":"10.0.0.1","o":{"x":1}}',
  '{"k":["a","b"],"n":2,"d":8623000,"big":-9223372036854775808,"u":0,"b":false,"t":"2016-05-03T12:00:00Z","ip":"10.0.0.2","o":[{"x":2},{"x":3}]}',
  '{"k":"b","n":3,"d":0.0001}',
]

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    big: { type: 'long' },
    u: { type: 'unsigned_long' },
    b: { type: 'boolean' },
    t: { type: 'date' },
    day: { type: 'date', format: 'yyyy/MM/dd' },
    ip: { type: 'ip' },
    at: { type: 'geo_point' },
    o: { type: 'nested', properties: { x: { type: 'long' } } },
  }
  await ok('PUT /i', { settings: { number_of_shards: 1 }, mappings: { properties } })
  const lines = ROWS.flatMap((row, id) => [`{"index":{"_id":"${id}"}}`, row])
  await ok('POST /i/_bulk?refresh', `${lines.join('\n')}\n`)
  await ok('POST /i/_doc/3?refresh', { day: '2016/05/04', at: [0, 0] })
  await ok('PUT /empty', { mappings: { properties } })
})
afterAll(() => rest.close())

/** The text of what an aggregation answers. */
async function textOf(body: object, index = 'i'): Promise<string> {
  const { text, status } = await rest.call(`POST /${index}/_search`, { size: 0, aggs: { x: body } })
  expect(status, text).toBe(200)
  return text.slice(text.indexOf('"aggregations":{"x":') + '"aggregations":{"x":'.length, -2)
}

describe('the order of keys', () => {
  it('has the note first, then own keys, children as asked for and pipelines last', async () => {
    const text = await textOf({
      meta: { z: 1, a: [2] },
      histogram: { field: 'n', interval: 10 },
      aggs: {
        p: { cumulative_sum: { buckets_path: 'm' } },
        z: { max: { field: 'n' } },
        m: { min: { field: 'n' }, meta: { own: true } },
      },
    })
    expect(text).toBe(
      '{"meta":{"z":1,"a":[2]},"buckets":[{"key":0.0,"doc_count":3,"z":{"value":3.0},' +
        '"m":{"meta":{"own":true},"value":1.0},"p":{"value":1.0}}]}',
    )
  })

  it('has the documents of a single bucket ahead of its children', async () => {
    const text = await textOf({
      filter: { term: { k: 'a' } },
      meta: { n: 1 },
      aggs: { m: { max: { field: 'n' } } },
    })
    expect(text).toBe('{"meta":{"n":1},"doc_count":2,"m":{"value":2.0}}')
  })

  it('has the key of terms, its text, documents, error and children', async () => {
    const body = { field: 'b', show_term_doc_count_error: true, order: { _key: 'desc' }, size: 1 }
    expect(await textOf({ terms: body, aggs: { m: { max: { field: 'n' } } } })).toBe(
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":1,"buckets":[{"key":1,' +
        '"key_as_string":"true","doc_count":1,"doc_count_error_upper_bound":0,"m":{"value":1.0}}]}',
    )
  })

  it('has the text of a key of histograms ahead of it', async () => {
    const body = { field: 't', calendar_interval: 'day' }
    const bucket = '{"key_as_string":"2016-05-03T00:00:00.000Z","key":1462233600000,"doc_count":2}'
    expect(await textOf({ date_histogram: body })).toBe(`{"buckets":[${bucket}]}`)
    expect(await textOf({ date_histogram: { ...body, keyed: true } })).toBe(
      `{"buckets":{"2016-05-03T00:00:00.000Z":${bucket}}}`,
    )
    expect(
      await textOf({ histogram: { field: 'n', interval: 5, format: '0.0', keyed: true } }),
    ).toBe('{"buckets":{"0.0":{"key_as_string":"0.0","key":0.0,"doc_count":3}}}')
    expect(await textOf({ auto_date_histogram: { field: 't', buckets: 1, format: 'yyyy' } })).toBe(
      '{"buckets":[{"key_as_string":"2016","key":1462233600000,"doc_count":2}],"interval":"1d"}',
    )
  })

  it('has the ends of ranges with their texts, and the key unless it names the bucket', async () => {
    const body = { field: 'n', ranges: [{ from: 1, to: 3 }], format: '0.00' }
    const ends = '"from":1.0,"from_as_string":"1.00","to":3.0,"to_as_string":"3.00","doc_count":2'
    expect(await textOf({ range: body })).toBe(`{"buckets":[{"key":"1.00-3.00",${ends}}]}`)
    expect(await textOf({ range: { ...body, keyed: true } })).toBe(
      `{"buckets":{"1.00-3.00":{${ends}}}}`,
    )
    expect(await textOf({ range: { field: 'n', ranges: [{ to: 50 }] } })).toBe(
      '{"buckets":[{"key":"*-50.0","to":50.0,"doc_count":3}]}',
    )
    const dates = { field: 'day', ranges: [{ from: '2016/05/04', key: 'late' }] }
    expect(await textOf({ date_range: dates })).toBe(
      '{"buckets":[{"key":"late","from":1.4623200E12,"from_as_string":"2016/05/04","doc_count":1}]}'.replace(
        '1.4623200',
        '1.46232',
      ),
    )
    expect(await textOf({ ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/31' }] } })).toBe(
      '{"buckets":[{"key":"10.0.0.0/31","from":"10.0.0.0","to":"10.0.0.2","doc_count":1}]}',
    )
  })
})

describe('numbers', () => {
  it('of documents, of distinct values, and keys of whole fields are integers', async () => {
    expect(await textOf({ value_count: { field: 'k' } })).toBe('{"value":4}')
    expect(await textOf({ cardinality: { field: 'd' } })).toBe('{"value":3}')
    expect(await textOf({ terms: { field: 'n', size: 1 } })).toContain('{"key":1,"doc_count":1}')
    expect(await textOf({ terms: { field: 't', size: 1 } })).toContain('{"key":1462233600000,')
    expect(await textOf({ terms: { field: 'b', size: 1 } })).toContain('{"key":0,')
  })

  it('of 64 bits stand in full as keys', async () => {
    const text = await textOf({ terms: { field: 'big', order: { _key: 'asc' } } })
    expect(text).toContain('"key":-9223372036854775808,')
    expect(text).toContain('"key":9223372036854775807,')
    expect(await textOf({ terms: { field: 'u', order: { _key: 'desc' } } })).toContain(
      '[{"key":18446744073709551615,"doc_count":1},{"key":0,',
    )
    const sources = [{ s: { terms: { field: 'big' } } }]
    expect(await textOf({ composite: { sources, size: 1 } })).toBe(
      '{"after_key":{"s":-9223372036854775808},"buckets":[{"key":{"s":-9223372036854775808},"doc_count":1}]}',
    )
    const terms = [{ field: 'big' }, { field: 'u' }]
    expect(await textOf({ multi_terms: { terms, order: { _key: 'asc' }, size: 1 } })).toContain(
      '{"key":[-9223372036854775808,0],"key_as_string":"-9223372036854775808|0","doc_count":1}',
    )
  })

  it('of metrics, keys of histograms and ends of ranges have a fraction', async () => {
    expect(await textOf({ sum: { field: 'n' } })).toBe('{"value":6.0}')
    expect(await textOf({ histogram: { field: 'n', interval: 5 } })).toContain('"key":0.0,')
    expect(await textOf({ percentiles: { field: 'n', percents: [50] } })).toBe(
      '{"values":{"50.0":2.0}}',
    )
    expect(await textOf({ percentile_ranks: { field: 'n', values: [2], keyed: false } })).toBe(
      '{"values":[{"key":2.0,"value":50.0}]}',
    )
    expect(await textOf({ terms: { field: 'd', order: { _key: 'desc' }, size: 2 } })).toContain(
      '[{"key":8623000.0,"doc_count":1},{"key":50.0,"doc_count":1}]',
    )
  })

  it('have an exponent from ten million on and below a thousandth', async () => {
    expect(await textOf({ max: { field: 'd' } })).toBe('{"value":8623000.0}')
    expect(await textOf({ min: { field: 'd' } })).toBe('{"value":1.0E-4}')
    expect(await textOf({ max: { field: 't' } })).toContain('{"value":1.4622768E12,')
    expect(await textOf({ max: { field: 'u' } })).toBe('{"value":1.8446744073709552E19}')
  })

  it('that are none are null in a metric, and a text elsewhere', async () => {
    expect(await textOf({ avg: { field: 'n' } }, 'empty')).toBe('{"value":null}')
    expect(
      await textOf({ filter: { term: { n: 1 } }, aggs: { s: { extended_stats: { field: 'n' } } } }),
    ).toContain('"variance_sampling":"NaN"')
  })
})

describe('texts beside numbers', () => {
  it('come with a format of the request, for each metric that has a value', async () => {
    const format = '"Value is "##0.0'.replaceAll('"', '')
    const told = (value: string): string => `"Value is ${value}"`
    expect(format).toBe('Value is ##0.0')
    const of = (kind: string): Promise<string> => textOf({ [kind]: { field: 'n', format } })
    expect(await of('avg')).toBe(`{"value":2.0,"value_as_string":${told('2.0')}}`)
    expect(await of('sum')).toBe(`{"value":6.0,"value_as_string":${told('6.0')}}`)
    expect(await of('min')).toBe(`{"value":1.0,"value_as_string":${told('1.0')}}`)
    expect(await of('max')).toBe(`{"value":3.0,"value_as_string":${told('3.0')}}`)
    expect(await of('median_absolute_deviation')).toBe(
      `{"value":1.0,"value_as_string":${told('1.0')}}`,
    )
    const weighted = { value: { field: 'n' }, weight: { field: 'n' }, format }
    expect(await textOf({ weighted_avg: weighted })).toBe(
      `{"value":2.3333333333333335,"value_as_string":${told('2.3')}}`,
    )
  })

  it('stand behind the numbers of stats', async () => {
    expect(await textOf({ stats: { field: 'n', format: '0.00' } })).toBe(
      '{"count":3,"min":1.0,"max":3.0,"avg":2.0,"sum":6.0,"min_as_string":"1.00",' +
        '"max_as_string":"3.00","avg_as_string":"2.00","sum_as_string":"6.00"}',
    )
  })

  it('stand behind those of extended_stats, bounds in an object of their own', async () => {
    const text = await textOf({ extended_stats: { field: 'n', format: '0.0' } })
    expect(text.slice(text.indexOf('"min_as_string"'))).toBe(
      '"min_as_string":"1.0","max_as_string":"3.0","avg_as_string":"2.0","sum_as_string":"6.0",' +
        '"sum_of_squares":14.0,"variance":0.6666666666666666,"variance_population":0.6666666666666666,' +
        '"variance_sampling":1.0,"std_deviation":0.816496580927726,' +
        '"std_deviation_population":0.816496580927726,"std_deviation_sampling":1.0,' +
        '"std_deviation_bounds":{"upper":3.632993161855452,"lower":0.36700683814454793,' +
        '"upper_population":3.632993161855452,"lower_population":0.36700683814454793,' +
        '"upper_sampling":4.0,"lower_sampling":0.0},"sum_of_squares_as_string":"14.0",' +
        '"variance_as_string":"0.7","variance_population_as_string":"0.7",' +
        '"variance_sampling_as_string":"1.0","std_deviation_as_string":"0.8",' +
        '"std_deviation_population_as_string":"0.8","std_deviation_sampling_as_string":"1.0",' +
        '"std_deviation_bounds_as_string":{"upper":"3.6","lower":"0.4","upper_population":"3.6",' +
        '"lower_population":"0.4","upper_sampling":"4.0","lower_sampling":"0.0"}}',
    )
  })

  it('stand beside each percentile and each rank', async () => {
    const body = { field: 'n', percents: [50], format: '0.00' }
    expect(await textOf({ percentiles: body })).toBe(
      '{"values":{"50.0":2.0,"50.0_as_string":"2.00"}}',
    )
    expect(await textOf({ percentiles: { ...body, keyed: false } })).toBe(
      '{"values":[{"key":50.0,"value":2.0,"value_as_string":"2.00"}]}',
    )
    expect(await textOf({ percentile_ranks: { field: 'n', values: [2], format: '0.00' } })).toBe(
      '{"values":{"2.0":50.0,"2.0_as_string":"50.00"}}',
    )
    expect(await textOf({ percentiles: { ...body, hdr: {} } })).toContain('"50.0_as_string":"2.0')
  })

  it('come without a format for dates and booleans, and not for plain numbers', async () => {
    expect(await textOf({ max: { field: 'b' } })).toBe('{"value":1.0,"value_as_string":"true"}')
    expect(await textOf({ max: { field: 't' } })).toBe(
      '{"value":1.4622768E12,"value_as_string":"2016-05-03T12:00:00.000Z"}',
    )
    expect(await textOf({ max: { field: 'day' } })).toBe(
      '{"value":1.46232E12,"value_as_string":"2016/05/04"}',
    )
    expect(await textOf({ max: { field: 'n' } })).toBe('{"value":3.0}')
  })

  it('are absent where there is no value', async () => {
    for (const kind of ['avg', 'min', 'max', 'median_absolute_deviation'])
      expect(await textOf({ [kind]: { field: 'n', format: '0.0' } }, 'empty')).toBe(
        '{"value":null}',
      )
    expect(await textOf({ stats: { field: 't' } }, 'empty')).toBe(
      '{"count":0,"min":null,"max":null,"avg":null,"sum":0.0}',
    )
    expect(await textOf({ percentiles: { field: 't', percents: [5] } }, 'empty')).toBe(
      '{"values":{"5.0":null}}',
    )
  })

  it('never stand beside a number of values', async () => {
    expect(await textOf({ value_count: { field: 't', format: 'yyyy' } })).toBe('{"value":2}')
    expect(await textOf({ cardinality: { field: 't', format: 'yyyy' } })).toBe('{"value":2}')
  })

  it.each([
    ['0', '50'],
    ['#', '50'],
    ['000', '050'],
    ['#,##0.00', '50.00'],
    ['0.0E0', '5.0E1'],
    ['0%', '5000%'],
    ['0‰', '50000‰'],
    ['0.0;(0.0)', '50.0'],
    ['$0.00 each', '$50.00 each'],
    ["'#'0", '#50'],
  ])('print a number by the pattern %s', async (format, text) => {
    const query = { filter: { term: { n: 1 } }, aggs: { m: { max: { field: 'd', format } } } }
    expect(JSON.parse(await textOf(query)).m.value_as_string).toBe(text)
  })

  it.each([
    ['0.0', '-0.5', '-0.5'],
    ['0', '0.5', '0'],
    ['0', '1.5', '2'],
    ['0', '2.5', '2'],
    ['0.0;(0.0)', '-1.25', '(1.2)'],
    ['#,##0', '1234567', '1,234,567'],
    ['00.###E0', '0.00123', '12.3E-4'],
  ])('round half to even by the pattern %s: %s', async (format, missing, text) => {
    const body = { max: { field: 'absent', missing: Number(missing), format } }
    expect(JSON.parse(await textOf(body)).value_as_string).toBe(text)
  })

  it('print dates by any pattern, in the zone of the request', async () => {
    const body = { field: 't', calendar_interval: 'day', time_zone: '-07:00' }
    expect(await textOf({ date_histogram: body })).toContain(
      '"key_as_string":"2016-05-02T00:00:00.000-07:00","key":1462172400000',
    )
    expect(await textOf({ date_histogram: { ...body, format: 'dd.MM.yy HH:mm' } })).toContain(
      '"key_as_string":"02.05.16 00:00"',
    )
    expect(await textOf({ date_histogram: { ...body, format: 'epoch_second' } })).toContain(
      '"key_as_string":"1462172400"',
    )
    expect(await textOf({ terms: { field: 't', format: 'e', size: 1 } })).toContain(
      '"key":1462233600000,"key_as_string":"2"',
    )
    expect(await textOf({ max: { field: 't', format: 'yyyy-MM-dd' } })).toBe(
      '{"value":1.4622768E12,"value_as_string":"2016-05-03"}',
    )
  })

  it('print keys of terms by a pattern', async () => {
    expect(await textOf({ terms: { field: 'n', size: 1, format: '0000' } })).toContain(
      '{"key":1,"key_as_string":"0001","doc_count":1}',
    )
    expect(await textOf({ terms: { field: 'd', size: 1, format: '0.00' } })).toContain(
      '{"key":1.0E-4,"key_as_string":"0.00","doc_count":1}',
    )
  })

  it('stand in for dates of composite keys under a format', async () => {
    const source = (format: object): object => ({
      sources: [{ s: { date_histogram: { field: 't', calendar_interval: 'day', ...format } } }],
    })
    expect(await textOf({ composite: source({}) })).toContain('"key":{"s":1462233600000}')
    expect(await textOf({ composite: source({ format: 'yyyy-MM-dd' }) })).toBe(
      '{"after_key":{"s":"2016-05-03"},"buckets":[{"key":{"s":"2016-05-03"},"doc_count":2}]}',
    )
  })

  it('come with the results of pipelines', async () => {
    const body = {
      size: 0,
      aggs: {
        h: {
          histogram: { field: 'n', interval: 1 },
          aggs: {
            m: { sum: { field: 'n' } },
            c: { cumulative_sum: { buckets_path: 'm', format: '0.00' } },
            d: { derivative: { buckets_path: 'm', format: '0.00' } },
            s: { serial_diff: { buckets_path: 'm', format: '0.00' } },
            f: {
              moving_fn: {
                buckets_path: 'm',
                window: 2,
                script: 'MovingFunctions.max(values)',
                format: '0.00',
              },
            },
          },
        },
        avg: { avg_bucket: { buckets_path: 'h>m', format: '0.00' } },
        max: { max_bucket: { buckets_path: 'h>m', format: '0.00' } },
        stats: { stats_bucket: { buckets_path: 'h>m', format: '0.00' } },
        p: { percentiles_bucket: { buckets_path: 'h>m', percents: [50], format: '0.00' } },
      },
    }
    const { text } = await rest.call('POST /i/_search', body)
    const told = text.slice(text.indexOf('"aggregations":') + 15, -1)
    expect(told).toContain(
      '"c":{"value":6.0,"value_as_string":"6.00"},"d":{"value":1.0,"value_as_string":"1.00"},' +
        '"s":{"value":1.0,"value_as_string":"1.00"},"f":{"value":2.0,"value_as_string":"2.00"}}',
    )
    expect(told.slice(told.indexOf('"avg":'))).toBe(
      '"avg":{"value":2.0,"value_as_string":"2.00"},' +
        '"max":{"value":3.0,"value_as_string":"3.00","keys":["3.0"]},' +
        '"stats":{"count":3,"min":1.0,"max":3.0,"avg":2.0,"sum":6.0,"min_as_string":"1.00",' +
        '"max_as_string":"3.00","avg_as_string":"2.00","sum_as_string":"6.00"},' +
        '"p":{"values":{"50.0":2.0,"50.0_as_string":"2.00"}}}',
    )
  })
})

describe('typed names', () => {
  const N = { field: 'n' }
  it.each([
    ['avg', N, 'avg'],
    ['sum', N, 'sum'],
    ['min', N, 'min'],
    ['max', N, 'max'],
    ['stats', N, 'stats'],
    ['extended_stats', N, 'extended_stats'],
    ['value_count', N, 'value_count'],
    ['cardinality', N, 'cardinality'],
    ['percentiles', N, 'tdigest_percentiles'],
    ['percentiles', { ...N, hdr: {} }, 'hdr_percentiles'],
    ['percentile_ranks', { ...N, values: [1] }, 'tdigest_percentile_ranks'],
    ['percentile_ranks', { ...N, values: [1], hdr: {} }, 'hdr_percentile_ranks'],
    ['median_absolute_deviation', N, 'median_absolute_deviation'],
    ['weighted_avg', { value: N, weight: N }, 'weighted_avg'],
    ['top_hits', {}, 'top_hits'],
    ['geo_bounds', { field: 'at' }, 'geo_bounds'],
    ['geo_centroid', { field: 'at' }, 'geo_centroid'],
    ['matrix_stats', { fields: ['n'] }, 'matrix_stats'],
    ['terms', { field: 'k' }, 'sterms'],
    ['terms', { field: 'ip' }, 'sterms'],
    ['terms', N, 'lterms'],
    ['terms', { field: 't' }, 'lterms'],
    ['terms', { field: 'b' }, 'lterms'],
    ['terms', { field: 'd' }, 'dterms'],
    ['terms', { field: 'u' }, 'ulterms'],
    ['terms', { field: 'absent' }, 'umterms'],
    ['rare_terms', { field: 'k' }, 'srareterms'],
    ['rare_terms', N, 'lrareterms'],
    ['rare_terms', { field: 'absent' }, 'umrareterms'],
    ['multi_terms', { terms: [N, { field: 'k' }] }, 'multi_terms'],
    ['histogram', { ...N, interval: 5 }, 'histogram'],
    ['date_histogram', { field: 't', fixed_interval: '1d' }, 'date_histogram'],
    ['auto_date_histogram', { field: 't' }, 'auto_date_histogram'],
    ['range', { ...N, ranges: [{ to: 1 }] }, 'range'],
    ['date_range', { field: 't', ranges: [{ to: 'now' }] }, 'date_range'],
    ['ip_range', { field: 'ip', ranges: [{ to: '::1' }] }, 'ip_range'],
    ['geo_distance', { field: 'at', origin: [0, 0], ranges: [{ to: 1 }] }, 'geo_distance'],
    ['filter', { match_all: {} }, 'filter'],
    ['filters', { filters: { a: { match_all: {} } } }, 'filters'],
    ['adjacency_matrix', { filters: { a: { match_all: {} } } }, 'adjacency_matrix'],
    ['missing', N, 'missing'],
    ['global', {}, 'global'],
    ['nested', { path: 'o' }, 'nested'],
    ['composite', { sources: [{ s: { terms: N } }] }, 'composite'],
  ])('of %s %j begin with %3$s', async (kind, body, typed) => {
    const aggs = { x: { [kind]: body } }
    const { aggregations } = await ok('POST /i/_search?typed_keys=true', { size: 0, aggs })
    expect(Object.keys(aggregations)).toEqual([`${typed}#x`])
  })

  it('stand at every level, pipelines included', async () => {
    const { aggregations } = await ok('POST /i/_search?typed_keys=true', {
      size: 0,
      aggs: {
        h: {
          histogram: { field: 'n', interval: 1 },
          aggs: {
            m: { sum: { field: 'n' } },
            c: { cumulative_sum: { buckets_path: 'm' } },
            d: { derivative: { buckets_path: 'm' } },
            s: { serial_diff: { buckets_path: 'm' } },
          },
        },
        o: { nested: { path: 'o' }, aggs: { r: { reverse_nested: {} } } },
        avg: { avg_bucket: { buckets_path: 'h>m' } },
        sum: { sum_bucket: { buckets_path: 'h>m' } },
        min: { min_bucket: { buckets_path: 'h>m' } },
        max: { max_bucket: { buckets_path: 'h>m' } },
        stats: { stats_bucket: { buckets_path: 'h>m' } },
        ext: { extended_stats_bucket: { buckets_path: 'h>m' } },
        p: { percentiles_bucket: { buckets_path: 'h>m' } },
      },
    })
    expect(Object.keys(aggregations)).toEqual([
      'histogram#h',
      'nested#o',
      'simple_value#avg',
      'simple_value#sum',
      'bucket_metric_value#min',
      'bucket_metric_value#max',
      'stats_bucket#stats',
      'extended_stats_bucket#ext',
      'percentiles_bucket#p',
    ])
    const bucket = aggregations['histogram#h'].buckets[1]
    expect(Object.keys(bucket).slice(2)).toEqual([
      'sum#m',
      'simple_value#c',
      'derivative#d',
      'simple_value#s',
    ])
    expect(Object.keys(aggregations['nested#o'])).toEqual(['doc_count', 'reverse_nested#r'])
  })

  it('are those of unmapped terms only where no shard has the field', async () => {
    await ok('PUT /bare', { mappings: { properties: { other: { type: 'keyword' } } } })
    const aggs = { x: { terms: { field: 'k' } } }
    const { aggregations } = await ok('POST /i,bare/_search?typed_keys=true', { size: 0, aggs })
    expect(Object.keys(aggregations)).toEqual(['sterms#x'])
  })
})

describe('without documents', () => {
  const N = { field: 'n' }
  it.each([
    ['avg', N, '{"value":null}'],
    ['min', N, '{"value":null}'],
    ['max', N, '{"value":null}'],
    ['weighted_avg', { value: N, weight: N }, '{"value":null}'],
    ['median_absolute_deviation', N, '{"value":null}'],
    ['sum', N, '{"value":0.0}'],
    ['value_count', N, '{"value":0}'],
    ['cardinality', N, '{"value":0}'],
    ['stats', N, '{"count":0,"min":null,"max":null,"avg":null,"sum":0.0}'],
    ['percentiles', { ...N, percents: [5, 50] }, '{"values":{"5.0":null,"50.0":null}}'],
    ['percentile_ranks', { ...N, values: [3] }, '{"values":{"3.0":null}}'],
    ['top_hits', {}, '{"hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]}}'],
    ['geo_centroid', { field: 'at' }, '{"count":0}'],
    ['geo_bounds', { field: 'at' }, '{}'],
    ['terms', N, '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[]}'],
    ['rare_terms', { field: 'k' }, '{"buckets":[]}'],
    ['histogram', { ...N, interval: 1 }, '{"buckets":[]}'],
    ['histogram', { ...N, interval: 1, keyed: true }, '{"buckets":{}}'],
    ['composite', { sources: [{ s: { terms: N } }] }, '{"buckets":[]}'],
    [
      'range',
      { ...N, ranges: [{ to: 1 }] },
      '{"buckets":[{"key":"*-1.0","to":1.0,"doc_count":0}]}',
    ],
    ['filters', { filters: [{ match_all: {} }] }, '{"buckets":[{"doc_count":0}]}'],
    ['missing', N, '{"doc_count":0}'],
  ])('%s %j answers %s', async (kind, body, text) => {
    expect(await textOf({ [kind]: body }, 'empty')).toBe(text)
  })

  it('extended_stats has null for everything but the number and the sum', async () => {
    const answer = JSON.parse(await textOf({ extended_stats: N }, 'empty'))
    const { count, sum, std_deviation_bounds: bounds, ...others } = answer
    expect([count, sum]).toEqual([0, 0])
    expect(Object.keys(bounds)).toHaveLength(6)
    for (const value of [...Object.values(bounds), ...Object.values(others)])
      expect(value).toBeNull()
  })

  it('empty buckets have all children', async () => {
    const body = {
      filters: { filters: { none: { term: { k: 'absent' } } } },
      aggs: { m: { max: N }, t: { terms: { field: 'k' } } },
    }
    expect(await textOf(body)).toBe(
      '{"buckets":{"none":{"doc_count":0,"m":{"value":null},"t":{"doc_count_error_upper_bound":0,' +
        '"sum_other_doc_count":0,"buckets":[]}}}}',
    )
  })
})
