import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
  // Of its shards, those without documents are never late.
  await ok('PUT /three', { settings: { number_of_shards: 3 } })
  for (const index of ['one', 'three'])
    await ok(`POST /${index}/_bulk?refresh&routing=r`, ndjson(...documents()))
})
afterAll(() => rest.close())

function documents(): object[] {
  return Array.from({ length: 3000 }, (_, n) => [{ index: {} }, { n }]).flat()
}

const LATE = { query: { range: { n: { gte: 0 } } }, sort: ['n'], timeout: '0ms' }
const WHOLE = 'allow_partial_search_results=false'
const BY_DEFAULT = { 'search.default_allow_partial_results': 'false' }
const NO_TIME = { 'search.default_search_timeout': '0ms' }

/** What a call is refused with, and why each shard failed. */
async function failure(line: string, body?: object): Promise<readonly unknown[]> {
  const { status, json } = await rest.call(line, body)
  const { reason, failed_shards: shards } = json.error
  return [
    status,
    reason,
    ...shards.map(({ reason: own }: { reason: object }) => Object.values(own).join(': ')),
  ]
}

const ALL = [500, 'all shards failed', 'query_phase_execution_exception: Time exceeded']
const SOME = [500, 'Partial shards failure', 'query_phase_execution_exception: Time exceeded']

describe('an answer when the time is over', () => {
  it('is what there is until then', async () => {
    const json = await ok('POST /three/_search', LATE)
    expect(json.timed_out).toBe(true)
    expect(json.hits.hits.length).toBeLessThan(10)
    expect(json._shards).toMatchObject({ total: 3, successful: 3, failed: 0 })
  })

  it('is an error where the search allows no part of one', async () => {
    expect(await failure(`POST /one/_search?${WHOLE}`, LATE)).toEqual(ALL)
    expect(await failure(`POST /three/_search?${WHOLE}`, LATE)).toEqual(SOME)
    const inTime = await ok(`POST /three/_search?${WHOLE}`, { ...LATE, timeout: '1m' })
    expect([inTime.timed_out, inTime.hits.total.value]).toEqual([false, 3000])
  })

  it('is one where the cluster allows none, unless the search does', async () => {
    await ok('PUT /_cluster/settings', { transient: BY_DEFAULT })
    try {
      expect(await failure('POST /three/_search', LATE)).toEqual(SOME)
      const allowed = await ok('POST /three/_search?allow_partial_search_results=true', LATE)
      expect(allowed.timed_out).toBe(true)
    } finally {
      await ok('PUT /_cluster/settings', { transient: { [Object.keys(BY_DEFAULT)[0]!]: null } })
    }
  })

  it('is one for counts too', async () => {
    const query = { range: { n: { gte: 5, lt: 2990 } } }
    await ok('PUT /_cluster/settings', { transient: { ...BY_DEFAULT, ...NO_TIME } })
    try {
      expect(await failure('POST /one/_count', { query })).toEqual(ALL)
      expect(await failure('POST /three/_count', { query })).toEqual(SOME)
      await ok('PUT /_cluster/settings', {
        transient: { 'search.default_allow_partial_results': 'true' },
      })
      expect((await ok('POST /three/_count', { query })).count).toBeLessThan(2985)
    } finally {
      const transient = {
        'search.default_allow_partial_results': null,
        'search.default_search_timeout': null,
      }
      await ok('PUT /_cluster/settings', { transient })
    }
    expect((await ok('POST /three/_count', { query })).count).toBe(2985)
  })

  it('is one for the next page of a scroll, which goes on from there', async () => {
    const body = { size: 1000, query: LATE.query, sort: ['n'] }
    const { _scroll_id: scroll_id, hits } = await ok(`POST /one/_search?scroll=1m&${WHOLE}`, body)
    expect(hits.hits.length).toBe(1000)
    const found: number[] = []
    await ok('PUT /_cluster/settings', { transient: NO_TIME })
    try {
      // Pages that were collected ahead are there without a search.
      for (;;) {
        const { status, json } = await rest.call('POST /_search/scroll', { scroll_id })
        if (status !== 200) {
          expect([status, json.error.failed_shards[0].reason.reason]).toEqual([
            500,
            'Time exceeded',
          ])
          break
        }
        if (json.hits.hits.length === 0) break
        found.push(json.hits.hits.length)
      }
    } finally {
      const transient = { 'search.default_search_timeout': null }
      await ok('PUT /_cluster/settings', { transient })
    }
    for (;;) {
      const { hits: page } = await ok('POST /_search/scroll', { scroll_id })
      if (page.hits.length === 0) break
      found.push(page.hits.length)
    }
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(2000)
  })
})

describe('a scan of the library', () => {
  it('rejects where its time is over, and never ends short of a document', async () => {
    await using db = await open()
    const index = await db.index('notes', { properties: { n: { type: 'integer' } } })
    const operations = Array.from({ length: 3000 }, (_, n) => ({ source: { n } }))
    await index.bulk(operations, { refresh: true })
    const count = async (): Promise<number> => {
      let hits = 0
      for await (const _ of index.scan({ range: { n: { gte: 0 } } })) hits++
      return hits
    }
    expect(await count()).toBe(3000)
    await db.changeSettings({ 'search.default_search_timeout': '0ms' })
    await expect(count()).rejects.toMatchObject({ message: 'Time exceeded', status: 500 })
  })
})
