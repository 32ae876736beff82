import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    k: { type: 'keyword' },
    n: { type: 'integer' },
    items: { type: 'nested', properties: { p: { type: 'integer' }, name: { type: 'keyword' } } },
  })
  await index.add(
    {
      k: 'b',
      n: 3,
      items: [
        { p: 5, name: 'x' },
        { p: 1, name: 'q' },
      ],
    },
    { k: 'C', n: -2, items: { p: 4, name: 'm' } },
    { k: 'a', n: 10 },
    { k: 'é', n: 0, items: [{ p: 9, name: 'z' }] },
  )
})
afterAll(() => index.close())

const by = (source: string, more: object = {}, type = 'number'): object => ({
  _script: { type, script: { source }, ...more },
})

/** Ids with their sort values, first to last. */
async function sorted(sort: object, body: object = {}): Promise<[string, unknown[]][]> {
  const results: [string, unknown[]][][] = []
  for (const more of [{}, { profile: true }]) {
    const { json, text } = await index.rest.call('POST /i/_search', {
      sort: [sort],
      ...body,
      ...more,
    })
    if (json.hits === undefined) throw new Error(text)
    results.push(json.hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, hit.sort]))
  }
  expect(results[1]).toEqual(results[0])
  return results[0]!
}

async function refused(sort: object): Promise<string> {
  const { json, status } = await index.rest.call('POST /i/_search', { sort: [sort] })
  expect(status).toBe(400)
  return json.error.root_cause[0].reason
}

describe('_script', () => {
  it('sorts by the number of a script', async () => {
    expect(await sorted(by("doc['n'].value * 2"))).toEqual([
      ['1', [-4]],
      ['3', [0]],
      ['0', [6]],
      ['2', [20]],
    ])
    const factor = {
      type: 'number',
      order: 'desc',
      script: { source: 'doc.n.value * params.f', params: { f: 0.5 } },
    }
    expect((await sorted({ _script: factor })).map(([, values]) => values)).toEqual([
      [5],
      [1.5],
      [0],
      [-1],
    ])
  })

  it('sorts by the text of a script, in the order of its bytes', async () => {
    expect((await sorted(by("doc['k'].value", {}, 'string'))).map(([, [value]]) => value)).toEqual([
      'C',
      'a',
      'b',
      'é',
    ])
    expect(
      (await sorted(by("doc['k'].value.toLowerCase()", { order: 'desc' }, 'string')))[1],
    ).toEqual(['1', ['c']])
  })

  it('takes expressions of numbers', async () => {
    const script = { lang: 'expression', source: "-doc['n']" }
    expect((await sorted({ _script: { type: 'number', script } })).map(([id]) => id)).toEqual([
      '2',
      '0',
      '3',
      '1',
    ])
  })

  it('reads the score', async () => {
    const query = {
      function_score: {
        query: { match_all: {} },
        field_value_factor: { field: 'n', factor: 1, modifier: 'square' },
      },
    }
    expect(await sorted(by('_score'), { query })).toEqual([
      ['3', [0]],
      ['1', [4]],
      ['0', [9]],
      ['2', [100]],
    ])
  })

  it('goes on behind search_after', async () => {
    expect(await sorted(by("doc['n'].value"), { search_after: [0] })).toEqual([
      ['0', [3]],
      ['2', [10]],
    ])
    expect(await sorted(by("doc['k'].value", {}, 'string'), { search_after: ['a'] })).toEqual([
      ['0', ['b']],
      ['3', ['é']],
    ])
  })

  it('sorts by nested documents, those without any last', async () => {
    const nested = { nested: { path: 'items' } }
    const price = "doc['items.p'].value"
    expect(await sorted(by(price, nested))).toEqual([
      ['0', [1]],
      ['1', [4]],
      ['3', [9]],
      ['2', ['Infinity']],
    ])
    expect(
      (await sorted(by(price, { ...nested, order: 'desc', mode: 'sum' }))).slice(0, 2),
    ).toEqual([
      ['3', [9]],
      ['0', [6]],
    ])
    expect(await sorted(by("doc['items.name'].value", nested, 'string'))).toEqual([
      ['1', ['m']],
      ['0', ['q']],
      ['3', ['z']],
      ['2', [null]],
    ])
  })

  it('sorts top hits and inner hits', async () => {
    const sort = [by("-doc['n'].value")]
    const { json } = await index.rest.call('POST /i/_search?size=0', {
      aggs: { best: { top_hits: { sort, size: 2, _source: false } } },
    })
    expect(json.aggregations.best.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual([
      '2',
      '0',
    ])
    const inner = await index.rest.call('POST /i/_search', {
      query: {
        bool: {
          filter: { ids: { values: ['0'] } },
          must: {
            nested: {
              path: 'items',
              query: { match_all: {} },
              inner_hits: { sort: [by("doc['items.p'].value")] },
            },
          },
        },
      },
    })
    const { hits } = inner.json.hits.hits[0].inner_hits.items.hits
    expect(hits.map((hit: { sort: number[] }) => hit.sort)).toEqual([[1], [5]])
  })

  it.each<[object, string]>([
    [{ _script: { type: 'number' } }, 'Required [script]'],
    [{ _script: { script: '1' } }, 'Required [type]'],
    [{ _script: {} }, 'Required [script, type]'],
    [by('1', { zz: 1 }), '[1:62] [_script] unknown field [zz]'],
    [
      by("'a'", { mode: 'avg' }, 'string'),
      "script sort of type [string] doesn't support mode [avg]",
    ],
  ])('refuses %j', async (sort, reason) => {
    expect(await refused(sort)).toBe(reason)
  })

  it('refuses a type that there is none of', async () => {
    const { json } = await index.rest.call('POST /i/_search', { sort: [by('1', {}, 'version')] })
    expect(json.error.caused_by.reason).toBe('Unknown ScriptSortType [version]')
  })

  it('says where a script failed', async () => {
    expect(await refused(by('nothing'))).toBe('compile error')
    expect(await refused(by("doc['none'].value"))).toBe('runtime error')
    const { json } = await index.rest.call('POST /i/_search', { sort: [by('null', {}, 'string')] })
    expect(json.error.root_cause[0].type).toBe('null_pointer_exception')
  })
})
