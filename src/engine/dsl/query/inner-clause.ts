/** Clauses that match documents by others tied to them, `nested` and the joins: the keys that they share. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { isScalar, readBoolean, readText } from '../json-scalars.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryReader } from './query-parser.ts'

/** The keys that they share. */
export interface InnerClause {
  /** Matches the other documents. */
  readonly query: ParsedQuery
  readonly innerHits: JsonObjectNode | null
  /** The path or the relation of the other documents. */
  readonly target: string
  /** Whether a target that the index does not have matches nothing; else it is an error. */
  readonly ignoresUnmapped: boolean
}

/**
 * Reads such a query.
 * @param name      of the query
 * @param targetKey key of its path or relation
 * @param own       takes one of the other keys, whose value is a scalar; false: it has no such key
 * @throws {EngineError} 400: an unknown key, or no query, or no target
 */
export function readInnerClause(
  name: string,
  targetKey: string,
  node: JsonObjectNode,
  read: QueryReader,
  own: (key: string, value: JsonNode) => boolean,
): InnerClause {
  let target: string | null = null
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
    else if (key === targetKey) target = readText(value)
    else if (key === 'ignore_unmapped') ignoresUnmapped = readBoolean(value)
    else if (!own(key, value)) throw unknownKey(name, entry)
  }
  if (target === null) throw new IllegalArgumentError(`[${name}] requires '${targetKey}' field`)
  if (query === null) throw new IllegalArgumentError(`[${name}] requires 'query' field`)
  return { query, innerHits, target, ignoresUnmapped }
}
