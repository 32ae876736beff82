import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { BulkOperation, BulkProgress } from '../../src/embed/bulk-load.ts'
import type { Database } from '../../src/embed/database.ts'
import type { Index } from '../../src/embed/index-handle.ts'
import { LamellaError } from '../../src/embed/lamella-error.ts'
import { open } from '../../src/embed/open.ts'
import type { SearchOptions } from '../../src/embed/search-options.ts'
import { SEARCH_KEYS } from '../../src/engine/search/search-request.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

interface Book {
  readonly title: string
  readonly year: number
}

const MAPPING = { properties: { title: { type: 'text' }, year: { type: 'integer' } } }

let db: Database
let next = 0

beforeAll(async () => {
  db = await open(undefined, { settings: { 'lamella.threads.search': 2 } })
})

afterAll(() => db.close())

function books(): Promise<Index<Book>> {
  return db.index<Book>(`books-${next++}`, MAPPING)
}

async function loaded(count: number): Promise<Index<Book>> {
  const index = await books()
  const operations = Array.from({ length: count }, (_, i) => ({
    id: `b${i}`,
    source: { title: `volume ${i} of ${i % 7 === 0 ? 'whales' : 'ships'}`, year: 1800 + (i % 200) },
  }))
  for await (const progress of index.bulk(operations, { refresh: true }))
    expect(progress.failed).toBe(0)
  return index
}

async function allOf(
  index: Index<Book>,
  operations: Iterable<BulkOperation<Book>> | AsyncIterable<BulkOperation<Book>>,
  options: Parameters<Index<Book>['bulk']>[1] = {},
): Promise<BulkProgress[]> {
  const records: BulkProgress[] = []
  for await (const record of index.bulk(operations, options)) records.push(record)
  return records
}

it('lets timers run while its caller searches in a loop', async () => {
  const index = await loaded(10)
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const end = performance.now() + 100
  // Of a busy machine the first search may take all of the time.
  for (let calls = 0; calls < 200 || performance.now() < end; calls++)
    await index.search({ query: { match: { title: 'whales' } } })
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
})

describe('documents of an index', () => {
  it('writes, reads, replaces and deletes a document', async () => {
    const index = await books()
    const first = await index.put('1', { title: 'Moby-Dick', year: 1851 })
    expect(first).toMatchObject({ id: '1', result: 'created', version: 1, seqNo: 0 })
    expect(await index.get('1')).toMatchObject({
      id: '1',
      version: 1,
      source: { title: 'Moby-Dick', year: 1851 },
    })
    expect(await index.put('1', { title: 'The Whale', year: 1851 })).toMatchObject({
      result: 'updated',
      version: 2,
    })
    expect(await index.delete('1')).toMatchObject({ result: 'deleted' })
    expect(await index.get('1')).toBeNull()
    expect(await index.delete('1')).toMatchObject({ result: 'not_found' })
  })

  it('makes an id where none is given', async () => {
    const index = await books()
    const { id } = await index.put(null, { title: 'a', year: 1 })
    expect(id).toMatch(/^[\w-]{20}$/)
    expect((await index.get(id))?.source.title).toBe('a')
  })

  it('refuses a document that changed since it was read', async () => {
    const index = await books()
    const { seqNo, primaryTerm } = await index.put('1', { title: 'a', year: 1 })
    await index.put('1', { title: 'b', year: 1 })
    const late = index.put(
      '1',
      { title: 'c', year: 1 },
      { ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm },
    )
    await expect(late).rejects.toMatchObject({
      name: 'LamellaError',
      type: 'version_conflict_engine_exception',
      status: 409,
    })
    await expect(index.put('1', { title: 'd', year: 1 }, { create: true })).rejects.toMatchObject({
      type: 'version_conflict_engine_exception',
    })
  })

  it('names the innermost cause of a refusal as the API does', async () => {
    const mappings = { properties: { a: { type: 'text', analyzer: 'no' } } }
    const refusal = await db.index('bad', mappings).catch((error: unknown) => error)
    const { body } = await db.request({ method: 'PUT', path: '/bad', body: { mappings } })
    expect(refusal).toBeInstanceOf(LamellaError)
    const { rootCause, message } = refusal as LamellaError
    const { error } = JSON.parse(new TextDecoder().decode(body))
    expect(rootCause).toEqual(error.root_cause)
    expect(rootCause[0]!.reason).not.toBe(message)
  })

  it('makes a write searchable when asked to', async () => {
    const index = await books()
    await index.put('1', { title: 'white whale', year: 1851 }, { refresh: true })
    expect((await index.search({ query: { match: { title: 'whale' } } })).total?.value).toBe(1)
  })

  it('says which document cannot be JSON, and writes nothing', async () => {
    const index = await books()
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    await expect(index.put('1', cycle as never)).rejects.toThrow('a document cannot be written')
    await expect(index.put('1', 7 as never)).rejects.toThrow('must be an object')
    await expect(index.put('1', encodeUtf8('{"title"'))).rejects.toBeInstanceOf(LamellaError)
    expect(await index.get('1')).toBeNull()
  })
})

describe('bulk', () => {
  it('tells how far it is, request after request, and ends with a marked record', async () => {
    const index = await books()
    const operations = Array.from({ length: 100 }, (_, i) => ({
      id: `${i}`,
      source: { title: 'x'.repeat(50), year: i },
    }))
    const records = await allOf(index, operations, { batchBytes: 1000, refresh: true })
    expect(records.length).toBeGreaterThan(5)
    expect(records.map(({ isLast }) => isLast)).toEqual([
      ...new Array(records.length - 1).fill(false),
      true,
    ])
    const done = records.map(record => record.done)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(records.at(-1)).toMatchObject({ done: 100, indexed: 100, failed: 0 })
    expect(await index.count()).toBe(100)
  })

  it('reads an async source no faster than it is answered', async () => {
    const index = await books()
    let taken = 0
    async function* source(): AsyncGenerator<BulkOperation<Book>> {
      for (let i = 0; i < 1000; i++) {
        taken++
        yield { source: { title: 'y'.repeat(100), year: i } }
      }
    }
    const iterator = index.bulk(source(), { batchBytes: 1000, concurrency: 2 })
    const first = await iterator.next()
    expect((first.value as BulkProgress).done).toBeGreaterThan(0)
    expect(taken).toBeLessThan(50)
    await iterator.return()
  })

  it('counts and names what is refused, and writes the rest', async () => {
    const index = await books()
    const records = await allOf(
      index,
      [
        { id: 'a', source: { title: 'a', year: 1 } },
        { id: 'b', source: { title: 'b', year: 'no number' as never } },
        { id: 'a', source: { title: 'again', year: 2 }, create: true },
        { delete: 'nothing' },
        { id: 'c', source: encodeUtf8('{"title":\n"c"}') },
      ],
      { refresh: true },
    )
    const failures = records.flatMap(record => record.failures)
    expect(failures.map(({ position, id }) => [position, id])).toEqual([
      [1, 'b'],
      [2, 'a'],
    ])
    expect(failures.map(({ error }) => error.type)).toEqual([
      'mapper_parsing_exception',
      'version_conflict_engine_exception',
    ])
    expect(records.at(-1)).toMatchObject({ indexed: 2, deleted: 1, failed: 2, done: 5 })
    expect((await index.get('c'))?.source.title).toBe('c')
  })

  it('keeps the last of several writes of one document, however they are batched', async () => {
    const index = await books()
    const operations = Array.from({ length: 300 }, (_, i) => ({
      id: `${i % 3}`,
      source: { title: `t${i}`, year: i },
    }))
    await allOf(index, operations, { batchBytes: 200, concurrency: 8 })
    const years = await Promise.all(['0', '1', '2'].map(async id => (await index.get(id))?.source))
    expect(years.map(source => source?.year)).toEqual([297, 298, 299])
  })

  it('runs to its end when it is awaited, and gives every refusal', async () => {
    const index = await books()
    const operations = Array.from({ length: 60 }, (_, i) => ({
      id: `${i}`,
      source: { title: 'x'.repeat(50), year: i % 20 === 7 ? ('no number' as never) : i },
    }))
    const load = index.bulk(operations, { batchBytes: 500, refresh: true })
    const last = await load
    expect(last).toMatchObject({ isLast: true, done: 60, indexed: 57, failed: 3 })
    expect(last.failures.map(({ position }) => position)).toEqual([7, 27, 47])
    expect(await load).toBe(last)
    expect(await index.count()).toBe(57)
    expect(await load.next()).toEqual({ done: true, value: undefined })
  })

  it('awaits what an iteration has left, and refuses to be awaited after a failure', async () => {
    const index = await books()
    const operations = Array.from({ length: 9 }, () => ({ source: { title: 'a', year: 1 } }))
    const load = index.bulk(operations, { batchBytes: 100 })
    expect((await load.next()).done).toBe(false)
    expect((await load).done).toBe(9)
    const left = index.bulk(operations)
    await left.return()
    await expect(left).rejects.toMatchObject({ type: 'illegal_state_exception' })
  })

  it('ends between two requests when it is aborted, and passes on what its source throws', async () => {
    const index = await books()
    const controller = new AbortController()
    function* endless(): Generator<BulkOperation<Book>> {
      for (let i = 0; ; i++) {
        if (i === 100) controller.abort()
        yield { source: { title: 'a', year: 1 } }
      }
    }
    await expect(
      allOf(index, endless(), { batchBytes: 100, signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    function* broken(): Generator<BulkOperation<Book>> {
      yield { source: { title: 'a', year: 1 } }
      throw new Error('the tap is dry')
    }
    await expect(allOf(index, broken())).rejects.toThrow('the tap is dry')
    await expect(allOf(index, [], { batchBytes: 0 })).rejects.toThrow('[batchBytes]')
  })
})

describe('search', () => {
  it('answers with hits, scores, totals and sources', async () => {
    const index = await loaded(70)
    const result = await index.search({ query: { match: { title: 'whales' } }, size: 3 })
    expect(result.total).toEqual({ value: 10, relation: 'eq' })
    expect(result.hits.map(hit => hit.id)).toEqual(['b0', 'b7', 'b14'])
    expect(result.hits[0]?.source?.title).toBe('volume 0 of whales')
    expect(result.maxScore).toBe(result.hits[0]?.score)
    expect(result.profile).toBeNull()
    expect(result.shards).toMatchObject({ total: 1, successful: 1, failed: 0 })
  })

  it('takes every option in camelCase', async () => {
    const index = await loaded(70)
    const result = await index.search({
      query: { range: { year: { gte: 1860 } } },
      sort: [{ year: 'desc' }],
      from: 1,
      size: 2,
      source: { includes: ['year'] },
      version: true,
      seqNoPrimaryTerm: true,
      trackTotalHits: true,
      timeout: 10_000,
    })
    expect(result.hits.map(hit => hit.source)).toEqual([{ year: 1868 }, { year: 1867 }])
    expect(result.hits[0]).toMatchObject({ sort: [1868], version: 1, primaryTerm: 1, score: null })
    const next = await index.search({
      sort: ['year'],
      searchAfter: [1868],
      trackTotalHits: false,
      source: false,
    })
    expect(next.total).toBeNull()
    expect(next.hits.map(({ id, source }) => [id, source])).toEqual([['b69', null]])
    const explained = await index.search({ query: { match: { title: 'whales' } }, explain: true })
    expect(explained.hits[0]?.explanation?.value).toBe(explained.hits[0]?.score)
  })

  it('takes each key that the body of a search may have, but for those of several calls or indices', async () => {
    const index = await books()
    const other: string[] = []
    for (const key of SEARCH_KEYS) {
      const name = key.replace(/^_/, '').replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())
      // Null is a value of no key: what is refused is an option that there is not.
      const outcome = await index.search({ [name]: null }).then(
        () => '',
        ({ message }: LamellaError) => message,
      )
      if (outcome.startsWith('unknown search option')) other.push(key)
    }
    // `aggs` says it in one way, `scan` has slices and a point in time, and an index no others to be boosted.
    expect(other.sort()).toEqual(['aggregations', 'indices_boost', 'pit', 'slice'])
  })

  it('counts a search in its groups, and hands options on to extensions', async () => {
    const index = await loaded(3)
    const { hits } = await index.search({ stats: ['nightly'], ext: {} })
    expect(hits).toHaveLength(3)
    const { body } = await db.request({
      method: 'GET',
      path: `/${index.name}/_stats/search?groups=nightly`,
    })
    const { search } = JSON.parse(Buffer.from(body).toString())._all.total
    expect(search.groups.nightly.query_total).toBe(1)
    await expect(index.search({ ext: { nope: {} } })).rejects.toThrow('unknown named object')
  })

  it('goes to the shards of routings and of a preference', async () => {
    const index = await db.index<Book>(`spread-${next++}`, MAPPING, {
      settings: { number_of_shards: 4 },
    })
    const routings = ['a', 'b', 'c', 'd', 'e', 'a,b']
    for (const [i, routing] of routings.entries())
      await index.put(`${i}`, { title: 'whales', year: i }, { routing })
    await index.refresh()
    const total = async (options: SearchOptions): Promise<number | undefined> => {
      const { total: found, shards } = await index.search({}, options)
      expect(await index.count(undefined, options)).toBe(found?.value)
      const raw = JSON.parse(Buffer.from(await index.searchRaw({}, options)).toString())
      expect(raw.hits.total.value).toBe(found?.value)
      expect(raw._shards.total).toBe(shards.total)
      return found?.value
    }
    const api = async (params: string): Promise<{ hits: { total: { value: number } } }> => {
      const path = `/${index.name}/_search?${params}`
      return JSON.parse(Buffer.from((await db.request({ method: 'GET', path })).body).toString())
    }
    const ofShards: number[] = []
    for (const shard of [0, 1, 2, 3])
      ofShards.push((await total({ preference: `_shards:${shard}` }))!)
    // Several shards have some: else the rest would show nothing.
    expect(ofShards.filter(count => count > 0).length).toBeGreaterThan(1)
    expect(ofShards.reduce((sum, count) => sum + count)).toBe(routings.length)
    expect(await total({ preference: '_shards:1,2' })).toBe(ofShards[1]! + ofShards[2]!)
    expect(await total({ preference: '_local' })).toBe(routings.length)
    for (const routing of routings) {
      const found = await index.search({}, { routing })
      expect(found.shards.total).toBe(1)
      expect(found.hits.map(hit => hit.routing)).toContain(routing)
    }
    expect(await total({ routing: ['a', 'b'] })).toBe((await api('routing=a,b')).hits.total.value)
    expect(await total({ routing: [] })).toBe(routings.length)
  })

  it('scores by the statistics of all shards when asked to', async () => {
    const index = await db.index<Book>(`scored-${next++}`, MAPPING, {
      settings: { number_of_shards: 3 },
    })
    const one = await books()
    for (const [i, title] of ['whale', 'whale', 'whale ship', 'ship', 'sea', 'sea'].entries())
      for (const each of [index, one]) await each.put(`${i}`, { title, year: i }, { refresh: true })
    const scores = async (from: Index<Book>, options: SearchOptions): Promise<string[]> => {
      const { hits } = await from.search({ query: { match: { title: 'whale' } } }, options)
      return hits.map(({ id, score }) => `${id}: ${score}`).sort()
    }
    const shared = await scores(index, { searchType: 'dfs_query_then_fetch' })
    expect(shared).toHaveLength(3)
    expect(shared).toEqual(await scores(one, {}))
    expect(await scores(index, { searchType: 'query_then_fetch' })).not.toEqual(shared)
  })

  it('keeps answers for the same search when asked to', async () => {
    const index = await loaded(3)
    const cached = async (): Promise<{ hit_count: number; miss_count: number }> => {
      const { body } = await db.request({
        method: 'GET',
        path: `/${index.name}/_stats/request_cache`,
      })
      return JSON.parse(Buffer.from(body).toString())._all.total.request_cache
    }
    await index.search({}, { requestCache: true })
    const { hits } = await index.search({}, { requestCache: true })
    expect(hits).toHaveLength(3)
    expect(await cached()).toMatchObject({ hit_count: 1, miss_count: 1 })
    await index.search({})
    await index.search({ size: 0 }, { requestCache: false })
    await index.search({ size: 0 }, { requestCache: false })
    expect(await cached()).toMatchObject({ hit_count: 1, miss_count: 1 })
    await index.search({ size: 0 })
    await index.search({ size: 0 })
    expect(await cached()).toMatchObject({ hit_count: 2, miss_count: 2 })
  })

  it('rejects an answer that lacks shards when asked to', async () => {
    const index = await db.index<Book>(`partial-${next++}`, MAPPING, {
      settings: { number_of_shards: 2 },
    })
    await index.put('1', { title: 'a', year: 1 }, { refresh: true })
    // Fails only where there is a document to look at: in one shard of two.
    const query = { script: { script: "doc['year'].get(7) > 0" } }
    const { shards } = await index.search({ query })
    expect(shards).toMatchObject({ total: 2, successful: 1, failed: 1 })
    await expect(
      index.search({ query }, { allowPartialSearchResults: false }),
    ).rejects.toMatchObject({
      type: 'search_phase_execution_exception',
      reason: 'Partial shards failure',
    })
  })

  it.each([
    [{ routing: 5 }, '[routing] must be a string or an array of them, found the number [5]'],
    [{ routing: ['a', null] }, '[routing] must be a string or an array of them, found [null]'],
    [{ preference: 1 }, '[preference] must be a string, found the number [1]'],
    [{ preference: '_shards:x' }, 'Failed to parse int parameter [preference] with value [x]'],
    [{ preference: '_best' }, 'no Preference for [_best]'],
    [{ searchType: 'scan' }, 'No search type for [scan]'],
    [{ requestCache: 'yes' }, '[requestCache] must be true or false, found [yes]'],
    [{ slices: 0 }, '[slices] must be a whole number from 1, found [0]'],
    [{ rooting: 'a' }, 'unknown option of a search [rooting] did you mean [routing]?'],
  ])('refuses the option %j', async (options, message) => {
    const index = await loaded(1)
    await expect(index.search({}, options as never)).rejects.toMatchObject({
      type: 'illegal_argument_exception',
      message,
    })
  })

  it('gives fields, names, groups and what stands within hits', async () => {
    const index = await loaded(70)
    const { hits } = await index.search({
      query: { range: { year: { gte: 1860, _name: 'late' } } },
      source: false,
      fields: ['ye*'],
      docvalueFields: [{ field: 'year', format: '0.0' }],
      scriptFields: { later: { script: "doc['year'].value + 1L" } },
      collapse: { field: 'year', innerHits: { name: 'same', size: 1 } },
      size: 1,
    })
    const [hit] = hits
    expect(hit).toMatchObject({
      score: 1,
      source: null,
      fields: { year: [expect.anything()], later: [expect.any(Number)] },
      matchedQueries: ['late'],
      ignored: [],
      nested: null,
    })
    type Found = NonNullable<typeof hit>
    expectTypeOf<Found['source']>().toEqualTypeOf<Book | null>()
    expectTypeOf<Found['highlight']>().toEqualTypeOf<Readonly<
      Record<string, readonly string[]>
    > | null>()
    expectTypeOf(hit!.innerHits!['same']!.hits[0]!.score).toEqualTypeOf<number | null>()
    expect(hit?.innerHits?.same?.total).toEqual({ value: 1, relation: 'eq' })
    expect(hit?.innerHits?.same?.hits[0]).toMatchObject({ id: hit?.id, matchedQueries: ['late'] })
    const named = await index.search({
      query: { match_all: { _name: 'all' } },
      includeNamedQueriesScore: true,
      rescore: [
        {
          windowSize: 5,
          query: { term: { year: 1868 } },
          queryWeight: 3,
          rescoreWeight: 2,
          scoreMode: 'max',
        },
      ],
      size: 1,
    })
    expect(named.hits[0]).toMatchObject({ score: 3, matchedQueries: { all: 1 } })
  })

  it('gives the places of nested documents', async () => {
    const index = await db.index(`notes-${next++}`, {
      properties: { c: { type: 'nested', properties: { n: { type: 'integer' } } } },
    })
    await index.put('1', { c: [{ n: 1 }, { n: 2 }] }, { refresh: true })
    const { hits } = await index.search({
      query: { nested: { path: 'c', query: { term: { 'c.n': 2 } }, inner_hits: {} } },
    })
    const inner = hits[0]?.innerHits?.c
    expect(inner?.total).toEqual({ value: 1, relation: 'eq' })
    expect(inner?.hits.map(({ nested, source }) => [nested, source])).toEqual([
      [{ field: 'c', offset: 1, nested: null }, { n: 2 }],
    ])
  })

  it.each([
    [{ rescore: { window: 5 } }, /window/],
    [{ collapse: { fild: 'year' } }, /fild/],
  ])('refuses %j', async (request, message) => {
    const index = await loaded(1)
    await expect(index.search(request as never)).rejects.toThrow(message)
  })

  it('reads the profile, slices with worker, start and queue time', async () => {
    const index = await loaded(500)
    const { profile } = await index.search({
      query: { bool: { must: { match: { title: 'ships' } }, should: { term: { year: 1801 } } } },
      profile: true,
      profileSlices: true,
    })
    const [shard] = profile?.shards ?? []
    const [root] = shard?.queries ?? []
    expect(shard?.id).toMatch(/\[books-\d+\]\[0\]$/)
    expect(root?.type).toBe('BooleanQuery')
    expect(root?.children.length).toBe(2)
    expect(root?.timeInNanos).toBeGreaterThan(0)
    expect(root?.breakdown['score_count']).toBeGreaterThan(0)
    const covered = root?.slices?.flatMap(slice => slice.partitions) ?? []
    expect(covered.reduce((sum, { minDoc, maxDoc }) => sum + maxDoc - minDoc, 0)).toBe(500)
    for (const slice of root?.slices ?? []) {
      expect(slice.worker).toBeGreaterThanOrEqual(-1)
      expect(slice.queueTimeInNanos).toBeGreaterThanOrEqual(0)
      expect(slice.startOffsetInNanos).toBeGreaterThanOrEqual(0)
    }
    expect(shard?.collectors[0]?.reason).toBe('search_sorted')
  })

  it('refuses an unknown option with a suggestion, and an unknown query with its status', async () => {
    const index = await books()
    await expect(index.search({ trackTotalHit: 1 } as never)).rejects.toThrow(
      'unknown search option [trackTotalHit] did you mean [trackTotalHits]?',
    )
    await expect(index.search({ query: { mach: { title: 'x' } } })).rejects.toMatchObject({
      type: 'parsing_exception',
      status: 400,
    })
  })

  it('says of what is not built yet that it is not supported yet', async () => {
    const index = await books()
    await index.put('1', { title: 'Moby-Dick', year: 1851 }, { refresh: true })
    const derived = { age: { type: 'long', script: "emit(2026 - doc['year'].value)" } }
    await expect(index.search({ derived, sort: [{ age: 'asc' }] })).rejects.toMatchObject({
      message: 'sorting by the derived field [age] is not supported yet',
    })
    await expect(index.search(null as never)).rejects.toThrow('[search] must be an object')
  })

  it('counts with and without a query', async () => {
    const index = await loaded(70)
    expect(await index.count()).toBe(70)
    expect(await index.count({ match: { title: 'whales' } })).toBe(10)
  })
})

describe('a closed handle', () => {
  it('refuses calls and leaves the index as it is', async () => {
    const index = await loaded(3)
    await index.close()
    await index.close()
    await expect(index.count()).rejects.toThrow('is closed')
    await expect(allOf(index, [{ delete: 'b1' }])).rejects.toThrow('is closed')
    const again = await db.existing<Book>(index.name)
    expect(await again.count()).toBe(3)
  })
})
