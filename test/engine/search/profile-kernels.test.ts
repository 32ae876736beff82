import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSameHits } from '../../../src/engine/search/production-run.ts'
import { type Database, type Index, type KernelSlice, open } from '../../../src/index.ts'
import type { ShardResult } from '../../../src/parallel/reduce.ts'
import { noCounts } from '../../../src/search/collector/collect-spec.ts'

const DOCUMENTS = 9000
/** Windows of 4,096 documents that so many take. */
const WINDOWS = 3

let db: Database
let index: Index

beforeAll(async () => {
  db = await open(undefined, { settings: { 'lamella.threads.search': 2 } })
  index = await db.index('i', { properties: { body: { type: 'text' }, tag: { type: 'keyword' } } })
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => {
    const words = [i % 2 === 0 ? 'even' : 'odd', i % 3 === 0 ? 'red sea' : 'blue', `n${i % 500}`]
    return { id: String(i), source: { body: words.join(' '), tag: `t${i % 7}` } }
  })
  const load = index.bulk(documents, { refresh: true })
  for await (const _ of load) {
    // Only its end matters here.
  }
  await db.request({
    method: 'POST',
    path: '/i/_forcemerge?max_num_segments=1&wait_for_completion=true',
  })
})
afterAll(() => db.close())

async function kernelsOf(query: object, options: object = {}): Promise<readonly KernelSlice[]> {
  const { profile } = await index.search({
    query,
    ...options,
    profile: true,
    profileKernels: true,
  } as never)
  return profile!.shards[0]!.kernels!
}

describe('profile_kernels', () => {
  it('tells slices, phases and leaves of what production runs, in the documented order', async () => {
    const { body } = await db.request({
      method: 'POST',
      path: '/i/_search',
      body: { query: { match: { body: 'red blue' } }, profile: true, profile_kernels: true },
    })
    const [shard] = JSON.parse(Buffer.from(body).toString()).profile.shards
    expect(Object.keys(shard).slice(-4)).toEqual([
      'outbound_network_time_in_millis',
      'searches',
      'kernels',
      'aggregations',
    ])
    const [slice] = shard.kernels
    expect(Object.keys(slice)).toEqual([
      'slice_id',
      'worker',
      'queue_time_in_nanos',
      'start_offset_in_nanos',
      'time_in_nanos',
      'prepare_time_in_nanos',
      'prime_time_in_nanos',
      'search_time_in_nanos',
      'merge_time_in_nanos',
      'executor',
      'leaves',
    ])
    expect(slice.executor).toBe('kernel')
    const phases = ['prepare', 'prime', 'search', 'merge'].map(
      phase => slice[`${phase}_time_in_nanos`],
    )
    expect(phases.reduce((sum, time) => sum + time, 0)).toBe(slice.time_in_nanos)
    expect(Object.keys(slice.leaves[0])).toEqual([
      'segment_ord',
      'doc_range',
      'windows',
      'windows_skipped',
      'blocks_decoded',
      'blocks_skipped',
      'postings_scored',
      'positions_checked',
      'candidates',
    ])
  })

  it('counts what a disjunction, a conjunction and a phrase take', async () => {
    const exact = { trackTotalHits: true }
    const sum = (slices: readonly KernelSlice[], key: keyof KernelSlice['leaves'][0]): number =>
      slices.flatMap(slice => slice.leaves).reduce((total, leaf) => total + leaf[key], 0)
    const any = await kernelsOf({ match: { body: 'red blue' } }, exact)
    expect(sum(any, 'maxDoc')).toBe(DOCUMENTS)
    // Counted to the end no window is passed over: bits say what matches of both words. Scored is the
    // rarer one alone, without which nothing is among the best.
    expect(sum(any, 'windows')).toBe(WINDOWS)
    expect(sum(any, 'windowsSkipped')).toBe(0)
    expect(sum(any, 'postingsScored')).toBe(DOCUMENTS / 3)
    const all = await kernelsOf({ match: { body: { query: 'odd n7', operator: 'and' } } }, exact)
    expect(sum(all, 'candidates')).toBe(18)
    expect(sum(all, 'postingsScored')).toBe(36)
    expect(sum(all, 'positionsChecked')).toBe(0)
    const phrase = await kernelsOf({ match_phrase: { body: 'red sea' } }, exact)
    expect(sum(phrase, 'positionsChecked')).toBe(2 * (DOCUMENTS / 3))
    expect(sum(phrase, 'postingsScored')).toBe(DOCUMENTS / 3)
  })

  it('says why the iterators ran a search', async () => {
    const [slice] = await kernelsOf({ match_phrase: { body: { query: 'red sea red', slop: 2 } } })
    expect(slice).toMatchObject({ executor: 'iterator', reason: 'sloppy_repeats' })
    expect(slice!.leaves[0]).toMatchObject({ windows: 0, candidates: 0 })
    expect(slice!.leaves.reduce((blocks, leaf) => blocks + leaf.blocksDecoded, 0)).toBeGreaterThan(
      0,
    )
    expect(slice!.primeTimeInNanos).toBe(0)
  })

  it('feeds the counts of the database, whoever asked', async () => {
    const before = db.kernelCounts
    await index.search({ query: { match: { body: 'red blue' } }, trackTotalHits: true })
    const after = db.kernelCounts
    expect(after.windows - before.windows).toBe(WINDOWS)
    expect(after.postingsScored - before.postingsScored).toBe(DOCUMENTS / 3)
  })

  it('needs a profile, and a boolean', async () => {
    const query = { match: { body: 'red' } }
    await expect(index.search({ query, profileKernels: true })).rejects.toMatchObject({
      status: 400,
      message: '[profile_kernels] adds to a profile: it needs [profile] to be true',
    })
    const wrong = { query, profile: true, profileKernels: 'often' }
    await expect(index.search(wrong as never)).rejects.toMatchObject({ status: 400 })
    const { profile } = await index.search({ query, profile: true })
    expect(profile!.shards[0]!.kernels).toBe(null)
  })
})

describe('the hits of both runs', () => {
  function result(docs: readonly number[], score: number, value: number): ShardResult {
    return {
      hits: docs.map(globalDoc => ({ globalDoc, score, sort: null })),
      sort: null,
      isCollapsed: false,
      total: { value, relation: 'eq' },
      maxScore: score,
      timedOut: false,
      cancelled: false,
      terminatedEarly: false,
      counters: noCounts(),
      parts: [],
    }
  }

  it('are equal to the bit, or the search is refused with both digests', () => {
    const one = result([1, 2], 0.5, 2)
    checkSameHits('[i][0]', one, result([1, 2], 0.5, 2))
    const message = /^shard \[i\]\[0\]: .* with digests \[[0-9a-f]{32}\] and \[[0-9a-f]{32}\]/
    for (const other of [
      result([1, 3], 0.5, 2),
      result([2, 1], 0.5, 2),
      result([1, 2], 0.5 + 2 ** -25, 2),
      result([1, 2], 0.5, 3),
    ]) {
      expect(() => checkSameHits('[i][0]', one, other)).toThrow(message)
      checkSameHits('[i][0]', one, { ...other, timedOut: true })
    }
  })
})
