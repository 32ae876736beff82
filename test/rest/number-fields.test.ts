import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

const NUMBERS = ['byte', 'short', 'integer', 'long', 'float', 'double', 'half_float'] as const

describe('number and boolean fields', () => {
  let index: FieldIndex
  beforeAll(async () => {
    const scaled = { type: 'scaled_float', scaling_factor: 10 }
    const kinds = [...NUMBERS.map(type => ({ type })), scaled, { type: 'boolean' }]
    index = await fieldIndex({
      ...Object.fromEntries(kinds.map(kind => [kind.type, kind])),
      ...Object.fromEntries(kinds.map(kind => [`${kind.type}_dv`, { ...kind, index: false }])),
      ...Object.fromEntries(
        kinds.map(kind => [`${kind.type}_bare`, { ...kind, index: false, doc_values: false }]),
      ),
      ...Object.fromEntries(NUMBERS.map(type => [`${type}_strict`, { type, coerce: false }])),
      ...Object.fromEntries(
        kinds.map(kind => [`${kind.type}_lax`, { ...kind, ignore_malformed: true }]),
      ),
    })
    const numbers = [...NUMBERS, 'scaled_float'] as const
    const of = (suffix: string, value: unknown): object =>
      Object.fromEntries(numbers.map(type => [`${type}${suffix}`, value]))
    await index.add(
      { ...of('', 1), ...of('_dv', 1), boolean: true, boolean_dv: true },
      { ...of('', '2.9'), ...of('_dv', '2.9'), boolean: 'false', boolean_dv: '' },
      { ...of('', ['', null, 3]), ...of('_dv', [3, 4]) },
      { ...of('_lax', ['x', 5]), boolean_lax: ['x', true] },
      { ...of('_bare', 1), boolean_bare: true },
    )
  })
  afterAll(() => index.close())

  it.each(NUMBERS)('coerce texts to %s, and an empty one to nothing', async type => {
    const isWhole = !['float', 'double', 'half_float'].includes(type)
    for (const field of [type, `${type}_dv`]) {
      expect(await index.find({ term: { [field]: 1 } })).toEqual(['0'])
      expect(await index.find({ range: { [field]: { gt: 1.5, lt: 3 } } })).toEqual(['1'])
      expect(await index.find({ range: { [field]: { gte: 2.5, lt: 3 } } })).toEqual(
        isWhole ? [] : ['1'],
      )
      expect(await index.find({ terms: { [field]: [1, 3] } })).toEqual(['0', '2'])
    }
    if (isWhole) expect(await index.find({ term: { [type]: 1.5 } })).toEqual([])
  })

  it('find booleans by terms, and without them', async () => {
    for (const field of ['boolean', 'boolean_dv']) {
      expect(await index.find({ term: { [field]: true } })).toEqual(['0'])
      expect(await index.find({ term: { [field]: 'false' } })).toEqual(['1'])
      expect(await index.find({ terms: { [field]: ['true', ''] } })).toEqual(['0', '1'])
      expect(await index.find({ range: { [field]: { gt: false } } })).toEqual(['0'])
    }
    expect(await index.refusal({ query: { term: { boolean: 'x' } } })).toEqual([
      400,
      "Can't parse boolean value [x], expected [true] or [false]",
    ])
  })

  it('scale on both sides', async () => {
    for (const field of ['scaled_float', 'scaled_float_dv']) {
      expect(await index.find({ term: { [field]: 2.94 } })).toEqual(['1'])
      expect(await index.find({ term: { [field]: 2.84 } })).toEqual([])
      expect(await index.find({ range: { [field]: { gt: 2.9 } } })).toEqual(['2'])
    }
    const { json } = await index.rest.call('POST /i/_search', { sort: ['scaled_float'] })
    expect(json.hits.hits.slice(0, 3).map((hit: { sort: unknown[] }) => hit.sort[0])).toEqual([
      1, 2.9, 3,
    ])
  })

  it.each([...NUMBERS, 'scaled_float', 'boolean'])(
    'skip malformed values of %s where they may',
    async type => {
      expect(await index.find({ exists: { field: `${type}_lax` } })).toEqual(['3'])
      const value = type === 'boolean' ? true : 5
      expect(await index.find({ term: { [`${type}_lax`]: value } })).toEqual(['3'])
    },
  )

  it.each([...NUMBERS, 'scaled_float', 'boolean'])(
    'refuse searches in %s that is kept in no way',
    async type => {
      const field = `${type}_bare`
      const reason = `Cannot search on field [${field}] since it is both not indexed, and does not have doc_values enabled.`
      for (const query of [
        { term: { [field]: '1' } },
        { terms: { [field]: ['1'] } },
        { range: { [field]: { gte: '1' } } },
      ])
        expect(await index.refusal({ query })).toEqual([400, reason])
      expect(await index.find({ exists: { field } })).toEqual([])
      expect(await index.refusal({ sort: [field] })).toEqual([
        400,
        `Can't load fielddata on [${field}] because fielddata is unsupported on fields of type [${type}]. Use doc values instead.`,
      ])
    },
  )

  it.each<[field: string, value: unknown, type: string, reason: string]>([
    ['byte', 128, 'illegal_argument_exception', 'Value [128] is out of range for a byte'],
    ['byte', '-129', 'illegal_argument_exception', 'Value [-129] is out of range for a byte'],
    ['short', 32768, 'illegal_argument_exception', 'Value [32768] is out of range for a short'],
    [
      'integer',
      '2147483648',
      'illegal_argument_exception',
      'Value [2147483648] is out of range for an integer',
    ],
    [
      'integer',
      2147483648,
      'input_coercion_exception',
      'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      'byte',
      2147483648,
      'input_coercion_exception',
      'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      'long',
      '9223372036854775808',
      'illegal_argument_exception',
      'Value [9223372036854775808] is out of range for a long',
    ],
    ['long', 'x', 'illegal_argument_exception', 'For input string: "x"'],
    ['integer', 'x', 'number_format_exception', 'For input string: "x"'],
    ['double', 'x', 'number_format_exception', 'For input string: "x"'],
    ['integer_strict', 1.5, 'illegal_argument_exception', 'Value [1.5] has a decimal part'],
    ['long_strict', 1.5, 'illegal_argument_exception', 'Value [1.5] has a decimal part'],
    ['integer_strict', '1', 'illegal_argument_exception', 'Integer value passed as String'],
    [
      'half_float',
      65520,
      'illegal_argument_exception',
      '[half_float] supports only finite values, but got [65520.0]',
    ],
    [
      'half_float',
      'NaN',
      'illegal_argument_exception',
      '[half_float] supports only finite values, but got [NaN]',
    ],
    [
      'float',
      '3.5e38',
      'illegal_argument_exception',
      '[float] supports only finite values, but got [3.5e+38]',
    ],
    [
      'double',
      '-Infinity',
      'illegal_argument_exception',
      '[double] supports only finite values, but got [-Infinity]',
    ],
    [
      'scaled_float',
      'Infinity',
      'illegal_argument_exception',
      '[scaled_float] only supports finite values, but got [Infinity]',
    ],
    [
      'boolean',
      'yes',
      'illegal_argument_exception',
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    [
      'boolean',
      1,
      'illegal_argument_exception',
      'Failed to parse value [1] as only [true] or [false] are allowed.',
    ],
  ])('refuse %s: %o', async (field, value, type, reason) => {
    expect(await index.refused({ [field]: value })).toEqual([type, reason])
  })

  it.each<[definition: object, reason: string]>([
    [{ type: 'scaled_float' }, 'Field [scaling_factor] is required'],
    [
      { type: 'scaled_float', scaling_factor: 0 },
      '[scaling_factor] must be a positive number, got [0.0]',
    ],
    [
      { type: 'scaled_float', scaling_factor: -1.5 },
      '[scaling_factor] must be a positive number, got [-1.5]',
    ],
    [{ type: 'byte', null_value: 200 }, 'Value [200] is out of range for a byte'],
    [
      { type: 'long', index: null },
      '[index] on mapper [f] of type [long] must not have a [null] value',
    ],
    [{ type: 'long', format: 'x' }, 'unknown parameter [format] on mapper [f] of type [long]'],
    [
      { type: 'boolean', coerce: true },
      'unknown parameter [coerce] on mapper [f] of type [boolean]',
    ],
    [
      { type: 'float', doc_values: 'maybe' },
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ])('refuse the mapping %o', async (definition, reason) => {
    const { status, json } = await index.rest.call('PUT /i/_mapping', {
      properties: { f: definition },
    })
    expect([status, json.error.reason]).toEqual([400, reason])
  })

  it('print their parameters in the real order', async () => {
    const meta = { a: 'b' }
    const properties = {
      p1: {
        meta,
        null_value: 1,
        coerce: true,
        ignore_malformed: false,
        store: true,
        doc_values: false,
        index: false,
        type: 'integer',
      },
      p2: {
        null_value: 1.5,
        coerce: true,
        scaling_factor: 10,
        meta,
        ignore_malformed: true,
        type: 'scaled_float',
      },
      p3: { meta, ignore_malformed: true, null_value: true, index: false, type: 'boolean' },
    }
    const { status } = await index.rest.call('PUT /i/_mapping', { properties })
    expect(status).toBe(200)
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain(
      '"p1":{"type":"integer","index":false,"doc_values":false,"store":true,"ignore_malformed":false,"coerce":true,"null_value":1,"meta":{"a":"b"}}',
    )
    expect(text).toContain(
      '"p2":{"type":"scaled_float","ignore_malformed":true,"meta":{"a":"b"},"scaling_factor":10.0,"coerce":true,"null_value":1.5}',
    )
    expect(text).toContain(
      '"p3":{"type":"boolean","index":false,"null_value":true,"ignore_malformed":true,"meta":{"a":"b"}}',
    )
  })

  it('let coerce and ignore_malformed change, and fall back to their defaults', async () => {
    const put = (definition: object) =>
      index.rest.call('PUT /i/_mapping', {
        properties: { integer_strict: { type: 'integer', ...definition } },
      })
    expect((await put({ coerce: true, ignore_malformed: true })).status).toBe(200)
    expect((await put({})).status).toBe(200)
    const { json } = await put({ null_value: 1, index: false })
    expect(json.error.reason).toBe(
      'Mapper for [integer_strict] conflicts with existing mapper:\n\t' +
        'Cannot update parameter [index] from [true] to [false]\n\t' +
        'Cannot update parameter [null_value] from [null] to [1]',
    )
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain('"integer_strict":{"type":"integer"}')
  })
})

describe('keyword fields', () => {
  it.each([{}, { index: false }])('refuse immense terms with %o', async definition => {
    const index = await fieldIndex({ k: { type: 'keyword', ...definition } })
    const { status, json } = await index.rest.call('PUT /i/_doc/1', { k: 'é'.repeat(16384) })
    expect(status).toBe(400)
    expect(json.error.type).toBe('illegal_argument_exception')
    expect(json.error.reason).toMatch(
      /^Document contains at least one immense term in field="k" \(whose UTF8 encoding is longer than the max length 32766\), all of which were skipped\./,
    )
    await index.add({ k: 'é'.repeat(16383) })
    expect(await index.find({ term: { k: 'é'.repeat(16383) } })).toEqual(['0'])
    await index.close()
  })

  it('take the text of any scalar, and print as documents wrote it', async () => {
    const index = await fieldIndex({ k: { type: 'keyword', ignore_above: 5, null_value: 'none' } })
    await index.add({ k: 1.0 }, { k: true }, { k: [null, 'longer than five'] }, { k: '1e5' })
    expect(await index.find({ term: { k: 1 } })).toEqual(['0'])
    expect(await index.find({ term: { k: true } })).toEqual(['1'])
    expect(await index.find({ term: { k: 'none' } })).toEqual(['2'])
    expect(await index.find({ terms: { k: ['1e5', 'longer than five'] } })).toEqual(['3'])
    await index.close()
  })
})
