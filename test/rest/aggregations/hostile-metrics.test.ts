import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', {
    mappings: {
      properties: {
        n: { type: 'integer' },
        s: { type: 'scaled_float', scaling_factor: 100 },
        u: { type: 'unsigned_long' },
        t: { type: 'date' },
        ns: { type: 'date_nanos' },
        b: { type: 'boolean' },
        k: { type: 'keyword' },
        ip: { type: 'ip' },
        at: { type: 'geo_point' },
        text: { type: 'text' },
        join: { type: 'join', relations: { k: 'n' } },
        kids: { type: 'nested', properties: { n: { type: 'integer' } } },
      },
    },
  })
  await rest.call('PUT /i/_doc/1?refresh', {
    n: [1, -2],
    s: 1.25,
    u: '18446744073709551615',
    t: '2020-01-01',
    ns: '2020-01-01T00:00:00.000000001Z',
    b: true,
    k: ['a', 'b'],
    ip: '::1',
    at: '1,2',
    text: 'word',
    join: 'k',
    kids: [{ n: 1 }],
  })
})

afterAll(() => rest.close())

const FIELDS = [
  'n',
  's',
  'u',
  't',
  'ns',
  'b',
  'k',
  'ip',
  'at',
  'text',
  'kids',
  'kids.n',
  '_id',
  '_index',
  '_doc_count',
  'absent',
  '',
  '__proto__',
]
const KEYS: Readonly<Record<string, readonly string[]>> = {
  cardinality: ['field', 'missing', 'precision_threshold', 'execution_hint', 'value_type'],
  percentiles: ['field', 'missing', 'percents', 'keyed', 'tdigest', 'hdr', 'format'],
  percentile_ranks: ['field', 'missing', 'values', 'keyed', 'tdigest', 'hdr', 'format'],
  median_absolute_deviation: ['field', 'missing', 'compression', 'format', 'value_type'],
  weighted_avg: ['value', 'weight', 'format', 'value_type'],
  top_hits: [
    'from',
    'size',
    'sort',
    'track_scores',
    '_source',
    'fields',
    'docvalue_fields',
    'stored_fields',
    'explain',
    'version',
    'seq_no_primary_term',
  ],
  geo_bounds: ['field', 'missing', 'wrap_longitude', 'value_type'],
  geo_centroid: ['field', 'missing', 'value_type'],
  matrix_stats: ['fields', 'missing', 'mode'],
  geohash_grid: ['field', 'missing', 'precision', 'bounds', 'size', 'shard_size', 'value_type'],
  geotile_grid: ['field', 'missing', 'precision', 'bounds', 'size', 'shard_size', 'value_type'],
  geohex_grid: ['field', 'missing', 'precision', 'bounds', 'size', 'shard_size', 'value_type'],
  children: ['type'],
  parent: ['type'],
}

const field = fc.constantFrom(...FIELDS)
const scalar = fc.oneof(
  field,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    '1',
    '-1e400',
    '1e308',
    'NaN',
    '10.0.0.1',
    '2020',
    '0.0',
    'true',
    '#,##0',
    '90,181',
    'long',
    'ip',
    '5km',
    '1e-300mm',
    'BBOX (1, 2, 4, 3)',
  ),
)
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'field',
        'missing',
        'compression',
        'number_of_significant_value_digits',
        'n',
        'k',
        'order',
        'lat',
        'lon',
        'top',
        'left',
        'bottom',
        'right',
        'top_left',
        'bottom_right',
        'wkt',
        'includes',
        'nested',
        'path',
      ),
      scalar,
      { maxKeys: 4 },
    ),
  },
)
const aggregation = fc.constantFrom(...Object.keys(KEYS)).chain(type =>
  fc
    .tuple(fc.dictionary(fc.constantFrom(...KEYS[type]!, 'junk'), value, { maxKeys: 4 }), field)
    .map(([body, name]) => {
      const named = KEYS[type]!.includes('field') ? { field: name } : {}
      return { [type]: { ...named, ...body } }
    }),
)

it('answers any body with a result or an error of the caller', async () => {
  await fc.assert(
    fc.asyncProperty(aggregation, fc.boolean(), async (asked, isBelow) => {
      const { status, text } = await rest.call('POST /i/_search', {
        aggs: isBelow ? { k: { terms: { field: 'k' }, aggs: { a: asked } } } : { a: asked },
      })
      // Fields that go with no stored fields are a `search_exception`, which is a 500 in the real server too.
      if (status === 500) expect(text).toContain('[stored_fields] cannot be disabled')
      else expect([200, 400], text).toContain(status)
    }),
    { numRuns: 1500 },
  )
})
