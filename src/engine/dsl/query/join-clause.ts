/** The common parts of queries over the relations of a `join` field. */
import type { JoinField } from '../../../schema/field-type/join.ts'
import type { Mapping } from '../../../schema/mapping.ts'
import type { JoinQuery, Query } from '../../../search/query/query.ts'
import { expensive } from '../expensive.ts'
import type { QueryContext } from '../query-context.ts'
import { innerNotes, namedInOrder, noteInnerHits, noteNames } from '../query-notes.ts'
import type { InnerClause } from './inner-clause.ts'

/** @throws {EngineError} the cluster forbids queries that join */
export function checkJoining({ allowsExpensive }: QueryContext): void {
  if (allowsExpensive) return
  throw expensive(
    "[joining] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
  )
}

/** The field of relations, of which a mapping has one; null: it has none. */
export function joinFieldOf(mapping: Mapping): JoinField | null {
  for (const field of mapping.fields()) if (field.type === 'join') return field
  return null
}

/** The parent of a child in the relations of a field; null: it is no child. */
export function parentOf({ relations }: JoinField, child: string): string | null {
  for (const [parent, children] of relations) if (children.includes(child)) return parent
  return null
}

/** The documents that have a relation's name. */
export function withRelation({ name }: JoinField, relation: string): Query {
  return { kind: 'term', field: name, term: relation }
}

/**
 * Makes a join, and notes it for the pass of its own that finds its documents.
 * @param join without what the clause tells
 */
export function buildJoin(
  { query, innerHits, target: type }: InnerClause,
  join: Omit<JoinQuery, 'kind' | 'query' | 'found'>,
  context: QueryContext,
): Query {
  // The other documents are outside of all nested ones, and have inner hits of their own.
  const nested = { ...context.nested, path: null }
  const notes = innerNotes(context.notes)
  const asked = query.build({ ...context, nested, notes })
  noteNames(context.notes, notes)
  const made: JoinQuery = {
    kind: 'join',
    ...join,
    query: {
      kind: 'boolean',
      clauses: [
        { occur: 'must', query: asked },
        { occur: 'filter', query: { kind: 'term', field: join.relationField, term: type } },
      ],
      minimumShouldMatch: 0,
    },
    found: null,
  }
  context.notes.joins.push(made)
  if (innerHits !== null)
    noteInnerHits(context.notes, type, {
      of: {
        kind: 'join',
        finds: join.finds,
        relationField: join.relationField,
        idField: join.idField,
        relation: type,
      },
      asked: innerHits,
      query: asked,
      inner: notes.innerHits,
      named: namedInOrder(notes),
    })
  return made
}
