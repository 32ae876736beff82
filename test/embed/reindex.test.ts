import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/embed/database.ts'
import type { Index } from '../../src/embed/index-handle.ts'
import { open } from '../../src/embed/open.ts'
import type { ReindexProgress } from '../../src/embed/reindex.ts'

let db: Database
let books: Index<{ n: number }>
beforeAll(async () => {
  db = await open()
})
afterAll(() => db.close())
beforeEach(async () => {
  for (const name of await db.indices()) await db.deleteIndex(name)
  books = await db.index('books')
  await books.bulk(
    Array.from({ length: 50 }, (_, n) => ({ id: `${n}`, source: { n } })),
    { refresh: true },
  )
})

describe('a reindex of the library', () => {
  it('copies all when it is awaited', async () => {
    const last = await books.reindexTo('copies', { refresh: true })
    expect(last).toEqual({
      total: 50,
      created: 50,
      updated: 0,
      deleted: 0,
      noops: 0,
      versionConflicts: 0,
      batches: 1,
      failures: [],
      isLast: true,
    })
    expect(await (await db.index('copies')).count()).toBe(50)
  })

  it('goes by its options', async () => {
    const last = await db.reindex('books', 'copies', {
      query: { range: { n: { gte: 10 } } },
      script: { source: 'ctx._source.n += params.by', params: { by: 100 } },
      slices: 2,
      batchSize: 5,
      maxDocs: 20,
      refresh: true,
    })
    expect(last.created).toBe(20)
    const { hits } = await (await db.index<{ n: number }>('copies')).search({ size: 50 })
    expect(hits.every(({ source }) => source!.n >= 110)).toBe(true)
    const again = { create: true, proceed: true } as const
    expect(await books.reindexTo('copies', again)).toMatchObject({
      created: 30,
      versionConflicts: 20,
    })
  })

  it('tells how far it is, and ends when it is left', async () => {
    const records: ReindexProgress[] = []
    const slow = books.reindexTo('copies', { batchSize: 1, requestsPerSecond: 0.001 })
    for await (const record of slow) {
      records.push(record)
      if (record.created > 0) break
    }
    expect(records.at(-1)).toMatchObject({ total: 50, created: 1, isLast: false })
    while ((await db.tasks.list({ actions: ['*reindex'] })).length > 0);
    const copies = await db.existing('copies')
    await copies.refresh()
    expect(await copies.count()).toBe(1)
    await expect(slow).rejects.toThrow('the reindex has ended')
  })

  it('ends when its signal aborts', async () => {
    const controller = new AbortController()
    const slow = books.reindexTo('copies', {
      batchSize: 1,
      requestsPerSecond: 0.001,
      signal: controller.signal,
    })
    const ended = (async () => {
      for await (const { created } of slow) if (created > 0) controller.abort()
    })()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    while ((await db.tasks.list({ actions: ['*reindex'] })).length > 0);
  })

  it('rejects for mistakes, and for scripts that fail', async () => {
    await expect(books.reindexTo('')).rejects.toThrow('[target] must not be empty')
    await expect(books.reindexTo('books')).rejects.toThrow(
      'reindex cannot write into an index its reading from [books]',
    )
    await expect(db.reindex('none', 'copies')).rejects.toMatchObject({
      type: 'index_not_found_exception',
    })
    await expect(books.reindexTo('copies', { script: 'nothing.x' })).rejects.toMatchObject({
      type: 'script_exception',
    })
    const failing = { script: 'ctx._source.n = ctx._source.none.x' }
    await expect(books.reindexTo('copies', failing)).rejects.toMatchObject({
      type: 'script_exception',
    })
    await expect(books.reindexTo('copies', { slice: 2 } as never)).rejects.toThrow('[slice]')
  })
})
