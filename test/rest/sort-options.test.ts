/** What a sort is refused with, and where the error comes from: its parser, or the shards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    n: { type: 'long' },
    k: { type: 'keyword' },
    t: { type: 'text' },
    bare: { type: 'long', doc_values: false },
    g: { type: 'geo_point' },
    ne: { type: 'nested', properties: { x: { type: 'long' } } },
  })
  await index.add({ n: 1, k: 'a', t: 'a' }, { n: 2, k: 'b', t: 'a a' })
})
afterAll(() => index.close())

const ARGUMENT = 'illegal_argument_exception'
const CONTENT = 'x_content_parse_exception'
const SHARD = 'query_shard_exception'

describe('a sort is refused by its parser', () => {
  it.each<[unknown, string, string]>([
    [5, ARGUMENT, 'malformed sort format, either start with array, object, or an actual string'],
    [true, ARGUMENT, 'malformed sort format, either start with array, object, or an actual string'],
    [
      [5],
      ARGUMENT,
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    ],
    [
      [['n']],
      ARGUMENT,
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    ],
    [{ n: 'down' }, ARGUMENT, 'No enum constant org.opensearch.search.sort.SortOrder.DOWN'],
    [{ n: { reverse: true } }, CONTENT, '[field_sort] unknown field [reverse]'],
    [{ n: { order: 'down' } }, CONTENT, '[field_sort] failed to parse field [order]'],
    [{ n: { mode: 'most' } }, CONTENT, '[field_sort] failed to parse field [mode]'],
    [{ n: { nested: 'ne' } }, CONTENT, '[field_sort] failed to parse field [nested]'],
    [{ n: { nested: {} } }, CONTENT, '[field_sort] failed to parse field [nested]'],
    [{ _score: { mode: 'min' } }, CONTENT, '[_score] unknown field [mode]'],
    [{ _shard_doc: { missing: 1 } }, CONTENT, '[_shard_doc] unknown field [missing]'],
  ])('%j', async (sort, type, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { sort })
    const told = json.error.reason.replace(/^\[\d+:\d+\] /, '')
    expect([status, json.error.type, told]).toEqual([400, type, reason])
    expect(json.error.root_cause).toHaveLength(1)
  })

  it.each([
    [{ order: 'down' }, 'No enum constant org.opensearch.search.sort.SortOrder.DOWN'],
    [{ mode: 'most' }, 'Unknown SortMode [most]'],
    [{ nested: 'ne' }, 'malformed nested sort format, must start with an object'],
    [{ nested: {} }, "[nested] requires 'path' field"],
    [
      { nested: { path: 'ne', depth: 1 } },
      'malformed nested sort format, unknown field name [depth]',
    ],
  ])('with the cause, %j', async (options, reason) => {
    const { json } = await index.rest.call('POST /i/_search', { sort: [{ n: options }] })
    expect(json.error.caused_by).toEqual({ type: ARGUMENT, reason })
  })
})

describe('a sort is refused by the shards', () => {
  it.each<[unknown, string, string]>([
    ['none', SHARD, 'No mapping found for [none] in order to sort on'],
    ['', SHARD, 'No mapping found for [] in order to sort on'],
    [{ k: { mode: 'avg' } }, SHARD, 'we only support AVG, MEDIAN and SUM on number based fields'],
    [
      { k: { numeric_type: 'long' } },
      SHARD,
      '[numeric_type] option cannot be set on a non-numeric field, got keyword',
    ],
    [
      { 'ne.x': { nested: { path: 'none' } } },
      SHARD,
      '[nested] failed to find nested object under path [none]',
    ],
    [
      { 'ne.x': { nested: { path: 'ne', max_children: 1, nested: { path: 'ne.o' } } } },
      SHARD,
      'max_children is only supported on last level of nested sort',
    ],
    [
      't',
      ARGUMENT,
      'Text fields are not optimised for operations that require per-document field data like ' +
        'aggregations and sorting, so these operations are disabled by default. Please use a ' +
        'keyword field instead. Alternatively, set fielddata=true on [t] in order to load field ' +
        'data by uninverting the inverted index. Note that this can use significant memory.',
    ],
    [
      'bare',
      ARGUMENT,
      "Can't load fielddata on [bare] because fielddata is unsupported on fields of type [long]. " +
        'Use doc values instead.',
    ],
    [
      'g',
      ARGUMENT,
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    ],
    [{ none: { unmapped_type: 'colour' } }, ARGUMENT, 'No mapper found for type [colour]'],
  ])('%j', async (sort, type, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { sort })
    expect([status, json.error.type, json.error.phase]).toEqual([
      400,
      'search_phase_execution_exception',
      'query',
    ])
    expect(json.error.root_cause).toEqual([expect.objectContaining({ type, reason })])
  })
})

describe('a sort of the URL', () => {
  const rows = async (query: string, body?: object): Promise<unknown> => {
    const { json } = await index.rest.call(`POST /i/_search?${query}`, body)
    return json.hits.hits.map(({ _id, sort }: { _id: string; sort?: unknown }) => [_id, sort])
  }

  it('takes fields with an order or without, and wins over the body', async () => {
    expect(await rows('sort=n:desc,k')).toEqual([
      ['1', [2, 'b']],
      ['0', [1, 'a']],
    ])
    expect(await rows('sort=n:desc', { sort: ['k'] })).toEqual([
      ['1', [2]],
      ['0', [1]],
    ])
    expect(await rows('sort=_score:asc,_doc')).toEqual([
      ['0', [1, 0]],
      ['1', [1, 1]],
    ])
  })

  it('by the score alone, best first, is none', async () => {
    const expected = [
      ['0', undefined],
      ['1', undefined],
    ]
    expect(await rows('sort=_score')).toEqual(expected)
    expect(await rows('', { sort: [{ _score: 'desc' }] })).toEqual(expected)
    expect(await rows('', { sort: [] })).toEqual(expected)
  })
})
