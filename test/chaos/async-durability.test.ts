import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { extent, SEED, tell } from './extent.ts'
import { FaultDisk } from './fault-disk.ts'
import { serve } from './served-disk.ts'
import type { Send } from './writers.ts'

const SYNC_INTERVAL_IN_MILLIS = 200
/** What was acknowledged longer ago than the interval and this is not lost. */
const TOLERANCE_IN_MILLIS = 1000
const PAGE = 5000
const MAPPINGS = { properties: { n: { type: 'integer' } } }

/** How late timers come: what a busy machine adds to every interval. */
class LagMeter {
  most = 0
  #last = performance.now()
  readonly #timer = setInterval(() => {
    const now = performance.now()
    this.most = Math.max(this.most, now - this.#last - 10)
    this.#last = now
  }, 10)

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Numbers of the documents that are there, ascending. */
async function found(send: Send): Promise<number[]> {
  expect((await send('POST', '/k/_refresh'))?.status).toBe(200)
  const answer = await send('POST', `/k/_search?size=${PAGE}`, '{"sort":["n"],"_source":false}')
  expect(answer?.status, JSON.stringify(answer?.json)).toBe(200)
  return answer!.json.hits.hits.map((hit: { sort: [number] }) => hit.sort[0])
}

/**
 * Writes documents one after another until no answer comes.
 * @returns when each was acknowledged
 */
async function write(send: Send): Promise<number[]> {
  const acknowledged: number[] = []
  for (let n = 0; n < PAGE; n++) {
    const answer = await send('PUT', `/k/_doc/${n}`, `{"n":${n}}`)
    if (answer === null) break
    expect(answer.status).toBe(201)
    acknowledged.push(performance.now())
    if (n % 8 === 0) await delay(1)
  }
  return acknowledged
}

describe('an index whose durability is async', () => {
  it('loses no more than the last operations, and no older ones than it says', async () => {
    const random = new Random(SEED)
    const cycles = extent(4, 100)
    let written = 0
    let lost = 0
    let owedInAll = 0
    for (let cycle = 0; cycle < cycles; cycle++) {
      const disk = new FaultDisk()
      const served = await serve(disk)
      const settings = {
        'translog.durability': 'async',
        'translog.sync_interval': `${SYNC_INTERVAL_IN_MILLIS}ms`,
        refresh_interval: '-1',
      }
      await served.send('PUT', '/k', JSON.stringify({ settings, mappings: MAPPINGS }))
      const lag = new LagMeter()
      const writing = write(served.send)
      // Once long enough that something is owed.
      await delay(cycle === 0 ? 4000 : 100 + random.below(1800))
      served.cut()
      const after = disk.afterPowerLoss(random)
      const cutAt = performance.now()
      lag.stop()
      const acknowledged = await writing
      await served.close()
      const opened = await serve(after)
      const there = await found(opened.send)
      await opened.close()
      expect(there, 'no holes').toEqual(there.map((_, n) => n))
      const allowed = SYNC_INTERVAL_IN_MILLIS + TOLERANCE_IN_MILLIS + lag.most
      const owed = acknowledged.filter(at => cutAt - at > allowed).length
      expect(there.length, `cycle ${cycle}`).toBeGreaterThanOrEqual(owed)
      owedInAll += owed
      written += acknowledged.length
      lost += Math.max(0, acknowledged.length - there.length)
    }
    tell(
      `${cycles} power losses: ${written} acknowledged, ${owedInAll} of them owed, the last ${lost} lost`,
    )
    // A log that is synced before each answer would lose none, and show nothing here.
    expect(lost).toBeGreaterThan(0)
    expect(owedInAll).toBeGreaterThan(0)
  }, 3_600_000)

  it('owes everything from the first answer after it became request', async () => {
    const disk = new FaultDisk()
    const served = await serve(disk)
    const settings = { 'translog.durability': 'async', 'translog.sync_interval': '10m' }
    await served.send('PUT', '/k', JSON.stringify({ settings }))
    for (let n = 0; n < 20; n++) await served.send('PUT', `/k/_doc/${n}`, `{"n":${n}}`)
    const changed = await served.send(
      'PUT',
      '/k/_settings',
      '{"index":{"translog.durability":"request"}}',
    )
    expect(changed?.status, JSON.stringify(changed?.json)).toBe(200)
    await served.send('PUT', '/k/_doc/20', '{"n":20}')
    served.cut()
    const opened = await serve(disk.afterPowerLoss(new Random(SEED)))
    await served.close()
    expect(await found(opened.send)).toHaveLength(21)
    await opened.close()
  })
})
