/** The common parts of queries over the relations of a `join` field. */
import type { JoinField } from '../../../schema/field-type/join.ts'
import type { Mapping } from '../../../schema/mapping.ts'
import type { JoinQuery, Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { expensive } from '../expensive.ts'
import { isScalar, readBoolean, readText } from '../json-scalars.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import { innerNotes, namedInOrder, noteInnerHits, noteNames } from '../query-notes.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryReader } from './query-parser.ts'

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

/** The parts that `has_child` and `has_parent` share. */
export interface JoinClause {
  readonly query: ParsedQuery
  readonly innerHits: JsonObjectNode | null
  /** The relation that it names. */
  readonly type: string
  /** Whether a relation that the index does not have matches nothing; else it is an error. */
  readonly ignoresUnmapped: boolean
}

/**
 * Reads a join.
 * @param name    of the query
 * @param typeKey key of its relation
 * @param own     takes one of the other keys, whose value is a scalar; false: it has no such key
 */
export function readJoin(
  name: string,
  typeKey: string,
  node: JsonObjectNode,
  read: QueryReader,
  own: (key: string, value: JsonNode) => boolean,
): JoinClause {
  let type: string | null = null
  let query: ParsedQuery | null = null
  let ignoresUnmapped = false
  let innerHits: JsonObjectNode | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (read.option(entry)) continue
    if (key === 'query' && value.kind === 'object') query = read.inner(value)
    else if (key === 'inner_hits' && value.kind === 'object') {
      read.noteInnerHits(value)
      innerHits = value
    } else if (!isScalar(value)) throw unknownKey(name, entry)
    else if (key === typeKey) type = readText(value)
    else if (key === 'ignore_unmapped') ignoresUnmapped = readBoolean(value)
    else if (!own(key, value)) throw unknownKey(name, entry)
  }
  if (type === null) throw new IllegalArgumentError(`[${name}] requires '${typeKey}' field`)
  if (query === null) throw new IllegalArgumentError(`[${name}] requires 'query' field`)
  return { query, innerHits, type, ignoresUnmapped }
}

/**
 * Makes a join, and notes it for the pass of its own that finds its documents.
 * @param join without what the clause tells
 * @param type of the documents that its query matches
 */
export function buildJoin(
  { query, innerHits, type }: JoinClause,
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
