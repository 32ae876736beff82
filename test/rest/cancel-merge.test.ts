import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { runningTask } from '../support/running-task.ts'

const DOCUMENTS = 30_000
const BATCH = 5000

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest({ 'lamella.threads.write': '1' })
  await ok('PUT /books', {
    settings: { 'index.refresh_interval': '-1', 'index.merge.policy.segments_per_tier': 30 },
  })
  for (let at = 0; at < DOCUMENTS; at += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, i) => {
      const n = at + i
      const words = Array.from({ length: 30 }, (_, w) => `w${(n * 31 + w * 7919) % 60_007}`)
      return [{ index: { _index: 'books', _id: `d${n}` } }, { n, text: words.join(' ') }]
    })
    await ok('POST /_bulk?refresh', ndjson(...lines.flat()))
  }
})
afterAll(() => rest.close())

async function segmentCount(): Promise<number> {
  const { indices } = await ok('GET /books/_stats/segments')
  return indices.books.primaries.segments.count
}

const merge = () => rest.call('POST /books/_forcemerge?max_num_segments=1')

it('gives up the merge under way and leaves the segments as they were', async () => {
  const before = await segmentCount()
  expect(before).toBeGreaterThan(1)
  const merging = merge()
  const { node, id, cancellable } = await runningTask(ok, 'indices:admin/forcemerge')
  expect(cancellable).toBe(true)
  await ok(`POST /_tasks/${node}:${id}/_cancel?wait_for_completion`)
  const { status, json } = await merging
  expect([status, json.error.type, json.error.reason]).toEqual([
    429,
    'task_cancelled_exception',
    'The task was cancelled.',
  ])
  expect(await segmentCount()).toBe(before)
  expect((await ok('GET /books/_count')).count).toBe(DOCUMENTS)
})

it('does not keep later merges from being made, nor its documents from being found', async () => {
  const found = () =>
    ok('POST /books/_search', { query: { match: { text: 'w31 w62' } }, size: 100 })
  const before = (await found()).hits
  expect((await merge()).status).toBe(200)
  expect(await segmentCount()).toBe(1)
  expect((await found()).hits).toEqual(before)
})
