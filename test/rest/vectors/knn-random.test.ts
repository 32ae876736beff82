import { describe, expect, it } from 'vitest'
import type { VectorElement, VectorSpace } from '../../../src/schema/knn-vector/vector-space.ts'
import { Random } from '../../../src/util/random.ts'
import { plainVectorScore } from '../../support/plain-vectors.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = Number(process.env['LAMELLA_SEED'] ?? 20261123)
/** Queries of each index; there are three. */
const QUERIES = 360

interface Kind {
  readonly field: string
  readonly element: VectorElement
  readonly space: VectorSpace
  readonly length: number
}

const KINDS: readonly Kind[] = [
  { field: 'l2', element: 'float', space: 'l2', length: 24 },
  { field: 'cos', element: 'float', space: 'cosinesimil', length: 37 },
  { field: 'dot', element: 'float', space: 'innerproduct', length: 16 },
  { field: 'b', element: 'byte', space: 'l2', length: 21 },
  { field: 'bdot', element: 'byte', space: 'innerproduct', length: 5 },
  { field: 'bits', element: 'binary', space: 'hamming', length: 6 },
]

interface Document {
  readonly id: string
  readonly group: number
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

const PROPERTIES = {
  group: { type: 'integer' },
  ...Object.fromEntries(
    KINDS.map(({ field, element, space, length }) => [
      field,
      {
        type: 'knn_vector',
        dimension: element === 'binary' ? 8 * length : length,
        data_type: element,
        space_type: space,
      },
    ]),
  ),
}

function randomVector({ element, length }: Kind, random: Random): number[] {
  // Few distinct vectors of few distinct components: many scores are equal. None is all zeros.
  const few = random.below(3) === 0
  return Array.from({ length }, () => {
    const value = few ? random.below(3) - 1 : random.below(255) - 127
    return element === 'float' ? Math.fround(few ? value + 0.5 : value / 31) : value
  })
}

/** An index in several segments, some documents of which are deleted or written anew. */
async function fill(rest: Rest, shards: number, random: Random): Promise<Document[]> {
  const created = await rest.call('PUT /i', {
    settings: {
      'index.knn': true,
      // With graphs, of which so few vectors are all candidates, and without.
      'index.knn.advanced.approximate_threshold': shards === 2 ? -1 : 0,
      number_of_shards: shards,
      'index.refresh_interval': -1,
    },
    mappings: { properties: PROPERTIES },
  })
  expect(created.json.error).toBeUndefined()
  const documents = new Map<string, Document>()
  for (let segment = 0; segment < 5; segment++) {
    const lines: object[] = []
    for (let i = 0; i < 90; i++) {
      const id = `${random.below(8) === 0 ? random.below(450) : 90 * segment + i}`
      const kept = KINDS.filter(() => random.below(6) > 0)
      const vectors = Object.fromEntries(kept.map(kind => [kind.field, randomVector(kind, random)]))
      const document = { id, group: random.below(50), vectors }
      lines.push({ index: { _id: id } }, { group: document.group, ...vectors })
      documents.delete(id)
      documents.set(id, document)
    }
    for (let i = 0; i < 8; i++) {
      const id = `${random.below(450)}`
      lines.push({ delete: { _id: id } })
      documents.delete(id)
    }
    const { json } = await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
    expect(json.items.filter((item: { index?: { error?: object } }) => item.index?.error)).toEqual(
      [],
    )
  }
  return [...documents.values()]
}

interface Hit {
  readonly id: string
  readonly score: number
}

async function search(rest: Rest, query: object, more: object = {}): Promise<Hit[]> {
  const { json } = await rest.call('POST /i/_search', {
    query,
    size: 1000,
    _source: false,
    ...more,
  })
  expect(json.error).toBeUndefined()
  expect(json._shards.failed).toBe(0)
  return json.hits.hits.map((hit: { _id: string; _score: number }) => ({
    id: hit._id,
    score: Math.fround(hit._score),
  }))
}

describe.each([1, 2, 3])('random searches for vectors in %i shards', shards => {
  it('find what a plain loop finds, for every number of slices, with and without a profile', async () => {
    const random = new Random(SEED + shards)
    const rest = await openRest()
    try {
      const documents = await fill(rest, shards, random)
      for (let i = 0; i < QUERIES; i++) {
        const slices = [1, 2, 4][i % 3]!
        if (i % 30 < 3)
          await rest.call('PUT /_cluster/settings', {
            transient: {
              'search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
              'search.concurrent.max_slice_count': Math.max(2, slices),
            },
          })
        const kind = KINDS[random.below(KINDS.length)]!
        const vector = randomVector(kind, random)
        const below = random.below(3) === 0 ? random.below(52) : null
        const filter = below === null ? {} : { filter: { range: { group: { lt: below } } } }
        const scored = documents
          .filter(
            ({ group, vectors }) => (below === null || group < below) && kind.field in vectors,
          )
          .map(({ id, vectors }) => ({
            id,
            score: plainVectorScore(kind.space, kind.element, vector, vectors[kind.field]!),
          }))
          .sort((a, b) => b.score - a.score)
        const words = `seed ${SEED}, query ${i} of ${kind.field}`
        const isRadial = kind.element !== 'binary' && random.below(4) === 0
        const least = scored[random.below(Math.max(1, scored.length))]?.score ?? 0.5
        const k = 1 + random.below(random.below(3) === 0 ? 500 : 20)
        const asked = isRadial ? { min_score: least } : { k }
        const query = { knn: { [kind.field]: { vector, ...asked, ...filter } } }
        const found = await search(rest, query)
        if (isRadial) {
          const expected = scored.filter(({ score }) => score >= least)
          expect(byId(found), words).toEqual(byId(expected))
        } else {
          // Each shard has its own k: together they have at least those of all.
          expect(found.length, words).toBeGreaterThanOrEqual(Math.min(k, scored.length))
          if (shards === 1) expect(found.length, words).toBe(Math.min(k, scored.length))
          const best = scored.slice(0, k).map(({ score }) => score)
          expect(
            found.slice(0, k).map(({ score }) => score),
            words,
          ).toEqual(best)
          const scores = new Map(scored.map(({ id, score }) => [id, score]))
          for (const { id, score } of found) expect(score, `${words}: ${id}`).toBe(scores.get(id))
        }
        expect(await search(rest, query, { profile: true }), words).toEqual(found)
        if (i % 40 === 39) expect(await search(rest, query, { size: 3 })).toEqual(found.slice(0, 3))
      }
      // Merged, the same documents are found; equal scores go by place, which merges keep.
      const queries = KINDS.map(kind => ({
        knn: { [kind.field]: { vector: randomVector(kind, random), k: 7 } },
      }))
      const before = await Promise.all(queries.map(query => search(rest, query)))
      await rest.call('POST /i/_forcemerge?max_num_segments=1')
      await rest.call('POST /i/_refresh')
      expect(await Promise.all(queries.map(query => search(rest, query)))).toEqual(before)
    } finally {
      await rest.close()
    }
  }, 120_000)
})

function byId(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => (a.id < b.id ? -1 : 1))
}
