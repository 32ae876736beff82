import { join } from 'node:path'
import { expect, it } from 'vitest'
import { trusted } from '../../src/task/call-context.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../support/engine-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('forced-merge')

it('ends while documents keep coming and going', async () => {
  const engine = await engineWith(null, { 'lamella.threads.write': '1' })
  await createIndex(engine, 'busy')
  const live = new Set<number>()
  let batches = 0
  const write = async (): Promise<void> => {
    const lines: unknown[] = []
    for (let id = 0; id < 200; id++) {
      if ((id + batches) % 5 === 0) {
        live.delete(id)
        lines.push({ delete: { _id: `${id}` } })
      } else {
        live.add(id)
        lines.push({ index: { _id: `${id}` } }, { t: `batch ${batches}` })
      }
    }
    batches++
    await bulk(engine, 'busy', lines, 'true')
  }
  for (let i = 0; i < 5; i++) await write()
  let isOver = false
  const writing = (async () => {
    while (!isOver) await write()
  })()
  const target = targetOf('busy')
  const merge = {
    target,
    maxSegmentCount: 1,
    onlyExpungeDeletes: false,
    flush: false,
    primaryOnly: false,
  }
  await Promise.all([
    engine.indices.forceMerge(merge, trusted('indices:admin/forcemerge')),
    engine.indices.forceMerge(merge, trusted('indices:admin/forcemerge')),
  ])
  await engine.indices.forceMerge(
    { ...merge, maxSegmentCount: null, onlyExpungeDeletes: true },
    trusted('indices:admin/forcemerge'),
  )
  isOver = true
  await writing
  await engine.indices.forceMerge(merge, trusted('indices:admin/forcemerge'))
  await engine.indices.refresh(target, trusted('indices:admin/refresh'))
  const body = { size: 1000, query: { match_all: {} } }
  const { hits } = await search(engine, 'busy', body)
  expect(hits.hits.map((hit: { _id: string }) => Number(hit._id)).sort()).toEqual([...live].sort())
  expect(batches).toBeGreaterThan(5)
  const [index] = await engine.cluster.stats(target, true, trusted('indices:monitor/stats'))
  expect(index!.shards[0]).toMatchObject({ segmentCount: 1, deletedDocCount: 0 })
  await engine.close()
})

it('keeps what is sealed while one merge follows another', async () => {
  const path = join(folder, 'busy')
  const engine = await engineWith(path)
  await createIndex(engine, 'busy', { 'index.merge.policy.expunge_deletes_allowed': '1' })
  const ids: string[] = []
  const write = async (name: string): Promise<void> => {
    const doomed = `${name}-doomed`
    await bulk(
      engine,
      'busy',
      [{ index: { _id: name } }, {}, { index: { _id: doomed } }, {}],
      'true',
    )
    await bulk(engine, 'busy', [{ delete: { _id: doomed } }], 'true')
    ids.push(name)
  }
  for (let i = 0; i < 9; i++) await write(`before-${i}`)
  const target = targetOf('busy')
  let isOver = false
  // Several at once: a refresh always waits for the step that puts a merged segment in.
  const writing = [0, 1, 2, 3].map(async writer => {
    for (let i = 0; !isOver; i++) await write(`writer-${writer}-${i}`)
  })
  const merge = {
    target,
    maxSegmentCount: null,
    onlyExpungeDeletes: true,
    flush: false,
    primaryOnly: false,
  }
  await engine.indices.forceMerge(merge, trusted('indices:admin/forcemerge'))
  isOver = true
  await Promise.all(writing)
  await engine.close()
  const reopened = await engineWith(path)
  const body = { size: 10_000, query: { match_all: {} } }
  const { hits } = await search(reopened, 'busy', body)
  expect(hits.hits.map((hit: { _id: string }) => hit._id).sort()).toEqual([...ids].sort())
  await reopened.close()
})
