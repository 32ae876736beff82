import { afterAll, beforeAll, expect, it } from 'vitest'
import { Node } from '../../src/engine/node/node.ts'
import type { Executor } from '../../src/parallel/run-slice.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Query } from '../../src/search/query/query.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import { trusted } from '../../src/task/call-context.ts'
import { Random } from '../../src/util/random.ts'
import { fillRandomIndex } from '../support/random-index.ts'
import { randomQuery } from '../support/random-search.ts'
import { type PlanOptions, searchOptions, searchPlan } from '../support/search-plan.ts'

const SEED = 606
const DOCUMENTS = 14_000
const QUERIES = 150

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '3'],
    ['lamella.threads.write', '1'],
  ]),
})
afterAll(() => node.close())

beforeAll(async () => {
  await fillRandomIndex(node, SEED, DOCUMENTS)
  const { snapshot } = node.index('i')!.shards[0]!
  expect(snapshot.leaves.length).toBeGreaterThan(2)
  expect(snapshot.numDocs).toBeLessThan(snapshot.maxDoc)
})

const REFERENCE = searchOptions()

it('gives the same hits, scores and totals inline and in threads, for every cut, profiled or not', async () => {
  const random = new Random(SEED + 1)
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  let ranges = 0
  let workers = 0
  for (let i = 0; i < QUERIES; i++) {
    const query = randomQuery(random, 3)
    const limit = [0, 10, 500, 10_000, Number.POSITIVE_INFINITY][random.below(5)]!
    const postFilter = random.below(6) === 0 ? randomQuery(random, 1) : null
    const spec = {
      topCount: random.below(8) === 0 ? 0 : 1 + random.below(40),
      sort:
        random.below(4) === 0
          ? [
              {
                kind: 'number' as const,
                field: 'num',
                encoding: 'long' as const,
                scale: 1,
                descending: random.below(2) === 0,
                missing: 0n,
                mode: 'min' as const,
              },
            ]
          : null,
      trackTotalHits: limit,
    }
    const plan = searchPlan(query, spec, postFilter)
    const expected = await node.searcher.search(snapshot, plan, REFERENCE)
    for (const maxSliceCount of [1, 2, 4]) {
      const isCut = random.below(2) === 0
      const profile =
        random.below(2) === 0 ? ({ sampling: 'calibrated', perLeaf: true } as const) : null
      const found = await node.searcher.search(snapshot, plan, {
        concurrent: true,
        slices: { maxSliceCount, intraSegment: isCut ? 'auto' : 'none', intraSegmentMinDocs: 1 },
        profile,
        executor: random.below(3) === 0 ? 'inline' : 'threads',
        kernels: random.below(2) === 0,
        filterCache: random.below(4) > 0,
        reports: true,
        signal: null,
      })
      const title = `seed ${SEED}, query ${i}: ${queryText(query)}, ${maxSliceCount} slices`
      expect(found.result.hits, title).toEqual(expected.result.hits)
      expect(found.result.total, title).toEqual(expected.result.total)
      // A report of every slice, whatever thread ran it, and all of its documents in it.
      const covered = found.reports.flatMap(({ leaves }) => leaves)
      expect(found.reports, title).toHaveLength(found.sliceCount)
      expect(
        covered.reduce((sum, leaf) => sum + leaf.maxDoc - leaf.minDoc, 0),
        title,
      ).toBeLessThanOrEqual(snapshot.maxDoc)
      for (const { start, end, phases } of found.reports)
        expect(phases.prepare + phases.prime + phases.search + phases.merge).toBe(end - start)
      for (const slice of found.profiles) {
        if (slice.worker >= 0) workers++
        if (slice.leaves.some(leaf => leaf.minDoc > 0)) ranges++
      }
    }
  }
  snapshot.release()
  expect(ranges).toBeGreaterThan(20)
  expect(workers).toBeGreaterThan(50)
})

it('goes on in the order of documents from where it is told, whatever runs it', async () => {
  const random = new Random(SEED + 2)
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  const { maxDoc } = snapshot
  for (let i = 0; i < 60; i++) {
    const query: Query = random.below(3) === 0 ? { kind: 'matchAll' } : randomQuery(random, 2)
    const all = await node.searcher.search(
      snapshot,
      searchPlan(query, { topCount: maxDoc, sort: [{ kind: 'doc', descending: false }] }),
      REFERENCE,
    )
    const base = random.below(2) === 0 ? 0 : 5 * 2 ** 32
    const after = [0, 1, maxDoc - 1, maxDoc + 7, random.below(maxDoc), random.below(maxDoc)]
    for (const last of after) {
      const topCount = 1 + random.below(300)
      const expected = all.result.hits.filter(hit => hit.globalDoc > last).slice(0, topCount)
      const key = { kind: 'doc', descending: false, ...(base > 0 && { base }) } as const
      const spec = { topCount, sort: [key], searchAfter: [last + base], trackTotalHits: -1 }
      const found = await node.searcher.search(snapshot, searchPlan(query, spec), {
        ...REFERENCE,
        concurrent: true,
        slices: {
          maxSliceCount: [1, 2, 4][random.below(3)]!,
          intraSegment: 'auto',
          intraSegmentMinDocs: 1,
        },
        executor: (['inline', 'threads', 'together', 'auto'] as const)[random.below(4)]!,
        profile: random.below(5) === 0 ? { sampling: 'calibrated', perLeaf: true } : null,
      })
      const title = `seed ${SEED}, query ${i}: ${queryText(query)} after ${last}`
      expect(
        found.result.hits.map(({ globalDoc, sort }) => [globalDoc, sort]),
        title,
      ).toEqual(expected.map(({ globalDoc }) => [globalDoc, [globalDoc + base]]))
    }
  }
  snapshot.release()
})

it('counts what threads run for a task', async () => {
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  const plan = searchPlan({ kind: 'matchAll' })
  for (const profile of [null, { sampling: 'calibrated', perLeaf: true } as const]) {
    const context = trusted('indices:data/read/search')
    const options: ShardSearchOptions = { ...REFERENCE, executor: 'threads', profile }
    await node.searcher.search(snapshot, plan, { ...options, signal: context })
    const { count, active, totalInNanos, maxInNanos } = context.task.resources
    expect(count).toBeGreaterThan(1)
    expect(active).toBe(1)
    expect(totalInNanos).toBeGreaterThan(maxInNanos)
  }
  snapshot.release()
})

it('stops a search whose caller gives up, and answers the next', async () => {
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  const plan = searchPlan({ kind: 'matchAll' })
  const context = trusted('indices:data/read/search')
  const options: ShardSearchOptions = { ...REFERENCE, executor: 'threads' }
  const search = node.searcher.search(snapshot, plan, { ...options, signal: context })
  context.task.cancel()
  await expect(search).rejects.toThrow('The search was cancelled.')
  const { result } = await node.searcher.search(snapshot, plan, options)
  expect(result.total).toEqual({ value: snapshot.numDocs, relation: 'eq' })
  snapshot.release()
})

const term = (word: string): Query => ({ kind: 'term', field: 'body', term: word })
const words = (...list: string[]): Query => ({
  kind: 'boolean',
  clauses: list.map(word => ({ occur: 'should', query: term(word) })),
  minimumShouldMatch: 0,
})
const must = (...queries: Query[]): Query => ({
  kind: 'boolean',
  clauses: queries.map(query => ({ occur: 'must', query })),
  minimumShouldMatch: 0,
})
const best = (tieBreaker: number, ...queries: Query[]): Query => ({
  kind: 'disMax',
  queries,
  tieBreaker,
})
const phrase = (slop: number, ...terms: string[]): Query => ({
  kind: 'phrase',
  field: 'body',
  terms,
  positions: terms.map((_, i) => i),
  slop,
})
const beside = (query: Query, ...others: Query[]): Query => ({
  kind: 'boolean',
  clauses: [
    { occur: 'must', query },
    ...others.map(other => ({ occur: 'should' as const, query: other })),
  ],
  minimumShouldMatch: 0,
})
const scoredBy = (query: Query, { minScore }: { minScore: number | null }): Query => ({
  kind: 'functionScore',
  query,
  functions: [{ filter: null, function: { kind: 'one' }, weight: 2 }],
  combination: { scoreMode: 'multiply', boostMode: 'multiply', maxBoost: 3, minScore },
})
const AFTER = { searchAfter: [1], trackTotalHits: 100 }
const BY_SCORE_AND_DOC = {
  ...AFTER,
  searchAfter: [1, 500],
  sort: [
    { kind: 'score' as const, descending: true },
    { kind: 'doc' as const, descending: false },
  ],
}

/** What must run a search, by the reason that the statistics give. */
const SHAPES: readonly (readonly [Executor, Query, Partial<PlanOptions>?])[] = [
  ['kernels', words('sea', 'ship'), AFTER],
  ['kernels', must(term('sea'), term('ship')), BY_SCORE_AND_DOC],
  ['kernels', words('sea'), { sort: [{ kind: 'score', descending: false }] }],
  ['kernels', words('sea', 'ship'), { collapse: { kind: 'keyword', field: 'absent' } }],
  ['kernels', scoredBy(term('sea'), { minScore: null })],
  ['function_score', scoredBy(term('sea'), { minScore: 0 })],
  ['function_score', must(scoredBy(term('sea'), { minScore: null }), term('ship'))],
  ['kernels', best(0, term('sea'), term('ship'))],
  ['kernels', best(0.3, term('sea'), { kind: 'boost', query: term('ship'), boost: 3 })],
  ['kernels', must(best(0.3, term('sea'), term('ship')))],
  ['kernels', phrase(2, 'sea', 'ship')],
  ['kernels', must(phrase(8, 'ship', 'the', 'sea'))],
  ['kernels', beside(phrase(0, 'the', 'sea'), term('ship'), term('oar'))],
  ['kernels', beside(phrase(3, 'the', 'sea'), best(0.3, term('ship'), term('oar')))],
  ['nested_bool', beside(phrase(0, 'the', 'sea'), must(term('ship'), term('oar')))],
  ['phrase_clause', must(phrase(0, 'the', 'sea'), term('ship'))],
  ['sloppy_repeats', phrase(8, 'sea', 'the', 'sea')],
  ['synonym', { kind: 'synonym', field: 'body', terms: ['sea', 'ship'] }],
  [
    'multi_phrase',
    {
      kind: 'multiPhrase',
      field: 'body',
      terms: [['the', 'sea'], ['ship']],
      positions: [0, 1],
      slop: 0,
    },
  ],
  [
    'span',
    {
      kind: 'span',
      field: 'body',
      span: {
        kind: 'or',
        spans: [
          {
            kind: 'near',
            slop: 0,
            inOrder: true,
            spans: [
              { kind: 'term', term: 'the' },
              { kind: 'term', term: 'sea' },
            ],
          },
          { kind: 'term', term: 'ship' },
        ],
      },
    },
  ],
  ['tie_breaker', best(1.5, term('sea'), term('ship'))],
  ['kernels', best(0, term('sea'), words('ship', 'oar'))],
  ['nested_bool', best(0.5, term('sea'), words('ship', 'oar'))],
]

it('leaves to the iterators what it says, and nothing else', async () => {
  const snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  const slices = { maxSliceCount: 2, intraSegment: 'auto', intraSegmentMinDocs: 1 } as const
  for (const [executor, query, spec] of SHAPES) {
    const plan = searchPlan(query, spec)
    const title = `${executor}: ${queryText(query)}`
    const expected = await node.searcher.search(snapshot, plan, REFERENCE)
    const before = new Map(node.searcher.executorCounts)
    const options: ShardSearchOptions = { ...REFERENCE, concurrent: true, slices, kernels: true }
    const found = await node.searcher.search(snapshot, plan, options)
    const ran = [...node.searcher.executorCounts]
      .filter(([name, count]) => count > (before.get(name) ?? 0))
      .map(([name]) => name)
    expect(ran, title).toEqual([executor])
    expect(found.result.hits.length, title).toBeGreaterThan(0)
    expect(found.result.hits, title).toEqual(expected.result.hits)
    expect(found.result.maxScore, title).toBe(expected.result.maxScore)
  }
  snapshot.release()
})
