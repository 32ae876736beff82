/** What aggregations refuse, with the type and text of each error. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    t: { type: 'date' },
    ip: { type: 'ip' },
    b: { type: 'boolean' },
    text: { type: 'text' },
    at: { type: 'geo_point' },
    o: { type: 'nested', properties: { x: { type: 'long' } } },
    plain: { properties: { x: { type: 'long' } } },
  }
  await ok('PUT /i', { settings: { number_of_shards: 1 }, mappings: { properties } })
  await ok('POST /i/_doc/1?refresh', { k: 'a', n: 1, t: 0, ip: '::1', b: true, at: [0, 0] })
  await ok('POST /i/_doc/2?refresh', { k: 'b', n: 2, t: 1, ip: '::2', b: false, o: { x: 1 } })
  await ok('PUT /j', { mappings: { properties: { n: { type: 'keyword' } } } })
  await ok('POST /j/_doc/1?refresh', { n: 'x' })
})
afterAll(() => rest.close())

interface Refusal {
  readonly type: string
  readonly reason: string
}

/** An error with its causes, those of a failed shard included. */
function chainOf(error: {
  readonly type: string
  readonly reason: string
  readonly caused_by?: unknown
  readonly failed_shards?: readonly { readonly reason: unknown }[]
}): readonly Refusal[] {
  const { type, reason, caused_by: cause, failed_shards: shards = [] } = error
  const below = [...(cause === undefined ? [] : [cause]), ...shards.map(each => each.reason)]
  return [{ type, reason }, ...below.flatMap(each => chainOf(each as typeof error))]
}

/** The errors of a request that is refused as the caller's mistake. */
async function refusalsOf(aggs: object, index = 'i'): Promise<readonly Refusal[]> {
  const { status, json, text } = await rest.call(`POST /${index}/_search`, { size: 0, aggs })
  expect(status, text).toBe(400)
  return chainOf(json.error)
}

const N = { field: 'n' }
const max = { max: N }
const terms = (body: object): object => ({ x: { terms: { field: 'k', ...body } } })
const histogram = (body: object, aggs: object = {}): object => ({
  x: { histogram: { ...N, interval: 1, ...body }, aggs },
})
const dates = (body: object): object => ({ x: { date_histogram: { field: 't', ...body } } })
const composite = (body: object): object => ({ x: { composite: body } })
const SOURCES = [{ a: { terms: { field: 'k' } } }]

/** Rows of one type of error. */
type Rows = readonly (readonly [aggs: object, reason: string])[]

const ILLEGAL: Rows = [
  [
    histogram({}, { p: { derivative: { buckets_path: '_count' }, aggs: { m: max } } }),
    'Aggregation [p] cannot define sub-aggregations',
  ],
  ...['avg', 'terms', 'cardinality', 'missing', 'histogram', 'percentiles'].map(
    kind =>
      [
        { x: { [kind]: kind === 'histogram' ? { interval: 1 } : {} } },
        'Required one of fields [field, script], but none were specified. ',
      ] as const,
  ),
  ...(['avg', 'histogram', 'range', 'percentiles', 'median_absolute_deviation'] as const).map(
    kind =>
      [
        {
          x: {
            [kind]: {
              field: 'k',
              ...(kind === 'range' ? { ranges: [{}] } : {}),
              ...(kind === 'histogram' ? { interval: 1 } : {}),
            },
          },
        },
        `Field [k] of type [keyword] is not supported for aggregation [${kind}]`,
      ] as const,
  ),
  [
    { x: { date_range: { field: 'ip', ranges: [{ from: 1 }] } } },
    'Field [ip] of type [ip] is not supported for aggregation [date_range]',
  ],
  [
    { x: { ip_range: { field: 'k', ranges: [{ to: '::1' }] } } },
    'Field [k] of type [keyword] is not supported for aggregation [ip_range]',
  ],
  [
    { x: { terms: { field: 'at' } } },
    'Field [at] of type [geo_point] is not supported for aggregation [terms]',
  ],
  [terms({ size: 0 }), '[size] must be greater than 0. Found [0] in [x]'],
  [terms({ size: -5 }), '[size] must be greater than 0. Found [-5] in [x]'],
  [terms({ shard_size: 0 }), '[shardSize] must be greater than 0. Found [0] in [x]'],
  [
    terms({ min_doc_count: -1 }),
    '[minDocCount] must be greater than or equal to 0. Found [-1] in [x]',
  ],
  [
    terms({ shard_min_doc_count: -1 }),
    '[shardMinDocCount] must be greater than or equal to 0. Found [-1] in [x]',
  ],
  [
    terms({ execution_hint: 'fast' }),
    'Unknown `execution_hint`: [fast], expected any of [map, global_ordinals, stream]',
  ],
  [
    terms({ include: `a{1,${'1'.repeat(1000)}}` }),
    'The length of regex [1005] used in the request has exceeded the allowed maximum of [1000]. This ' +
      'maximum can be set by changing the [index.max_regex_length] index level setting.',
  ],
  ...(['n', 't'] as const).map(
    field =>
      [
        { x: { terms: { field, exclude: '1.*' } } },
        'Aggregation [x] cannot support regular expression style include/exclude settings as they can ' +
          'only be applied to string fields. Use an array of numeric values for include/exclude clauses',
      ] as const,
  ),
  [
    { x: { terms: { field: 'ip', include: '.*' } } },
    'Aggregation [x] cannot support regular expression style include/exclude settings as they can ' +
      'only be applied to string fields. Use an array of values for include/exclude clauses',
  ],
  [
    { x: { extended_stats: { ...N, sigma: -1 } } },
    '[sigma] must be greater than or equal to 0. Found [-1.0] in [x]',
  ],
  [
    { x: { cardinality: { ...N, precision_threshold: -1 } } },
    '[precisionThreshold] must be greater than or equal to 0. Found [-1] in [x]',
  ],
  [{ x: { percentiles: { ...N, percents: [] } } }, '[percents] must not be an empty array: [x]'],
  [
    { x: { percentiles: { ...N, percents: [101] } } },
    'percent must be in [0,100], got [101.0]: [x]',
  ],
  [
    { x: { percentiles: { ...N, tdigest: { compression: -1 } } } },
    '[compression] must be greater than or equal to 0. Found [-1.0]',
  ],
  [
    { x: { percentiles: { ...N, hdr: { number_of_significant_value_digits: 6 } } } },
    '[numberOfSignificantValueDigits] must be between 0 and 5',
  ],
  [
    { x: { median_absolute_deviation: { ...N, compression: 0 } } },
    '[compression] must be greater than 0. Found [0.0] in [x]',
  ],
  [
    { x: { top_hits: { from: 90, size: 11 } } },
    "Top hits result window is too large, the top hits aggregator [x]'s from + size must be less " +
      'than or equal to: [100] but was [101]. This limit can be set by changing the ' +
      '[index.max_inner_result_window] index level setting.',
  ],
  [
    { x: { multi_terms: { terms: [N] } } },
    'multi term aggregation must has at least 2 terms. Found [1] in [x] Use terms aggregation for ' +
      'single term aggregation',
  ],
  [histogram({ interval: -1 }), '[interval] must be >0 for histogram aggregation [x]'],
  [
    histogram({ hard_bounds: { min: 0, max: 5 }, extended_bounds: { min: 0, max: 6 } }),
    'Extended bounds have to be inside hard bounds, hard bounds: [0.0--5.0], extended bounds: [0.0--6.0]',
  ],
  [dates({}), 'Invalid interval specified, must be non-null and non-empty'],
  [
    dates({ calendar_interval: '7d' }),
    'The supplied interval [7d] could not be parsed as a calendar interval.',
  ],
  [
    dates({ fixed_interval: '1d', calendar_interval: 'day' }),
    'Cannot use [calendar_interval] with [fixed_interval] configuration option.',
  ],
  [
    dates({ calendar_interval: 'day', fixed_interval: '1d' }),
    'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
  ],
  [{ x: { auto_date_histogram: { field: 't', buckets: 5000 } } }, 'buckets must be less than 2184'],
  [{ x: { range: N } }, 'No [ranges] specified for the [x] aggregation'],
  [{ x: { date_range: { field: 't' } } }, 'No [ranges] specified for the [x] aggregation'],
  [
    { x: { geo_distance: { field: 'at', ranges: [{ to: 1 }] } } },
    'Aggregation [x] must define an [origin].',
  ],
  [{ x: { filters: { filters: {} } } }, '[filters] cannot be empty.'],
  [
    {
      x: {
        adjacency_matrix: {
          filters: Object.fromEntries(
            Array.from({ length: 101 }, (_, i) => [`f${i}`, { match_all: {} }]),
          ),
        },
      },
    },
    'Number of filters is too large, must be less than or equal to: [100] but was [101]. This limit ' +
      'can be set by changing the [index.max_adjacency_matrix_filters] index level setting.',
  ],
  [{ x: { nested: { path: 'plain' } } }, '[nested] nested path [plain] is not nested'],
  [
    { x: { reverse_nested: {} } },
    'Reverse nested aggregation [x] can only be used inside a [nested] aggregation',
  ],
  [composite({ sources: [] }), 'Composite [sources] cannot be null or empty'],
  [composite({}), 'Required [sources]'],
  [
    composite({ sources: [...SOURCES, ...SOURCES] }),
    'Composite source names must be unique, found duplicates: [a]',
  ],
  [
    composite({ sources: SOURCES, after: { a: 'b', c: 1 } }),
    '[after] has 2 value(s) but [sources] has 1',
  ],
  [composite({ sources: SOURCES, after: { c: 1 } }), 'Missing value for [after.a]'],
  [
    { t: { terms: { field: 'k' }, aggs: composite({ sources: SOURCES }) } },
    '[composite] aggregation cannot be used with a parent aggregation of type: [TermsAggregatorFactory]',
  ],
  [
    histogram(
      {},
      {
        p: { cumulative_sum: { buckets_path: 'q' } },
        q: { cumulative_sum: { buckets_path: 'p' } },
      },
    ),
    'Cyclical dependency found with pipeline aggregator [p]',
  ],
  [
    histogram({}, { p: { cumulative_sum: { buckets_path: 'none' } } }),
    'No aggregation found for path [none]',
  ],
  [
    { ...histogram({}, { m: max }), p: { sum_bucket: { buckets_path: 'x>none' } } },
    'No aggregation [none] found for path [x>none]',
  ],
  [
    histogram({}, { p: { derivative: { buckets_path: '_count', gap_policy: 'keep' } } }),
    'Invalid gap policy: [keep], accepted values: [insert_zeros, skip]',
  ],
  [
    {
      x: {
        moving_fn: { buckets_path: '_count', window: 0, script: 'MovingFunctions.max(values)' },
      },
    },
    '[window] must be a positive, non-zero integer.',
  ],
]

const EXECUTION: Rows = [
  ...(['none', 'none>m', 'none.max'] as const).map(
    path =>
      [
        terms({ order: { [path]: 'asc' } }),
        `Invalid aggregation order path [${path}]. The provided aggregation [none] either does not ` +
          'exist, or is a pipeline aggregation and cannot be used to sort the buckets.',
      ] as const,
  ),
  [
    { x: { terms: { field: 'absent', order: { none: 'asc' } } } },
    'Invalid aggregation order path [none]. The provided aggregation [none] either does not exist, or ' +
      'is a pipeline aggregation and cannot be used to sort the buckets.',
  ],
  [
    { x: { filter: { match_all: {} }, aggs: { g: { global: {} } } } },
    'Aggregation [x] cannot have a global sub-aggregation [g]. Global aggregations can only be ' +
      'defined as top level aggregations',
  ],
  [
    {
      x: { terms: { field: 'k' }, aggs: { s: { stats: N } } },
      p: { max_bucket: { buckets_path: 'x>s' } },
    },
    'buckets_path must reference either a number value or a single value numeric metric aggregation, ' +
      'but [s] contains multiple values. Please specify which to use.',
  ],
  [
    {
      x: { terms: { field: 'k' }, aggs: { s: { terms: { field: 'k' } } } },
      p: { max_bucket: { buckets_path: 'x>s' } },
    },
    'buckets_path must reference either a number value or a single value numeric metric aggregation, ' +
      'got: [StringTerms] at aggregation [s]',
  ],
  [
    {
      x: {
        terms: { field: 'k' },
        aggs: { s: { terms: { field: 'k' }, aggs: { m: max } } },
      },
      p: { max_bucket: { buckets_path: 'x>s>m' } },
    },
    'buckets_path must reference either a number value or a single value numeric metric aggregation, ' +
      'got: [Object[]] at aggregation [s]',
  ],
]

const PARSING: Rows = [
  [{ x: { nested: {} } }, 'Missing [path] field for nested aggregation [x]'],
  ...(['a[b', 'a]', 'a>b'] as const).map(
    name =>
      [
        { [name]: max },
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ` +
          "']', and '>'",
      ] as const,
  ),
  [{ x: {} }, 'Missing definition for aggregation [x]'],
  [{ x: { max: N, min: N } }, 'Found two aggregation type definitions in [x]: [max] and [min]'],
  [
    { x: { filter: { match_all: {} }, aggs: { m: max }, aggregations: { m: max } } },
    'Found two sub aggregation definitions under [x]',
  ],
  [{ x: { termz: {} } }, 'Unknown aggregation type [termz] did you mean [terms]?'],
  [{ x: { boxplot: {} } }, 'Unknown aggregation type [boxplot]'],
  [{ x: { top_metrics: {} } }, 'Unknown aggregation type [top_metrics] did you mean [top_hits]?'],
  [terms({ order: {} }), 'Must specify at least one field for [order]'],
  [terms({ order: { _key: 'up' } }), 'Unknown order direction [up]'],
  [
    { x: { filters: { filters: [{ match_all: {} }], other: true } } },
    'Unknown key for a VALUE_BOOLEAN in [x]: [other].',
  ],
  [{ x: { nested: { path: 'o', deep: 1 } } }, 'Unknown key for a VALUE_NUMBER in [x]: [deep].'],
  [
    { x: { nested: { path: 'o' }, aggs: { r: { reverse_nested: { paths: 'o' } } } } },
    'Unknown key for a VALUE_STRING in [r]: [paths].',
  ],
]

const VALIDATION: Rows = [
  [
    { x: { bucket_sort: {} } },
    'bucket_sort aggregation [x] must be declared inside of another aggregation',
  ],
  ...['derivative', 'cumulative_sum', 'serial_diff'].flatMap(kind => {
    const p = { [kind]: { buckets_path: '_count' } }
    const needed = `${kind} aggregation [p] must have a histogram, date_histogram or auto_date_histogram as parent`
    return [
      [{ p }, `${needed} but doesn't have a parent`],
      [{ x: { terms: { field: 'k' }, aggs: { p } } }, needed],
      [
        histogram({ min_doc_count: 1 }, { p }),
        `parent histogram of ${kind} aggregation [p] must have min_doc_count of 0`,
      ],
    ] as const
  }),
  [
    { p: { max_bucket: { buckets_path: 'none>m' } } },
    'buckets_path aggregation does not exist for aggregation [p]: none>m',
  ],
]

/** An error whose text begins with where in the request it is. */
const CONTENT: Rows = [
  [{ x: { max: { ...N, sizes: 1 } } }, '[max] unknown field [sizes]'],
  [
    { x: { terms: { field: 'k', sizes: 1 } } },
    '[terms] unknown field [sizes] did you mean [size]?',
  ],
  [
    { x: { date_histogram: { field: 't', intervall: '1d' } } },
    '[date_histogram] unknown field [intervall] did you mean [interval]?',
  ],
  [composite({ sources: SOURCES, form: 1 }), '[composite] unknown field [form]'],
]

describe.each([
  ['illegal_argument_exception', ILLEGAL],
  ['aggregation_execution_exception', EXECUTION],
  ['parsing_exception', PARSING],
] as const)('%s', (type, rows) => {
  it.each(rows)('refuses %j', async (aggs, reason) => {
    expect(await refusalsOf(aggs)).toContainEqual({ type, reason })
  })
})

describe('action_request_validation_exception', () => {
  it.each(VALIDATION)('refuses %j', async (aggs, reason) => {
    expect(await refusalsOf(aggs)).toContainEqual({
      type: 'action_request_validation_exception',
      reason: `Validation Failed: 1: ${reason};`,
    })
  })
})

describe('x_content_parse_exception', () => {
  it.each(CONTENT)('refuses %j', async (aggs, reason) => {
    const [found] = await refusalsOf(aggs)
    expect(found).toEqual({
      type: 'x_content_parse_exception',
      reason: expect.stringMatching(/^\[\d+:\d+\] /),
    })
    expect(found!.reason.replace(/^\[\d+:\d+\] /, '')).toBe(reason)
  })
})

describe('others', () => {
  it('metrics take no aggregations below them', async () => {
    for (const [kind, body] of [
      ['max', N],
      ['top_hits', {}],
      ['cardinality', N],
      ['matrix_stats', { fields: ['n'] }],
    ] as const)
      expect(await refusalsOf({ x: { [kind]: body, aggs: { m: max } } })).toContainEqual({
        type: 'aggregation_initialization_exception',
        reason: `Aggregator [x] of type [${kind}] cannot accept sub-aggregations`,
      })
  })

  it('errors of the request tell line and column', async () => {
    const { json } = await rest.call('POST /i/_search', '{\n "aggs": {"x": {"termz": {}}}}')
    expect(json.error).toMatchObject({ type: 'parsing_exception', line: 2, col: 17 })
    expect(json.error.caused_by).toMatchObject({ type: 'named_object_not_found_exception' })
  })

  it('a name that comes twice is refused with the JSON that it stands in', async () => {
    const twice = '{"size":0,"aggs":{"x":{"max":{"field":"n"}},"x":{"min":{"field":"n"}}}}'
    const { status, json } = await rest.call('POST /i/_search', twice)
    expect([status, json.error.reason]).toEqual([
      400,
      expect.stringContaining("Duplicate field 'x'"),
    ])
  })

  it('only one method of percentiles is taken', async () => {
    const both = { x: { percentiles: { ...N, hdr: {}, tdigest: {} } } }
    expect((await refusalsOf(both)).map(({ reason }) => reason)).toContain(
      'Only one percentiles method should be declared.',
    )
  })

  it('text has no values, and says so', async () => {
    expect(await refusalsOf({ x: { terms: { field: 'text' } } })).toContainEqual({
      type: 'illegal_argument_exception',
      reason: expect.stringMatching(
        /^Text fields are not optimised for operations that require per-document field data like aggregations and sorting/,
      ),
    })
  })

  it('a fixed interval must be a time', async () => {
    const chain = await refusalsOf(dates({ fixed_interval: '1x' }))
    expect(chain.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(
        /^failed to parse setting \[date_histogram.fixedInterval\] with value \[1x\] as a time value: /,
      ),
    )
  })

  it('bounds of dates must be in order', async () => {
    const bounds = { extended_bounds: { min: '2020-01-02', max: '2020-01-01' } }
    const chain = await refusalsOf(dates({ calendar_interval: 'day', ...bounds }))
    expect(chain.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(
        /^\[extended_bounds.min\]\[.*\] cannot be greater than \[extended_bounds.max\]\[.*\]/,
      ),
    )
  })

  it('values that a partition takes in are not left out beside it', async () => {
    const body = { include: { partition: 0, num_partitions: 2 }, exclude: ['b'] }
    for (const kind of ['terms', 'rare_terms'])
      expect(await refusalsOf({ x: { [kind]: { field: 'k', ...body } } })).toContainEqual({
        type: 'illegal_argument_exception',
        reason: 'Cannot specify any excludes when using a partition-based include',
      })
  })

  it('a list of values does not stand beside a pattern', async () => {
    for (const [kind, field] of [
      ['terms', 'k'],
      ['rare_terms', 'k'],
      ['significant_terms', 'k'],
      ['significant_text', 'text'],
    ] as const)
      for (const [include, exclude, reason] of [
        ['a.*', ['b'], 'Cannot mix a regex-based include with a set-based method'],
        [['a'], 'b.*', 'Cannot mix a set-based include with a regex-based method'],
      ] as const)
        expect(await refusalsOf({ x: { [kind]: { field, include, exclude } } })).toContainEqual({
          type: 'illegal_argument_exception',
          reason,
        })
  })

  it('a fixed interval has a unit', async () => {
    expect(await refusalsOf(dates({ fixed_interval: 'x' }))).toContainEqual({
      type: 'illegal_argument_exception',
      reason:
        'failed to parse setting [date_histogram.fixedInterval] with value [x] as a time value: ' +
        'unit is missing or unrecognized',
    })
  })

  it('names have no brackets', async () => {
    for (const name of ['a[', ']', 'a>b'])
      expect(await refusalsOf({ [name]: { avg: { field: 'n' } } })).toContainEqual(
        expect.objectContaining({
          type: 'parsing_exception',
          reason:
            `Invalid aggregation name [${name}]. Aggregation names can contain any character ` +
            "except '[', ']', and '>'",
        }),
      )
  })

  it('a name of two types in two indices cannot be merged', async () => {
    const chain = await refusalsOf({ x: { terms: N } }, 'i,j')
    expect(chain).toContainEqual({
      type: 'aggregation_execution_exception',
      reason:
        'Merging/Reducing the aggregations failed when computing the aggregation [x] because the ' +
        'field you gave in the aggregation query existed as two different types in two different ' +
        'indices',
    })
  })

  it('a document has one weight', async () => {
    await ok('PUT /w', { mappings: { properties: { v: { type: 'long' }, w: { type: 'long' } } } })
    await ok('POST /w/_doc/1?refresh', { v: 1, w: [1, 2] })
    const body = { value: { field: 'v' }, weight: { field: 'w' } }
    expect(await refusalsOf({ x: { weighted_avg: body } }, 'w')).toContainEqual({
      type: 'aggregation_execution_exception',
      reason:
        'Encountered more than one weight for a single document. Use a script to combine multiple ' +
        'weights-per-doc into a single value.',
    })
  })

  it('a text is no width of bounds', async () => {
    const [first] = await refusalsOf({ x: { extended_stats: { ...N, sigma: 'wide' } } })
    expect(first!.type).toBe('x_content_parse_exception')
  })
})

describe('a range', () => {
  const over = (kind: string, range: unknown): object => ({
    x: {
      [kind]: {
        field: { range: 'n', date_range: 't', ip_range: 'ip', geo_distance: 'at' }[kind],
        ...(kind === 'geo_distance' ? { origin: [0, 0] } : {}),
        ranges: [range],
      },
    },
  })

  it.each<[kind: string, range: unknown, type: 'x_content' | 'parsing', reason: string]>([
    ['range', { fro: 1 }, 'x_content', '[range] unknown field [fro] did you mean [from]?'],
    ['date_range', { too: 1 }, 'x_content', '[range] unknown field [too] did you mean [to]?'],
    ['range', { mask: '::/1' }, 'x_content', '[range] unknown field [mask]'],
    [
      'date_range',
      { from: true },
      'x_content',
      "[range] from doesn't support values of type: VALUE_BOOLEAN",
    ],
    ['range', 1, 'x_content', '[range] Expected START_OBJECT but was: VALUE_NUMBER'],
    ['ip_range', { form: '::1' }, 'parsing', 'Unexpected ip range parameter: [form]'],
    ['ip_range', '::1', 'parsing', '[ranges] must contain objects, but hit a VALUE_STRING'],
    ['geo_distance', { form: 1 }, 'parsing', 'Failed to parse object: unknown field [form] found'],
    ['geo_distance', { key: 1 }, 'parsing', 'Failed to parse object: unknown field [key] found'],
    [
      'geo_distance',
      { from: {} },
      'parsing',
      'Failed to parse object: unexpected token [START_OBJECT] found',
    ],
  ])('of %s refuses %j', async (kind, range, type, reason) => {
    const { status, json, text } = await rest.call('POST /i/_search', { aggs: over(kind, range) })
    expect(status, text).toBe(400)
    expect(json.error.reason).toMatch(
      new RegExp(`^\\[1:\\d+\\] \\[${kind}\\] failed to parse field \\[ranges\\]$`),
    )
    const [root] = json.error.root_cause
    expect(root.type).toBe(`${type}${type === 'parsing' ? '_exception' : '_parse_exception'}`)
    expect(root.reason.replace(/^\[1:\d+\] /, '')).toBe(reason)
  })

  it('of addresses is a block, whatever ends stand beside it', async () => {
    const range = { mask: '::/127', from: '::2' }
    const { json } = await rest.call('POST /i/_search', { aggs: over('ip_range', range) })
    expect(json.aggregations.x.buckets).toEqual([{ key: '::/127', to: '::2', doc_count: 1 }])
  })
})

it('tell the outermost of several refusals', async () => {
  const sum = { sum: { field: 'k' } }
  const far = { geo_distance: { field: 'ip', origin: [0, 0], ranges: [{ to: 1 }] }, aggs: { sum } }
  const first = (aggs: object): Promise<string> => refusalsOf(aggs).then(([, own]) => own!.reason)
  expect(await first({ far })).toBe(
    'Field [ip] of type [ip] is not supported for aggregation [geo_distance]',
  )
  expect(
    await first({ near: { ...far, geo_distance: { ...far.geo_distance, field: 'at' } } }),
  ).toBe('Field [k] of type [keyword] is not supported for aggregation [sum]')
})
