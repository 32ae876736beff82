/** Queries whose one key is a field's name, and what their parsers say of other keys and fields. */
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { isScalar } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryReader } from './query-parser.ts'

/** The field, and what is asked of it. */
interface FieldClause {
  readonly field: string
  readonly value: JsonNode
}

/** Reads `{⟨field⟩: …}`; `boost` and `_name` may stand beside the field. */
export function readFieldClause(
  query: string,
  node: JsonObjectNode,
  read: QueryReader,
): FieldClause {
  let found: FieldClause | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    // A field may be named `boost`: it is one where it stands alone or holds an object.
    const mayBeOption =
      key !== 'boost' || (isScalar(value) && (found !== null || node.entries.length > 1))
    if (mayBeOption && read.option(entry)) continue
    if (found !== null)
      throw parsingError(
        entry,
        `[${query}] query doesn't support multiple fields, found [${found.field}] and [${key}]`,
      )
    found = { field: key, value }
  }
  if (found === null || found.field === '')
    throw new IllegalArgumentError('field name is null or empty')
  return found
}

/** NS(k): a key that a query does not have. */
export function unknownKey(query: string, entry: JsonEntry): Error {
  return parsingError(entry, `[${query}] query does not support [${entry.key}]`)
}

/** The query on a field that the mapping does not have. */
export function unmapped(field: string): Query {
  return matchNone(`unmapped field [${field}]`)
}
