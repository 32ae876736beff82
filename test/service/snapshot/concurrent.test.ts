import { expect, it } from 'vitest'
import { FaultDisk } from '../../chaos/fault-disk.ts'
import { createIndex } from '../../support/engine-calls.ts'
import { SnapshotEngine } from '../../support/snapshot-engine.ts'

it('takes snapshots of one moment each, several at a time, while writing and deleting go on', async () => {
  const disk = new FaultDisk()
  const node = await SnapshotEngine.open(disk)
  await node.register({ chunk_size: '1kb' })
  await createIndex(node.engine, 'i')
  let written = 0
  const write = async (): Promise<void> => {
    const from = written
    const ids = Array.from({ length: 10 }, (_, i) => `d${from + i}`)
    await node.write('i', new Map(ids.map((id, i) => [id, from + i])))
    written += 10
  }
  await write()
  let isOver = false
  const writing = (async () => {
    while (!isOver) await write()
  })()
  const bounds = new Map<string, { readonly before: number; readonly after: number }>()
  for (let round = 0; round < 4; round++) {
    const names = Array.from({ length: 4 }, (_, i) => `s${round}-${i}`)
    await Promise.all([
      ...names.map(async name => {
        const before = written
        await node.take(name, 'i')
        // One more batch may be under way.
        bounds.set(name, { before, after: written + 10 })
      }),
      ...(round === 0 ? [] : [node.delete(`s${round - 1}-0`, `s${round - 1}-1`)]),
      node.service.cleanUp('r'),
    ])
    if (round > 0) for (const i of [0, 1]) bounds.delete(`s${round - 1}-${i}`)
  }
  isOver = true
  await writing
  expect((await node.names()).sort()).toEqual([...bounds.keys()].sort())
  await node.verify()
  for (const [name, { before, after }] of bounds) {
    await node.restore(name, 'copy')
    const found = [...(await node.documents('copy')).values()].sort((a, b) => a - b)
    expect(found).toEqual(Array.from({ length: found.length }, (_, i) => i))
    expect(found.length).toBeGreaterThanOrEqual(before)
    expect(found.length).toBeLessThanOrEqual(after)
    await node.deleteIndex('copy')
  }
  await node.close()
}, 120_000)
