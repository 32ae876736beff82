/** Names and inner hits that the queries of a request ask for, noted while they are made for an index. */

import type { JoinQuery, PriorQuery, Query } from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { type JsonObjectNode, jsonEntry } from '../../util/json/json-tree.ts'

/** A query that `_name` names. */
export interface NamedQuery {
  readonly name: string
  readonly query: Query
  /** Position of the name in the body; names print in its order. */
  readonly line: number
  readonly col: number
}

/** Nested documents of a hit. */
export interface NestedOfHit {
  readonly kind: 'nested'
  /** Path of the nested documents. */
  readonly path: string
  /** That of the documents that they come with; null: whole documents. */
  readonly parentPath: string | null
}

/** Documents that a join ties to a hit. */
export interface JoinedToHit {
  readonly kind: 'join'
  /** The side of the relation that its query finds: hits are parents with their children, or the other way round. */
  readonly finds: JoinQuery['finds']
  readonly relationField: string
  readonly idField: string
  /** The relation of the documents that come with the hit. */
  readonly relation: string
}

/** A query whose matches of a certain kind come with each hit. */
export interface InnerHitsQuery {
  /** As the request wrote it. */
  readonly asked: JsonObjectNode
  readonly of: NestedOfHit | JoinedToHit
  /** Of nested documents, it matches those of the path alone. */
  readonly query: Query
  /** Inner hits that queries within it ask for, by name. */
  readonly inner: ReadonlyMap<string, InnerHitsQuery>
  /** Queries within it that have a name: the hits carry no others. */
  readonly named: readonly NamedQuery[]
}

/** Notes of one request and index. */
export interface QueryNotes {
  /** By name; of two of a name, the one that was made last. */
  readonly named: Map<string, NamedQuery>
  /** By name. */
  readonly innerHits: Map<string, InnerHitsQuery>
  /** In the order in which they were made, those within others first. */
  readonly joins: PriorQuery[]
  /** Whether a query reads the request's now, so that the next request's may be another one. */
  readonly now: { isRead: boolean }
}

/** Notes without an entry. */
export function newQueryNotes(): QueryNotes {
  return { named: new Map(), innerHits: new Map(), joins: [], now: { isRead: false } }
}

/** Notes whose names and inner hits are none of the request's; all else is. */
export function unnamedNotes({ joins, now }: QueryNotes): QueryNotes {
  return { ...newQueryNotes(), joins, now }
}

/** Notes of a query within others: names and inner hits of its own, all else the request's. */
export function innerNotes(notes: QueryNotes): QueryNotes {
  return { ...notes, named: new Map(), innerHits: new Map() }
}

/** Notes a query's names as the request's too: a hit outside of it carries them all. */
export function noteNames({ named }: QueryNotes, inner: QueryNotes): void {
  for (const [name, query] of inner.named) named.set(name, query)
}

/**
 * Notes inner hits under the name that they ask for.
 * @param otherwise their name where they ask for none
 * @throws {IllegalArgumentError} there are inner hits of that name
 */
export function noteInnerHits(
  { innerHits }: QueryNotes,
  otherwise: string,
  noted: InnerHitsQuery,
): void {
  const name = jsonEntry(noted.asked, 'name')?.value
  const key = name?.kind === 'string' ? name.value : otherwise
  if (innerHits.has(key))
    throw new IllegalArgumentError(`[inner_hits] already contains an entry for key [${key}]`)
  innerHits.set(key, noted)
}

/** Named queries in the order of their names in the request. */
export function namedInOrder({ named }: QueryNotes): readonly NamedQuery[] {
  if (named.size === 0) return NONE
  return [...named.values()].sort((a, b) => a.line - b.line || a.col - b.col)
}

const NONE: readonly NamedQuery[] = []
