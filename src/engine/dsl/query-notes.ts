/** What the queries of a request ask of its hits, noted while they are made for an index. */
import type { Query } from '../../search/query/query.ts'

/** A query that `_name` names. */
export interface NamedQuery {
  readonly name: string
  readonly query: Query
  /** Position of the name in the body; names print in its order. */
  readonly line: number
  readonly col: number
}

/** Notes of one request and index. */
export interface QueryNotes {
  /** By name; of two of a name, the one that was made last. */
  readonly named: Map<string, NamedQuery>
}

/** Notes without an entry. */
export function newQueryNotes(): QueryNotes {
  return { named: new Map() }
}

/** Named queries in the order of their names in the request. */
export function namedInOrder({ named }: QueryNotes): readonly NamedQuery[] {
  if (named.size === 0) return NONE
  return [...named.values()].sort((a, b) => a.line - b.line || a.col - b.col)
}

const NONE: readonly NamedQuery[] = []
