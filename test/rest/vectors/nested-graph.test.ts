import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { damageGraphs } from '../../support/damage-graphs.ts'
import { clusteredVectors } from '../../support/graph-fixture.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = Number(process.env['LAMELLA_SEED'] ?? 20261124)
const DOCUMENTS = 1200
const MOST = 7
const QUERIES = 30
const DIMENSION = 12

const random = new Random(SEED)
const sizes = Array.from({ length: DOCUMENTS }, () => random.below(MOST + 1))
const count = sizes.reduce((sum, size) => sum + size, 0)
const drawn = clusteredVectors(count + QUERIES, DIMENSION, {
  clusters: 60,
  spread: 0.7,
  seed: SEED,
})
const queries = drawn.splice(0, QUERIES)

const sources = sizes.map((size, i) => ({
  group: i % 10,
  parts: drawn.splice(0, size).map((v, at) => ({ v, at })),
}))

const THRESHOLDS = { graph: 0, scan: -1 } as const

async function create(rest: Rest, index: keyof typeof THRESHOLDS): Promise<void> {
  const method = { name: 'hnsw', engine: 'faiss', parameters: { m: 4, ef_construction: 40 } }
  const { json } = await rest.call(`PUT /${index}`, {
    settings: {
      'index.knn': true,
      'index.knn.advanced.approximate_threshold': THRESHOLDS[index],
      'index.refresh_interval': -1,
    },
    mappings: {
      properties: {
        group: { type: 'integer' },
        parts: {
          type: 'nested',
          properties: {
            at: { type: 'integer' },
            v: { type: 'knn_vector', dimension: DIMENSION, method },
          },
        },
      },
    },
  })
  expect(json.acknowledged).toBe(true)
  // Two segments, the second of which brings some documents anew.
  const half = DOCUMENTS / 2
  const numbers = Array.from({ length: DOCUMENTS }, (_, i) => i)
  const again = numbers.slice(0, half).filter(i => i % 13 === 5)
  for (const own of [numbers.slice(0, half), [...numbers.slice(half), ...again]]) {
    const lines = own.flatMap(i => [{ index: { _id: `${i}` } }, sources[i]!])
    const bulk = await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
    expect(bulk.json.errors).toBe(false)
  }
}

interface Found {
  readonly id: string
  readonly score: number
  /** Places of the nested objects that were found, by score. */
  readonly offsets: readonly number[]
}

interface NestedHit {
  readonly _nested: { readonly offset: number }
}

async function search(
  rest: Rest,
  index: string,
  vector: readonly number[],
  asked: object,
  more: object = {},
): Promise<readonly Found[]> {
  const { json } = await rest.call(`POST /${index}/_search`, {
    query: {
      nested: {
        path: 'parts',
        score_mode: 'max',
        query: { knn: { 'parts.v': { vector, ...asked } } },
        inner_hits: { size: 50, _source: false },
      },
    },
    size: 50,
    _source: false,
    ...more,
  })
  expect(json.error).toBeUndefined()
  return json.hits.hits.map(
    (hit: {
      _id: string
      _score: number
      inner_hits: { parts: { hits: { hits: readonly NestedHit[] } } }
    }) => ({
      id: hit._id,
      score: hit._score,
      offsets: hit.inner_hits.parts.hits.hits.map(({ _nested }) => _nested.offset),
    }),
  )
}

const ef = (ef_search: number): object => ({ method_parameters: { ef_search } })

/** Part of the documents that scans find, each with the same score and nested objects where it is found. */
async function recall(rest: Rest, asked: object, exact: object = asked): Promise<number> {
  let hits = 0
  let all = 0
  for (const vector of queries) {
    const wanted = new Map((await search(rest, 'scan', vector, exact)).map(each => [each.id, each]))
    const found = await search(rest, 'graph', vector, asked)
    expect(found.length).toBe(wanted.size)
    for (const each of found) {
      if (!wanted.has(each.id)) continue
      expect(each).toEqual(wanted.get(each.id))
      hits++
    }
    all += wanted.size
  }
  return hits / all
}

describe('graphs of nested vectors', () => {
  let rest: Rest
  beforeAll(async () => {
    rest = await openRest()
    await create(rest, 'graph')
    await create(rest, 'scan')
  }, 60_000)
  afterAll(() => rest.close())

  it.each([false, true])('find whole documents, expand_nested_docs %s', async expands => {
    const more = { expand_nested_docs: expands }
    const few = await recall(rest, { k: 3, ...ef(3), ...more })
    // Were the graph not walked, none would be missed.
    expect(few).toBeLessThan(1)
    expect(few).toBeGreaterThan(0.5)
    expect(await recall(rest, { k: 3, ...ef(25), ...more })).toBeGreaterThanOrEqual(0.95)
    // As many candidates as documents: a scan.
    expect(await recall(rest, { k: 3, ...ef(DOCUMENTS), ...more })).toBe(1)
  })

  it('bring the best nested object of each, or all of them', async () => {
    for (const vector of queries.slice(0, 5)) {
      const asked = { k: 4, ...ef(10) }
      const best = await search(rest, 'graph', vector, asked)
      const all = await search(rest, 'graph', vector, { ...asked, expand_nested_docs: true })
      expect(best.map(({ id, score }) => [id, score])).toEqual(
        all.map(({ id, score }) => [id, score]),
      )
      for (const [i, { id, offsets }] of all.entries()) {
        expect(offsets.length).toBe(sizes[Number(id)])
        expect(best[i]!.offsets).toEqual(offsets.slice(0, 1))
      }
    }
  })

  it('are the same for every number of slices, with a profile and without', async () => {
    const asked = { k: 5, ...ef(5) }
    const found = (body: object = {}): Promise<unknown> =>
      Promise.all(queries.map(vector => search(rest, 'graph', vector, asked, body)))
    const first = await found()
    for (const slices of [1, 2, 4]) {
      await rest.call('PUT /_cluster/settings', {
        transient: {
          'search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
          'search.concurrent.max_slice_count': Math.max(2, slices),
        },
      })
      expect(await found()).toEqual(first)
      expect(await found({ profile: true })).toEqual(first)
    }
  })

  it('are walked under filters of whole documents and of nested ones', async () => {
    const whole = (lt: number): object => ({ filter: { range: { group: { lt } } } })
    const inner = (lt: number): object => ({
      filter: { nested: { path: 'parts', query: { range: { 'parts.at': { lt } } } } },
    })
    for (const filter of [whole(5), whole(2), inner(3), inner(1)]) {
      expect(await recall(rest, { k: 3, ...ef(30), ...filter })).toBeGreaterThanOrEqual(0.9)
      expect(await recall(rest, { k: 3, ...ef(2000), ...filter })).toBe(1)
    }
    expect(await recall(rest, { k: 3, ...ef(3), ...whole(7) })).toBeLessThan(1)
  })

  it('find no deleted document, before a merge and behind it', async () => {
    const gone = new Set(sources.flatMap((_, i) => (i % 3 === 0 ? `${i}` : [])))
    for (const index of ['graph', 'scan'])
      await rest.call(`POST /${index}/_delete_by_query?refresh`, {
        query: { ids: { values: [...gone] } },
      })
    const expectNoneGone = async (): Promise<void> => {
      for (const vector of queries)
        for (const { id } of await search(rest, 'graph', vector, { k: 5, ...ef(10) }))
          expect(gone.has(id)).toBe(false)
      expect(await recall(rest, { k: 3, ...ef(40) })).toBeGreaterThanOrEqual(0.9)
      expect(await recall(rest, { k: 3, ...ef(3) })).toBeLessThan(1)
    }
    await expectNoneGone()
    for (const index of ['graph', 'scan'])
      await rest.call(`POST /${index}/_forcemerge?max_num_segments=1`)
    await expectNoneGone()
  })
})

describe('graphs of nested vectors on disk', () => {
  it('answer as before after reopening, and are done without where they are damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nested-graph-'))
    const lines: string[] = []
    const open = (): Promise<Rest> =>
      openRest({}, folder, { onLog: line => void lines.push(JSON.stringify(line)) })
    let rest = await open()
    try {
      for (const index of ['graph', 'scan'] as const) {
        await create(rest, index)
        await rest.call(`POST /${index}/_flush`)
      }
      const found = (index: string): Promise<unknown> =>
        Promise.all(queries.map(vector => search(rest, index, vector, { k: 5, ...ef(5) })))
      const [byGraph, byScan] = [await found('graph'), await found('scan')]
      expect(byGraph).not.toEqual(byScan)
      await rest.close()
      rest = await open()
      expect(await found('graph')).toEqual(byGraph)
      await rest.close()
      expect(damageGraphs(folder)).toBe(2)
      rest = await open()
      expect(await found('graph')).toEqual(byScan)
      const told = lines.filter(line => line.includes('section [vectorGraph]'))
      expect(told.length).toBe(2)
      // A merge reads what is whole, and makes a graph anew.
      await rest.call('POST /graph/_forcemerge?max_num_segments=1')
      expect(await recall(rest, { k: 3, ...ef(3) })).toBeLessThan(1)
      // With four neighbours some seeds give .91 for 30 candidates.
      expect(await recall(rest, { k: 3, ...ef(40) })).toBeGreaterThanOrEqual(0.9)
    } finally {
      await rest.close()
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
