import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'
import { POINTS, type Server, startServer } from './killed-server.ts'
import type { Send } from './writers.ts'

const folder = tempFolder('kill-reindex')
const DOCUMENTS = 400
const BATCH = 20

/** Numbers of the documents of an index, by id. */
type Numbers = ReadonlyMap<string, number>

async function ok(send: Send, method: string, path: string, body?: object): Promise<void> {
  const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body))
  expect([path, answer?.status, answer?.json.error]).toEqual([path, expect.any(Number), undefined])
}

async function read(send: Send, index: string): Promise<Numbers> {
  await ok(send, 'POST', `/${index}/_refresh?ignore_unavailable=true`)
  const answer = await send(
    'GET',
    `/${index}/_search?size=${DOCUMENTS * 2}&ignore_unavailable=true`,
  )
  const hits = answer!.json.hits.hits as { _id: string; _source: { n: number } }[]
  const numbers = new Map(hits.map(({ _id, _source }) => [_id, _source.n]))
  // None is there twice.
  expect(numbers.size).toBe(hits.length)
  return numbers
}

/** Fills up what is missing of the documents that every round begins with. */
async function fill(send: Send): Promise<Numbers> {
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`,
  )
  const answer = await send('POST', '/from/_bulk', lines.join(''))
  expect(answer!.json.errors).toBe(false)
  await ok(send, 'DELETE', '/to?ignore_unavailable=true')
  return await read(send, 'from')
}

interface Work {
  readonly path: string
  readonly body: object
  /** Checks the two indices, whenever the work was cut. */
  holds(before: Numbers, from: Numbers, to: Numbers): void
  /** Checks them when the end of the work was acknowledged, or it was run again. */
  isDone(before: Numbers, from: Numbers, to: Numbers): void
}

const isLow = (n: number): boolean => n < DOCUMENTS / 2

const WORKS: readonly Work[] = [
  {
    path: '/_reindex',
    body: {
      conflicts: 'proceed',
      source: { index: 'from', size: BATCH },
      dest: { index: 'to', op_type: 'create' },
    },
    holds(before, from, to) {
      expect(from).toEqual(before)
      for (const [id, n] of to) expect([id, n]).toEqual([id, before.get(id)])
    },
    isDone(before, _, to) {
      expect(to).toEqual(before)
    },
  },
  {
    path: `/from/_update_by_query?scroll_size=${BATCH}&slices=2&conflicts=proceed`,
    body: {
      query: { range: { n: { lt: DOCUMENTS } } },
      script: { source: `ctx._source.n += ${DOCUMENTS}` },
    },
    holds(before, from) {
      expect([...from.keys()].sort()).toEqual([...before.keys()].sort())
      for (const [id, n] of from) expect([n, n - DOCUMENTS]).toContain(before.get(id))
    },
    isDone(before, from) {
      for (const [id, n] of from) expect(n - DOCUMENTS).toBe(before.get(id))
    },
  },
  {
    path: `/from/_delete_by_query?scroll_size=${BATCH}&conflicts=proceed`,
    body: { query: { range: { n: { lt: DOCUMENTS / 2 } } } },
    holds(before, from) {
      for (const [id, n] of from) expect([id, n]).toEqual([id, before.get(id)])
      for (const [id, n] of before) if (!isLow(n)) expect(from.has(id)).toBe(true)
    },
    isDone(before, from) {
      expect(from.size).toBe([...before.values()].filter(n => !isLow(n)).length)
    },
  },
]

/** What was under way when a server was killed. */
interface Cut {
  readonly work: Work
  readonly before: Numbers
  readonly isAcknowledged: boolean
}

/** Holds the indices to what was cut, and does it again, to its end. */
async function check({ send }: Server, { work, before, isAcknowledged }: Cut): Promise<void> {
  const [from, to] = [await read(send, 'from'), await read(send, 'to')]
  work.holds(before, from, to)
  if (isAcknowledged) work.isDone(before, from, to)
  await ok(send, 'POST', work.path, work.body)
  work.isDone(before, await read(send, 'from'), await read(send, 'to'))
}

/** Commits beside the work, so that files are written and deleted amid it, too. */
async function commit({ send, process }: Server): Promise<void> {
  let isOver = false
  void process.ended.then(() => (isOver = true))
  while (!isOver) {
    await send('POST', '/from,to/_flush?force=true&wait_if_ongoing=true&ignore_unavailable=true')
    await delay(5)
  }
}

/** How often a point is met at most before it kills: what happens once a commit kills soon. */
function passes(name: string): number {
  return /^(log|segment|folder)\.(?!beforeDelete)/.test(name) ? 12 : 3
}

describe('a reindex, an update or a deletion by query that is killed', () => {
  it('loses, doubles and brings back nothing, and ends when it is run again', async () => {
    const random = new Random(SEED)
    const cycles = extent(6, 200)
    let cutShort = 0
    let acknowledged = 0
    const met = new Set<string>()
    const first = (await startServer(folder, null))!
    await ok(first.send, 'PUT', '/from', { settings: { number_of_shards: 2 } })
    await end(first)
    let cut: Cut | null = null
    for (let cycle = 0; cycle < cycles; cycle++) {
      const work = WORKS[cycle % WORKS.length]!
      // Points and works take turns; their numbers have no factor in common.
      const name = POINTS[cycle % POINTS.length]!
      const server = (await startServer(folder, 'later'))!
      if (cut !== null) await check(server, cut)
      const before = await fill(server.send)
      const isTimed = random.below(4) === 0
      if (!isTimed) server.killAt(`${name}:${1 + random.below(passes(name))}`)
      const committing = commit(server)
      const running = server.send('POST', work.path, JSON.stringify(work.body))
      const limit = delay(isTimed ? random.below(200) : 8_000)
      const answer = await Promise.race([running, limit])
      if (answer === null) met.add(name)
      server.process.child.kill('SIGKILL')
      await server.process.ended
      expect(server.process.child.signalCode).toBe('SIGKILL')
      await running
      await committing
      server.stop()
      cut = { work, before, isAcknowledged: answer?.status === 200 }
      if (cut.isAcknowledged) acknowledged++
      else cutShort++
      if ((cycle + 1) % 20 === 0) tell(`${cycle + 1} kills, ${cutShort} in the middle of the work`)
    }
    const last = (await startServer(folder, null))!
    await check(last, cut!)
    await end(last)
    tell(
      `${cycles} kills, ${cutShort} in the middle of the work, ${acknowledged} behind its end; ${met.size} of ${POINTS.length} points met`,
    )
  }, 7_200_000)
})

/** Ends a server without a clean stop, which nothing acknowledged depends on. */
async function end({ process, stop }: Server): Promise<void> {
  process.child.kill('SIGKILL')
  await process.ended
  stop()
}
