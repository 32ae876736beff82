import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const IAE = '400 illegal_argument_exception: '

it('keeps inputs, and prints what the real server prints', async () => {
  const properties = {
    c: { type: 'completion' },
    located: {
      type: 'completion',
      max_input_length: 5,
      contexts: [{ name: 'place', type: 'category', path: 'cat' }],
    },
  }
  const documents = {
    a: { c: ['one', { input: ['two', 'three'], weight: 3 }] },
    b: { c: { input: 'four', weight: '2147483647' } },
    d: { c: null },
    e: { located: { input: 'long input', contexts: { place: ['x'] } } },
  }
  await throughLife({ properties, documents }, async ({ ids, rest }) => {
    expect(await ids({ exists: { field: 'c' } })).toEqual(['a', 'b'])
    expect(await ids({ exists: { field: 'located' } })).toEqual(['e'])
    const { json } = await rest.call('GET /i/_mapping')
    const defaults = {
      type: 'completion',
      analyzer: 'simple',
      preserve_separators: true,
      preserve_position_increments: true,
      max_input_length: 50,
    }
    expect(json.i.mappings.properties.c).toEqual(defaults)
    expect(json.i.mappings.properties.located).toEqual({
      ...defaults,
      max_input_length: 5,
      contexts: [{ name: 'place', type: 'category', path: 'cat' }],
    })
    expect(await refusal(rest, 'POST /i/_search', { query: { match: { c: 'one' } } })).toBe(
      `${IAE}[query on a field of type completion] is not supported yet`,
    )
    expect(await refusal(rest, 'POST /i/_search', { sort: 'c' })).toBe(
      `${IAE}Can't load fielddata on [c] because fielddata is unsupported on fields of type ` +
        '[completion]. Use doc values instead.',
    )
  })
})

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', { mappings: { properties: { c: { type: 'completion' } } } })
})
afterAll(() => rest.close())

it.each<[unknown, string]>([
  [{ input: 'a', weight: 1.5 }, `${IAE}weight must be an integer, but was [1.5]`],
  [{ input: 'a', weight: 'x' }, `${IAE}weight must be an integer, but was [x]`],
  [
    { input: 'a', weight: -1 },
    `${IAE}weight must be in the interval [0..2147483647], but was [-1]`,
  ],
  [
    { input: 'a', weight: 2147483648 },
    `${IAE}weight must be in the interval [0..2147483647], but was [2147483648]`,
  ],
  [{ input: 1 }, `${IAE}input must be a string or array, but was [VALUE_NUMBER]`],
  [{ input: ['a', {}] }, `${IAE}input array must have string values, but was [START_OBJECT]`],
  [
    { input: 'a', output: 'b' },
    `${IAE}unknown field name [output], must be one of [input, weight, contexts]`,
  ],
  [{ input: 'a', contexts: { x: 'y' } }, `${IAE}contexts field is not supported for field: [c]`],
  [
    { input: 'a', weight: true },
    `${IAE}weight must be a number or string, but was [VALUE_BOOLEAN]`,
  ],
  [
    'a\u001fb',
    `${IAE}Illegal input [a\u001fb] UTF-16 codepoint [0x1f] at position 1 is a reserved character`,
  ],
  [7, '400 parsing_exception: failed to parse [c]: expected text or object, but got VALUE_NUMBER'],
])('refuses the value %o', async (value, reason) => {
  expect(await refusal(rest, 'PUT /i/_doc/1', { c: value })).toBe(reason)
})

it.each<[object, string]>([
  [{ max_input_length: 0 }, `${IAE}[max_input_length] must be > 0 but was [0]`],
  [{ contexts: [{ type: 'geo' }] }, '400 parse_exception: missing [name] in context mapping'],
  [{ contexts: [{ name: 'n' }] }, '400 parse_exception: missing [type] in context mapping'],
  [{ contexts: [{ name: 'n', type: 't' }] }, '400 parse_exception: unknown context type[t]'],
  [
    { analyzer: 'nope' },
    '400 mapper_parsing_exception: analyzer [nope] has not been configured in mappings',
  ],
])('refuses the parameters %o', async (parameters, reason) => {
  const properties = { f: { type: 'completion', ...parameters } }
  expect(await refusal(rest, 'PUT /i/_mapping', { properties })).toBe(reason)
})
