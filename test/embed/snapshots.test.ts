import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AbortError } from '../../src/embed/abort-error.ts'
import type { Database } from '../../src/embed/database.ts'
import { open } from '../../src/embed/open.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('embed-snapshots')
let db: Database

beforeEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  db = await open(join(folder, 'data'))
  const books = await db.index('books')
  await books.bulk(
    Array.from({ length: 500 }, (_, i) => ({ id: `b${i}`, source: { n: i } })),
    { refresh: true },
  )
})
afterEach(() => db.close())

it('takes, lists, restores and deletes snapshots', async () => {
  await db.snapshots.register('r', { location: 'r', settings: { compress: false } })
  expect(await db.snapshots.repositories()).toEqual(['r'])
  const taken = await db.snapshots.take('r', 'first', { metadata: { why: 'test' } })
  expect(taken).toMatchObject({
    name: 'first',
    state: 'SUCCESS',
    indices: ['books'],
    shards: { total: 1, failed: 0, successful: 1 },
    failures: [],
    metadata: { why: 'test' },
  })
  expect(taken.endedAt!.getTime()).toBeGreaterThanOrEqual(taken.startedAt.getTime())
  expect(await db.snapshots.list('r')).toEqual([taken])
  expect(await db.snapshots.status('r', 'first')).toMatchObject({
    state: 'SUCCESS',
    shards: 1,
    doneShards: 1,
    files: 3,
    copiedFiles: 3,
    allFiles: 3,
  })
  const restored = await db.snapshots.restore('r', 'first', {
    rename: { pattern: '$', replacement: '-copy' },
    settings: { number_of_replicas: 0 },
  })
  expect(restored.indices).toEqual(['books-copy'])
  expect(await (await db.existing('books-copy')).count()).toBe(500)
  await db.snapshots.verify('r')
  await db.snapshots.delete('r', 'first')
  expect(await db.snapshots.list('r')).toEqual([])
})

it('tells how far a snapshot and a restore are while they run', async () => {
  await db.snapshots.register('r', {
    location: 'r',
    settings: { max_snapshot_bytes_per_sec: '30kb', max_restore_bytes_per_sec: '30kb' },
  })
  const run = db.snapshots.take('r', 's')
  const seen: number[] = []
  for await (const { bytes, copiedBytes, shards } of run) {
    expect(shards).toBe(1)
    expect(copiedBytes).toBeLessThanOrEqual(bytes)
    seen.push(copiedBytes)
  }
  expect(seen.length).toBeGreaterThan(0)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect((await run).state).toBe('SUCCESS')
  await db.deleteIndex('books')
  const restoring = db.snapshots.restore('r', 's')
  let looks = 0
  for await (const { files } of restoring) {
    expect(files).toBe(2)
    looks++
  }
  expect(looks).toBeGreaterThan(0)
  expect((await restoring).indices).toEqual(['books'])
})

it('gives up when its signal aborts, and keeps nothing', async () => {
  const slow = { max_snapshot_bytes_per_sec: '1b', max_restore_bytes_per_sec: '1b' }
  await db.snapshots.register('fast', { location: 'r' })
  await db.snapshots.register('r', { location: 'r', settings: slow })
  await db.snapshots.take('fast', 'whole')
  await db.deleteIndex('books')
  const books = await db.index('books')
  await books.bulk(
    Array.from({ length: 500 }, (_, i) => ({ id: `c${i}`, source: { n: i } })),
    { refresh: true },
  )
  for (const run of [
    (signal: AbortSignal) => db.snapshots.take('r', 's', { signal }),
    (signal: AbortSignal) =>
      db.snapshots.restore('r', 'whole', { rename: { pattern: 'b', replacement: 'c' }, signal }),
  ]) {
    const controller = new AbortController()
    const stopped = run(controller.signal)
    const reason = new Error('enough')
    const looking = (async () => {
      for await (const _ of stopped) controller.abort(reason)
    })()
    const error = await looking.catch((each: unknown) => each)
    expect(error).toBeInstanceOf(AbortError)
    expect((error as AbortError).cause).toBe(reason)
  }
  expect((await db.snapshots.list('r')).map(({ name }) => name)).toEqual(['whole'])
  expect(await db.indices()).toEqual(['books'])
  const aborted = AbortSignal.abort()
  await expect(db.snapshots.take('r', 't', { signal: aborted })).rejects.toBeInstanceOf(AbortError)
})

it('rejects with the errors of the API', async () => {
  await expect(db.snapshots.take('none', 's')).rejects.toMatchObject({
    type: 'repository_missing_exception',
    message: '[none] missing',
    status: 404,
  })
  await expect(db.snapshots.register('r', { location: '../x' })).rejects.toMatchObject({
    type: 'repository_exception',
  })
  const unknown = { index: 'x' } as object
  await expect(db.snapshots.take('r', 's', unknown)).rejects.toMatchObject({
    type: 'illegal_argument_exception',
  })
})
