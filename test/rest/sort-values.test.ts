import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

const PROPERTIES = {
  l: { type: 'long' },
  i: { type: 'integer' },
  d: { type: 'double' },
  f: { type: 'float' },
  h: { type: 'half_float' },
  s: { type: 'scaled_float', scaling_factor: 10 },
  b: { type: 'boolean' },
  k: { type: 'keyword' },
  day: { type: 'date' },
  nano: { type: 'date_nanos' },
}
const DOCUMENTS = [
  {
    l: ['9007199254740993', '9223372036854775807', '9223372036854775806'],
    i: 3,
    d: 2.75,
    f: 0.1,
    h: 0.1,
    s: [1.5, 1.6],
    b: true,
    k: 'm',
    day: '2020-01-01T00:00:00.001Z',
    nano: '2020-01-01T00:00:00.001000009Z',
  },
  {},
]

beforeAll(async () => {
  rest = await openRest()
  const settings = { 'index.refresh_interval': '-1' }
  await rest.call('PUT /v', { mappings: { properties: PROPERTIES }, settings })
  const lines = DOCUMENTS.flatMap((document, i) => [{ index: { _id: String(i) } }, document])
  await rest.call('POST /v/_bulk?refresh', ndjson(...lines))
  for (const [index, type, at] of [
    ['millis', 'date', '2018-10-29T12:12:12.987Z'],
    ['nanos', 'date_nanos', '2018-10-29T12:12:12.123456789Z'],
    ['early', 'date', '1969-12-31T00:00:00Z'],
    ['late', 'date', '2300-01-01T00:00:00Z'],
  ] as const) {
    await rest.call(`PUT /${index}`, { mappings: { properties: { at: { type } } } })
    await rest.call(`PUT /${index}/_doc/${index}?refresh`, { at })
  }
})
afterAll(() => rest.close())

const valuesOf = async (field: string, level: object, index = 'v'): Promise<unknown[]> => {
  const { status, json } = await rest.call(`POST /${index}/_search`, { sort: [{ [field]: level }] })
  expect(status, JSON.stringify(json)).toBe(200)
  return json.hits.hits.map((hit: { sort: unknown[] }) => hit.sort[0])
}
const refused = async (field: string, level: object, index = 'v'): Promise<unknown[]> => {
  const { status, json } = await rest.call(`POST /${index}/_search`, { sort: [{ [field]: level }] })
  const error = json.error?.root_cause?.[0]
  return [status, error?.type, error?.reason]
}
/** The text of the first hit's value, as it stands in the answer. */
const textOf = async (field: string, level: object): Promise<string | undefined> => {
  const { text } = await rest.call('POST /v/_search', { sort: [{ [field]: level }], size: 1 })
  return /"sort":\[([^\]]*)\]/.exec(text)?.[1]
}

describe('values of a sort', () => {
  it('print as the numbers of their field', async () => {
    expect(await textOf('f', {})).toBe('0.1')
    expect(await textOf('h', {})).toBe('0.099975586')
    expect(await textOf('d', {})).toBe('2.75')
    expect(await textOf('s', {})).toBe('1.5')
    expect(await valuesOf('h', { order: 'desc' })).toEqual([expect.anything(), '-Infinity'])
  })

  it('are what the mode makes of several', async () => {
    // The sum wraps at 64 bits.
    const sum = BigInt.asIntN(64, 9007199254740993n + 2n ** 63n - 1n + 2n ** 63n - 2n)
    expect(await textOf('l', { mode: 'sum' })).toBe(String(sum))
    const average = Math.round(Number(sum) / 3)
    expect(await textOf('l', { mode: 'avg' })).toBe(String(average))
    expect(await textOf('l', { mode: 'median' })).toBe('9223372036854775806')
    expect(await textOf('s', { mode: 'avg' })).toBe('1.55')
    expect(await textOf('s', { mode: 'sum' })).toBe('3.1')
  })

  it('stand in for none as numbers and terms are written', async () => {
    const missing = async (field: string, value: unknown): Promise<unknown> =>
      (await valuesOf(field, { missing: value })).find((_, i, all) => all.length === 2 && i < 2)
    expect(await missing('i', 1.9)).toBe(1)
    expect(await missing('i', '-2')).toBe(-2)
    expect(await missing('d', '-2.5')).toBe(-2.5)
    expect(await missing('f', -0.3)).toBe(-0.3)
    expect(await missing('h', 0.05)).toBe(0.05)
    expect(await missing('s', 0.123)).toBe(0.123)
    expect(await missing('day', 5)).toBe(5)
    expect(await missing('k', 'a')).toBe('a')
    expect(await valuesOf('k', { missing: 'z' })).toEqual(['m', 'z'])
    expect(await valuesOf('k', { order: 'desc' })).toEqual(['m', null])
    for (const [field, text] of [
      ['i', '1.5'],
      ['l', '9223372036854775808'],
      ['day', '2020-01-01'],
      ['b', true],
      ['d', 'much'],
    ] as const)
      expect(await refused(field, { missing: text })).toEqual([
        400,
        'number_format_exception',
        `For input string: "${text}"`,
      ])
  })

  it('have the type of the unmapped field', async () => {
    const unmapped = (type: string, more = {}): Promise<unknown[]> =>
      valuesOf('nothing', { unmapped_type: type, ...more })
    expect(await unmapped('double')).toEqual(['Infinity', 'Infinity'])
    expect(await unmapped('long', { missing: 4 })).toEqual([4, 4])
    expect(await unmapped('string')).toEqual([null, null])
    expect(await refused('nothing', { unmapped_type: 'colour' })).toEqual([
      400,
      'illegal_argument_exception',
      'No mapper found for type [colour]',
    ])
  })
})

describe('numeric_type', () => {
  it('compares numbers as another type', async () => {
    expect(await textOf('i', { numeric_type: 'double' })).toBe('3.0')
    expect(await textOf('f', { numeric_type: 'double' })).toBe('0.10000000149011612')
    expect(await textOf('d', { numeric_type: 'long' })).toBe('2')
    expect(await textOf('s', { numeric_type: 'LONG' })).toBe('1')
    expect(await textOf('s', { numeric_type: 'double' })).toBe('1.5')
    expect(await valuesOf('i', { numeric_type: 'double' })).toEqual([3, 'Infinity'])
    const { json } = await rest.call('POST /v/_search', {
      sort: [{ i: { numeric_type: 'double' } }],
      search_after: [2.5],
    })
    expect(json.hits.hits[0]._id).toBe('0')
    expect(await refused('k', { numeric_type: 'long' })).toEqual([
      400,
      'query_shard_exception',
      '[numeric_type] option cannot be set on a non-numeric field, got keyword',
    ])
    const other = await rest.call('POST /v/_search', { sort: { i: { numeric_type: 'Text' } } })
    expect(other.status).toBe(400)
    expect(other.json.error).toMatchObject({
      type: 'x_content_parse_exception',
      reason: '[1:30] [field_sort] failed to parse field [numeric_type]',
      caused_by: {
        type: 'illegal_argument_exception',
        reason:
          'invalid value for [numeric_type], must be [long, double, date, date_nanos], got text',
      },
    })
  })

  it('brings dates of several indices to one unit', async () => {
    const sort = async (type: string, more = {}): Promise<unknown> => {
      const body = { sort: [{ at: { numeric_type: type } }], ...more }
      const { json, text } = await rest.call('POST /millis,nanos/_search', body)
      const values = [...text.matchAll(/"sort":\[(\d+)\]/g)].map(each => each[1])
      return json.hits.hits.map((hit: { _id: string }, i: number) => [hit._id, values[i]])
    }
    expect(await sort('date')).toEqual([
      ['nanos', '1540815132123'],
      ['millis', '1540815132987'],
    ])
    const inNanos = [
      ['nanos', '1540815132123456789'],
      ['millis', '1540815132987000000'],
    ]
    expect(await sort('date_nanos')).toEqual(inNanos)
    expect(await sort('date_nanos', { search_after: ['2018-10-29T12:12:12.500Z'] })).toEqual(
      inNanos.slice(1),
    )
    const far = async (index: string): Promise<unknown> =>
      (await refused('at', { numeric_type: 'date_nanos' }, index))[2]
    expect(await far('early')).toBe(
      'milliSeconds [-86400000] are before the epoch in 1970 and cannot be processed in ' +
        'nanosecond resolution',
    )
    expect(await far('late')).toBe(
      'milliSeconds [10413792000000] are after 2262-04-11T23:47:16.854775807 and cannot be ' +
        'processed in nanosecond resolution',
    )
  })
})
