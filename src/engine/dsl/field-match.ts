/** Queries of one field of any type: what `match` and its kin become. */
import { matchNone, type Query } from '../../search/query/query.ts'
import { EngineError } from '../../util/errors.ts'
import { fieldSearch, type SearchedField } from './field/field-searches.ts'
import type { FieldMatch } from './match-options.ts'
import type { QueryContext } from './query-context.ts'

/**
 * Makes the query of a text on a field.
 * @throws {EngineError} a value that does not fit the field, unless the match is lenient
 */
export function fieldMatch(field: SearchedField, match: FieldMatch, context: QueryContext): Query {
  return leniently(field.name, match.lenient, () =>
    fieldSearch(field.type).match(field, match, context),
  )
}

/**
 * Makes a query on a field, or one without matches where the value does not fit the field.
 * @throws {EngineError} what `make` throws, unless it is lenient and about the value
 */
export function leniently(field: string, lenient: boolean, make: () => Query): Query {
  try {
    return make()
  } catch (error) {
    if (!lenient || !(error instanceof EngineError)) throw error
    const { type, reason } = error.record
    if (type === 'query_shard_exception' || type === 'too_many_clauses') throw error
    return matchNone(`failed [${field}] query, caused by ${type}:[${reason}]`)
  }
}
