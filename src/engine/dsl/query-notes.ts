/** Names and inner hits that the queries of a request ask for, noted while they are made for an index. */

import type { Query } from '../../search/query/query.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'

/** A query that `_name` names. */
export interface NamedQuery {
  readonly name: string
  readonly query: Query
  /** Position of the name in the body; names print in its order. */
  readonly line: number
  readonly col: number
}

/** A query whose matching nested documents come with each hit. */
export interface InnerHitsQuery {
  /** As the request wrote it. */
  readonly asked: JsonObjectNode
  /** Path of the nested documents. */
  readonly path: string
  /** That of the documents that they come with; null: whole documents. */
  readonly parentPath: string | null
  /** Matches nested documents of the path alone. */
  readonly query: Query
  /** Inner hits that queries within it ask for, by name. */
  readonly inner: ReadonlyMap<string, InnerHitsQuery>
}

/** Notes of one request and index. */
export interface QueryNotes {
  /** By name; of two of a name, the one that was made last. */
  readonly named: Map<string, NamedQuery>
  /** By name. */
  readonly innerHits: Map<string, InnerHitsQuery>
}

/** Notes without an entry. */
export function newQueryNotes(): QueryNotes {
  return { named: new Map(), innerHits: new Map() }
}

/** Named queries in the order of their names in the request. */
export function namedInOrder({ named }: QueryNotes): readonly NamedQuery[] {
  if (named.size === 0) return NONE
  return [...named.values()].sort((a, b) => a.line - b.line || a.col - b.col)
}

const NONE: readonly NamedQuery[] = []
