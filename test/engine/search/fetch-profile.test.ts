import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type FetchProfile, type Index, open } from '../../../src/index.ts'
import { FetchProfiler } from '../../../src/profile/fetch-profiler.ts'

let db: Database
let index: Index

beforeAll(async () => {
  db = await open(undefined, { settings: { 'lamella.threads.search': 1 } })
  index = await db.index('i')
  for (let i = 0; i < 6; i++)
    await index.put(`${i}`, { text: `whale ${i}` }, { refresh: i % 3 === 0 })
  await index.refresh()
})

afterAll(() => db.close())

const STEPS = [
  'build_sub_phase_processors',
  'create_stored_fields_visitor',
  'get_next_reader',
  'load_source',
  'load_stored_fields',
]

async function fetchOf(options: object): Promise<readonly FetchProfile[] | null> {
  const { profile } = await index.search({ profile: true, ...options })
  return profile!.shards[0]!.fetch
}

function checkNode(node: FetchProfile): void {
  const times = Object.entries(node.breakdown).filter(([key]) => !key.endsWith('_count'))
  for (const [key, time] of times) {
    const count = node.breakdown[`${key}_count`]!
    expect([Number.isInteger(time), time > 0]).toEqual([true, count > 0])
  }
  const own = times.reduce((sum, [, time]) => sum + time, 0)
  expect(node.timeInNanos).toBe(node.children.reduce((sum, child) => sum + child.timeInNanos, own))
}

describe('lamella.profile.fetch', () => {
  it('adds nothing to a profile unless it is true', async () => {
    expect(await fetchOf({})).toBeNull()
  })

  it('adds the steps and phases of reading the hits behind the aggregations', async () => {
    await db.changeSettings({ 'lamella.profile.fetch': true })
    const [root, ...others] = (await fetchOf({ version: true, explain: true }))!
    expect(others).toEqual([])
    expect(root).toMatchObject({ type: 'fetch', description: 'fetch' })
    expect(Object.keys(root!.breakdown)).toEqual(STEPS.flatMap(key => [key, `${key}_count`]))
    expect(root!.breakdown).toMatchObject({ load_source_count: 6, load_stored_fields_count: 6 })
    const leaves = root!.breakdown['get_next_reader_count']
    expect(leaves).toBeGreaterThan(0)
    expect(root!.children.map(({ type }) => type)).toEqual([
      'FetchSourcePhase',
      'FetchVersionPhase',
      'ExplainPhase',
    ])
    for (const child of root!.children)
      expect(child.breakdown).toMatchObject({ process_count: 6, set_next_reader_count: leaves })
    for (const node of [root!, ...root!.children]) checkNode(node)
    const { body } = await db.request({
      method: 'GET',
      path: '/i/_search?human',
      body: { profile: true, size: 1 },
    })
    const [shard] = JSON.parse(Buffer.from(body).toString()).profile.shards
    expect(Object.keys(shard).slice(-2)).toEqual(['aggregations', 'fetch'])
    expect(Object.keys(shard.fetch[0]).slice(0, 4)).toEqual([
      'type',
      'description',
      'time',
      'time_in_nanos',
    ])
  })

  it('has no entry where no hit is read', async () => {
    expect(await fetchOf({ size: 0 })).toEqual([])
    const { profile } = await index.search({ source: false, profile: true })
    expect(profile!.shards[0]!.fetch![0]!.breakdown['load_source_count']).toBe(0)
  })

  it('tells the fetches of top hits and of parts of hits apart', async () => {
    await db.changeSettings({ 'lamella.profile.fetch': true })
    const nested = { properties: { o: { type: 'nested' }, n: { type: 'long' } } }
    const parts = await db.index('parts', nested)
    await parts.put('1', { n: 1, o: [{ x: 1 }, { x: 2 }] }, { refresh: true })
    const query = { nested: { path: 'o', query: { match_all: {} }, inner_hits: {} } }
    const aggs = { best: { top_hits: { size: 1, sort: [{ n: 'asc' }] } } }
    const sort = [{ n: 'asc' as const }]
    const options = { sort, trackScores: true, profile: true } as const
    const found = await parts.search({ query, ...options })
    const fetches = found.profile!.shards[0]!.fetch!
    const namesOf = (nodes: readonly FetchProfile[]): unknown =>
      nodes.map(({ type, children }) => [type, children.map(child => child.type)])
    expect(namesOf(fetches)).toEqual([
      ['fetch', ['FetchSourcePhase', 'FetchScorePhase']],
      ['fetch_inner_hits[o]', ['FetchSourcePhase']],
    ])
    const aggregated = await parts.search({ aggs, profile: true })
    expect(namesOf(aggregated.profile!.shards[0]!.fetch!)).toEqual([
      ['fetch', ['FetchSourcePhase']],
      ['fetch_top_hits_aggregation[best]', ['FetchSourcePhase']],
    ])
    expect(fetches[1]!.children[0]!.breakdown).toMatchObject({
      process_count: 2,
      set_next_reader_count: 1,
    })
    for (const node of fetches) checkNode(node)
  })

  it('sums what each step took, at least a nanosecond a call', () => {
    let now = 1
    const profiler = new FetchProfiler(() => now)
    profiler.step('get_next_reader', () => {
      now += 10
    })
    profiler.nextReader(['FetchSourcePhase'])
    profiler.process('FetchSourcePhase', () => {
      now += 5
    })
    expect(profiler.report(false)).toMatchObject([
      {
        time_in_nanos: 16,
        breakdown: { get_next_reader: 10, get_next_reader_count: 1 },
        children: [{ time_in_nanos: 6, breakdown: { process: 5, set_next_reader: 1 } }],
      },
    ])
  })
})
