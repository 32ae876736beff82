/** Queries for the documents with the nearest vectors. */
import type { NearestQuery, VectorsQuery } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import { boostedBy, boostKey, type Draw, type Made } from './kind.ts'
import type { PlainShard } from './plain-shard.ts'

/** Components of few values, so that some vectors are equally near. */
export function randomComponents(random: Random): number[] {
  return Array.from({ length: 3 }, () => random.below(7) / 2 - 1.5)
}

export function knn({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const vector = randomComponents(random)
  const filter = random.below(2) === 0 ? inner() : null
  const k = 1 + random.below(12)
  const maxDistance = random.below(12) / 2
  const isRadial = random.below(4) === 0
  const minScore = isRadial ? Math.fround(1 / Math.fround(1 + maxDistance)) : null
  const onShard = (shard: PlainShard): VectorsQuery => ({
    kind: 'vectors',
    engine: 'faiss',
    candidates: null,
    oversample: null,
    field: 'vec',
    space: 'l2',
    element: 'float',
    vector,
    limit: null,
    minScore,
    filter: filter?.on(shard) ?? null,
    filtersWhole: false,
    bestOfWhole: false,
    within: null,
  })
  return {
    body: {
      vec: {
        vector,
        ...(isRadial ? { max_distance: maxDistance } : { k }),
        ...(filter === null ? {} : { filter: filter.dsl }),
        ...boost,
      },
    },
    inner: filter === null ? [] : [filter],
    on(shard) {
      const query = onShard(shard)
      return boostedBy(isRadial ? query : nearest(shard, query, k), boost)
    },
  }
}

function nearest(shard: PlainShard, query: VectorsQuery, k: number): NearestQuery {
  const { documents } = shard
  const best = shard
    .matches(query)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, k)
    .sort((a, b) => a.place - b.place)
  return {
    kind: 'nearest',
    field: 'vec',
    query,
    k,
    isNested: false,
    expandsNested: false,
    found: [
      {
        docs: Int32Array.from(best, ({ document }) => documents.indexOf(document)),
        scores: Float32Array.from(best, ({ score }) => score),
      },
    ],
  }
}
