import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    f: { type: 'scaled_float', scaling_factor: 10 },
    d: { type: 'date' },
    nano: { type: 'date_nanos' },
    p: { type: 'geo_point' },
    bare: { type: 'integer', doc_values: false },
  })
  await index.add(
    { t: 'a', k: 'x', n: 1, f: 2.5, d: '2024-01-01', nano: '2024-01-01', p: [0, 0] },
    { t: 'a', k: 'y', n: [10, 4], d: '2024-01-11', nano: '2024-01-11', p: [0, 1] },
    { t: 'a', k: 'x' },
  )
})
afterAll(() => index.close())

const all = { constant_score: { filter: { term: { t: 'a' } }, boost: 2 } }
const of = (options: object): object => ({ function_score: { query: all, ...options } })

/** Scores by id. */
async function scores(options: object): Promise<Record<string, number>> {
  return Object.fromEntries(await scored(index, of(options)))
}

describe('function_score', () => {
  it.each<[object, Record<string, number>]>([
    [{}, { 0: 2, 1: 2, 2: 2 }],
    [{ weight: 3 }, { 0: 6, 1: 6, 2: 6 }],
    [{ functions: [{ weight: 3, filter: { term: { k: 'x' } } }] }, { 0: 6, 1: 2, 2: 6 }],
    [
      { weight: 3, boost_mode: 'replace' },
      { 0: 3, 1: 3, 2: 3 },
    ],
    [
      { weight: 3, boost_mode: 'SUM' },
      { 0: 5, 1: 5, 2: 5 },
    ],
    [
      { weight: 3, boost_mode: 'avg' },
      { 0: 2.5, 1: 2.5, 2: 2.5 },
    ],
    [
      { weight: 3, boost_mode: 'max' },
      { 0: 3, 1: 3, 2: 3 },
    ],
    [
      { weight: 3, boost_mode: 'min' },
      { 0: 2, 1: 2, 2: 2 },
    ],
    [
      { weight: 3, max_boost: 1.5 },
      { 0: 3, 1: 3, 2: 3 },
    ],
    [
      { weight: 3, boost: 2 },
      { 0: 12, 1: 12, 2: 12 },
    ],
    [
      { functions: [{ weight: 3, filter: { term: { k: 'x' } } }], min_score: 5 },
      { 0: 6, 2: 6 },
    ],
    [{ min_score: 2 }, { 0: 2, 1: 2, 2: 2 }],
    [{ min_score: 2.5 }, {}],
    [{ field_value_factor: { field: 'n', missing: 3 } }, { 0: 2, 1: 8, 2: 6 }],
    [{ field_value_factor: { field: 'f', missing: 1, factor: 2 } }, { 0: 10, 1: 4, 2: 4 }],
    [{ field_value_factor: { field: 'gone', missing: 3 } }, { 0: 6, 1: 6, 2: 6 }],
    [{ linear: { n: { origin: 1, scale: 6 } } }, { 0: 2, 1: 1.5, 2: 2 }],
    [{ linear: { n: { origin: 1, scale: 6 }, multi_value_mode: 'max' } }, { 0: 2, 1: 0.5, 2: 2 }],
    [{ linear: { n: { origin: 1, scale: 6 }, multi_value_mode: 'avg' } }, { 0: 2, 1: 1, 2: 2 }],
    [{ linear: { n: { origin: 1, scale: 6 }, multi_value_mode: 'sum' } }, { 0: 2, 1: 0, 2: 2 }],
    [{ linear: { n: { origin: 1, scale: 3, offset: 3 } } }, { 0: 2, 1: 2, 2: 2 }],
    [{ exp: { n: { origin: 1, scale: 3 } } }, { 0: 2, 1: 1, 2: 2 }],
    [{ gauss: { n: { origin: 1, scale: 3, decay: 0.25 } } }, { 0: 2, 1: 0.5, 2: 2 }],
    [{ exp: { d: { origin: '2024-01-01', scale: '10d' } } }, { 0: 2, 1: 1, 2: 2 }],
    [{ exp: { d: { origin: '2024-01-06', scale: '5d', offset: '5d' } } }, { 0: 2, 1: 2, 2: 2 }],
    [{ exp: { nano: { origin: '2024-01-01||', scale: '10d' } } }, { 0: 2, 1: 1, 2: 2 }],
    [{ exp: { p: { origin: '0,0', scale: '111195.0802m' } } }, { 0: 2, 1: 1, 2: 2 }],
    [
      { exp: { p: { origin: { lat: 0, lon: 0 }, scale: '1km', offset: '200km' } } },
      { 0: 2, 1: 2, 2: 2 },
    ],
  ])('%j', async (options, expected) => {
    const found = await scores(options)
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected))
    for (const [id, score] of Object.entries(expected)) expect(found[id]).toBeCloseTo(score, 5)
  })

  const functions = [
    { weight: 2 },
    { weight: 4, filter: { term: { k: 'x' } } },
    { field_value_factor: { field: 'n', missing: 3 }, filter: { term: { k: 'x' } } },
  ]
  it.each<[string, Record<string, number>]>([
    ['multiply', { 0: 16, 1: 4, 2: 48 }],
    ['sum', { 0: 14, 1: 4, 2: 18 }],
    ['avg', { 0: 2, 1: 2, 2: (2 * 9) / 7 }],
    ['first', { 0: 4, 1: 4, 2: 4 }],
    ['max', { 0: 8, 1: 4, 2: 8 }],
    ['min', { 0: 2, 1: 4, 2: 4 }],
  ])('puts values of functions together by score_mode %s', async (score_mode, expected) => {
    const found = await scores({ functions, score_mode })
    for (const [id, score] of Object.entries(expected)) expect(found[id]).toBeCloseTo(score, 5)
  })

  it.each([
    ['log', 1],
    ['log1p', Math.log10(11)],
    ['log2p', Math.log10(12)],
    ['ln', Math.log(10)],
    ['ln1p', Math.log(11)],
    ['ln2p', Math.log(12)],
    ['square', 100],
    ['sqrt', Math.sqrt(10)],
    ['reciprocal', 0.1],
    ['none', 10],
  ])('changes a value by %s', async (modifier, value) => {
    const options = { field_value_factor: { field: 'gone', missing: 10, modifier } }
    expect((await scores({ ...options, boost_mode: 'replace' }))['0']).toBeCloseTo(value, 5)
  })

  it.each([
    [{ seed: 7, field: 'n' }],
    [{ seed: 7, field: 'k' }],
    [{ seed: 7, field: '_seq_no' }],
    [{ seed: 'text' }],
    [{ seed: 12345678901234 }],
    [{}],
  ])('gives random scores by %j', async (options: { seed?: number | string; field?: string }) => {
    const random_score = options
    const first = await scores({ random_score, boost_mode: 'replace' })
    expect(Object.keys(first).length).toBe(3)
    for (const score of Object.values(first)) {
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThan(1)
    }
    if ('seed' in options)
      expect(await scores({ random_score, boost_mode: 'replace' })).toEqual(first)
    if (options.field === 'k') expect(first['0']).toBe(first['2'])
    const other = await scores({ random_score: { seed: 8 }, boost_mode: 'replace' })
    expect(other).not.toEqual(first)
  })

  it('matches nothing over nothing', async () => {
    const query = { function_score: { query: { match_none: {} }, weight: 2 } }
    expect((await profiled(index, query))[0]).toBe('MatchNoDocsQuery')
    expect(await index.find({ function_score: { weight: 2 } })).toEqual(['0', '1', '2'])
    expect(await index.find({ bool: { filter: of({ weight: 2, min_score: 5 }) } })).toEqual([])
  })

  it('is explained', async () => {
    const one = await explained(
      index,
      of({ field_value_factor: { field: 'n', missing: 1, modifier: 'log1p' } }),
      '0',
    )
    expect(outlineOf(one)).toEqual([
      'function score, product of:',
      ' ConstantScore(t:a)^2.0',
      ' min of:',
      "  field value function: log1p(doc['n'].value?:1.0 * factor=1.0)",
      '  maxBoost',
    ])
    const several = await explained(
      index,
      of({ functions, boost_mode: 'sum', score_mode: 'sum' }),
      '0',
    )
    expect(outlineOf(several)).toEqual([
      'sum of',
      ' ConstantScore(t:a)^2.0',
      ' min of:',
      '  function score, score mode [sum]',
      '   product of:',
      '    constant score 1.0 - no function provided',
      '    weight',
      '   function score, product of:',
      '    match filter: ConstantScore(k:x)',
      '    product of:',
      '     constant score 1.0 - no function provided',
      '     weight',
      '   function score, product of:',
      '    match filter: ConstantScore(k:x)',
      "    field value function: none(doc['n'].value?:3.0 * factor=1.0)",
      '  maxBoost',
    ])
    const none = { functions: [{ weight: 1, filter: { term: { k: 'z' } } }] }
    expect(outlineOf(await explained(index, of(none), '0'))).toContain('  No function matched')
    const gauss = await explained(index, of({ gauss: { n: { origin: 1, scale: 3 } } }), '1')
    expect(outlineOf(gauss).slice(3, 5)).toEqual([
      '  Function for field n:',
      '   exp(-0.5*pow(MIN[Math.max(Math.abs(4.0(=doc value) - 1.0(=origin))) - 0.0(=offset), 0), Math.max(Math.abs(10.0(=doc value) - 1.0(=origin))) - 0.0(=offset), 0)],2.0)/6.4921276840003355)',
    ])
    const random = { random_score: { seed: 1, field: 'n' } }
    expect(outlineOf(await explained(index, of(random), '0'))).toContain(
      '  random score function (seed: 1, field: n)',
    )
  })

  it('prints its functions', async () => {
    expect(
      await profiled(index, of({ functions: [{ weight: 2, filter: { term: { k: 'x' } } }] })),
    ).toEqual([
      'FunctionScoreQuery',
      'function score ((ConstantScore(t:a))^2.0, functions: [{filter(ConstantScore(k:x)), function [weight(2.0) of one]}])',
    ])
  })

  it.each<[object, string]>([
    [
      { weight: 1, gauss: { n: { origin: 1, scale: 1 } } },
      'failed to parse [function_score] query. already found function [weight], now encountering [gauss]. use [functions] array if you want to define several functions.',
    ],
    [
      { functions: [], weight: 1 },
      'failed to parse [function_score] query. you can either define [functions] array or a single function. already found [functions] array, now encountering [weight].',
    ],
    [
      { weight: 1, functions: [] },
      'failed to parse [function_score] query. you can either define [functions] array or a single function. already found [weight], now encountering [functions].',
    ],
    [
      { functions: [{}] },
      'failed to parse [function_score] query. an entry in functions list is missing a function.',
    ],
    [
      { functions: [{ gauss: { n: {} }, exp: { n: {} } }] },
      'failed to parse function_score functions. already found [gauss], now encountering [exp].',
    ],
    [
      { functions: [1] },
      'failed to parse [function_score]. malformed query, expected a [START_OBJECT] while parsing functions but got a [VALUE_NUMBER] instead',
    ],
    [
      { functions: [{ x: 1 }] },
      'failed to parse [function_score] query. field [x] is not supported',
    ],
    [{ x: 1 }, 'failed to parse [function_score] query. field [x] is not supported'],
    [{ x: [] }, 'failed to parse [function_score] query. array [x] is not supported'],
    [
      { score_mode: 'x' },
      'No enum constant org.opensearch.common.lucene.search.function.FunctionScoreQuery.ScoreMode.X',
    ],
    [
      { boost_mode: 'x' },
      'No enum constant org.opensearch.common.lucene.search.function.CombineFunction.X',
    ],
    [{ script_score: {} }, "script_score requires 'script' field"],
    [{ field_value_factor: { field: 'n' } }, 'Missing value for field [n]'],
    [
      { field_value_factor: { field: 'gone' } },
      "Unable to find a field mapper for field [gone]. No 'missing' value defined.",
    ],
    [
      { field_value_factor: { field: 'gone', missing: -1 } },
      'field value function must not produce negative scores, but got: [-1.0] for field value: [-1.0]',
    ],
    [
      { field_value_factor: { field: 'gone', missing: 0.5, modifier: 'ln' } },
      'field value function must not produce negative scores, but got: [-0.6931471805599453] for field value: [0.5]; consider using ln1p or ln2p instead of ln to avoid negative scores',
    ],
    [{ field_value_factor: {} }, "[field_value_factor] required field 'field' missing"],
    [{ field_value_factor: { field: 'n', x: 1 } }, 'field_value_factor query does not support [x]'],
    [
      { field_value_factor: { field: ['n'] } },
      "[field_value_factor] field 'field' does not support lists or objects",
    ],
    [
      { field_value_factor: { field: 'n', modifier: 'x' } },
      'No enum constant org.opensearch.common.lucene.search.function.FieldValueFactorFunction.Modifier.X',
    ],
    [
      { field_value_factor: { field: 'bare' } },
      "Can't load fielddata on [bare] because fielddata is unsupported on fields of type [integer]. Use doc values instead.",
    ],
    [
      { field_value_factor: { field: 'k' } },
      'Expected numeric type on field [k], but got [keyword]',
    ],
    [{ weight: -1 }, 'function score query returned an invalid score: -2 for doc: 0'],
    [{ gauss: { n: { origin: 1, scale: 0 } } }, 'function_score : scale must be > 0.0.'],
    [
      { exp: { n: { origin: 1, scale: 1, decay: 1 } } },
      'function_score : decay must be in the range [0..1].',
    ],
    [{ exp: { n: { origin: 1, scale: 1, offset: -1 } } }, 'function_score : offset must be > 0.0'],
    [{ exp: { n: { origin: 1 } } }, 'both [scale] and [origin] must be set for numeric fields.'],
    [{ exp: { d: { origin: 'now' } } }, '[scale] must be set for date fields.'],
    [{ exp: { p: { scale: '1m' } } }, '[origin] and [scale] must be set for geo fields.'],
    [{ exp: { p: { origin: 'a', scale: '1m' } } }, 'unsupported symbol [a] in geohash [a]'],
    [{ exp: { n: { origin: 1, scale: 1, x: 1 } } }, 'parameter [x] not supported!'],
    [{ exp: { gone: { origin: 1, scale: 1 } } }, 'unknown field [gone]'],
    [
      { exp: { k: { origin: 1, scale: 1 } } },
      'field [k] is of type [keyword], but only numeric types are supported.',
    ],
    [{ exp: { n: { origin: 1, scale: 1 }, multi_value_mode: 'x' } }, 'Illegal sort mode: x'],
    [{ exp: {} }, 'malformed score function score parameters.'],
    [{ exp: { x: 1 } }, 'malformed score function score parameters.'],
    [
      { random_score: { seed: 1.5 } },
      "random_score seed must be an int, long or string, not '1.5'",
    ],
    [{ random_score: { x: 1 } }, 'random_score query does not support [x]'],
    [
      { random_score: { field: 'gone' } },
      'Field [gone] is not mapped on [index [i]] and cannot be used as a source of random numbers.',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: of(options) })).toEqual([400, reason])
  })

  it('refuses a function that there is none of, and a second query', async () => {
    const [status, reason] = await index.refusal({ query: of({ functions: [{ x: {} }] }) })
    expect([status, reason.replace(/^\[1:\d+\] /, '')]).toEqual([400, 'unknown field [x]'])
  })
})
