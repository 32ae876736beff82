/**
 * A resize through failures: every write, sync, rename and deletion of it fails in turn, followed by a kill or a
 * power loss, and the next start finds the new index whole or nothing of it.
 */
import { afterAll, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import type { ResizeCall } from '../../src/engine/api/indices.ts'
import { openEngineOver } from '../../src/engine/engine.ts'
import { trusted } from '../../src/task/call-context.ts'
import { Random } from '../../src/util/random.ts'
import { bulk, createIndex, search, targetOf } from '../support/engine-calls.ts'
import { extent, isLong, SEED, tell } from './extent.ts'
import { type CallKind, type Fault, FaultDisk } from './fault-disk.ts'

const KINDS: readonly CallKind[] = ['write', 'sync', 'rename', 'delete']
const SETTINGS = new Map([['lamella.threads.write', '1']])
const COUNT = 30

const opened = new Set<EngineApi>()
afterAll(async () => {
  for (const engine of opened) await engine.close().catch(() => {})
})

const open = async (disk: FaultDisk): Promise<EngineApi> => {
  const engine = await openEngineOver({ folder: null, settings: SETTINGS }, disk)
  opened.add(engine)
  return engine
}
const close = async (engine: EngineApi): Promise<void> => {
  opened.delete(engine)
  await engine.close().catch(() => {})
}

/** A disk with a source of two shards, some of its documents deleted, some in the log alone. */
async function prepared(): Promise<FaultDisk> {
  const disk = new FaultDisk()
  const engine = await open(disk)
  const settings = { 'index.number_of_shards': '2', 'index.refresh_interval': '-1' }
  await createIndex(engine, 'source', settings)
  const lines = (from: number, to: number): object[] =>
    Array.from({ length: to - from }, (_, i) => [
      { index: { _id: `d${from + i}` } },
      { n: i },
    ]).flat()
  await bulk(engine, 'source', lines(0, COUNT / 2), 'true')
  await engine.indices.flush(
    { target: targetOf('source'), force: false, waitIfOngoing: true },
    trusted('indices:admin/flush'),
  )
  await bulk(engine, 'source', [{ delete: { _id: 'd3' } }, ...lines(COUNT / 2, COUNT)])
  await engine.indices.addBlock(targetOf('source'), 'write', trusted('indices:admin/block/add'))
  await close(engine)
  return disk.afterKill()
}

const CALLS: readonly ResizeCall[] = (['split', 'shrink'] as const).map(kind => ({
  kind,
  source: 'source',
  target: 'target',
  settings: new Map([['index.number_of_shards', kind === 'split' ? '4' : '1']]),
  aliases: null,
  maxShardSizeInBytes: null,
  waitForActiveShards: null,
  timeoutInMillis: 30_000,
  executionTimeoutInMillis: null,
}))

/** What an index is found to hold: its count of documents, or null without the index. */
async function countOf(engine: EngineApi, name: string): Promise<number | null> {
  const shown = await engine.indices.show({ ...targetOf('*') }, trusted('indices:admin/get'))
  if (!shown.some(index => index.name === name)) return null
  const { hits } = await search(engine, name, { size: 100 })
  return hits.total.value
}

/** Runs a resize with a fault. Whether it was acknowledged; null when the fault was not met. */
async function survive(
  source: FaultDisk,
  call: ResizeCall,
  fault: Fault,
  random: Random,
): Promise<boolean | null> {
  const disk = source.afterKill()
  const engine = await open(disk)
  disk.arm(fault)
  const done = await engine.indices.resize(call, trusted('indices:admin/resize')).then(
    () => true,
    () => false,
  )
  if (disk.failures === 0) {
    await close(engine)
    return null
  }
  expect(await countOf(engine, 'target')).toBe(done ? COUNT - 1 : null)
  const left = random.below(2) === 0 ? disk.afterKill() : disk.afterPowerLoss(random)
  disk.arm(null)
  await close(engine)
  const again = await open(left)
  const found = await countOf(again, 'target')
  expect(await countOf(again, 'source')).toBe(COUNT - 1)
  // One that was refused may have been decided all the same, where its last sync failed.
  if (done) expect(found).toBe(COUNT - 1)
  else expect(found).toBeOneOf([null, COUNT - 1])
  // The name is free, or the index is one like any other.
  if (found === null) await again.indices.resize(call, trusted('indices:admin/resize'))
  await close(again)
  const last = await open(left.afterPowerLoss(random))
  expect(await countOf(last, 'target')).toBe(COUNT - 1)
  // Nothing of an earlier try is left.
  expect(left.folders('indices').length).toBe(2)
  await close(last)
  return done
}

it('makes an index whole or not at all, whichever call fails', async () => {
  const source = await prepared()
  const random = new Random(SEED)
  let failed = 0
  let acknowledged = 0
  for (const call of CALLS) {
    const disk = source.afterKill()
    const engine = await open(disk)
    disk.arm(null)
    await engine.indices.resize(call, trusted('indices:admin/resize'))
    const { calls } = disk
    await close(engine)
    const points = KINDS.flatMap(kind =>
      Array.from({ length: calls[kind] }, (_, i) => ({ kind, call: i + 1 })),
    )
    const step = isLong ? 1 : Math.ceil(points.length / extent(25, 0))
    for (let i = isLong ? 0 : random.below(step); i < points.length; i += step) {
      const isLasting = random.below(2) === 0
      const fault: Fault = { ...points[i]!, code: 'EIO', share: random.below(3) / 2, isLasting }
      try {
        const done = await survive(source, call, fault, random)
        if (done === null) continue
        failed++
        if (done) acknowledged++
      } catch (error) {
        throw new Error(`seed ${SEED}, ${call.kind}, fault ${JSON.stringify(fault)}`, {
          cause: error,
        })
      }
    }
  }
  expect(failed).toBeGreaterThanOrEqual(30)
  tell(`${failed} calls failed, ${acknowledged} resizes were acknowledged all the same`)
}, 7_200_000)
