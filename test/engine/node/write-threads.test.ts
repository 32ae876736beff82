import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { Random } from '../../../src/util/random.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../../support/engine-calls.ts'

/** Segments by the requests alone: merges choose by size, and so the order of ties hangs on it. */
const unrefreshed = { 'index.refresh_interval': '-1' }

/** How many merges ended, once none runs. */
async function mergesEnd(engine: EngineApi): Promise<number> {
  for (;;) {
    const shards = (
      await engine.cluster.stats(targetOf('*'), true, trusted('indices:monitor/stats'))
    ).flatMap(index => index.shards)
    if (shards.every(({ merge }) => merge.current === 0))
      return shards.reduce((sum, { merge }) => sum + merge.count, 0)
    await delay(2)
  }
}

/** When a merge ends is a matter of timing, and deletes count in scores until then. */
async function settle(engine: EngineApi): Promise<void> {
  for (let before = -1, after = await mergesEnd(engine); after !== before; ) {
    before = after
    await engine.indices.refresh(targetOf('*'), trusted('indices:admin/refresh'))
    after = await mergesEnd(engine)
  }
}

/** The same requests against a node with so many write threads: hits of some searches, in order. */
async function run(writeThreads: number): Promise<unknown[]> {
  const engine = await engineWith(null, { 'lamella.threads.write': String(writeThreads) })
  const random = new Random(11)
  await createIndex(engine, 'a', { 'index.number_of_shards': '3', ...unrefreshed })
  await createIndex(engine, 'b', { 'index.number_of_shards': '1', ...unrefreshed })
  for (let round = 0; round < 6; round++) {
    const calls = ['a', 'b'].map(index => {
      const lines = Array.from({ length: 150 }, () => {
        const id = `d${random.below(400)}`
        // Few words, so that many documents tie.
        const text = Array.from({ length: 3 }, () => 'abc'[random.below(3)]).join(' ')
        if (random.below(8) === 0) return [{ delete: { _id: id } }]
        return [{ index: { _id: id } }, { text, n: random.below(5) }]
      }).flat()
      return bulk(engine, index, lines, random.below(2) === 0 ? 'true' : 'false')
    })
    await Promise.all(calls)
    await settle(engine)
  }
  const answers: unknown[] = []
  await bulk(engine, 'a', [{ index: { _id: 'last' } }, { text: 'a' }], 'true')
  await bulk(engine, 'b', [{ index: { _id: 'last' } }, { text: 'a' }], 'true')
  await settle(engine)
  for (const body of [
    { query: { match: { text: 'a b' } }, size: 50 },
    { query: { term: { n: 3 } }, size: 50 },
    { query: { match_all: {} }, sort: [{ n: 'asc' }], size: 50 },
  ]) {
    const { hits } = await search(engine, '*', { ...body, track_total_hits: true })
    answers.push(
      hits.total,
      hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]),
    )
  }
  await engine.close()
  return answers
}

it('gives the same hits for 1, 2 and 4 write threads, ties included', async () => {
  const one = await run(1)
  expect(await run(2)).toEqual(one)
  expect(await run(4)).toEqual(one)
})
