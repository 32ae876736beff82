import { afterAll, beforeAll, expect, it } from 'vitest'
import { AbortError, type Database, type Index, LamellaError, open } from '../../src/index.ts'

interface Book {
  readonly n: number
  readonly word: string
}

let db: Database
let books: Index<Book>

const COUNT = 1000

beforeAll(async () => {
  db = await open()
  books = await db.index<Book>(
    'books',
    { properties: { n: { type: 'integer' }, word: { type: 'keyword' } } },
    { settings: { number_of_shards: 3 } },
  )
  const all = Array.from({ length: COUNT }, (_, n) => ({
    id: `b${n}`,
    source: { n, word: n % 4 === 0 ? 'sea' : 'land' },
  }))
  await books.bulk(all, { refresh: true })
})

afterAll(() => db.close())

/** How many points in time are open. */
async function openPoints(): Promise<number> {
  const { body } = await db.request({ method: 'GET', path: '/_search/point_in_time/_all' })
  return JSON.parse(Buffer.from(body).toString()).pits.length
}

it('gives every document once, whatever the size of its batches', async () => {
  for (const batchSize of [1000, 999, 250, 7]) {
    const found: number[] = []
    for await (const hit of books.scan(undefined, { batchSize })) {
      expect([hit.index, hit.id, hit.routing]).toEqual(['books', `b${hit.source?.n}`, null])
      found.push(hit.source!.n)
    }
    expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, n) => n))
  }
  expect(await openPoints()).toBe(0)
})

it('gives the matches of a query, with the part of the source that is asked for', async () => {
  const sea = { term: { word: 'sea' } }
  const parts: object[] = []
  for await (const { source } of books.scan(sea, { source: ['word'] })) parts.push(source!)
  expect(parts).toEqual(Array.from({ length: COUNT / 4 }, () => ({ word: 'sea' })))
  for await (const { source } of books.scan(sea, { source: false, batchSize: 9 }))
    expect(source).toBe(null)
})

it('gives its slices to scans side by side', async () => {
  const slices = await Promise.all(
    [0, 1, 2, 3, 4].map(async id => {
      const found: string[] = []
      for await (const hit of books.scan(undefined, { slice: { id, max: 5 }, batchSize: 50 }))
        found.push(hit.id)
      return found
    }),
  )
  expect(new Set(slices.flat()).size).toBe(COUNT)
  expect(slices.flat()).toHaveLength(COUNT)
})

it('scans the shards of routings and of a preference', async () => {
  const routed = await db.index<Book>(
    'routed',
    { properties: { n: { type: 'integer' } } },
    { settings: { number_of_shards: 3 } },
  )
  const all = Array.from({ length: 60 }, (_, n) => ({
    id: `${n}`,
    routing: `r${n % 7}`,
    source: { n, word: '' },
  }))
  await routed.bulk(all, { refresh: true })
  const ids = async (options: object): Promise<string[]> => {
    const found: string[] = []
    for await (const hit of routed.scan(undefined, { batchSize: 7, ...options })) {
      expect(hit.routing).toBe(`r${Number(hit.id) % 7}`)
      found.push(hit.id)
    }
    return found.sort()
  }
  const shards = await Promise.all([0, 1, 2].map(n => ids({ preference: `_shards:${n}` })))
  expect(shards.flat().sort()).toEqual(await ids({}))
  expect(shards.filter(found => found.length > 0).length).toBeGreaterThan(1)
  const one = await ids({ routing: 'r3' })
  expect(shards).toContainEqual(one)
  expect(one).toContain('3')
  const { hits } = await routed.search({ size: 60, source: false }, { routing: ['r1', 'r2'] })
  expect(await ids({ routing: ['r1', 'r2'] })).toEqual(hits.map(({ id }) => id).sort())
})

it('sees the last refresh before its first step, whatever is written meanwhile', async () => {
  const changing = await db.index<Book>('changing', {})
  for (let n = 0; n < 20; n++) await changing.put(`${n}`, { n, word: 'old' })
  await changing.refresh()
  const words = new Set<string>()
  let count = 0
  for await (const { source } of changing.scan(undefined, { batchSize: 3 })) {
    words.add(source!.word)
    await changing.put(`${count}`, { n: 0, word: 'new' }, { refresh: true })
    count++
  }
  expect([count, [...words]]).toEqual([20, ['old']])
})

it('gives its snapshots back where the loop ends early, fails or is aborted', async () => {
  for await (const _ of books.scan(undefined, { batchSize: 5 })) break
  expect(await openPoints()).toBe(0)
  const failing = (async () => {
    for await (const { id } of books.scan()) throw new Error(id)
  })()
  await expect(failing).rejects.toThrow('b')
  const abort = new AbortController()
  const aborted = (async () => {
    for await (const _ of books.scan(undefined, { batchSize: 5, signal: abort.signal }))
      abort.abort()
  })()
  await expect(aborted).rejects.toBeInstanceOf(AbortError)
  expect(await openPoints()).toBe(0)
})

it.each<[object, string]>([
  [{ batch: 5 }, 'unknown option of a search [batch]'],
  [{ routing: 5 }, '[routing] must be a string or an array of them, found the number [5]'],
  [{ preference: '_best' }, 'no Preference for [_best]'],
  [{ batchSize: 0 }, '[batchSize] must be a whole number from 1, found [0]'],
  [{ slice: { id: 2, max: 2 } }, 'failed to parse field'],
])('refuses the options %j', async (options, reason) => {
  const first = books.scan(undefined, options).next()
  await expect(first).rejects.toThrow(reason)
  await expect(first).rejects.toBeInstanceOf(LamellaError)
})

it('refuses a query that is none, and an index that is missing', async () => {
  await expect(books.scan({ nope: {} }).next()).rejects.toThrow('unknown query [nope]')
  const gone = await db.index('gone')
  await db.request({ method: 'DELETE', path: '/gone' })
  await expect(gone.scan().next()).rejects.toThrow('no such index [gone]')
  expect(await openPoints()).toBe(0)
})
