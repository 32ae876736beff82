import { expect, it } from 'vitest'
import { trusted } from '../../../src/task/call-context.ts'
import { Random } from '../../../src/util/random.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

const SEARCHES = [
  { query: { match: { t: 'word1 word7 word30' } }, size: 50 },
  { query: { match_phrase: { t: 'word1 word2' } }, size: 50 },
  { query: { range: { n: { gte: 100, lt: 900 } } }, sort: [{ n: 'desc' }], size: 40 },
  {
    query: { bool: { must: { match: { t: 'word3' } }, filter: { prefix: { k: 'a' } } } },
    track_total_hits: true,
    profile: true,
  },
]

/** An index of several segments, none of which merges. */
async function filled(memory: string): Promise<Rest> {
  const rest = await openRest({
    'memory.limit': memory,
    'indexing_pressure.memory.limit': '10mb',
    'lamella.threads.write': '1',
  })
  const random = new Random(17)
  const created = await rest.call('PUT /a', {
    settings: {
      number_of_shards: 1,
      refresh_interval: '-1',
      'merge.policy.segments_per_tier': 100,
      'merge.policy.max_merge_at_once': 100,
    },
  })
  expect(created.status, created.text).toBe(200)
  for (let segment = 0; segment < 12; segment++) {
    const lines = Array.from({ length: 400 }, (_, i) => {
      const words = Array.from({ length: 60 }, () => `word${random.below(random.below(400) + 1)}`)
      const source = { t: words.join(' '), n: random.below(1000), k: 'abc'[random.below(3)] }
      return [{ index: { _id: `${segment}-${i}` } }, source]
    })
    const written = await rest.call('POST /a/_bulk?refresh=true', ndjson(...lines.flat()))
    expect(written.json.errors, written.text.slice(0, 300)).toBe(false)
  }
  return rest
}

async function answers(rest: Rest): Promise<unknown[]> {
  const hits: unknown[] = []
  for (const body of SEARCHES) {
    const { status, json, text } = await rest.call('POST /a/_search', body)
    expect(status, text.slice(0, 400)).toBe(200)
    hits.push(json.hits)
  }
  return hits
}

function slicesOf(rest: Rest): number {
  return Object.values(rest.engine.cluster.executorCounts()).reduce((sum, count) => sum + count, 0)
}

it('searches an index that is larger than memory leaf by leaf, with the same hits', async () => {
  const large = await filled('1gb')
  const expected = await answers(large)
  const [stats] = await large.engine.cluster.stats(
    {
      names: ['a'],
      ignoreUnavailable: false,
      allowNoIndices: true,
      expandOpen: true,
      expandClosed: false,
      expandHidden: false,
      allowAliases: true,
      allowDataStreams: true,
    },
    true,
    trusted('indices:monitor/stats'),
  )
  const slices = slicesOf(large)
  const loaded = stats!.shards[0]!.segmentMemoryInBytes
  await large.close()
  const small = await filled(`${Math.floor(loaded * 0.7)}b`)
  expect(await answers(small)).toEqual(expected)
  // A slice for each leaf where it was not all in memory.
  expect(slicesOf(small)).toBeGreaterThan(slices)
  await small.close()
  const tiny = await filled(`${Math.floor(loaded * 0.5)}b`)
  const first = await tiny.call('POST /a/_search', SEARCHES[0])
  expect([200, 429], first.text.slice(0, 300)).toContain(first.status)
  await tiny.close()
})
