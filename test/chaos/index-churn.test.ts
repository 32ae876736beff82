import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import { trusted } from '../../src/task/call-context.ts'
import { bulk, createIndex, search, targetOf } from '../support/engine-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { extent, tell } from './extent.ts'

const folder = tempFolder('index-churn')
const CYCLES = extent(150, 10_000)
/** Cycles after which everything that is made once is there. */
const WARM = Math.floor(CYCLES / 5)
const MEBI = 2 ** 20

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('takes no more memory, files or threads when indices come and go', async () => {
  const settings = { 'lamella.threads.write': '1', 'lamella.threads.search': '1' }
  const engine = await openEngine({ folder, settings: new Map(Object.entries(settings)) })
  const look = (): { heap: number; resident: number; files: number; threads: number } => {
    // What is garbage is no leak.
    collect()
    return {
      heap: process.memoryUsage().heapUsed / MEBI,
      resident: process.memoryUsage.rss() / MEBI,
      files: readdirSync('/proc/self/fd').length,
      threads: readdirSync('/proc/self/task').length,
    }
  }
  let warm = look()
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const name = `i${cycle}`
    await createIndex(engine, name, { 'index.refresh_interval': '-1' })
    const lines = [{ index: { _id: '1' } }, { [`f${cycle % 50}`]: 'some text', n: cycle }]
    await bulk(engine, name, lines, 'true')
    if (cycle % 10 === 0) {
      const { hits } = await search(engine, name, {
        query: { match: { [`f${cycle % 50}`]: 'text' } },
      })
      expect(hits.total.value).toBe(1)
    }
    await engine.indices.delete(targetOf(name), trusted('indices:admin/delete'))
    if (cycle === WARM) warm = look()
  }
  const end = look()
  expect(readdirSync(`${folder}/indices`)).toEqual([])
  await engine.close()
  const grown = end.resident - warm.resident
  tell(
    `${CYCLES} indices created and deleted: from ${Math.round(warm.resident)} to ` +
      `${Math.round(end.resident)} MiB resident, ${warm.heap.toFixed(1)} to ` +
      `${end.heap.toFixed(1)} MiB of heap, ${warm.files} to ${end.files} files, ` +
      `${warm.threads} to ${end.threads} threads`,
  )
  expect(grown).toBeLessThan(extent(96, 32))
  expect(end.heap - warm.heap).toBeLessThan(8)
  expect(end.files).toBeLessThanOrEqual(warm.files + 8)
  expect(end.threads).toBeLessThanOrEqual(warm.threads + 1)
}, 3_600_000)
