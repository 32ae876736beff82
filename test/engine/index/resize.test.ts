import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import type { ResizeCall } from '../../../src/engine/api/indices.ts'
import { openEngineOver } from '../../../src/engine/engine.ts'
import { FsDataFolder } from '../../../src/store/data-folder.ts'
import { type CallContext, trusted } from '../../../src/task/call-context.ts'
import { bulk, createIndex, search, targetOf } from '../../support/engine-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('resize')
const data = new FsDataFolder(folder)
let engine: EngineApi
beforeAll(async () => {
  engine = await openEngineOver({ folder, settings: new Map() }, data)
})
afterAll(() => engine.close())

const CALL: ResizeCall = {
  kind: 'split',
  source: 'source',
  target: 'target',
  settings: new Map([['index.number_of_shards', '8']]),
  aliases: null,
  maxShardSizeInBytes: null,
  waitForActiveShards: null,
  executionTimeoutInMillis: null,
}
const ACTION = 'indices:admin/resize'
const resize = (context: CallContext = trusted(ACTION)) => engine.indices.resize(CALL, context)

beforeEach(async () => {
  await engine.indices.delete(targetOf('*'), trusted('indices:admin/delete'))
  await createIndex(engine, 'source', { 'index.number_of_shards': '2' })
  const lines = Array.from({ length: 200 }, (_, i) => [{ index: { _id: `d${i}` } }, { n: i }])
  await bulk(engine, 'source', lines.flat(), 'true')
  await engine.indices.addBlock(targetOf('source'), 'write', trusted('indices:admin/block/add'))
})

const countOf = async (index: string): Promise<number> =>
  (await search(engine, index, {})).hits.total.value

it('leaves nothing when it is cancelled', async () => {
  const context = trusted(ACTION)
  context.task.cancel()
  await expect(resize(context)).rejects.toMatchObject({ type: 'task_cancelled_exception' })
  expect(data.folders('indices').length).toBe(1)
  await resize()
  expect(await countOf('target')).toBe(200)
})

it('gives its name to one of two that run at once', async () => {
  const results = await Promise.allSettled([resize(), resize()])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const failed = results.find(result => result.status === 'rejected')
  expect(failed?.reason).toMatchObject({ type: 'resource_already_exists_exception' })
  expect(data.folders('indices').length).toBe(2)
  expect(await countOf('target')).toBe(200)
})

it('is whole, or its source was not found, when that is deleted meanwhile', async () => {
  const running = resize().then(
    () => null,
    (error: unknown) => error,
  )
  await engine.indices.delete(targetOf('source'), trusted('indices:admin/delete'))
  const failure = await running
  if (failure === null) expect(await countOf('target')).toBe(200)
  else expect(failure).toMatchObject({ type: 'index_not_found_exception' })
})

it('outlives its source and what is written to it', async () => {
  await resize()
  const off = new Map([['index.blocks.write', null]])
  await engine.indices.putSettings(
    { target: targetOf('source', 'target'), changes: off, preserveExisting: false },
    trusted('indices:admin/settings/update'),
  )
  await bulk(engine, 'source', [{ delete: { _id: 'd1' } }], 'true')
  await engine.indices.forceMerge(
    {
      target: targetOf('source'),
      maxSegmentCount: 1,
      onlyExpungeDeletes: false,
      flush: true,
      primaryOnly: false,
    },
    trusted('indices:admin/forcemerge'),
  )
  await engine.indices.delete(targetOf('source'), trusted('indices:admin/delete'))
  expect(await countOf('target')).toBe(200)
  await engine.close()
  engine = await openEngineOver({ folder, settings: new Map() }, data)
  expect(await countOf('target')).toBe(200)
  await bulk(
    engine,
    'target',
    [{ delete: { _id: 'd1' } }, { index: { _id: 'x' } }, { n: 1 }],
    'true',
  )
  expect(await countOf('target')).toBe(200)
})
