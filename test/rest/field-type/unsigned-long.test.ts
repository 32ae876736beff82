import { expect, it } from 'vitest'
import { indexOf, refusal, throughLife } from '../../support/field-life.ts'
import { openRest } from '../../support/rest-calls.ts'

const MAX = '18446744073709551615'

it('finds, sorts and prints numbers of 64 bits without their sign', async () => {
  await throughLife(
    {
      properties: {
        n: { type: 'unsigned_long' },
        columns: { type: 'unsigned_long', index: false },
      },
      documents: {
        max: `{"n": ${MAX}, "columns": "${MAX}"}`,
        zero: { n: 0, columns: 0 },
        half: '{"n": 9223372036854775808, "columns": 9223372036854775808}',
        two: '{"n": [2, 18446744073709551614]}',
        none: { n: null },
      },
    },
    async ({ rest, ids, sorted }) => {
      expect(await ids({ term: { n: MAX } })).toEqual(['max'])
      expect(await ids({ term: { columns: MAX } })).toEqual(['max'])
      expect(await ids({ term: { n: 2.5 } })).toEqual([])
      expect(await ids({ terms: { n: ['9223372036854775808', 0] } })).toEqual(['half', 'zero'])
      expect(await ids({ range: { n: { gt: '9223372036854775807' } } })).toEqual([
        'half',
        'max',
        'two',
      ])
      expect(await ids({ range: { n: { gt: MAX } } })).toEqual([])
      expect(await ids({ range: { n: { lt: 0 } } })).toEqual([])
      expect(await ids({ range: { n: { gte: 0, lt: 2 } } })).toEqual(['zero'])
      expect(await ids({ exists: { field: 'n' } })).toEqual(['half', 'max', 'two', 'zero'])
      expect(await sorted([{ n: 'asc' }])).toEqual(['zero', 'two', 'half', 'max', 'none'])
      expect(await sorted([{ n: { order: 'desc', mode: 'min' } }])).toEqual([
        'max',
        'half',
        'two',
        'zero',
        'none',
      ])
      const after = await rest.call('POST /i/_search', `{"sort":["n"],"search_after":[${MAX}]}`)
      expect(after.text).not.toContain('"_id":"max"')
      const { text } = await rest.call('POST /i/_search', { sort: [{ n: 'desc' }] })
      expect(text).toContain(`"sort":[${MAX}]`)
      const got = await rest.call('GET /i/_doc/max')
      expect(got.text).toContain(`"n": ${MAX}`)
    },
  )
})

it('sums, averages and halves without a sign, as far as 64 bits go', async () => {
  const big = '13835058055282163713'
  await throughLife(
    {
      properties: { n: { type: 'unsigned_long' }, long: { type: 'long' } },
      documents: {
        a: `{"n": [${big}, 13835058055282163714], "long": [-3, -4]}`,
        b: '{"n": [5, 6, 7, 13835058055282163722], "long": [9223372036854775807, 1]}',
      },
    },
    async ({ rest }) => {
      const values = async (field: string, mode: string): Promise<string[]> => {
        const sort = [{ [field]: { mode, order: 'asc' } }]
        const { text } = await rest.call('POST /i/_search', { sort })
        return [...text.matchAll(/"sort":\[(-?\d+)\]/g)].map(match => match[1]!)
      }
      expect(await values('n', 'sum')).toEqual(['9223372036854775811', '13835058055282163740'])
      expect(await values('n', 'avg')).toEqual(['3458764513820540935', '4611686018427387906'])
      expect(await values('n', 'median')).toEqual(['7', '4611686018427387906'])
      expect(await values('long', 'sum')).toEqual(['-9223372036854775808', '-7'])
      expect(await values('long', 'avg')).toEqual(['-4611686018427387904', '-3'])
    },
  )
})

it('is not sorted together with numbers of another type', async () => {
  const rest = await openRest()
  for (const [index, type] of [
    ['i', 'unsigned_long'],
    ['j', 'long'],
  ]) {
    await rest.call(`PUT /${index}`, { mappings: { properties: { n: { type } } } })
    await rest.call(`PUT /${index}/_doc/1?refresh`, { n: 1 })
  }
  const { json } = await rest.call('POST /i,j/_search', { sort: 'n' })
  expect(json).toMatchObject({
    status: 400,
    error: {
      type: 'search_phase_execution_exception',
      root_cause: [],
      caused_by: {
        type: 'illegal_argument_exception',
        reason:
          "Can't do sort across indices, as a field has [unsigned_long] type in one index, and " +
          'different type in another index!',
      },
    },
  })
  await rest.close()
})

it('refuses what the type has no meaning for', async () => {
  const rest = await openRest()
  await rest.call('PUT /i', {
    mappings: {
      properties: {
        n: { type: 'unsigned_long' },
        bare: { type: 'unsigned_long', index: false, doc_values: false },
        loose: { type: 'unsigned_long', ignore_malformed: true },
      },
    },
  })
  const { ids } = indexOf(rest)
  const search = (query: object): Promise<string> => refusal(rest, 'POST /i/_search', { query })
  expect(await search({ term: { n: -1 } })).toBe(
    '400 illegal_argument_exception: Value [-1] is out of range for an unsigned long',
  )
  expect(await search({ range: { n: { lt: `${MAX}0` } } })).toBe(
    `400 illegal_argument_exception: Value [${MAX}0] is out of range for an unsigned long`,
  )
  expect(await search({ term: { bare: 1 } })).toBe(
    '400 illegal_argument_exception: Cannot search on field [bare] since it is both not indexed, ' +
      'and does not have doc_values enabled.',
  )
  expect(await search({ prefix: { n: '1' } })).toMatch(/^400 query_shard_exception: Can only use/)
  expect(await refusal(rest, 'POST /i/_search', { sort: 'bare' })).toBe(
    "400 illegal_argument_exception: Can't load fielddata on [bare] because fielddata is " +
      'unsupported on fields of type [unsigned_long]. Use doc values instead.',
  )
  expect(await refusal(rest, 'PUT /i/_doc/1', '{"n": -5}')).toBe(
    '400 illegal_argument_exception: Value [-5] is out of range for an unsigned long',
  )
  expect(
    await refusal(rest, 'PUT /i/_mapping', {
      properties: { n: { type: 'unsigned_long', index: false } },
    }),
  ).toBe(
    '400 illegal_argument_exception: Mapper for [n] conflicts with existing mapper:\n\t' +
      'Cannot update parameter [index] from [true] to [false]',
  )
  await rest.call('PUT /i/_doc/1?refresh', { loose: 'x', n: 1 })
  expect(await ids({ exists: { field: 'loose' } })).toEqual([])
  expect(await ids({ exists: { field: 'n' } })).toEqual(['1'])
  await rest.close()
})
