import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { throughLife } from '../../support/field-life.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

interface Option {
  readonly text: string
  readonly _id: string
  readonly _score: number
  readonly contexts?: object
}

/** Options of one suggestion over an index or several. */
async function options(
  rest: Rest,
  text: object,
  completion: object,
  index = 'i',
): Promise<Option[]> {
  const suggest = { s: { ...text, completion } }
  const { json } = await rest.call(`POST /${index}/_search`, { suggest })
  expect(json.error).toBeUndefined()
  expect(json._shards.failed).toBe(0)
  return json.suggest.s[0].options
}

const textsOf = (found: readonly Option[]): string[] => found.map(({ text }) => text)

it('completes inputs of nested objects, as hits of their own', async () => {
  const n = { type: 'nested', properties: { c: { type: 'completion' }, t: { type: 'keyword' } } }
  const documents = {
    a: {
      n: [
        { c: 'hello', t: 'x' },
        { c: { input: ['help', 'hex'], weight: 7 }, t: 'y' },
      ],
    },
    b: { n: { c: { input: 'henry', weight: 3 }, t: 'z' } },
    c: {},
    d: { n: [{ c: { input: 'heap', weight: 9 } }] },
  }
  await throughLife({ properties: { n }, documents }, async ({ rest }) => {
    const found = await options(rest, { prefix: 'he' }, { field: 'n.c' })
    const expected: [string, object][] = [
      ['heap', { _id: 'd', _score: 9, _nested: { field: 'n', offset: 0 } }],
      ['help', { _id: 'a', _nested: { field: 'n', offset: 1 }, _source: documents.a.n[1]! }],
      ['henry', { _id: 'b', _nested: { field: 'n', offset: 0 }, _source: documents.b.n }],
      ['hello', { _id: 'a', _score: 1, _nested: { field: 'n', offset: 0 } }],
    ]
    expect(found).toMatchObject(expected.map(([text, hit]) => ({ text, ...hit })))
    expect(found.length).toBe(4)
  })
  const rest = await openRest()
  await rest.call('PUT /i', { mappings: { properties: { n } } })
  await rest.call('PUT /i/_doc/a?refresh', documents.a)
  await rest.call('PUT /i/_doc/b?refresh', documents.b)
  await rest.call('DELETE /i/_doc/a?refresh')
  expect(textsOf(await options(rest, { prefix: 'he' }, { field: 'n.c' }))).toEqual(['henry'])
  await rest.call('PUT /i/_doc/b?refresh', { n: { c: 'hearth' } })
  expect(textsOf(await options(rest, { prefix: 'he' }, { field: 'n.c' }))).toEqual(['hearth'])
  await rest.close()
})

it('survives merges and restarts, in multi-fields too', async () => {
  const contexts = [{ name: 'kind', type: 'category', path: 'kind' }]
  const properties = {
    kind: { type: 'keyword' },
    name: { type: 'completion', fields: { more: { type: 'completion', contexts } } },
    title: { type: 'text', fields: { all: { type: 'completion' } } },
    place: { type: 'geo_point', fields: { hash: { type: 'completion', max_input_length: 6 } } },
  }
  const documents = {
    a: { name: { input: ['One', 'Only'], weight: 3 }, kind: 'x', title: 'on the road' },
    b: { name: 'once', kind: ['x', 'y'], place: { lat: 52.37, lon: 4.9 } },
    c: { name: [{ input: 'Onward', weight: 9 }], kind: 'y', place: ['u173z', [4.9, 52.37]] },
    d: { name: ['', '  '], title: ['onset', 'late'] },
  }
  await throughLife({ properties, documents }, async ({ rest, ids }) => {
    const named = await options(rest, { prefix: 'on' }, { field: 'name' })
    expect(named.map(({ text, _id, _score }) => [text, _id, _score])).toEqual([
      ['Onward', 'c', 9],
      ['One', 'a', 3],
      ['once', 'b', 1],
    ])
    const sub = { field: 'name.more', contexts: { kind: 'x' } }
    expect(await options(rest, { prefix: 'on' }, sub)).toMatchObject([
      { text: 'One', _score: 3, contexts: { kind: ['x'] } },
      { text: 'once', _score: 1, contexts: { kind: ['x'] } },
    ])
    expect(textsOf(await options(rest, { prefix: 'on' }, { field: 'title.all' }))).toEqual([
      'on the road',
      'onset',
    ])
    expect(textsOf(await options(rest, { prefix: 'u' }, { field: 'place.hash' }))).toEqual([
      'u173z0',
      'u173zt',
    ])
    expect(await ids({ exists: { field: 'name' } })).toEqual(['a', 'b', 'c'])
    const { json } = await rest.call('GET /i/_doc/d')
    expect(json._source).toEqual(documents.d)
    const ignored = await rest.call('POST /i/_search', { query: { term: { _ignored: 'name' } } })
    expect(ignored.json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['d'])
  })
})

describe('completion', () => {
  let rest: Rest
  beforeAll(async () => {
    rest = await openRest()
  })
  afterAll(() => rest.close())

  it('leaves out documents that are deleted or replaced', async () => {
    await rest.call('PUT /gone', { mappings: { properties: { c: { type: 'completion' } } } })
    for (const [id, c] of [
      ['1', 'ab'],
      ['2', 'abc'],
      ['3', 'abcd'],
    ])
      await rest.call(`PUT /gone/_doc/${id}?refresh`, { c })
    await rest.call('DELETE /gone/_doc/2?refresh')
    await rest.call('PUT /gone/_doc/3?refresh', { c: 'abx' })
    expect(textsOf(await options(rest, { prefix: 'ab' }, { field: 'c' }, 'gone'))).toEqual([
      'ab',
      'abx',
    ])
  })

  it('separates tokens, or not, and counts positions that stop words leave, or not', async () => {
    const variants = {
      plain: {},
      joined: { preserve_separators: false },
      stopped: { analyzer: 'stop' },
      closed: { analyzer: 'stop', preserve_position_increments: false },
      searched: { analyzer: 'keyword', search_analyzer: 'simple' },
    }
    const properties = Object.fromEntries(
      Object.entries(variants).map(([name, more]) => [name, { type: 'completion', ...more }]),
    )
    await rest.call('PUT /forms', { mappings: { properties } })
    const text = 'the foo fighters'
    await rest.call(
      'PUT /forms/_doc/1?refresh',
      Object.fromEntries(Object.keys(variants).map(name => [name, text])),
    )
    const found = async (prefix: string): Promise<string[]> => {
      const kept: string[] = []
      for (const field of Object.keys(variants))
        if ((await options(rest, { prefix }, { field }, 'forms')).length > 0) kept.push(field)
      return kept
    }
    expect(await found('the foof')).toEqual(['joined'])
    expect(await found('the foo f')).toEqual(['plain', 'joined', 'stopped', 'closed'])
    expect(await found('foo')).toEqual(['closed'])
    expect(await found('The')).toEqual(['plain', 'joined', 'searched'])
  })

  it('finds what stands in contexts of places, near by and as far as is asked', async () => {
    const contexts = [{ name: 'at', type: 'geo', precision: 5 }]
    await rest.call('PUT /geo', {
      mappings: { properties: { c: { type: 'completion', contexts } } },
    })
    const at = { near: { lat: 52.3738, lon: 4.891 }, town: [4.75, 52.45], far: 'u33dc' }
    for (const [name, place] of Object.entries(at))
      await rest.call(`PUT /geo/_doc/${name}?refresh`, {
        c: { input: `shop ${name}`, contexts: { at: place } },
      })
    const shops = async (place: unknown): Promise<string[]> =>
      (await options(rest, { prefix: 'sh' }, { field: 'c', contexts: { at: place } }, 'geo'))
        .map(({ _id }) => _id)
        .sort()
    const here = { lat: 52.374, lon: 4.89 }
    expect(await shops(here)).toEqual(['near'])
    expect(await shops({ ...here, precision: 4 })).toEqual(['near'])
    expect(await shops({ ...here, neighbours: [4] })).toEqual(['near', 'town'])
    expect(await shops({ ...here, precision: '600km' })).toEqual(['near', 'town'])
    expect(await shops({ ...here, precision: 1 })).toEqual(['far', 'near', 'town'])
    expect(await shops({ context: here, neighbours: [2, 3] })).toEqual(['far', 'near', 'town'])
    expect(await shops('u173z')).toEqual(['near'])
    expect(await shops([{ ...here, boost: 2 }, 'u33dc'])).toEqual(['far', 'near'])
  })

  it('takes contexts of other fields, and wants one', async () => {
    const lower = { type: 'keyword', normalizer: 'lowercase' }
    const contexts = [
      { name: 'kind', type: 'category', path: 'kind' },
      { name: 'at', type: 'geo', path: 'at', precision: 4 },
    ]
    await rest.call('PUT /paths', {
      mappings: {
        properties: {
          kind: lower,
          at: { type: 'geo_point' },
          n: { type: 'integer' },
          c: { type: 'completion', contexts },
          wrong: { type: 'completion', contexts: [{ name: 'n', type: 'category', path: 'n' }] },
        },
      },
    })
    await rest.call('PUT /paths/_doc/1?refresh', { c: 'word', kind: 'BAR' })
    await rest.call('PUT /paths/_doc/2?refresh', { at: 'u173zq', c: 'work' })
    const found = async (asked: object): Promise<string[]> =>
      textsOf(await options(rest, { prefix: 'w' }, { field: 'c', contexts: asked }, 'paths'))
    expect(await found({ kind: 'bar' })).toEqual(['word'])
    expect(await found({ at: { lat: 52.37, lon: 4.9 } })).toEqual(['work'])
    expect(await found({ kind: 'bar', at: 'u173' })).toEqual(['word', 'work'])
    const refused = async (source: object): Promise<string> => {
      const { status, json } = await rest.call('PUT /paths/_doc/3', source)
      return `${status} ${json.error.type}: ${json.error.reason}`
    }
    expect(await refused({ c: 'x' })).toBe(
      '400 illegal_argument_exception: Contexts are mandatory in context enabled completion field [c]',
    )
    expect(await refused({ wrong: 'x', n: 1 })).toBe(
      '400 illegal_argument_exception: Failed to parse context field [n], only keyword and text fields are accepted',
    )
    const mapped = async (path: string): Promise<string> => {
      const lost = { type: 'completion', contexts: [{ name: 'at', type: 'geo', path }] }
      const { status, json } = await rest.call('PUT /paths/_mapping', { properties: { lost } })
      return `${status} ${json.error.type}: ${json.error.reason}`
    }
    expect(await mapped('kind')).toBe(
      '400 parse_exception: field [kind] referenced in context [at] must be mapped to geo_point, found [keyword]',
    )
    expect(await mapped('nowhere')).toBe(
      '400 parse_exception: field [nowhere] referenced in context [at] is not defined in the mapping',
    )
  })

  it.each<[object, string]>([
    [
      { contexts: { kind: { a: 1 } } },
      'contexts must be a string, number or boolean or a list of string, number or boolean, but was [START_OBJECT]',
    ],
    [
      { contexts: { kind: [{}] } },
      'context array must have string, number or boolean values, but was [START_OBJECT]',
    ],
    [{ contexts: { sort: 'a' } }, 'Unknown context name [sort], must be one of [at, kind]'],
    [{ contexts: 'kind' }, 'contexts must be an object or an array , but was [VALUE_STRING]'],
    [{ contexts: { at: { lat: 1 } } }, 'field [lon] missing'],
  ])('refuses a document whose input has %j', async (more, reason) => {
    await rest.call('PUT /ctx', {
      mappings: {
        properties: {
          c: {
            type: 'completion',
            contexts: [
              { name: 'kind', type: 'category' },
              { name: 'at', type: 'geo' },
            ],
          },
        },
      },
    })
    const { status, json } = await rest.call('PUT /ctx/_doc/1', { c: { input: 'a', ...more } })
    expect([status, json.error.caused_by?.reason]).toEqual([400, reason])
  })

  it('puts shards and indices together by weight, then by text', async () => {
    for (const index of ['one', 'two'])
      await rest.call(`PUT /${index}`, {
        settings: { number_of_shards: 3 },
        mappings: { properties: { c: { type: 'completion' } } },
      })
    const lines = Array.from({ length: 40 }, (_, i) => [
      { index: { _index: i % 2 === 0 ? 'one' : 'two', _id: `${i}` } },
      { c: { input: `w${i % 10}`, weight: i % 4 } },
    ])
    await rest.call('POST /_bulk?refresh', ndjson(...lines.flat()))
    const all = await options(rest, { prefix: 'w' }, { field: 'c', size: 100 }, 'one,two')
    expect(all).toHaveLength(40)
    const keys = all.map(({ text, _score }) => `${9 - _score}${text}`)
    expect(keys).toEqual([...keys].sort())
    const best = await options(rest, { prefix: 'w' }, { field: 'c', size: 7 }, 'one,two')
    expect(best).toEqual(all.slice(0, 7))
    const once = { field: 'c', size: 100, skip_duplicates: true }
    expect(textsOf(await options(rest, { prefix: 'w' }, once, 'one,two'))).toHaveLength(10)
  })

  it('shows of documents what the search shows of hits', async () => {
    await rest.call('PUT /shown', { mappings: { properties: { c: { type: 'completion' } } } })
    await rest.call('PUT /shown/_doc/1?refresh', { c: 'abc', a: 1, b: 2 })
    const body = (more: object): object => ({
      suggest: { s: { prefix: 'a', completion: { field: 'c' } } },
      ...more,
    })
    const shown = async (more: object): Promise<unknown> =>
      (await rest.call('POST /shown/_search', body(more))).json.suggest.s[0].options[0]
    expect(await shown({ _source: 'a', version: true })).toEqual({
      text: 'abc',
      _index: 'shown',
      _id: '1',
      _version: 1,
      _score: 1,
      _source: { a: 1 },
    })
    expect(await shown({ _source: false, sort: 'a' })).toEqual({
      text: 'abc',
      _index: 'shown',
      _id: '1',
      _score: 1,
    })
  })
})

/** Every completion with its key, the plain way: lower case, words with one blank between. */
const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.join('\u001f') ?? ''

it('gives the heaviest of all that begin so, however the documents are cut', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' '), minLength: 1, maxLength: 5 })
  const documents = fc.array(fc.tuple(word, fc.nat(3)), { minLength: 1, maxLength: 25 })
  const rest = await openRest()
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      documents,
      word,
      fc.nat(8),
      fc.array(fc.nat(24), { maxLength: 3 }),
      fc.boolean(),
      async (given, prefix, size, cuts, skips) => {
        const index = `r${round++}`
        await rest.call(`PUT /${index}`, {
          mappings: { properties: { c: { type: 'completion' } } },
        })
        for (const [i, [input, weight]] of given.entries()) {
          const isCut = cuts.includes(i)
          await rest.call(`PUT /${index}/_doc/${i}${isCut ? '?refresh' : ''}`, {
            c: { input, weight },
          })
        }
        await rest.call(`POST /${index}/_refresh`)
        const sought = keyOf(prefix)
        const all = given
          .map(([text, weight], id) => ({ text, weight, id, key: keyOf(text) }))
          .filter(({ key }) => key !== '' && sought !== '' && key.startsWith(sought))
        const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
        all.sort(
          (a, b) =>
            b.weight - a.weight || compare(a.key, b.key) || compare(a.text, b.text) || a.id - b.id,
        )
        const seen = new Set<string>()
        const distinct = all.filter(({ text }) => !skips || (!seen.has(text) && seen.add(text)))
        const wanted = distinct.slice(0, size + 1)
        wanted.sort((a, b) => b.weight - a.weight || compare(a.text, b.text) || a.id - b.id)
        const completion = { field: 'c', size: size + 1, skip_duplicates: skips }
        const found = await options(rest, { prefix }, completion, index)
        expect(found.map(({ text, _score }) => [text, _score])).toEqual(
          wanted.map(({ text, weight }) => [text, weight]),
        )
        await rest.call(`DELETE /${index}`)
      },
    ),
    { numRuns: 40 },
  )
  await rest.close()
})
