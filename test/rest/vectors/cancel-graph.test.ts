import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'
import { runningTask } from '../../support/running-task.ts'

const COUNT = 24_000
const DIMENSION = 32
/**
 * All vectors are candidates of each, and 400 their neighbours: the graph takes the cube of their number, 5 s for
 * 4,000 and 18 minutes for these. A test that ends at all has cut it short.
 */
const method = { name: 'hnsw', engine: 'faiss', parameters: { m: 400, ef_construction: COUNT } }
/** By then the graph is begun; a cancel that comes before ends the task all the same. */
const AMID_IN_MILLIS = 500

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest({ 'lamella.threads.write': '1' })
})
afterAll(() => rest.close())

const random = new Random(6)
const vectors = Array.from({ length: COUNT }, () =>
  Array.from({ length: DIMENSION }, () => Math.fround(random.next())),
)

async function create(index: string, threshold: number): Promise<void> {
  await ok(`PUT /${index}`, {
    settings: {
      'index.knn': true,
      'index.knn.advanced.approximate_threshold': threshold,
      'index.refresh_interval': -1,
      'index.merge.policy.segments_per_tier': 30,
    },
    mappings: { properties: { v: { type: 'knn_vector', dimension: DIMENSION, method } } },
  })
}

async function add(index: string, from: number, end: number): Promise<void> {
  const lines = vectors
    .slice(from, end)
    .flatMap((v, i) => [{ index: { _id: `${from + i}` } }, { v }])
  expect((await ok(`POST /${index}/_bulk`, ndjson(...lines))).errors).toBe(false)
}

/** Cancels a forced merge that runs, and expects it to end. */
async function cancelMerge(index: string): Promise<void> {
  const merging = rest.call(`POST /${index}/_forcemerge?max_num_segments=1`)
  const { node, id, cancellable } = await runningTask(ok, 'indices:admin/forcemerge')
  expect(cancellable).toBe(true)
  await sleep(AMID_IN_MILLIS)
  await ok(`POST /_tasks/${node}:${id}/_cancel?wait_for_completion`)
  const { status, json } = await merging
  expect([status, json.error.type, json.error.reason]).toEqual([
    429,
    'task_cancelled_exception',
    'The task was cancelled.',
  ])
}

async function segmentCount(index: string): Promise<number> {
  const { indices } = await ok(`GET /${index}/_stats/segments`)
  return indices[index].primaries.segments.count
}

const nearest = async (index: string): Promise<unknown> => {
  const query = { knn: { v: { vector: vectors[17], k: 3 } } }
  return (await ok(`POST /${index}/_search`, { query, _source: false, size: 1 })).hits.hits[0]
}

describe('a graph that is given up with its task', () => {
  it(
    'by a seal leaves what was written where it was',
    async () => {
      await create('sealed', 0)
      await add('sealed', 0, COUNT)
      await cancelMerge('sealed')
      expect(await segmentCount('sealed')).toBe(0)
      // A get reads what no segment has.
      expect((await ok('GET /sealed/_doc/17'))._source.v).toHaveLength(DIMENSION)
      await add('sealed', 0, 10)
      await ok('PUT /sealed/_settings', { 'index.knn.advanced.approximate_threshold': -1 })
      await ok('POST /sealed/_refresh')
      expect((await ok('GET /sealed/_count')).count).toBe(COUNT)
      expect(await nearest('sealed')).toMatchObject({ _id: '17', _score: 1 })
    },
    PATIENCE_IN_MILLIS,
  )

  it(
    'by a merge leaves its sources',
    async () => {
      await create('merged', 0)
      await ok('PUT /merged/_settings', { 'index.knn.advanced.approximate_threshold': -1 })
      for (let at = 0; at < COUNT; at += COUNT / 3) {
        await add('merged', at, at + COUNT / 3)
        await ok('POST /merged/_refresh')
      }
      expect(await segmentCount('merged')).toBe(3)
      await ok('PUT /merged/_settings', { 'index.knn.advanced.approximate_threshold': 0 })
      await cancelMerge('merged')
      expect(await segmentCount('merged')).toBe(3)
      expect((await ok('GET /merged/_count')).count).toBe(COUNT)
      expect(await nearest('merged')).toMatchObject({ _id: '17', _score: 1 })
      await ok('PUT /merged/_settings', { 'index.knn.advanced.approximate_threshold': -1 })
      await ok('POST /merged/_forcemerge?max_num_segments=1')
      expect(await segmentCount('merged')).toBe(1)
    },
    PATIENCE_IN_MILLIS,
  )
})
