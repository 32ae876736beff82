import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const opened: Rest[] = []
beforeEach(async () => {
  rest = await openRest()
  opened.push(rest)
})
afterAll(async () => {
  for (const each of opened) await each.close()
})

const TEXT = { type: 'text', fielddata: true }
const DOCUMENTS = {
  a: { t: 'quick Fox', m: 'one two' },
  b: { t: 'lazy dog' },
  c: { m: 'two' },
  d: { t: ['dog', 'zebra'], m: 'three' },
}

const ok = async (line: string, body?: object | string) => {
  const { status, json, text } = await rest.call(line, body)
  expect([status, json?.error], text).toEqual([200, undefined])
  return json ?? text
}
const refusal = async (line: string, body?: object) => {
  const { status, json } = await rest.call(line, body)
  const { type, reason } = json.error.root_cause[0]
  return `${status} ${type}: ${reason}`
}
async function fill(t: object = TEXT, documents: object = DOCUMENTS): Promise<void> {
  await ok('PUT /i', {
    settings: { number_of_shards: 1, 'index.refresh_interval': '-1' },
    mappings: {
      properties: { t, m: { ...TEXT, type: 'match_only_text' }, bare: { type: 'text' } },
    },
  })
  const lines = Object.entries(documents).flatMap(([_id, source]) => [{ index: { _id } }, source])
  await ok('POST /i/_bulk?refresh', ndjson(...lines))
}
const sorted = async (...sort: (object | string)[]): Promise<unknown[]> => {
  const { hits } = await ok('POST /i/_search', { sort })
  return hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, ...hit.sort])
}
const stats = async (params = '') =>
  (await ok(`GET /i/_stats/fielddata${params}`))._all.primaries.fielddata

describe('a sort by text with fielddata', () => {
  it('goes by the lowest term upwards and by the highest downwards, and prints it', async () => {
    await fill()
    expect(await sorted({ t: 'asc' })).toEqual([
      ['b', 'dog'],
      ['d', 'dog'],
      ['a', 'fox'],
      ['c', null],
    ])
    expect(await sorted({ t: 'desc' })).toEqual([
      ['d', 'zebra'],
      ['a', 'quick'],
      ['b', 'lazy'],
      ['c', null],
    ])
    expect(await sorted({ t: { order: 'asc', mode: 'max' } })).toEqual([
      ['b', 'lazy'],
      ['a', 'quick'],
      ['d', 'zebra'],
      ['c', null],
    ])
    expect(await sorted({ t: { order: 'asc', missing: '_first' } }, { m: 'desc' })).toEqual([
      ['c', null, 'two'],
      ['d', 'dog', 'three'],
      ['b', 'dog', null],
      ['a', 'fox', 'two'],
    ])
    // A missing value is ranked by the term that stands for it.
    expect(await sorted({ t: { order: 'asc', missing: 'eel' } })).toEqual([
      ['b', 'dog'],
      ['d', 'dog'],
      ['c', 'eel'],
      ['a', 'fox'],
    ])
    const { hits } = await ok('POST /i/_search', { sort: 't', search_after: ['dog'], size: 1 })
    expect(hits.hits[0]._id).toBe('a')
  })

  it('refuses modes of numbers, and text without fielddata as before', async () => {
    await fill()
    expect(await refusal('POST /i/_search', { sort: { t: { mode: 'avg' } } })).toContain(
      'we only support AVG, MEDIAN and SUM on number based fields',
    )
    expect(await refusal('POST /i/_search', { sort: { t: { numeric_type: 'long' } } })).toContain(
      '[numeric_type] option cannot be set on a non-numeric field, got text',
    )
    expect(await refusal('POST /i/_search', { sort: 'bare' })).toContain(
      'Alternatively, set fielddata=true on [bare] in order to load field data',
    )
  })

  it('loads the terms that a frequency filter lets through', async () => {
    const words = { 1: 'a b c', 2: 'a b', 3: 'a', 4: 'a d' }
    const documents = Object.fromEntries(Object.entries(words).map(([id, t]) => [id, { t }]))
    const low = async (fielddata_frequency_filter: object): Promise<unknown[]> => {
      await rest.call('DELETE /i')
      await fill({ ...TEXT, fielddata_frequency_filter }, documents)
      return (await sorted({ t: 'asc' })).map(hit => (hit as unknown[])[1])
    }
    expect(await low({ max: 0.5 })).toEqual(['b', 'b', 'd', null])
    expect(await low({ min: 0.5, max: 0.9 })).toEqual(['b', 'b', null, null])
    expect(await low({ min: 2, max: 3 })).toEqual(['b', 'b', null, null])
    expect(await low({ max: 0.5, min_segment_size: 4 })).toEqual(['b', 'b', 'd', null])
    expect(await low({ max: 0.5, min_segment_size: 5 })).toEqual(['a', 'a', 'a', 'a'])
  })

  it('is switched on by a mapping update', async () => {
    await fill({ type: 'text' })
    expect(await refusal('POST /i/_search', { sort: 't' })).toContain('set fielddata=true on [t]')
    await ok('PUT /i/_mapping', { properties: { t: TEXT } })
    expect((await sorted({ t: 'asc' }))[0]).toEqual(['b', 'dog'])
  })
})

describe('the memory of field data', () => {
  it('shows in statistics and tables by field', async () => {
    await fill()
    expect(await stats('?fields=*')).toEqual({ memory_size_in_bytes: 0, evictions: 0 })
    expect(await ok('GET /_cat/fielddata')).toBe('')
    await sorted({ t: 'asc' }, { m: 'asc' })
    const plain = await stats()
    expect(plain).toEqual({ memory_size_in_bytes: expect.any(Number), evictions: 0 })
    const { fields } = await stats('?fields=*')
    expect(Object.keys(fields).sort()).toEqual(['m', 't'])
    expect(fields.m.memory_size_in_bytes + fields.t.memory_size_in_bytes).toBe(
      plain.memory_size_in_bytes,
    )
    expect(Object.keys((await stats('?fielddata_fields=m*&fields=t')).fields)).toEqual(['m'])
    expect(await stats('?completion_fields=t')).not.toHaveProperty('fields')
    const bytes = String(plain.memory_size_in_bytes)
    for (const table of ['indices', 'shards', 'nodes'])
      expect((await ok(`GET /_cat/${table}?h=fielddata.memory_size,fe&bytes=b`)).trim()).toMatch(
        new RegExp(`^${bytes} +0$`),
      )
    const size = fields.t.memory_size_in_bytes
    expect(await ok('GET /_cat/fielddata/t?h=field,size&bytes=b')).toBe(`t ${size}\n`)
    expect(await ok('GET /_cat/fielddata?fields=t&h=field,size&bytes=b')).toBe(`t ${size}\n`)
    expect((await ok('GET /_cat/fielddata?h=field')).trim().split(/\s+/).sort()).toEqual(['m', 't'])
    expect(await ok('GET /_cat/fielddata/none')).toBe('')
  })

  it('is freed by _cache/clear, all of it or by field, and with its segments', async () => {
    await fill()
    const load = () => sorted({ t: 'asc' }, { m: 'asc' })
    const loaded = async () => Object.keys((await stats('?fields=*')).fields ?? {}).sort()
    for (const [params, left] of [
      ['?fielddata=true', []],
      ['', []],
      ['?fielddata=true&fields=t', ['m']],
      ['?fields=m', ['t']],
      ['?fielddata=false', []],
      ['?query=true', ['m', 't']],
      ['?request=true', ['m', 't']],
      ['?query=true&fields=t', ['m', 't']],
    ] as const) {
      const before = await load()
      expect(await loaded()).toEqual(['m', 't'])
      await ok(`POST /i/_cache/clear${params}`)
      expect([params, await loaded()]).toEqual([
        params,
        params === '?fielddata=false' ? ['m', 't'] : left,
      ])
      expect(await load()).toEqual(before)
    }
    await rest.call('PUT /i/_doc/e?refresh', { t: 'ant' })
    expect((await load())[0]).toEqual(['e', 'ant', null])
    await ok('DELETE /i')
    const breakers = rest.engine.memory.breakers()
    expect(breakers.find(({ name }) => name === 'fielddata')?.usedInBytes).toBe(0)
  })

  it('is charged before it is taken', async () => {
    await fill()
    await ok('PUT /_cluster/settings', {
      persistent: { 'indices.breaker.fielddata.limit': '100b' },
    })
    const text = await refusal('POST /i/_search', { sort: 't' })
    expect(text).toMatch(
      /^429 circuit_breaking_exception: \[fielddata\] Data too large, data for \[t\] would be \[\d+\/[\d.]+kb\], which is larger than the limit of \[100\/100b\]$/,
    )
    expect(await stats()).toEqual({ memory_size_in_bytes: 0, evictions: 0 })
    await ok('PUT /_cluster/settings', { persistent: { 'indices.breaker.fielddata.limit': null } })
    expect((await sorted({ t: 'asc' }))[0]).toEqual(['b', 'dog'])
    const used = rest.engine.memory.breakers().find(({ name }) => name === 'fielddata')
    expect(used?.usedInBytes).toBe((await stats()).memory_size_in_bytes)
    expect(used?.tripped).toBe(1)
  })
})

describe('global ordinals', () => {
  const terms = (more: object = {}): object => ({
    size: 0,
    aggs: { x: { terms: { field: 'k', ...more } } },
  })
  const keys = async (more: object = {}): Promise<unknown[]> => {
    const { aggregations } = await ok('POST /i/_search', terms(more))
    return aggregations.x.buckets.map(({ key, doc_count }: { key: string; doc_count: number }) => [
      key,
      doc_count,
    ])
  }
  const bytes = async (): Promise<number> => (await stats()).memory_size_in_bytes
  const two: readonly unknown[] = [
    ['a', 2],
    ['b', 1],
  ]
  const put = async (id: string, k: string): Promise<void> => {
    await rest.call(`PUT /i/_doc/${id}?refresh`, { k })
  }
  beforeEach(async () => {
    const settings = { number_of_shards: 1, 'index.refresh_interval': '-1' }
    await ok('PUT /i', { settings, mappings: { properties: { k: { type: 'keyword' } } } })
    for (const [id, k] of ['a', 'a', 'b'].entries()) await put(String(id), k)
  })

  it('count as field data once a search has made them, by field', async () => {
    expect(await bytes()).toBe(0)
    expect(await keys()).toEqual(two)
    // Three segments with a term each: an ord for each of them, and a segment and an ord for each of two.
    expect(await stats('?fielddata_fields=k')).toEqual({
      memory_size_in_bytes: 4 * 3 + 8 * 2,
      evictions: 0,
      fields: { k: { memory_size_in_bytes: 28 } },
    })
    expect(await ok('GET /_cat/fielddata?h=field,size&bytes=b')).toBe('k 28\n')
    expect(await keys({ execution_hint: 'global_ordinals' })).toEqual(two)
    expect(await bytes()).toBe(28)
  })

  it('are not kept of a search by a map, nor made where one segment has all terms', async () => {
    expect(await keys({ execution_hint: 'map' })).toEqual(two)
    expect(await bytes()).toBe(0)
    await ok('POST /i/_forcemerge?max_num_segments=1')
    expect(await keys()).toEqual(two)
    expect(await bytes()).toBe(0)
  })

  it('are freed when they are cleared, and with their segments', async () => {
    await keys()
    await ok('POST /i/_cache/clear?fielddata=true&fields=other')
    expect(await bytes()).toBe(28)
    await ok('POST /i/_cache/clear?fielddata=true')
    expect(await bytes()).toBe(0)
    // Two snapshots are kept at most, however many have been searched.
    const seen: number[] = []
    for (const id of ['4', '5', '6', '7']) {
      await put(id, 'c')
      await keys()
      seen.push(await bytes())
    }
    expect(seen[0]).toBe(4 * 4 + 8 * 3)
    expect(seen[3]).toBe(4 * 6 + 8 * 3 + 4 * 7 + 8 * 3)
    await ok('POST /i/_forcemerge?max_num_segments=1')
    await keys()
    expect(await bytes()).toBe(0)
  })

  it('are charged before they are taken', async () => {
    const limit = 'indices.breaker.fielddata.limit'
    await ok('PUT /_cluster/settings', { persistent: { [limit]: '20b' } })
    const { status, json } = await rest.call('POST /i/_search', terms())
    expect([status, json.error.root_cause[0].type]).toEqual([429, 'circuit_breaking_exception'])
    expect(json.error.root_cause[0].reason).toContain('[fielddata] Data too large, data for [k]')
    expect(await bytes()).toBe(0)
    await ok('PUT /_cluster/settings', { persistent: { [limit]: null } })
    expect(await keys()).toEqual(two)
    const used = rest.engine.memory.breakers().find(({ name }) => name === 'fielddata')
    expect(used?.usedInBytes).toBe(28)
  })
})
