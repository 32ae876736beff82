/** Costs of the statistics of a node that has many indices. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'

const INDICES = 1000

/** Statistics of a node with 1,000 indices of a few documents each, and how soon a search ends that is cancelled. */
export const statistics: Bench = {
  name: 'statistics',
  async run({ rounds, say }) {
    say(`statistics: ${INDICES} indices`)
    const statistics = await manyIndices(rounds)
    say('statistics: cancelled searches')
    return [...statistics, await cancelled(rounds)]
  },
}

async function withApi<T>(
  step: (
    send: (method: string, path: string, body?: string) => Promise<Uint8Array>,
    engine: EngineApi,
  ) => Promise<T>,
): Promise<T> {
  const settings = new Map([
    ['lamella.threads.write', '1'],
    ['lamella.threads.search', '1'],
    ['cluster.max_shards_per_node', '10000'],
  ])
  const engine = await openEngine({ folder: null, settings })
  const dispatcher = new Dispatcher(engine, openServices(engine), {
    maxContentLength: 100 * 2 ** 20,
  })
  const send = async (method: string, path: string, body?: string): Promise<Uint8Array> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const bytes = body === undefined ? {} : { body: encodeUtf8(body) }
    const answer = await dispatcher.dispatch({ method, path, headers, ...bytes })
    if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
    return answer.body
  }
  try {
    return await step(send, engine)
  } finally {
    await engine.close()
  }
}

async function manyIndices(rounds: number): Promise<BenchResult[]> {
  return await withApi(async send => {
    for (let i = 0; i < INDICES; i++)
      await send('PUT', `/many-${i}`, '{"settings":{"index.refresh_interval":"-1"}}')
    const lines = Array.from(
      { length: 4 * INDICES },
      (_, i) => `{"index":{"_index":"many-${i % INDICES}"}}\n{"n":${i},"t":"text ${i}"}\n`,
    )
    await send('POST', '/_bulk?refresh=true', lines.join(''))
    const whole = await send('GET', '/_nodes/stats?level=shards')
    if (!Buffer.from(whole).includes(`many-${INDICES - 1}`)) throw new Error('indices are lacking')
    const readings = await interleave(
      [
        { name: 'sums', run: () => send('GET', '/_nodes/stats') },
        { name: 'indices', run: () => send('GET', '/_nodes/stats?level=indices') },
      ],
      rounds,
    )
    const sums = readings.get('sums')!
    return [
      {
        ...resultOf(`statistics/node of ${INDICES} indices`, 'ms', sums),
        mark: atMost(Math.min(...sums), 20, 'ms'),
      },
      resultOf('statistics/the same, index by index', 'ms', readings.get('indices')!),
    ]
  })
}

/** From the request that cancels a search in slices to the search's own answer. */
async function cancelled(rounds: number): Promise<BenchResult> {
  return await withApi(async (send, engine) => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `{"index":{}}\n{"n":${(i * 7919) % 20_011},"k":"key ${i % 5003}"}\n`,
    ).join('')
    for (let i = 0; i < 10; i++) await send('POST', '/books/_bulk', lines)
    await send('POST', '/books/_refresh')
    const terms = { field: 'k.keyword', size: 1000 }
    const aggs = { k: { terms, aggs: { c: { cardinality: { field: 'n' } } } } }
    const body = JSON.stringify({ size: 0, profile: true, aggs })
    // Starts the threads.
    await send('POST', '/books/_search', body)
    const took: number[] = []
    for (let round = 0; round < rounds; round++) {
      let answered = 0
      const search = send('POST', '/books/_search', body).then(
        () => 0,
        () => (answered = performance.now()),
      )
      // Until its slices run.
      while (
        engine.cluster
          .nodeInfo()
          .threadPools.every(({ name, use }) => name !== 'search' || use.active === 0)
      )
        await nextTurn()
      const asked = performance.now()
      await send('POST', '/_tasks/_cancel?actions=indices:data/read/search')
      await search
      if (answered === 0) throw new Error('a search ended before it was cancelled')
      took.push(answered - asked)
    }
    return {
      ...resultOf('statistics/a cancelled search ends', 'ms', took),
      mark: atMost(Math.max(...took), 50, 'ms'),
    }
  })
}
