import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    tag: { type: 'keyword' },
    n: { type: 'integer' },
    byValues: { type: 'integer', index: false },
    long: { type: 'long' },
    needed: { type: 'integer' },
    text: { type: 'text' },
  })
  await index.add(
    { tag: 'a', n: 1, byValues: 1, needed: 1 },
    { tag: 'b', n: 2, byValues: -2, needed: 2 },
    { tag: ['a', 'c'], n: -3, byValues: 70_000, needed: 2 },
    { tag: ['a', 'b', 'c'], n: 70_000, needed: [0, 9] },
    { tag: ['a', 'b', 'c'] },
  )
  const { rest } = index
  await rest.call('PUT /lists', {
    mappings: {
      properties: { kept: { type: 'keyword', store: true }, group: { type: 'keyword' } },
    },
  })
  await rest.call('PUT /lists/_doc/1?refresh', {
    terms: ['a', ['x', null]],
    deep: { list: [{ of: 'b' }, { of: 'c' }] },
    'dotted.name': 'b',
    kept: ['b', 'c'],
    group: 'g',
    object: { of: {} },
    none: null,
  })
  await rest.call('PUT /lists/_doc/2?refresh', { terms: 'b', group: 'g' })
  await rest.call('PUT /lists/_doc/3?routing=r&refresh', { terms: 'c' })
  await rest.call('PUT /lists/_doc/4', { terms: 'unrefreshed b', tags: ['b'] })
})
afterAll(() => index.close())

const byId = (options: object): object => ({ terms: { tag: { index: 'lists', ...options } } })

describe('terms of other documents', () => {
  it.each([
    [{ id: '1', path: 'terms' }, ['0', '2', '3', '4']],
    [{ id: '1', path: 'deep.list.of' }, ['1', '2', '3', '4']],
    [{ id: '1', path: 'dotted.name' }, ['1', '3', '4']],
    [{ id: '1', path: 'none' }, []],
    [{ id: '1', path: 'absent' }, []],
    [{ id: 'absent', path: 'terms' }, []],
    [{ id: '3', path: 'terms', routing: 'r' }, ['2', '3', '4']],
    [{ id: '4', path: 'tags' }, ['1', '3', '4']],
    [{ id: '1', path: 'kept', store: true }, ['1', '2', '3', '4']],
    [{ id: '1', path: 'group', store: true }, []],
    [{ query: { term: { group: 'g' } }, path: 'terms' }, ['0', '1', '2', '3', '4']],
    [{ query: { term: { group: 'g' } }, path: 'kept', store: true }, ['1', '2', '3', '4']],
    [{ query: { match_none: {} }, path: 'terms' }, []],
    [
      { query: { terms: { group: { index: 'lists', id: '1', path: 'group' } } }, path: 'terms' },
      ['0', '1', '2', '3', '4'],
    ],
  ])('%j', async (options, expected) => {
    expect(await index.find(byId(options))).toEqual(expected)
    const nested = { bool: { must: [{ bool: { filter: byId(options) } }] } }
    expect(await index.find(nested)).toEqual(expected)
    const body = { post_filter: byId(options), size: 10 }
    const { json } = await index.rest.call('POST /i/_search', body)
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(expected)
  })

  it.each([
    [
      { index: null, id: '1', path: 'x' },
      '[terms] query lookup element requires specifying the index.',
    ],
    [{ path: 'x' }, '[terms] query lookup element requires specifying the id.'],
    [{ id: '1' }, '[terms] query lookup element requires specifying the path.'],
    [
      { id: '1', query: { match_all: {} }, path: 'x' },
      '[terms] query lookup element cannot specify both id and query.',
    ],
    [{ id: '1', path: 'x', size: 1 }, '[1:63] [terms_lookup] unknown field [size]'],
    [{ id: '1', path: 'object.of' }, 'the value at [object.of] is an object, which is no term'],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: byId(options) })).toEqual([400, reason])
  })

  it('refuses a missing index, and more hits than may be read', async () => {
    const { status, json } = await index.rest.call('POST /i/_search', {
      query: { terms: { tag: { index: 'gone', id: '1', path: 'x' } } },
    })
    expect([status, json.error.type]).toEqual([404, 'index_not_found_exception'])
    await index.rest.call('PUT /lists/_settings', { 'index.max_terms_count': 1 })
    const query = byId({ query: { term: { group: 'g' } }, path: 'terms' })
    expect(await index.refusal({ query })).toEqual([
      400,
      'Terms lookup subquery total hits [2] exceed fetch limit [1]; filter may be incomplete.',
    ])
    await index.rest.call('PUT /lists/_settings', { 'index.max_terms_count': null })
  })

  it('is looked up for explanations, validations, rescorings and filters of fields too', async () => {
    const { rest } = index
    const query = byId({ id: '1', path: 'dotted.name' })
    const { json: explained } = await rest.call('GET /i/_explain/1', { query })
    expect([explained.matched, explained.explanation.value]).toEqual([true, 1])
    const { json: valid } = await rest.call('GET /i/_validate/query?explain=true', { query })
    expect([valid.valid, valid.explanations[0].explanation]).toEqual([true, 'tag:(b)'])
    const { json: caps } = await rest.call('GET /i/_field_caps?fields=tag', { index_filter: query })
    expect(caps.indices).toEqual(['i'])
    const { json: found } = await rest.call('POST /i/_search', {
      rescore: { query: { rescore_query: query } },
    })
    expect(found.hits.max_score).toBe(2)
  })

  it('counts looked-up terms as given ones', async () => {
    await index.rest.call('PUT /i/_settings', { 'index.max_terms_count': 1 })
    expect(await index.refusal({ query: byId({ id: '1', path: 'terms' }) })).toEqual([
      400,
      'The number of terms [2] used in the Terms Query request has exceeded the allowed maximum of [1]. This maximum can be set by changing the [index.max_terms_count] index level setting.',
    ])
    await index.rest.call('PUT /i/_settings', { 'index.max_terms_count': null })
  })

  it('is nothing that a filter of an alias may hold', async () => {
    const filter = byId({ id: '1', path: 'terms' })
    const { status, json } = await index.rest.call('PUT /i/_alias/filtered', { filter })
    expect([status, json.error.reason]).toEqual([
      400,
      'failed to parse filter for alias [filtered]',
    ])
  })
})

/** A bitmap in its portable form: one array container for each upper half. */
function bitmapOf(...values: readonly number[]): string {
  const keys = new Map<number, number[]>()
  for (const value of [...values].sort((a, b) => (a >>> 0) - (b >>> 0))) {
    const key = value >>> 16
    keys.set(key, [...(keys.get(key) ?? []), value & 0xffff])
  }
  const bytes: number[] = []
  const put = (value: number, count: number): void => {
    for (let i = 0; i < count; i++) bytes.push((value >>> (8 * i)) & 255)
  }
  put(12346, 4)
  put(keys.size, 4)
  for (const [key, list] of keys) {
    put(key, 2)
    put(list.length - 1, 2)
  }
  let offset = 8 + 8 * keys.size
  for (const list of keys.values()) {
    put(offset, 4)
    offset += 2 * list.length
  }
  for (const list of keys.values()) for (const value of list) put(value, 2)
  return Buffer.from(bytes).toString('base64')
}

describe('terms as a bitmap', () => {
  const bitmap = (field: string, value: unknown): object => ({
    terms: { [field]: value, value_type: 'bitmap' },
  })

  it('finds the integers of the bitmap', async () => {
    expect(await index.find(bitmap('n', [bitmapOf(2, -3, 5, 70_000)]))).toEqual(['1', '2', '3'])
    expect(await index.find(bitmap('byValues', [bitmapOf(-2, 70_000)]))).toEqual(['1', '2'])
    expect(await index.find(bitmap('n', [bitmapOf(100)]))).toEqual([])
    expect(await profiled(index, bitmap('n', [bitmapOf(1)]))).toEqual([
      'IndexOrDocValuesQuery',
      'IndexOrDocValuesQuery(indexQuery=BitmapIndexQuery(field=n), dvQuery=BitmapDocValuesQuery(field=n))',
    ])
    expect(await profiled(index, bitmap('byValues', [bitmapOf(1)]))).toEqual([
      'BitmapDocValuesQuery',
      'BitmapDocValuesQuery(field=byValues)',
    ])
  })

  it('finds longs by upper and lower halves', async () => {
    await index.rest.call('PUT /i/_doc/5?refresh', { long: 4294967301 })
    const low = Buffer.from(bitmapOf(5), 'base64')
    const bytes = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, ...low])
    expect(await index.find(bitmap('long', [bytes.toString('base64')]))).toEqual(['5'])
    await index.rest.call('DELETE /i/_doc/5?refresh')
  })

  it('may be looked up', async () => {
    await index.rest.call('PUT /lists/_doc/bits', { bits: bitmapOf(1) })
    const lookup = { index: 'lists', id: 'bits', path: 'bits' }
    expect(await index.find(bitmap('n', lookup))).toEqual(['0'])
  })

  it.each([
    [
      bitmap('n', ['a', 'b']),
      'Invalid value for bitmap type: Expected a single-element array with a base64 encoded serialized bitmap.',
    ],
    [
      bitmap('n', ['*']),
      'Invalid value for bitmap type: Expected a single-element array with a base64 encoded serialized bitmap.',
    ],
    [bitmap('needed', ['AA==']), 'the value is no serialized bitmap: it ends early'],
    [bitmap('tag', [bitmapOf(1)]), 'Field type [keyword] does not support bitmap queries'],
    [bitmap('n', ['AAAA']), 'the value is no serialized bitmap: it ends early'],
    [{ terms: { n: [1], value_type: 'x' } }, '[x] is not a valid value_type'],
  ])('refuses %j', async (query, reason) => {
    expect(await index.refusal({ query })).toEqual([400, reason])
  })
})

describe('terms_set', () => {
  const set = (options: object): object => ({ terms_set: { tag: options } })
  const needed = { minimum_should_match_field: 'needed' }

  it('finds documents with as many terms as they say', async () => {
    expect(await index.find(set({ terms: ['a', 'b', 'c'], ...needed }))).toEqual(['0', '2', '3'])
    expect(await index.find(set({ terms: ['b', 'x'], ...needed, boost: 2 }))).toEqual(['3'])
    expect(await index.find(set({ terms: [], ...needed }))).toEqual([])
  })

  it('sums the scores of the terms', async () => {
    const query = set({ terms: ['a', 'c'], ...needed })
    expect(await scored(index, query)).toEqual([
      ['2', 2],
      ['3', 2],
      ['0', 1],
    ])
    expect(outlineOf(await explained(index, query, '2'))[0]).toBe(
      '2 matches for 2 required matches, sum of:',
    )
    expect(await profiled(index, query)).toEqual([
      'CoveringQuery',
      'CoveringQuery(queries=[ConstantScore(tag:a), ConstantScore(tag:c)], minimumNumberMatch=long(needed))',
    ])
  })

  it.each([
    [{ terms: ['a'] }, 'No minimum should match has been specified'],
    [
      { terms: ['a'], minimum_should_match_field: 'gone' },
      'failed to find minimum_should_match field [gone]',
    ],
    [{ terms: 'a' }, '[terms_set] unknown token [VALUE_STRING] after [terms]'],
    [{ terms: [null] }, 'No value specified for terms query'],
    [{ terms: ['a'], x: 1 }, '[terms_set] query does not support [x]'],
    [needed, 'terms cannot be null'],
    ['a', '[terms_set] unknown token [VALUE_STRING] after [tag]'],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: { terms_set: { tag: options } } })).toEqual([400, reason])
  })
})
