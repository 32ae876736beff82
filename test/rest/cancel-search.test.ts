import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answered, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { runningTask } from '../support/running-task.ts'

const DOCUMENTS = 40_000

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest({ 'lamella.threads.search': '2' })
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => [
    { index: { _index: 'books' } },
    { n: (i * 7919) % DOCUMENTS, k: `key ${i % 4001}` },
  ])
  for (let at = 0; at < DOCUMENTS; at += 10_000)
    await ok('POST /_bulk?refresh', ndjson(...lines.slice(at, at + 10_000).flat()))
  // Starts the threads.
  await search()
})
afterAll(() => rest.close())

/** A search that takes its time on threads. */
function search(): Promise<Answered> {
  const level = (name: string, below: object): object => ({
    [name]: { terms: { field: 'k.keyword', size: 500 }, aggs: below },
  })
  const most = { c: { cardinality: { field: 'n' } }, p: { percentiles: { field: 'n' } } }
  return rest.call('POST /books/_search', { size: 0, profile: true, aggs: level('a', most) })
}

it('is answered long before it would have ended, and shows what ran until then', async () => {
  const began = performance.now()
  expect((await search()).status).toBe(200)
  const whole = performance.now() - began
  const answer = search()
  const { node, id, resource_stats: stats } = await runningTask(ok, 'indices:data/read/search')
  expect(stats.thread_info.thread_executions).toBeGreaterThan(1)
  const asked = performance.now()
  await ok(`POST /_tasks/${node}:${id}/_cancel?wait_for_completion`)
  const { status, json } = await answer
  expect([status, json.error.type]).toEqual([429, 'task_cancelled_exception'])
  expect(performance.now() - asked).toBeLessThan(whole / 2)
})

/** A search of which every hit takes long. */
const SLOW = {
  size: 0,
  query: {
    script_score: {
      query: { match_all: {} },
      script: {
        source:
          'double s = 0; for (int i = 0; i < 1000; i++) { s += Math.sqrt(i + _score) } return s',
      },
    },
  },
  min_score: 1,
}

it('ends by itself when it takes longer than it may', async () => {
  const { status, json } = await rest.call(
    'POST /books/_search?cancel_after_time_interval=20ms',
    SLOW,
  )
  expect([status, json.error.type]).toEqual([429, 'task_cancelled_exception'])
  const { status: again } = await rest.call('POST /books/_search?cancel_after_time_interval=1h', {
    size: 1,
  })
  expect(again).toBe(200)
})

it('ends when it takes longer than the cluster lets it, unless it asks for its own time', async () => {
  const limit = (value: string | null): object => ({
    transient: { 'search.cancel_after_time_interval': value },
  })
  await ok('PUT /_cluster/settings', limit('20ms'))
  try {
    const { status, json } = await rest.call('POST /books/_search', SLOW)
    expect([status, json.error.type]).toEqual([429, 'task_cancelled_exception'])
    const own = await rest.call('POST /books/_search?cancel_after_time_interval=-1', SLOW)
    expect(own.status).toBe(200)
    const several = await rest.call(
      'POST /_msearch',
      `${JSON.stringify({ index: 'books', request_cache: false })}\n${JSON.stringify(SLOW)}\n` +
        `${JSON.stringify({ index: 'books', cancel_after_time_interval: '1h' })}\n{"size":0}\n`,
    )
    const statuses = several.json.responses.map((each: { status: number }) => each.status)
    expect(statuses).toEqual([429, 200])
  } finally {
    await ok('PUT /_cluster/settings', limit(null))
  }
})
