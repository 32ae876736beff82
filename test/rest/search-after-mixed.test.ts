/** Pages over indices whose types of one field differ: each hit comes once, in one order. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Numbers stand as texts: clients that keep them as doubles would round some. */
type Numbers = readonly (string | null)[]

const SCALED = { type: 'scaled_float', scaling_factor: 10 }

async function fill(index: string, mapping: object | null, numbers: Numbers): Promise<void> {
  const made = await rest.call(`PUT /${index}`, {
    settings: { refresh_interval: '-1' },
    mappings: { properties: { k: { type: 'keyword' }, ...(mapping && { n: mapping }) } },
  })
  expect(made.text).toContain('"acknowledged":true')
  if (numbers.length === 0) return
  const lines = numbers.map((n, i) => {
    const id = `${index}${i}`
    const value = n === null ? '' : `"n":${n},`
    return `{"index":{"_id":"${id}"}}\n{${value}"k":"${(7 * i) % 11}-${id}"}\n`
  })
  const { json } = await rest.call(`POST /${index}/_bulk?refresh`, lines.join(''))
  expect(json.errors, JSON.stringify(json)).toBe(false)
}

/** Ids of the hits, and the sort values of the last of them as they stand in the answer. */
function read({ status, text, json }: Answered): { ids: string[]; last: string | null } {
  expect([status, json._shards?.failed], text).toEqual([200, 0])
  const ids = json.hits.hits.map((hit: { _id: string }) => hit._id)
  const all = [...text.matchAll(/"sort":(\[[^\]]*\])/g)]
  return { ids, last: all.at(-1)?.[1] ?? null }
}

/** Ids of all hits, page by page. */
async function paged(target: string, body: string, size: number): Promise<string[]> {
  const found: string[] = []
  let after = ''
  for (let page = 0; page < 100; page++) {
    const answer = await rest.call(`POST ${target}`, `{${body},"size":${size}${after}}`)
    const { ids, last } = read(answer)
    if (ids.length === 0) return found
    found.push(...ids)
    after = `,"search_after":${last}`
  }
  throw new Error('pages without end')
}

describe('search_after over a long and a double', () => {
  beforeAll(async () => {
    await fill('a', { type: 'long' }, ['0', '1', '2', '3', '9223372036854775807'])
    await fill('b', { type: 'double' }, ['0.5', '1', '1.5', '2', '1e30'])
    await fill('c', { type: 'integer' }, ['1', '2'])
    await fill('u', { type: 'unsigned_long' }, ['1', '2', '18446744073709551615'])
    await fill('t', { type: 'date' }, ['1', '2'])
  })
  afterAll(() => rest.call('DELETE /a,b,c,u,t'))

  const behind = async (
    target: string,
    order: string,
    value: string,
    more = '',
  ): Promise<string[]> => {
    const levels = more === '' ? '' : `,${more}`
    const values = more === '' ? value : `${value},"0"`
    return read(
      await rest.call(
        `POST /${target}/_search`,
        `{"sort":[{"n":"${order}"}${levels}],"search_after":[${values}]}`,
      ),
    ).ids
  }

  it('goes on behind a fraction that the long lacks', async () => {
    expect(await behind('a,b', 'asc', '1.5')).toEqual(['a2', 'b3', 'a3', 'a4', 'b4'])
    expect(await behind('a,b', 'desc', '1.5')).toEqual(['a1', 'b1', 'b0', 'a0'])
    expect(await behind('a,b', 'asc', '-0.5')).toHaveLength(10)
    expect(await behind('a,b', 'desc', '-0.5')).toEqual([])
  })

  it.each(['asc', 'desc'])('leaves out ties of the integer next to it, %s', async order => {
    const rows = order === 'asc' ? ['a2', 'a3', 'a4'] : ['a1', 'a0']
    expect(await behind('a', order, '1.5', '"k"')).toEqual(rows)
    expect(await behind('a', order, '"1.5"', '"k"')).toEqual(rows)
    expect(await behind('a', order, '1.5')).toEqual(rows)
  })

  it.each([
    ['1e30', [], 1],
    ['"Infinity"', [], 0],
    ['9223372036854775807', ['b4'], 2],
    ['9.223372036854775E18', ['a4', 'b4'], 2],
    ['"-Infinity"', ['a0', 'b0', 'a1', 'b1', 'b2', 'a2', 'b3', 'a3', 'a4', 'b4'], 10],
  ])('goes on behind %s, past 64 bits or close to it', async (value, later, passed) => {
    expect(await behind('a,b', 'asc', value)).toEqual(later)
    const descending = ['b4', 'a4', 'a3', 'a2', 'b3', 'b2', 'a1', 'b1', 'b0', 'a0']
    expect(await behind('a,b', 'desc', value)).toEqual(descending.slice(passed))
  })

  it('takes fractions of other integers', async () => {
    expect(await behind('c', 'asc', '1.5')).toEqual(['c1'])
    expect(await behind('c', 'desc', '1.5')).toEqual(['c0'])
    expect(await behind('u', 'asc', '1.5')).toEqual(['u1', 'u2'])
    expect(await behind('u', 'desc', '1.5')).toEqual(['u0'])
    expect(await behind('u', 'asc', '18446744073709551614.5')).toEqual(['u2'])
    expect(await behind('t', 'asc', '1.5')).toEqual(['t1'])
    expect(await behind('a,t', 'desc', '1.5')).toEqual(['a1', 't0', 'a0'])
  })

  it.each([
    ['a', '9223372036854775808'],
    ['a', '"9223372036854775808"'],
    ['a', '"one"'],
    ['a', '"NaN"'],
    ['a', '""'],
    ['a', 'true'],
    ['t', '"never"'],
    ['u', '-1'],
    ['u', '18446744073709551616'],
  ])('of [%s] refuses %s', async (index, value) => {
    const { status, json, text } = await rest.call(
      `POST /${index}/_search`,
      `{"sort":["n"],"search_after":[${value}]}`,
    )
    expect(status, text).toBe(400)
    expect(json.error.root_cause).toEqual([
      expect.objectContaining({
        type: 'illegal_argument_exception',
        reason: 'Failed to parse search_after value for field [n].',
      }),
    ])
  })
})

describe('search_after over a float and a double', () => {
  const TENTH = '0.10000000149011612'

  beforeAll(async () => {
    await fill('f', { type: 'float' }, ['0.1', '-0.0', '2147483648', '0.2'])
    await fill('h', { type: 'half_float' }, ['0.1', '-0.0', '0.25'])
    await fill('d', { type: 'double' }, [
      '0.1',
      TENTH,
      '0.1000000005',
      '0.09999999999',
      '-0.0',
      '0',
    ])
    await fill('l', { type: 'long' }, ['0', '2147483649'])
    await fill('s', SCALED, ['0', '0.1'])
  })
  afterAll(() => rest.call('DELETE /f,h,d,l,s'))

  it('sorts a float by the digits that it prints', async () => {
    const { json, text } = await rest.call('POST /f,d/_search', {
      sort: ['n', '_index'],
      query: { range: { n: { gte: 0.05, lte: 0.15 } } },
    })
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual([
      'd3',
      'd0',
      'f0',
      'd2',
      'd1',
    ])
    const printed = [...text.matchAll(/"sort":\[([^,]*),/g)].map(([, value]) => value)
    expect(printed).toEqual(['0.09999999999', '0.1', '0.1', '0.1000000005', TENTH])
  })

  it('has -0.0 before 0 of every type', async () => {
    const { json } = await rest.call('POST /f,d,l,s,h/_search', {
      sort: ['n', '_index'],
      query: { range: { n: { gte: -0.01, lte: 0.01 } } },
    })
    const ids = json.hits.hits.map((hit: { _id: string }) => hit._id)
    expect(ids).toEqual(['d4', 'f1', 'h1', 'd5', 'l0', 's0'])
  })

  const targets = ['f,d', 'f,l', 'd,l', 'h,d', 's,d', 's,f', 'f,h,d,l,s']
  const orders = ['asc', 'desc']
  it.each(targets.flatMap(target => orders.map(order => [target, order])))(
    'gives each hit of [%s] once, %s',
    async (target, order) => {
      const body = `"sort":[{"n":"${order}"},"_index"]`
      const whole = read(await rest.call(`POST /${target}/_search`, `{${body},"size":100}`)).ids
      const { json } = await rest.call(`POST /${target}/_count`)
      expect(new Set(whole).size).toBe(json.count)
      expect(await paged(`/${target}/_search`, body, 1)).toEqual(whole)
    },
  )

  it.each(['-0', '-0.0', '"-0.0"'])('goes on behind %s with the zero of a long', async value => {
    const { ids } = read(
      await rest.call('POST /l,d/_search', `{"sort":["n","_index"],"search_after":[${value},"d"]}`),
    )
    expect(ids.slice(0, 2)).toEqual(['d5', 'l0'])
  })
})

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

/** What a type keeps of the numbers below. */
const KINDS: Readonly<Record<string, { mapping: object | null; numbers: readonly string[] }>> = {
  long: {
    mapping: { type: 'long' },
    numbers: ['-2', '-1', '0', '1', '2', '9007199254740993', '-9223372036854775808'],
  },
  largest: { mapping: { type: 'long' }, numbers: ['3', '9223372036854775807', '9007199254740992'] },
  double: {
    mapping: { type: 'double' },
    numbers: [
      '-1.5',
      '0.5',
      '1.0',
      '1.25',
      '1.5',
      '2.0',
      '16777217',
      '0.3',
      '9007199254740994',
      '1e30',
      '-1e30',
      '-0.0',
      '0.1',
      '0.10000000149011612',
    ],
  },
  scaled: { mapping: SCALED, numbers: ['-1.4', '0.1', '0.5', '1.2', '1.3', '2'] },
  float: {
    mapping: { type: 'float' },
    numbers: ['-1.5', '-0.0', '0.1', '0.3', '0.5', '1.25', '16777216', '1e30'],
  },
  half: { mapping: { type: 'half_float' }, numbers: ['-1.5', '-0.0', '0.1', '0.5', '1', '1.25'] },
  byte: { mapping: { type: 'byte' }, numbers: ['-3', '-1', '1', '4'] },
  date: { mapping: { type: 'date' }, numbers: ['0', '1', '2', '5'] },
  unmapped: { mapping: null, numbers: [] },
}

const indices = fc.constantFrom(...Object.keys(KINDS)).chain(kind =>
  fc.record({
    kind: fc.constant(kind),
    numbers: fc.array(
      fc.option(
        fc.constantFrom(...(KINDS[kind]!.numbers.length > 0 ? KINDS[kind]!.numbers : [''])),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  }),
)

it(`pages give each hit once (SEED=${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(indices, { minLength: 2, maxLength: 3 }),
      fc.constantFrom('asc', 'desc'),
      fc.constantFrom('_first', '_last'),
      fc.constantFrom('', '"k"', '{"k":"desc"}', '"_doc"', '"_shard_doc"'),
      fc.integer({ min: 1, max: 3 }),
      async (chosen, order, missing, second, size) => {
        // Without a level that tells them apart, equal hits of two pages cannot be told apart.
        const isTotal = second !== '' && second !== '"_doc"'
        const seen = new Set<number | bigint>()
        for (const [i, { kind, numbers }] of chosen.entries()) {
          const kept = numbers.map(n => (n === '' ? null : n))
          const distinct = kept.filter(n => {
            if (n === null || seen.has(Number(n))) return false
            seen.add(Number(n))
            return true
          })
          await fill(`x${i}`, KINDS[kind]!.mapping, isTotal ? kept : distinct)
        }
        const levels = second === '' ? '' : `,${second}`
        const body = `"sort":[{"n":{"order":"${order}","missing":"${missing}","unmapped_type":"long"}}${levels}]`
        try {
          let target = '/x0,x1,x2/_search?ignore_unavailable'
          let pit = ''
          if (second === '"_shard_doc"') {
            const opened = await rest.call(
              'POST /x0,x1,x2/_search/point_in_time?keep_alive=1m&ignore_unavailable',
            )
            pit = `,"pit":{"id":"${opened.json.pit_id}"}`
            target = '/_search'
          }
          const whole = read(await rest.call(`POST ${target}`, `{${body}${pit},"size":100}`)).ids
          expect(await paged(target, body + pit, size)).toEqual(whole)
          const { json } = await rest.call('POST /x0,x1,x2/_count?ignore_unavailable')
          expect(new Set(whole).size).toBe(json.count)
        } finally {
          await rest.call('DELETE /_search/point_in_time/_all')
          await rest.call('DELETE /x0,x1,x2?ignore_unavailable')
        }
      },
    ),
    { seed: SEED, numRuns: 60 },
  )
}, 120_000)
