import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { k: { type: 'keyword' }, o: { type: 'nested' } } },
  })
  const lines = ['a', 'b', 'c'].flatMap(_id => [{ index: { _id } }, { k: 'x', o: [{}, {}] }])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const found = async (aggs: object): Promise<unknown> =>
  (await ok('POST /i/_search', { size: 0, aggs: { x: aggs } })).aggregations.x

const _ID = { field: '_id' }

describe('aggregations of _id', () => {
  it.each<readonly [string, object, object]>([
    ['value_count', _ID, { value: 3 }],
    ['cardinality', _ID, { value: 3 }],
    ['missing', _ID, { doc_count: 0 }],
    [
      'terms',
      { ..._ID, order: { _key: 'desc' }, exclude: 'b' },
      {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'c', doc_count: 1 },
          { key: 'a', doc_count: 1 },
        ],
      },
    ],
    [
      'composite',
      { size: 1, after: { id: 'a' }, sources: [{ id: { terms: _ID } }] },
      { after_key: { id: 'b' }, buckets: [{ key: { id: 'b' }, doc_count: 1 }] },
    ],
  ])('%s %j', async (type, body, expected) => {
    expect(await found({ [type]: body })).toEqual(expected)
  })

  it('count the rows of nested documents by the id of the whole', async () => {
    const ids = { terms: { ..._ID, include: 'b' } }
    expect(await found({ nested: { path: 'o' }, aggs: { ids } })).toMatchObject({
      doc_count: 6,
      ids: { buckets: [{ key: 'b', doc_count: 2 }] },
    })
  })

  it('are refused of numbers, and where the cluster lets nobody load ids', async () => {
    const refusal = async (aggs: object): Promise<string> =>
      (await rest.call('POST /i/_search', { aggs: { x: aggs } })).json.error.root_cause[0].reason
    expect(await refusal({ sum: _ID })).toBe(
      'Field [_id] of type [_id] is not supported for aggregation [sum]',
    )
    const key = 'indices.id_field_data.enabled'
    await ok('PUT /_cluster/settings', { transient: { [key]: false } })
    expect(await refusal({ terms: _ID })).toContain('access on the _id field is disallowed')
    await ok('PUT /_cluster/settings', { transient: { [key]: null } })
  })
})

it('scripts read _id as a text', async () => {
  const { hits } = await ok('POST /i/_search', {
    query: { script: { script: "doc['_id'].value.compareTo('b') >= 0" } },
    sort: { _script: { type: 'string', script: "doc['_id'].value", order: 'desc' } },
    script_fields: { f: { script: "doc['_id'].size() + doc['_id'].value" } },
  })
  expect(hits.hits).toMatchObject([
    { sort: ['c'], fields: { f: ['1c'] } },
    { sort: ['b'], fields: { f: ['1b'] } },
  ])
})
