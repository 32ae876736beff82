import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /a', {
    mappings: {
      properties: {
        title: { type: 'text', fields: { raw: { type: 'keyword' } } },
        year: { type: 'integer', meta: { unit: 'y' } },
        code: { type: 'keyword', index: false },
        at: { type: 'date' },
        box: { properties: { lid: { type: 'keyword', doc_values: false } } },
        other: { type: 'alias', path: 'year' },
        parts: { type: 'nested', properties: { n: { type: 'long' } } },
      },
    },
  })
  await rest.call('PUT /b', {
    mappings: {
      properties: {
        title: { type: 'text', fielddata: true },
        year: { type: 'long', meta: { unit: 'y', kind: 'count' } },
        code: { type: 'keyword' },
        at: { type: 'date' },
      },
    },
  })
  await rest.call('PUT /a/_doc/1?refresh', { at: '2001-01-01' })
  await rest.call('PUT /b/_doc/1?refresh', { at: '2010-01-01' })
})

afterAll(() => rest.close())

it('tells for each type of a field what its indices can do with it', async () => {
  const { json } = await rest.call('GET /a,b/_field_caps?fields=title,year,code')
  expect(json).toEqual({
    indices: ['a', 'b'],
    fields: {
      code: {
        keyword: {
          type: 'keyword',
          searchable: false,
          aggregatable: true,
          non_searchable_indices: ['a'],
        },
      },
      title: {
        text: {
          type: 'text',
          searchable: true,
          aggregatable: false,
          non_aggregatable_indices: ['a'],
        },
      },
      year: {
        integer: {
          type: 'integer',
          searchable: true,
          aggregatable: true,
          indices: ['a'],
          meta: { unit: ['y'] },
        },
        long: {
          type: 'long',
          searchable: true,
          aggregatable: true,
          indices: ['b'],
          meta: { kind: ['count'], unit: ['y'] },
        },
      },
    },
  })
})

it('lists objects, multi-fields, aliases and metadata fields by patterns', async () => {
  const { json } = await rest.call('POST /a/_field_caps?fields=*')
  expect(Object.keys(json.fields)).toEqual([
    '_doc_count',
    '_field_names',
    '_id',
    '_ignored',
    '_index',
    '_routing',
    '_seq_no',
    '_source',
    '_version',
    'at',
    'box',
    'box.lid',
    'code',
    'other',
    'parts',
    'parts.n',
    'title',
    'title.raw',
    'year',
  ])
  const plain = { searchable: true, aggregatable: true }
  expect(json.fields.other.integer).toEqual({ type: 'integer', ...plain, meta: { unit: ['y'] } })
  expect(json.fields.box).toEqual({
    object: { type: 'object', searchable: false, aggregatable: false },
  })
  expect(json.fields['box.lid'].keyword.aggregatable).toBe(false)
  expect(json.fields.parts).toEqual({
    nested: { type: 'nested', searchable: false, aggregatable: false },
  })
  expect(json.fields['parts.n'].long).toEqual({ type: 'long', ...plain })
  expect(json.fields._seq_no._seq_no).toEqual({ type: '_seq_no', ...plain })
})

it('lists indices without a field where that is asked for', async () => {
  const { json } = await rest.call('GET /a,b/_field_caps?fields=box.lid&include_unmapped')
  expect(json.fields['box.lid'].unmapped).toEqual({
    type: 'unmapped',
    searchable: false,
    aggregatable: false,
    indices: ['b'],
  })
})

it('leaves out indices of which no shard can match the filter', async () => {
  const filter = (query: object): object => ({ index_filter: query })
  const late = filter({ range: { at: { gte: '2005-01-01' } } })
  const { json } = await rest.call('GET /a,b/_field_caps?fields=at', late)
  expect(json.indices).toEqual(['b'])
  const none = await rest.call('GET /a,b/_field_caps?fields=at', filter({ match_none: {} }))
  expect(none.json).toEqual({ indices: [], fields: {} })
})

it.each<[string, object | undefined, string, string]>([
  [
    'GET /a/_field_caps',
    undefined,
    'action_request_validation_exception',
    'Validation Failed: 1: no fields specified;',
  ],
  [
    'GET /a/_field_caps?fields=at',
    { filter: {} },
    'x_content_parse_exception',
    '[1:2] [field_caps_request] unknown field [filter]',
  ],
  [
    'GET /a/_field_caps?fields=at',
    { index_filter: { no: {} } },
    'x_content_parse_exception',
    '[1:17] [field_caps_request] failed to parse field [index_filter]',
  ],
  ['GET /x/_field_caps?fields=at', undefined, 'index_not_found_exception', 'no such index [x]'],
])('refuses %s with %j', async (line, body, type, reason) => {
  const { json } = await rest.call(line, body)
  expect([json.error.type, json.error.reason]).toEqual([type, reason])
})
