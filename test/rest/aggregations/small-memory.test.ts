import { expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

async function filled(memory: string): Promise<Rest> {
  const rest = await openRest({
    'memory.limit': memory,
    'indexing_pressure.memory.limit': '10mb',
    'lamella.threads.write': '1',
  })
  const properties = {
    j: { type: 'join', relations: { p: 'c' } },
    k: { type: 'keyword' },
    n: { type: 'long' },
  }
  await rest.call('PUT /a', {
    mappings: { properties },
    settings: {
      refresh_interval: '-1',
      'merge.policy.segments_per_tier': 100,
      'merge.policy.max_merge_at_once': 100,
    },
  })
  for (let segment = 0; segment < 12; segment++) {
    const lines = Array.from({ length: 400 }, (_, i) => {
      const number = segment * 400 + i
      const isParent = number % 4 === 0
      const parent = `p-with-a-long-name-that-takes-memory-${((number * 7919) % 4800) & ~3}`
      const source = {
        j: isParent ? 'p' : { name: 'c', parent },
        k: `key-with-a-long-name-that-takes-memory-${number}`,
        n: i % 7,
      }
      const _id = isParent ? `p-with-a-long-name-that-takes-memory-${number}` : `c${number}`
      return [{ index: { _id, routing: 'x' } }, source]
    })
    const written = await rest.call('POST /a/_bulk?refresh=true', ndjson(...lines.flat()))
    expect(written.json.errors, written.text.slice(0, 300)).toBe(false)
  }
  return rest
}

const query = { range: { n: { lt: 1 } } }
const up = { parent: { type: 'c' } }
const below = { n: { terms: { field: 'n' }, aggs: { up } } }
const BODIES = [
  { query, aggs: { x: { terms: { field: 'k', size: 5 } } } },
  { query, aggs: { x: { children: { type: 'c' }, aggs: below } } },
  { aggs: { x: { children: { type: 'c' }, aggs: below } } },
]

it('merge what slices found by terms where an index does not fit into memory', async () => {
  const large = await filled('1gb')
  const search = async (rest: Rest, body: object): Promise<[number, unknown]> => {
    const { status, json } = await rest.call('POST /a/_search', { size: 0, ...body })
    return [status, json.aggregations]
  }
  const expected: unknown[] = []
  for (const body of BODIES) expected.push((await search(large, body))[1])
  const stats = await large.call('GET /_stats')
  const loaded = stats.json._all.total.segments.memory_in_bytes
  await large.close()
  let answered = 0
  for (const share of [0.95, 0.8]) {
    const small = await filled(`${Math.floor(loaded * share)}b`)
    for (const [i, body] of BODIES.entries()) {
      const [status, found] = await search(small, body)
      // Buckets and dictionaries may need more than there is.
      expect([200, 429]).toContain(status)
      if (status === 429) continue
      expect(found).toEqual(expected[i])
      answered++
    }
    await small.close()
  }
  expect(answered).toBeGreaterThan(0)
})
