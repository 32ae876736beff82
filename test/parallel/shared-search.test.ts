import { setEnvironmentData } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Node } from '../../src/engine/node/node.ts'
import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../src/parallel/search-options.ts'
import { ShardSearcher } from '../../src/parallel/shard-search.ts'
import type { Query } from '../../src/search/query/query.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { trusted } from '../../src/task/call-context.ts'
import { nowInNanos } from '../../src/util/clock.ts'
import { Random } from '../../src/util/random.ts'
import { fillRandomIndex } from '../support/random-index.ts'
import { randomQuery } from '../support/random-search.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'

const SEED = 1414
const DOCUMENTS = 9000
const THREADS = 3
/** So fine that every search has some hundred parts, which threads take in turn. */
const CUT = { partInNanos: 1, minDocs: 128, turnInNanos: 0 }
/** How often a thread may take a part, and tell what it counted, before it dies; 0: it lives. */
const lives = new Int32Array(new SharedArrayBuffer(8))

const node = new Node({ folder: null, settings: new Map([['lamella.threads.write', '1']]) })
setEnvironmentData('lives', lives.buffer)
const searcher = new ShardSearcher(node.memory, THREADS, 1000, {
  worker: new URL('./fixtures/dying-search-worker.mjs', import.meta.url),
  cut: CUT,
})
let snapshot: Snapshot

beforeAll(async () => {
  searcher.loadScripts()
  await fillRandomIndex(node, SEED, DOCUMENTS)
  snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
})
beforeEach(() => {
  lives.fill(0)
})
afterAll(async () => {
  snapshot.release()
  await searcher.close()
  await node.close()
})

const REFERENCE = searchOptions()

function onThreads(more: Partial<ShardSearchOptions> = {}): ShardSearchOptions {
  const slices = { ...REFERENCE.slices, maxSliceCount: THREADS }
  return searchOptions({ concurrent: true, slices, executor: 'threads', kernels: true, ...more })
}

function expectSame(found: ShardSearchOutcome, expected: ShardSearchOutcome, title: string): void {
  expect(found.result.hits, title).toEqual(expected.result.hits)
  expect(found.result.total, title).toEqual(expected.result.total)
  // Without a sort it is the best hit's score, of which the executors know alike.
  if (expected.result.sort === null && expected.prepared!.spec.topCount > 0)
    expect(found.result.maxScore, title).toBe(expected.result.maxScore)
}

/** What a search collects, counting to below, about and above what it finds. */
const specs = fc.record({
  topCount: fc.constantFrom(0, 1, 3, 10, 40, 3000),
  trackTotalHits: fc.constantFrom(-1, 0, 10, 500, 4000, 10_000, Number.POSITIVE_INFINITY),
  minScore: fc.constantFrom(null, null, null, 0.5),
  searchAfter: fc.constantFrom(null, null, null, 1.5),
  terminateAfter: fc.constantFrom(0, 0, 0, 0, 25),
  sort: fc.constantFrom(null, null, 'ascending', 'descending'),
  postFilters: fc.boolean(),
})

function planOf(
  spec: typeof specs extends fc.Arbitrary<infer T> ? T : never,
  seed: number,
): SearchPlan {
  const random = new Random(seed)
  const query = randomQuery(random, 3)
  const postFilter = spec.postFilters && random.below(3) === 0 ? randomQuery(random, 1) : null
  const sort =
    spec.sort === null
      ? null
      : [
          {
            kind: 'number' as const,
            field: 'num',
            encoding: 'long' as const,
            scale: 1,
            descending: spec.sort === 'descending',
            missing: 0n,
            mode: 'min' as const,
          },
        ]
  const { topCount, trackTotalHits, minScore, terminateAfter } = spec
  const searchAfter = spec.searchAfter === null || sort !== null ? null : [spec.searchAfter]
  return searchPlan(
    query,
    { topCount, sort, trackTotalHits, minScore, searchAfter, terminateAfter },
    postFilter,
  )
}

const ways = fc.record({
  maxSliceCount: fc.constantFrom(1, 2, 3, 7),
  executor: fc.constantFrom('threads' as const, 'together' as const),
  kernels: fc.boolean(),
  filterCache: fc.boolean(),
  reports: fc.boolean(),
})

const cases = fc.record({ seed: fc.nat(), spec: specs, way: ways })

describe('a search that threads share', () => {
  it('gives the same hits, scores and totals however many take parts, several at a time', async () => {
    let shared = 0
    await fc.assert(
      // Searches at the same time make room for one another between parts.
      fc.asyncProperty(fc.array(cases, { minLength: 1, maxLength: 6 }), async searches => {
        await Promise.all(
          searches.map(async ({ seed, spec, way }) => {
            const plan = planOf(spec, seed)
            const expected = await searcher.search(snapshot, plan, REFERENCE)
            const { maxSliceCount, ...more } = way
            const slices = { maxSliceCount, intraSegment: 'auto', intraSegmentMinDocs: 1 } as const
            const found = await searcher.search(snapshot, plan, onThreads({ ...more, slices }))
            const title = `${queryText(plan.query)} ${JSON.stringify(spec)} ${JSON.stringify(way)}`
            expectSame(found, expected, title)
            expect(found.result.terminatedEarly, title).toBe(expected.result.terminatedEarly)
            if (way.reports) expect(found.reports, title).toHaveLength(found.sliceCount)
            if (found.sliceCount > 1) shared++
          }),
        )
      }),
      { seed: SEED, numRuns: 60 },
    )
    expect(shared).toBeGreaterThan(60)
  })

  it('covers every document once, whoever took what', async () => {
    const plan = searchPlan({ kind: 'matchAll' }, { topCount: 0, minScore: 0 })
    const { reports } = await searcher.search(snapshot, plan, onThreads({ reports: true }))
    const parts = reports
      .flatMap(({ leaves }) => leaves)
      .sort((a, b) => a.leafOrd - b.leafOrd || a.minDoc - b.minDoc)
    expect(parts.length).toBeGreaterThan(THREADS * 10)
    let [leafOrd, docs] = [-1, 0]
    for (const part of parts) {
      if (part.leafOrd !== leafOrd) {
        if (leafOrd >= 0) expect(docs).toBe(snapshot.leaves[leafOrd]!.segment.maxDoc)
        expect(part.leafOrd).toBe(++leafOrd)
        docs = 0
      }
      expect(part.minDoc).toBe(docs)
      docs = part.maxDoc
    }
    expect([leafOrd, docs]).toEqual([
      snapshot.leaves.length - 1,
      snapshot.leaves.at(-1)!.segment.maxDoc,
    ])
  })

  it('is the same when threads die over it, holding parts and having told what they counted', async () => {
    const deathsOver = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async ({ seed, spec, way }, after, whileCounting) => {
          const plan = planOf(spec, seed)
          const text = queryText(plan.query)
          // A query over which three threads died is refused, and small seeds are drawn several times.
          if (deathsOver.get(text) === 2) return
          const expected = await searcher.search(snapshot, plan, REFERENCE)
          const word = whileCounting ? 1 : 0
          Atomics.store(lives, word, after)
          const options = onThreads({ kernels: way.kernels, filterCache: way.filterCache })
          const found = await searcher.search(snapshot, plan, options)
          if (Atomics.exchange(lives, word, 0) <= 0)
            deathsOver.set(text, (deathsOver.get(text) ?? 0) + 1)
          expectSame(found, expected, `${text} ${JSON.stringify(spec)}`)
        },
      ),
      // Shrinking would run one query again and again, which is then refused.
      { seed: SEED + 1, numRuns: 60, endOnFailure: true },
    )
    const deaths = [...deathsOver.values()].reduce((sum, count) => sum + count, 0)
    expect(deaths).toBeGreaterThan(15)
  })

  it('gives what it has when time is up, and says so', async () => {
    const query: Query = { kind: 'term', field: 'body', term: 'the' }
    const expected = await searcher.search(
      snapshot,
      searchPlan(query, { topCount: snapshot.maxDoc }),
      REFERENCE,
    )
    const all = new Map(expected.result.hits.map(hit => [hit.globalDoc, hit.score]))
    for (const ahead of [-1, 0, 20_000, 100_000, 300_000]) {
      const deadline = nowInNanos() + ahead
      const plan = searchPlan(query, { topCount: snapshot.maxDoc, deadline })
      const { result } = await searcher.search(snapshot, plan, onThreads())
      // A true subset.
      for (const { globalDoc, score } of result.hits) expect(score).toBe(all.get(globalDoc))
      expect(new Set(result.hits.map(hit => hit.globalDoc)).size).toBe(result.hits.length)
      if (ahead <= 0) expect(result.timedOut).toBe(true)
      if (!result.timedOut) expect(result.hits).toHaveLength(all.size)
      else expect(result.total!.relation).toBe('gte')
    }
  })

  it('stops for a caller who gives up at any moment, and answers the next', async () => {
    const plan = searchPlan({ kind: 'term', field: 'body', term: 'sea' })
    const expected = await searcher.search(snapshot, plan, REFERENCE)
    for (let turns = 0; turns < 12; turns++) {
      const context = trusted('indices:data/read/search')
      const search = searcher.search(snapshot, plan, onThreads({ signal: context }))
      const ended = search.then(
        found => expectSame(found, expected, 'not stopped in time'),
        (error: Error) => expect(error.message).toBe('The search was cancelled.'),
      )
      for (let i = 0; i < turns; i++) await new Promise(setImmediate)
      context.task.cancel()
      await ended
      expectSame(await searcher.search(snapshot, plan, onThreads()), expected, 'the next')
    }
  })

  it.each([1, 2])(
    'lets a light search go before heavy ones that came first, on %i threads',
    async count => {
      // A turn is one part, of which the heavy ones have many and the light one a few.
      const own = new ShardSearcher(node.memory, count, 1000, { cut: { ...CUT, partInNanos: 500 } })
      const heavy = searchPlan({ kind: 'term', field: 'body', term: 'the' }, { minScore: 0 })
      const light = searchPlan({ kind: 'term', field: 'body', term: 'kelp' })
      const log: { name: string; start: number; end: number }[] = []
      const run = async (name: string, plan: SearchPlan): Promise<void> => {
        // Kernels alone would be done before a light one has come.
        const kernels = name === 'light'
        const slices = { ...REFERENCE.slices, maxSliceCount: kernels ? 1 : 2 }
        const options = onThreads({ kernels, slices, reports: true })
        const found = await own.search(snapshot, plan, options)
        const start = Math.min(...found.reports.map(report => report.start))
        const end = Math.max(...found.reports.map(report => report.end))
        log.push({ name, start, end })
        expect(found.result.total).toEqual(
          (await own.search(snapshot, plan, REFERENCE)).result.total,
        )
        // Whoever made room was asked again.
        if (name === 'heavy 0') expect(found.sliceCount).toBeGreaterThan(2)
      }
      // The threads start with the first of them: by then all have come.
      const all = Array.from({ length: 4 }, (_, i) => run(`heavy ${i}`, heavy))
      await Promise.all([...all, run('light', light)])
      await own.close()
      expect(log).toHaveLength(5)
      // Which of two threads the machine runs first is not ours to say.
      if (count === 1) expect(log[0]!.name).toBe('light')
      const { start } = log.find(({ name }) => name === 'light')!
      for (const { name, end } of log) expect(start, name).toBeLessThan(end)
    },
  )
})
