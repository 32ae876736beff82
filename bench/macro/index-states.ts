/** The sweep over many managed indices, and what searches notice of it. */

import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { processorWait } from '../lib/processor-wait.ts'
import { atMost, type Bench, resultOf } from '../lib/result.ts'

const POLICIES = 10_000
const BATCH = 500
const INTERVAL_IN_MILLIS = 10 * 60_000

/** 10,000 policies, and jobs of as many indices that are all due at once and find that a condition does not hold yet. */
export const indexStates: Bench = {
  name: 'index-states',
  async run({ rounds, say }) {
    say(`index-states: ${POLICIES} policies, as many indices`)
    const settings = new Map([
      ['lamella.threads.search', '1'],
      ['lamella.threads.write', '1'],
      ['cluster.max_shards_per_node', '1000000'],
    ])
    const engine = await openEngine({ folder: null, settings })
    let now = Date.now()
    const services = openServices(engine, { now: () => now, everyMillis: () => () => {} })
    const dispatcher = new Dispatcher(engine, services, { maxContentLength: 100 * 2 ** 20 })
    const send = async (method: string, path: string, body?: object): Promise<void> => {
      const answer = await dispatcher.dispatch({
        method,
        path,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: encodeUtf8(JSON.stringify(body)) }),
      })
      if (answer.status >= 300) throw new Error(Buffer.from(answer.body).toString())
    }
    const search = async (): Promise<number> => {
      const started = performance.now()
      await send('GET', '/books/_search?q=title:whale')
      return performance.now() - started
    }
    const sweep = async (): Promise<number> => {
      now += INTERVAL_IN_MILLIS
      const started = performance.now()
      await services.ism.sweep()
      return performance.now() - started
    }
    try {
      await send('PUT', '/books/_doc/1?refresh=true', { title: 'whale' })
      for (let i = 0; i < POLICIES; i++) {
        const path = `/_plugins/_ism/policies/policy-${i}?refresh=false`
        await send('PUT', path, { policy: policyOf(i) })
      }
      for (let first = 0; first < POLICIES; first += BATCH) {
        for (let i = first; i < first + BATCH; i++) await send('PUT', `/batch-${first}-${i}`)
        const indices = `batch-${first}-*`
        await send('POST', `/_plugins/_ism/add/${indices}`, { policy_id: `policy-${first}` })
        // Closed ones take no memory; jobs look at them all the same.
        await send('POST', `/${indices}/_close`)
      }
      // The first two runs begin the policies; from then on nothing changes.
      const begun = [await sweep(), await sweep()]
      const idle: number[] = []
      for (let i = 0; i < 200; i++) idle.push(await search())
      const sweeps: number[] = []
      const delays: number[] = []
      const ownDelays: number[] = []
      const waited = processorWait()
      const usual = median(idle)
      for (let round = 0; round < rounds; round++) {
        let isOver = false
        const running = sweep().finally(() => {
          isOver = true
        })
        let worst = 0
        let ownWorst = 0
        while (!isOver) {
          const before = waited()
          const took = await search()
          worst = Math.max(worst, took)
          ownWorst = Math.max(ownWorst, took - (waited() - before))
        }
        sweeps.push(await running)
        delays.push(worst - usual)
        ownDelays.push(ownWorst - usual)
      }
      const alone: number[] = []
      for (let round = 0; round < rounds; round++) alone.push(await sweep())
      return [
        resultOf('index-states/first run of all', 'ms', begun),
        resultOf('index-states/sweep', 'ms', alone, {
          mark: atMost(Math.min(...alone), 1_000, 'ms'),
        }),
        resultOf('index-states/sweep beside searches', 'ms', sweeps),
        resultOf('index-states/longest delay of a search', 'ms', delays, {
          mark: atMost(median(delays), 5, 'ms'),
        }),
        resultOf('index-states/longest delay, less waits for a processor', 'ms', ownDelays),
      ]
    } finally {
      await engine.close()
    }
  },
}

function median(readings: readonly number[]): number {
  return [...readings].sort((a, b) => a - b)[readings.length >> 1] ?? Number.NaN
}

function policyOf(i: number): object {
  return {
    description: 'waits for its age',
    default_state: 'hot',
    states: [
      {
        name: 'hot',
        actions: [],
        transitions: [{ state_name: 'gone', conditions: { min_index_age: '9000d' } }],
      },
      { name: 'gone', actions: [{ delete: {} }], transitions: [] },
    ],
    ism_template: { index_patterns: [`other-${i}-*`] },
  }
}
