import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Node } from '../../src/engine/node/node.ts'
import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Query } from '../../src/search/query/query.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { SortKey } from '../../src/search/sort/sort-key.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { trusted } from '../../src/task/call-context.ts'
import { Random } from '../../src/util/random.ts'
import { fillRandomIndex } from '../support/random-index.ts'
import { WORDS } from '../support/random-search.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'

const SEED = 909
const DOCUMENTS = 5000
const SEARCHES = 1500

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '1'],
    ['lamella.threads.write', '1'],
  ]),
})
/** Of an index to which documents were only added, and of one with deletes and updates. */
const snapshots: Snapshot[] = []

beforeAll(async () => {
  for (const changes of [false, true]) {
    const name = `${changes}`
    await fillRandomIndex(node, SEED, DOCUMENTS, { name, changes })
    const snapshot = node.index(name)!.shards[0]!.snapshot.acquire()
    expect(snapshot.leaves.length).toBeGreaterThan(2)
    expect(snapshot.numDocs < snapshot.maxDoc).toBe(changes)
    snapshots.push(snapshot)
  }
})
afterAll(async () => {
  for (const snapshot of snapshots) snapshot.release()
  await node.close()
})

const REFERENCE = searchOptions()
const KERNELS = searchOptions({ kernels: true })

const FIELDS = ['body', 'body', 'title', 'tag']

function term(word: string, field = 'body'): Query {
  return { kind: 'term', field, term: word }
}

function byNumber(field: string, descending = true): SortKey[] {
  const [encoding, mode] = ['long', descending ? 'max' : 'min'] as const
  return [{ kind: 'number', field, encoding, scale: 1, descending, missing: 0n, mode }]
}

/** Whether a search goes the short way once all that it reads is loaded. */
async function isShort(
  plan: SearchPlan,
  options: ShardSearchOptions = KERNELS,
  snapshot = snapshots[0]!,
): Promise<boolean> {
  await node.searcher.search(snapshot, plan, { ...KERNELS, reports: true })
  // One in many goes the long way, to tell what is in use.
  for (let i = 0; i < 2; i++) {
    const { prepared } = await node.searcher.search(snapshot, plan, options)
    if (prepared === null) return true
  }
  return false
}

it(`finds the same as the iterators in ${SEARCHES} searches (seed ${SEED})`, async () => {
  const random = new Random(SEED)
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!
  let short = 0
  let sorted = 0
  let deleted = 0
  for (let i = 0; i < SEARCHES; i++) {
    const snapshot = pick(snapshots)
    const field = pick([...FIELDS, random.below(4) === 0 ? pick(['num', '_id', 'absent']) : 'body'])
    const word =
      field === 'tag'
        ? `t${random.below(14)}`
        : random.below(9) === 0
          ? pick(['absent', 'é', ''])
          : pick(WORDS)
    const sort = pick([null, null, byNumber('first', random.below(2) === 0), byNumber('num')])
    const plan = searchPlan(term(word, field), {
      topCount: pick([0, 1, 3, 10, 10, 100, 1000, 3000]),
      trackTotalHits: pick([-1, -1, 0, 500, 10_000, 10_000, Number.POSITIVE_INFINITY]),
      sort,
      minScore: random.below(12) === 0 ? 0.5 : null,
    })
    const executor = pick(['inline', 'auto'] as const)
    const title = `search ${i}: ${queryText(plan.query)} ${JSON.stringify(plan.gather.hits.topCount)}`
    const { result, prepared } = await node.searcher.search(snapshot, plan, {
      ...KERNELS,
      executor,
    })
    const expected = await node.searcher.search(snapshot, plan, REFERENCE)
    expect(result.hits, title).toEqual(expected.result.hits)
    expect(result.total, title).toEqual(expected.result.total)
    expect(result.maxScore, title).toBe(expected.result.maxScore)
    expect(result.sort, title).toBe(sort)
    if (prepared !== null || result.hits.length === 0) continue
    short++
    if (sort !== null) sorted++
    if (snapshot.numDocs < snapshot.maxDoc) deleted++
  }
  expect(short).toBeGreaterThan(SEARCHES / 5)
  expect(sorted).toBeGreaterThan(SEARCHES / 50)
  expect(deleted).toBeGreaterThan(SEARCHES / 50)
})

describe('goes the short way', () => {
  const TOP = { trackTotalHits: 10_000 }

  it('for the best documents of a term, and the first by a number', async () => {
    expect(await isShort(searchPlan(term('sea'), TOP))).toBe(true)
    expect(await isShort(searchPlan(term('t3', 'tag'), TOP))).toBe(true)
    expect(await isShort(searchPlan(term('sea'), { ...TOP, sort: byNumber('first') }))).toBe(true)
    expect(await isShort(searchPlan(term('absent'), TOP))).toBe(true)
    expect(
      await isShort(searchPlan(term('sea'), { trackTotalHits: -1 }), KERNELS, snapshots[1]),
    ).toBe(true)
  })

  const deadline = 1e18
  const LONG: readonly [string, SearchPlan, Partial<ShardSearchOptions>?][] = [
    ['every match is counted', searchPlan(term('sea'))],
    ['nothing is kept', searchPlan(term('sea'), { ...TOP, topCount: 0 })],
    ['very much is kept', searchPlan(term('sea'), { ...TOP, topCount: 1001 })],
    ['there is a least score', searchPlan(term('sea'), { ...TOP, minScore: 1 })],
    ['it goes on behind a hit', searchPlan(term('sea'), { ...TOP, searchAfter: [1] })],
    ['it ends early', searchPlan(term('sea'), { ...TOP, terminateAfter: 3 })],
    ['it may run out of time', searchPlan(term('sea'), { ...TOP, deadline })],
    ['matches are filtered', searchPlan(term('sea'), TOP, term('ship'))],
    ['a field has several values', searchPlan(term('sea'), { ...TOP, sort: byNumber('num') })],
    ['a field is not indexed', searchPlan(term('1', '_seq_no'), TOP)],
    [
      'it is profiled',
      searchPlan(term('sea'), TOP),
      { profile: { sampling: 'calibrated', perLeaf: true } },
    ],
    ['it tells what leaves took', searchPlan(term('sea'), TOP), { reports: true }],
    ['the iterators are asked', searchPlan(term('sea'), TOP), { kernels: false }],
    ['threads are asked', searchPlan(term('sea'), TOP), { executor: 'threads' }],
  ]

  it.each(LONG)('but not where %s', async (_, plan, options = {}) => {
    expect(await isShort(plan, { ...KERNELS, ...options })).toBe(false)
  })

  it('but not where deletes hide the total', async () => {
    expect(await isShort(searchPlan(term('sea'), TOP), KERNELS, snapshots[1])).toBe(false)
  })

  it('and now and then the long one, which keeps its sections in memory', async () => {
    const plan = searchPlan(term('sea'), TOP)
    let long = 0
    for (let i = 0; i < 640; i++)
      if ((await node.searcher.search(snapshots[0]!, plan, KERNELS)).prepared !== null) long++
    expect(long).toBe(10)
  })

  it('not for a call whose caller has given up', async () => {
    const context = trusted('indices:data/read/search')
    context.task.cancel()
    const search = node.searcher.search(snapshots[0]!, searchPlan(term('sea'), TOP), {
      ...KERNELS,
      signal: context,
    })
    await expect(search).rejects.toThrow('The search was cancelled.')
  })
})
