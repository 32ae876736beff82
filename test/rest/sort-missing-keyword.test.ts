import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  const settings = { number_of_shards: 1, 'index.refresh_interval': '-1' }
  await ok('PUT /i', { settings, mappings: { properties: { k: { type: 'keyword' } } } })
  // Each line is a segment; the second lacks the terms of the first, and what stands for none.
  const segments = [
    [{ k: 't3' }, { k: 't7' }, { k: 't5' }],
    [{}, { k: 't1' }, { k: 't9' }, {}],
  ]
  let id = 0
  for (const documents of segments) {
    const lines = documents.flatMap(document => [{ index: { _id: `${id++}` } }, document])
    await ok('POST /i/_bulk', ndjson(...lines))
    await ok('POST /i/_refresh')
  }
})
afterAll(() => rest.close())

async function ids(order: string, missing: string, more: object = {}): Promise<string[]> {
  const { hits } = await ok('POST /i/_search', { sort: [{ k: { order, missing } }], ...more })
  return hits.hits.map(({ _id }: { readonly _id: string }) => _id)
}

it('puts documents without a value where the term that stands for it belongs', async () => {
  expect(await ids('desc', 't6')).toEqual(['5', '1', '3', '6', '2', '0', '4'])
  expect(await ids('asc', 't6')).toEqual(['4', '0', '2', '3', '6', '1', '5'])
  expect(await ids('asc', 't4')).toEqual(['4', '0', '3', '6', '2', '1', '5'])
  // Of equal terms the earlier document is first.
  expect(await ids('asc', 't5')).toEqual(['4', '0', '2', '3', '6', '1', '5'])
})

it('keeps the right ones where fewer are asked for', async () => {
  expect(await ids('desc', 't6', { size: 3 })).toEqual(['5', '1', '3'])
  expect(await ids('asc', 't4', { size: 3 })).toEqual(['4', '0', '3'])
  expect(await ids('desc', 't4', { size: 4 })).toEqual(['5', '1', '2', '3'])
})

it('goes on behind a term', async () => {
  expect(await ids('asc', 't6', { search_after: ['t5'] })).toEqual(['3', '6', '1', '5'])
  expect(await ids('asc', 't6', { search_after: ['t7'] })).toEqual(['5'])
  expect(await ids('desc', 't4', { search_after: ['t5'] })).toEqual(['3', '6', '0', '4'])
})
