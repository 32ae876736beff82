import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { openServices } from '../../src/service/services.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, SEED, tell } from './extent.ts'
import { type WorkerKind, WorkerTracker } from './worker-tracker.ts'
import { type Send, Writers } from './writers.ts'

const folder = tempFolder('worker-kills')
const DOCS = 6000

const TEXTS = ['one two three four', 'five six seven', 'eight nine ten one']

/**
 * A search that is worth a thread, since it is profiled: iterators run it. No two are the same query:
 * one that kills thread after thread is refused.
 */
function searchFor(text: string, number: number): string {
  const nobody = { term: { t: `nobody${number}` } }
  const query = { bool: { must: [{ match: { t: text } }], must_not: [nobody] } }
  return JSON.stringify({ query, size: 20, track_total_hits: true, profile: true })
}

async function fill(send: Send): Promise<void> {
  const random = new Random(8)
  const words = 'one two three four five six seven eight nine ten'.split(' ')
  const settings = { number_of_shards: 1, refresh_interval: '-1' }
  await send('PUT', '/still', JSON.stringify({ settings }))
  for (let start = 0; start < DOCS; start += 1000) {
    const lines = Array.from({ length: 1000 }, (_, i) => {
      const text = Array.from({ length: 12 }, () => words[random.below(10)]).join(' ')
      return `{"index":{"_id":"${start + i}"}}\n{"t":"${text}"}\n`
    })
    const answer = await send('POST', '/still/_bulk?refresh=true', lines.join(''))
    expect(answer?.json.errors, JSON.stringify(answer?.json).slice(0, 400)).toBe(false)
  }
}

interface Tally {
  answered: number
  failed: number
}

/** Searches until told to stop; every answer is whole and right, or says that a shard failed. */
async function searchOn(
  send: Send,
  expected: readonly string[],
  random: Random,
  goesOn: () => boolean,
): Promise<Tally> {
  const tally = { answered: 0, failed: 0 }
  while (goesOn()) {
    const which = random.below(TEXTS.length)
    const answer = await Promise.race([
      send('POST', '/still/_search', searchFor(TEXTS[which]!, random.below(1 << 30))),
      delay(PATIENCE_IN_MILLIS, null),
    ])
    expect(answer, 'an answer in time').not.toBeNull()
    const { status, json } = answer!
    if (status === 200 && json._shards.failed === 0) {
      expect(JSON.stringify(json.hits)).toBe(expected[which])
      tally.answered++
    } else {
      expect([200, 503], JSON.stringify(json)).toContain(status)
      tally.failed++
    }
  }
  return tally
}

describe('threads that are killed under load', () => {
  it('take nothing acknowledged with them, and shorten no answer', async () => {
    const tracker = new WorkerTracker()
    const settings = { 'lamella.threads.write': '2', 'lamella.threads.search': '2' }
    const engine = await openEngine({ folder, settings: new Map(Object.entries(settings)) })
    const defects: unknown[] = []
    const dispatcher = new Dispatcher(engine, openServices(engine), {
      maxContentLength: 1 << 24,
      onDefect: error => defects.push(error),
    })
    let isOver = false
    const ask: Send = async (method, url, body) => {
      const [path = '', query = ''] = url.split('?')
      const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json'
      const request = body === undefined ? {} : { body: encodeUtf8(body) }
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type }
      const answer = await dispatcher.dispatch({ method, path, query, headers, ...request })
      const text = Buffer.from(answer.body).toString()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    // Writers stop when nothing answers them any more.
    const write: Send = (...call) => (isOver ? Promise.resolve(null) : ask(...call))
    await fill(ask)
    const writers = new Writers()
    await writers.begin(ask)
    const expected: string[] = []
    for (const text of TEXTS) {
      const answer = await ask('POST', '/still/_search', searchFor(text, 0))
      expected.push(JSON.stringify(answer!.json.hits))
    }

    const random = new Random(SEED)
    const writing = writers.run(write, SEED, 3)
    let writersEnded = false
    const end = (): void => {
      writersEnded = true
    }
    writing.then(end, end)
    const searching = Array.from({ length: 4 }, (_, i) =>
      searchOn(ask, expected, new Random(SEED + i), () => !isOver),
    )
    // Merges come and go: as many of their threads as are met on the way.
    const wanted: Record<WorkerKind, number> = {
      write: extent(12, 500),
      search: extent(8, 500),
      merge: 0,
    }
    const killed: Record<WorkerKind, number> = { write: 0, search: 0, merge: 0 }
    const kinds: readonly WorkerKind[] = ['write', 'search', 'merge']
    let lastKill = performance.now()
    while (!writersEnded && kinds.some(kind => killed[kind] < wanted[kind])) {
      await delay(30 + random.below(150))
      isOver = performance.now() - lastKill > PATIENCE_IN_MILLIS
      expect(isOver, 'no thread to kill').toBe(false)
      const kind = kinds[random.below(3)]!
      const living = tracker.alive(kind)
      if ((kind !== 'merge' && killed[kind] >= wanted[kind]) || living.length === 0) continue
      const victim = living[random.below(living.length)]!
      if (!(await tracker.kill(victim))) continue
      killed[kind]++
      lastKill = performance.now()
    }
    await delay(200)
    isOver = true
    const tallies = await Promise.all(searching)
    await writing
    expect(defects).toEqual([])
    await writers.check(ask)
    // Restarts are spread out: the pool is whole again when that time is over.
    await vi.waitUntil(() => tracker.alive('search').length === 2, { timeout: PATIENCE_IN_MILLIS })
    const after = await ask('POST', '/still/_search', searchFor(TEXTS[0]!, 1))
    expect(JSON.stringify(after!.json.hits)).toBe(expected[0])
    await engine.close()
    tracker.stop()
    const answered = tallies.reduce((sum, tally) => sum + tally.answered, 0)
    const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
    tell(
      `${killed.write} write, ${killed.search} search and ${killed.merge} merge threads killed; ` +
        `${writers.acknowledged} acknowledged operations, ${answered} searches answered, ` +
        `${failed} with a shard failure`,
    )
  }, 3_600_000)
})
