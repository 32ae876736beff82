/** Costs of indices that come, go, are many, and have many fields. */

import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { EngineApi } from '../../dist/engine/api/engine-api.js'
import { openEngine } from '../../dist/engine/engine.js'
import { Dispatcher } from '../../dist/rest/dispatch.js'
import { openServices } from '../../dist/service/services.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'

const INDICES = 1000
const FIELDS = 200
const DOCUMENTS = 2000
const NEW_FIELDS = 5000
const MB = 2 ** 20

/** Indices created and deleted, mappings of many of them, the state of the cluster, wide mappings. */
export const indexLife: Bench = {
  name: 'index-life',
  async run({ rounds, say }) {
    say('index-life: indices that come and go')
    const comings = [await comeAndGo(null, rounds), await comeAndGo('disk', rounds)].flat()
    say(`index-life: ${INDICES} indices of ${FIELDS} fields`)
    const indices = await manyIndices(rounds)
    return [...comings, ...indices, await wideMappings(rounds), await refusedDocument(rounds)]
  },
}

/** Milliseconds spent in syncs of files so far. */
let syncInMillis = 0

/** Has the time of every sync counted; undone by the function that is returned. */
function countSyncs(): () => void {
  const { fsyncSync, fdatasyncSync } = fs
  const timed =
    (sync: typeof fsyncSync): typeof fsyncSync =>
    descriptor => {
      const started = performance.now()
      sync(descriptor)
      syncInMillis += performance.now() - started
    }
  Object.assign(fs, { fsyncSync: timed(fsyncSync), fdatasyncSync: timed(fdatasyncSync) })
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { fsyncSync, fdatasyncSync })
    syncBuiltinESMExports()
  }
}

async function withApi<T>(
  folder: string | null,
  step: (
    send: (method: string, path: string, body?: unknown) => Promise<Uint8Array>,
    engine: EngineApi,
  ) => Promise<T>,
): Promise<T> {
  const settings = new Map([
    ['lamella.threads.write', '1'],
    ['lamella.threads.search', '1'],
    ['cluster.max_shards_per_node', '10000'],
  ])
  const engine = await openEngine({ folder, settings })
  const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 100 * MB })
  try {
    return await step(async (method, path, body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await dispatcher.dispatch({
        method,
        path,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: encodeUtf8(text) }),
      })
      if (answer.status >= 400) throw new Error(Buffer.from(answer.body).toString())
      return answer.body
    }, engine)
  } finally {
    await engine.close()
  }
}

async function comeAndGo(where: 'disk' | null, rounds: number): Promise<BenchResult[]> {
  const folder = where === null ? null : mkdtempSync(join(tmpdir(), 'lamella-life-'))
  const restore = countSyncs()
  try {
    return await withApi(folder, async send => {
      const created: number[] = []
      const deleted: number[] = []
      const timed = async (to: number[], method: string): Promise<void> => {
        const synced = syncInMillis
        const started = performance.now()
        await send(method, '/coming')
        to.push(performance.now() - started - (syncInMillis - synced))
      }
      for (let round = 0; round < 10 + rounds; round++) {
        await timed(created, 'PUT')
        await timed(deleted, 'DELETE')
      }
      const place = where === null ? 'in memory' : 'on disk, beyond its syncs'
      return [['created', created.slice(10)] as const, ['deleted', deleted.slice(10)] as const].map(
        ([what, readings]) => ({
          ...resultOf(`index-life/an empty index ${what} ${place}`, 'ms', readings),
          mark: atMost(Math.min(...readings), 5, 'ms'),
        }),
      )
    })
  } finally {
    restore()
    if (folder !== null) rmSync(folder, { recursive: true })
  }
}

function fields(count: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `field_${i}`,
      { type: ['keyword', 'long', 'date', 'text'][i % 4] },
    ]),
  )
}

async function manyIndices(rounds: number): Promise<BenchResult[]> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const held = (): number => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / MB
  }
  return await withApi(null, async send => {
    const mappings = { properties: fields(FIELDS) }
    for (let i = 0; i < INDICES; i++) await send('PUT', `/many-${i}`, { mappings })
    const readings = await interleave(
      [{ name: 'get', run: () => send('GET', `/many-${INDICES >> 1}/_mapping`) }],
      rounds,
    )
    const mapping = readings.get('get')!
    const states: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = held()
      const body = await send('GET', '/_cluster/state')
      const { heapUsed, external } = process.memoryUsage()
      states.push((heapUsed + external) / MB - before)
      if (body.length < INDICES * FIELDS) throw new Error('the state lacks indices')
    }
    return [
      {
        ...resultOf(`index-life/mapping of one of ${INDICES} indices`, 'ms', mapping),
        mark: atMost(Math.min(...mapping), 2, 'ms'),
      },
      {
        ...resultOf(`index-life/state of ${INDICES} indices of ${FIELDS} fields`, 'MB', states),
        // The most that any call took: collections within one hide memory.
        mark: atMost(Math.max(...states), 50, 'MB'),
      },
    ]
  })
}

/** The same documents of ten fields, into an index that maps those alone and into one that maps 1,000. */
async function wideMappings(rounds: number): Promise<BenchResult> {
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => {
    const document = Object.fromEntries(
      Array.from({ length: 10 }, (_, f) => [
        `field_${f}`,
        f % 4 === 1 ? i : f % 4 === 2 ? 1.6e12 + i : `value ${i % 97}`,
      ]),
    )
    return `{"index":{}}\n${JSON.stringify(document)}\n`
  }).join('')
  return await withApi(null, async send => {
    const settings = { refresh_interval: '-1', 'mapping.total_fields.limit': 2000 }
    await send('PUT', '/narrow', { settings, mappings: { properties: fields(10) } })
    await send('PUT', '/wide', { settings, mappings: { properties: fields(1000) } })
    const readings = await interleave(
      [
        { name: 'narrow', run: () => send('POST', '/narrow/_bulk', lines) },
        { name: 'wide', run: () => send('POST', '/wide/_bulk', lines) },
      ],
      rounds,
    )
    const wide = readings.get('wide')!
    const ratio = Math.min(...wide) / Math.min(...readings.get('narrow')!)
    return resultOf(`index-life/bulk of ${DOCUMENTS} into 1,000 mapped fields`, 'ms', wide, {
      against: { name: '10 fields', ratio: 1 / ratio },
      mark: atMost(ratio, 1.2, '× 10 fields'),
    })
  })
}

/** A document that would bring more fields than an index may have. */
async function refusedDocument(rounds: number): Promise<BenchResult> {
  const document = Object.fromEntries(Array.from({ length: NEW_FIELDS }, (_, i) => [`new_${i}`, i]))
  return await withApi(null, async send => {
    await send('PUT', '/full')
    const run = (): Promise<string> =>
      send('PUT', '/full/_doc/1', document).then(
        () => 'taken',
        error => String(error),
      )
    if (!(await run()).includes('Limit of total fields')) throw new Error('it was not refused')
    const readings = (await interleave([{ name: 'refuse', run }], rounds)).get('refuse')!
    return {
      ...resultOf(`index-life/a document of ${NEW_FIELDS} new fields, refused`, 'ms', readings),
      mark: atMost(Math.min(...readings), 20, 'ms'),
    }
  })
}
