import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { openEngineOver } from '../../src/engine/engine.ts'
import { trusted } from '../../src/task/call-context.ts'
import { Random } from '../../src/util/random.ts'
import { FaultDisk } from '../chaos/fault-disk.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../support/engine-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('empty-segments')
const target = targetOf('books')

async function write(engine: EngineApi, ids: readonly string[]): Promise<void> {
  await bulk(
    engine,
    'books',
    ids.flatMap(id => [{ index: { _id: id } }, { t: `word ${id}` }]),
    'true',
  )
}

async function remove(engine: EngineApi, ids: readonly string[]): Promise<void> {
  await bulk(
    engine,
    'books',
    ids.map(id => ({ delete: { _id: id } })),
  )
}

async function segmentCount(engine: EngineApi): Promise<number> {
  const [index] = await engine.cluster.stats(target, true, trusted('indices:monitor/stats'))
  return index!.shards[0]!.segmentCount
}

async function found(engine: EngineApi): Promise<string[]> {
  const { hits } = await search(engine, 'books', { query: { match_all: {} }, size: 100 })
  return hits.hits.map((hit: { _id: string }) => hit._id).sort()
}

function segmentFiles(path: string): string[] {
  const [uuid = ''] = readdirSync(join(path, 'indices'))
  return readdirSync(join(path, 'indices', uuid, '0')).filter(name => name.endsWith('.seg'))
}

const flush = { target, force: false, waitIfOngoing: true }
const A = ['a1', 'a2', 'a3']
const B = ['b1', 'b2']

describe('a segment whose documents are all deleted', () => {
  it('goes at the next refresh, its files with the commit that no longer names them', async () => {
    const path = join(folder, 'refreshed')
    let engine = await engineWith(path)
    await createIndex(engine, 'books', { 'index.refresh_interval': '-1' })
    await write(engine, A)
    await write(engine, B)
    await engine.indices.flush(flush, trusted('indices:admin/flush'))
    await remove(engine, A)
    expect([await segmentCount(engine), await found(engine)]).toEqual([2, [...A, ...B]])
    await engine.indices.refresh(target, trusted('indices:admin/refresh'))
    expect([await segmentCount(engine), await found(engine)]).toEqual([1, B])
    expect(segmentFiles(path)).toHaveLength(2)
    await engine.indices.flush(flush, trusted('indices:admin/flush'))
    expect(segmentFiles(path)).toHaveLength(1)
    // The delete is remembered: what is written again counts on.
    const { items } = await bulk(engine, 'books', [{ index: { _id: 'a1' } }, {}], 'true')
    expect(items[0]).toMatchObject({ outcome: { version: 3 } })
    await engine.close()
    engine = await engineWith(path)
    expect(await found(engine)).toEqual(['a1', ...B])
    await engine.close()
  })

  it('goes with a commit as well, and searches see it until the next refresh', async () => {
    const path = join(folder, 'committed')
    let engine = await engineWith(path)
    await createIndex(engine, 'books', { 'index.refresh_interval': '-1' })
    await write(engine, A)
    await engine.indices.flush(flush, trusted('indices:admin/flush'))
    await remove(engine, A)
    await engine.indices.flush(flush, trusted('indices:admin/flush'))
    expect([segmentFiles(path).length, await found(engine)]).toEqual([1, A])
    await engine.indices.refresh(target, trusted('indices:admin/refresh'))
    expect(await found(engine)).toEqual([])
    expect(segmentFiles(path)).toEqual([])
    await engine.close()
    engine = await engineWith(path)
    expect(await found(engine)).toEqual([])
    await engine.close()
  })

  it('that no commit names takes its files along at the refresh', async () => {
    const path = join(folder, 'young')
    const engine = await engineWith(path)
    await createIndex(engine, 'books', { 'index.refresh_interval': '-1' })
    await write(engine, A)
    await remove(engine, A)
    expect(segmentFiles(path)).toHaveLength(1)
    await engine.indices.refresh(target, trusted('indices:admin/refresh'))
    expect(segmentFiles(path)).toEqual([])
    await engine.close()
  })
})

describe('a crash after a segment was emptied', () => {
  const settings = new Map([
    ['lamella.threads.write', '1'],
    ['lamella.threads.search', '1'],
  ])
  const over = (disk: FaultDisk): Promise<EngineApi> =>
    openEngineOver({ folder: null, settings }, disk)

  it.each([
    ['before the refresh', false, false],
    ['after the refresh', true, false],
    ['after the commit', true, true],
  ])('%s brings no deleted document back and loses no live one', async (_, refreshes, commits) => {
    const disk = new FaultDisk()
    const engine = await over(disk)
    await createIndex(engine, 'books', { 'index.refresh_interval': '-1' })
    await write(engine, A)
    await engine.indices.flush(flush, trusted('indices:admin/flush'))
    await write(engine, B)
    await remove(engine, [...A, 'b1'])
    await write(engine, ['a2'])
    await remove(engine, ['b2'])
    if (refreshes) await engine.indices.refresh(target, trusted('indices:admin/refresh'))
    if (commits) await engine.indices.flush(flush, trusted('indices:admin/flush'))
    const random = new Random(7)
    for (const after of [disk.afterKill(), disk.afterPowerLoss(random)]) {
      const again = await over(after)
      expect(await found(again)).toEqual(['a2'])
      await again.indices.refresh(target, trusted('indices:admin/refresh'))
      await again.indices.flush(flush, trusted('indices:admin/flush'))
      expect(await segmentCount(again)).toBe(1)
      await again.close()
    }
    await engine.close()
  })
})
