/** The parts of the table of queries: each draws a request, and says what it means on a shard. */
import type { Query } from '../../../src/search/query/query.ts'
import type { Random } from '../../../src/util/random.ts'
import type { PlainShard } from './plain-shard.ts'

/** A drawn query. */
export interface DrawnQuery {
  /** As a request has it. */
  readonly dsl: object
  /** The queries that it is made of, itself included, by their names in requests. */
  readonly names: readonly string[]
  /** Whether a `must` makes a filter of it. */
  readonly mustBecomesFilter: boolean
  /** What it means on a shard. */
  on(shard: PlainShard): Query
}

/** What a kind draws from. */
export interface Draw {
  readonly random: Random
  /** Levels of queries that may stand below. */
  readonly depth: number
  /** Ids of documents, some of them deleted. */
  readonly ids: readonly string[]
  word(): string
  /** Any query, of a level less. */
  inner(): DrawnQuery
  /** A query over nested objects. */
  object(): DrawnQuery
}

/** What a kind makes: the body under its name, and its meaning; the queries within. */
export interface Made {
  readonly body: object
  readonly inner?: readonly DrawnQuery[]
  readonly mustBecomesFilter?: boolean
  /** The name in the request; absent: that of the kind. */
  readonly name?: string
  /** Kinds that stand within it, but for those of `inner`. */
  readonly within?: readonly string[]
  on(shard: PlainShard): Query
}

/** Draws queries of one kind. */
export type PlainQueryKind = (draw: Draw) => Made

/** A query under its name in requests. */
export function named(name: string, made: Made): DrawnQuery {
  const { body, inner = [], within = [], mustBecomesFilter = false, on } = made
  return {
    dsl: { [made.name ?? name]: body },
    names: [name, ...within, ...inner.flatMap(({ names }) => names)],
    mustBecomesFilter,
    on,
  }
}

/** One of several choices. */
export function oneOf<const T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)]!
}

/** A list of so many. */
export function several<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

/** The boost of a query once in a while, as a key of its body; float32. */
export function boostKey(random: Random): { readonly boost?: number } {
  return random.below(4) === 0 ? { boost: Math.fround(0.5 + random.below(12) / 4) } : {}
}

/** A query with the boost of its body. */
export function boostedBy(query: Query, { boost }: { readonly boost?: number }): Query {
  return boost === undefined || boost === 1 || query.kind === 'matchNone'
    ? query
    : { kind: 'boost', query, boost }
}

/** Clauses that should match. */
export function anyOf(queries: readonly Query[], minimumShouldMatch = 0): Query {
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch }
}

/** Clauses that must match. */
export function allOf(queries: readonly Query[]): Query {
  const clauses = queries.map(query => ({ occur: 'must' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

/** No document. */
export const NOTHING: Query = { kind: 'matchNone', reason: '' }
