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
        b: { type: 'boolean' },
        k: { type: 'keyword' },
        c: { type: 'constant_keyword', value: 'x' },
        ip: { type: 'ip' },
        at: { type: 'geo_point' },
        text: { type: 'text', fielddata: true },
        kids: { type: 'nested', properties: { n: { type: 'integer' }, text: { type: 'text' } } },
        sub: { type: 'completion' },
      },
    },
  })
  for (const id of [1, 2])
    await rest.call(`PUT /i/_doc/${id}?refresh`, {
      n: id,
      s: 1.25,
      u: '18446744073709551615',
      t: '2020-01-01',
      b: true,
      k: 'a',
      ip: '::1',
      at: '1,2',
      text: ['word', 'word other'],
      kids: [{ n: 1, text: 'kid' }, { n: [2, 3] }],
      sub: 'some',
    })
})
afterAll(() => rest.close())

const SIGNIFICANCE = [
  'size',
  'shard_size',
  'min_doc_count',
  'shard_min_doc_count',
  'include',
  'exclude',
  'background_filter',
  'jlh',
  'percentage',
  'gnd',
  'chi_square',
  'mutual_information',
  'script_heuristic',
]
const VALUES = ['missing', 'value_type', 'format', 'script']
const KEYS: Readonly<Record<string, readonly string[]>> = {
  sampler: ['shard_size'],
  diversified_sampler: [...VALUES, 'shard_size', 'max_docs_per_value', 'execution_hint'],
  significant_terms: [...VALUES, ...SIGNIFICANCE, 'execution_hint'],
  significant_text: [...SIGNIFICANCE, 'source_fields', 'filter_duplicate_text'],
  variable_width_histogram: [...VALUES, 'buckets', 'shard_size', 'initial_buffer'],
}

const field = fc.constantFrom(
  ...['n', 's', 'u', 't', 'b', 'k', 'c', 'ip', 'at', 'text', 'kids', 'kids.n', 'kids.text', 'sub'],
  ...['_id', '_index', '_doc_count', '_source', 'absent', '', '__proto__', 'constructor'],
)
const scalar = fc.oneof(
  field,
  fc.integer(),
  fc.integer({ min: -1, max: 4 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    '1',
    '-1e400',
    'NaN',
    '10.0.0.1',
    '2020',
    'true',
    'map',
    'bytes_hash',
    'a.*',
    '(',
  ),
)
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom({}, { match_all: {} }, { term: { k: 'a' } }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'include_negatives',
        'background_is_superset',
        'partition',
        'num_partitions',
        'term',
        'junk',
      ),
      scalar,
      { maxKeys: 3 },
    ),
  },
)
const aggregation = fc
  .constantFrom(...Object.keys(KEYS))
  .chain(type =>
    fc
      .tuple(fc.dictionary(fc.constantFrom(...KEYS[type]!, 'junk'), value, { maxKeys: 4 }), field)
      .map(([body, name]) => ({ [type]: type === 'sampler' ? body : { field: name, ...body } })),
  )
const PARENTS: readonly object[] = [
  { terms: { field: 'k' } },
  { sampler: {} },
  { nested: { path: 'kids' } },
  { diversified_sampler: { field: 'kids.n' } },
  { variable_width_histogram: { field: 'n' } },
  { significant_terms: { field: 'k', min_doc_count: 1 } },
  { global: {} },
]

it('answers any body with a result or an error of the caller (seed 64)', async () => {
  await fc.assert(
    fc.asyncProperty(
      aggregation,
      aggregation,
      fc.constantFrom(...PARENTS),
      fc.boolean(),
      async (first, second, parent, isBelow) => {
        const below = { a: first, b: second }
        const aggs = isBelow ? { p: { ...parent, aggs: below } } : below
        const { status, text } = await rest.call('POST /i/_search', { aggs, profile: isBelow })
        expect([200, 400, 429, 503], text).toContain(status)
      },
    ),
    { numRuns: 1500, seed: 64 },
  )
})
