import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*')
  await rest.call('PUT /i', { settings: { 'append_only.enabled': true } })
})

const refused = (operation: string, rest = '') =>
  `Validation Failed: 1: Operation [${operation}] is not allowed${rest} as setting \`index.append_only.enabled\` is enabled for this index: i;`

describe('an index that only grows', () => {
  it('takes documents without ids', async () => {
    expect((await rest.call('POST /i/_doc', { a: 1 })).status).toBe(201)
    const { json } = await rest.call('POST /i/_bulk', ndjson({ index: {} }, { a: 1 }))
    expect(json.errors).toBe(false)
  })

  it.each([
    ['PUT /i/_doc/1', { a: 1 }, refused('INDEX', ' with a custom document id 1')],
    ['PUT /i/_create/1', { a: 1 }, refused('CREATE', ' with a custom document id 1')],
    ['POST /i/_update/1', { doc: {} }, refused('UPDATE')],
    ['DELETE /i/_doc/1', undefined, refused('DELETE')],
  ])('refuses %s', async (line, body, reason) => {
    const { status, json } = await rest.call(line, body)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'validation_exception',
      reason,
    ])
  })

  it('refuses the same in bulks, one by one', async () => {
    const lines = ndjson(
      { index: { _id: '1' } },
      { a: 1 },
      { create: {} },
      { a: 1 },
      { update: { _id: '2' } },
      { doc: {} },
      { delete: { _id: '3' } },
    )
    const { items } = (await rest.call('POST /i/_bulk', lines)).json
    expect(items[0].index.error.reason).toBe(refused('INDEX', ' with a custom document id 1'))
    expect(items[1].create.status).toBe(201)
    expect(items[2].update.error.reason).toBe(refused('UPDATE'))
    expect(items[3].delete.error.reason).toBe(refused('DELETE'))
  })

  it('alone may select shards by their load', async () => {
    const reason =
      'index [j] is not append-only index, bulk adaptive shard selection is enabled, which is not ' +
      'supported. Please disable bulk adaptive shard selection or set index to append-only index.'
    const settings = { 'index.bulk.adaptive_shard_selection.enabled': true }
    const { status, json } = await rest.call('PUT /j', { settings })
    expect([status, json.error.reason]).toEqual([400, reason])
    await rest.call('PUT /j')
    expect((await rest.call('PUT /j/_settings', settings)).json.error.reason).toBe(reason)
    expect((await rest.call('PUT /i/_settings', settings)).status).toBe(200)
  })
})
