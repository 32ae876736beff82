/** Queries of documents that are tied to others. */
import type { JoinQuery, Query } from '../../../src/search/query/query.ts'
import { boostedBy, boostKey, type Draw, type DrawnQuery, type Made, oneOf } from './kind.ts'
import type { PlainShard } from './plain-shard.ts'
import { keywordTerm, numbersBetween } from './term-kinds.ts'

const f32 = Math.fround

export function nested({ random, object }: Draw): Made {
  const boost = boostKey(random)
  const inner = object()
  const scoreMode = oneOf(random, ['avg', 'sum', 'min', 'max', 'none'])
  return {
    body: { path: 'items', query: inner.dsl, score_mode: scoreMode, ...boost },
    on: shard =>
      boostedBy({ kind: 'blockJoin', query: inner.on(shard), parentPath: null, scoreMode }, boost),
  }
}

/** A query over nested objects. */
export function objectQuery({ random }: Pick<Draw, 'random'>, depth = 1): DrawnQuery {
  const drawn = (dsl: object, query: Query, mustBecomesFilter = false): DrawnQuery => ({
    dsl,
    names: [],
    mustBecomesFilter,
    on: () => query,
  })
  if (depth > 0 && random.below(3) === 0) {
    const [first, second] = [objectQuery({ random }, 0), objectQuery({ random }, 0)]
    const occur = oneOf(random, ['must', 'should', 'filter'])
    return {
      dsl: { bool: { [occur]: [first.dsl, second.dsl] } },
      names: [],
      mustBecomesFilter: false,
      on: shard => ({
        kind: 'boolean',
        clauses: [first, second].map(each => ({
          occur: occur === 'must' && each.mustBecomesFilter ? 'filter' : occur,
          query: each.on(shard),
        })),
        minimumShouldMatch: 0,
      }),
    }
  }
  const boost = boostKey(random)
  if (random.below(3) === 0) {
    const [gte, lte] = [random.below(5), 3 + random.below(6)]
    const range = boostedBy(numbersBetween('items.n', gte, lte), boost)
    return drawn({ range: { 'items.n': { gte, lte, ...boost } } }, range, true)
  }
  if (random.below(5) === 0) return drawn({ match_all: {} }, { kind: 'matchAll' })
  const value = `k${random.below(6)}`
  const query = boostedBy(keywordTerm('items.k', value), boost)
  return drawn({ term: { 'items.k': { value, ...boost } } }, query)
}

type JoinFacts = Pick<JoinQuery, 'finds' | 'scoreMode' | 'min' | 'max'>

/** The documents of a shard that a join finds, all documents as if of one leaf. */
function joined(shard: PlainShard, query: Query, facts: JoinFacts): Query {
  const { finds, scoreMode, min, max } = facts
  const other = finds === 'parents' ? 'c' : 'p'
  const clauses = [
    { occur: 'must' as const, query },
    { occur: 'filter' as const, query: { kind: 'term', field: 'rel', term: other } as const },
  ]
  const both: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  const matches = shard.matches(both, scoreMode !== 'none')
  const found = shard.documents.flatMap((document, doc) => {
    const { rel } = document.source
    if (!document.isLive || rel === undefined || rel.name === other) return []
    const scores = matches
      .filter(({ document: { id, source } }) =>
        finds === 'parents'
          ? source.rel?.name === 'c' && source.rel.parent === document.id
          : rel.name === 'c' && rel.parent === id,
      )
      .map(({ score }) => score)
    const { length } = scores
    if (length === 0 || length < min || length > max) return []
    const sum = scores.reduce((total, score) => f32(total + score), 0)
    const score = {
      none: 1,
      min: Math.min(...scores),
      max: Math.max(...scores),
      sum,
      avg: f32(sum / length),
    }[scoreMode]
    return [{ doc, score }]
  })
  const docs = Int32Array.from(found, ({ doc }) => doc)
  const scores = Float32Array.from(found, ({ score }) => score)
  return {
    kind: 'join',
    relationField: 'rel',
    idField: 'rel#p',
    relations: [finds === 'parents' ? 'p' : 'c'],
    query,
    ...facts,
    found: [{ docs, scores }],
  }
}

export function hasChild({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const query = inner()
  const scoreMode = oneOf(random, ['none', 'none', 'min', 'max', 'sum', 'avg'])
  const min = random.below(3) === 0 ? 2 : 1
  const max = random.below(4) === 0 ? { max_children: 3 } : {}
  const facts = { finds: 'parents', scoreMode, min, max: max.max_children ?? 2147483647 } as const
  return {
    body: {
      type: 'c',
      query: query.dsl,
      score_mode: scoreMode,
      min_children: min,
      ...max,
      ...boost,
    },
    inner: [query],
    on: shard => boostedBy(joined(shard, query.on(shard), facts), boost),
  }
}

export function hasParent({ random, inner }: Draw): Made {
  const boost = boostKey(random)
  const query = inner()
  const score = random.below(2) === 0
  const scoreMode = score ? 'max' : 'none'
  const facts = { finds: 'children', scoreMode, min: 1, max: 2147483647 } as const
  return {
    body: { parent_type: 'p', query: query.dsl, score, ...boost },
    inner: [query],
    on: shard => boostedBy(joined(shard, query.on(shard), facts), boost),
  }
}

export function parentId({ random, ids }: Draw): Made {
  const boost = boostKey(random)
  // Early documents have the most children.
  const id = ids[Math.floor(random.next() ** 3 * ids.length)]!
  const query: Query = {
    kind: 'boolean',
    clauses: [
      { occur: 'must', query: { kind: 'term', field: 'rel#p', term: id } },
      { occur: 'filter', query: { kind: 'term', field: 'rel', term: 'c' } },
    ],
    minimumShouldMatch: 0,
  }
  return { body: { type: 'c', id, ...boost }, on: () => boostedBy(query, boost) }
}
