/** Documents that have a field. */
import type { Query } from '../../../search/query/query.ts'
import { fieldSearch, type SearchedField, searchedField } from '../field/field-searches.ts'
import type { QueryContext } from '../query-context.ts'
import { unmapped } from './field-clause.ts'

/**
 * Documents that have a field, a field of an object, or one that a pattern names.
 * @throws {EngineError} the field cannot be asked for
 */
export function existsQuery(pattern: string, context: QueryContext): Query {
  const fields = fieldsOf(pattern, context)
  const [only] = fields
  if (only === undefined) return unmapped(pattern)
  if (fields.length === 1) return existsOn(only)
  const clauses = fields.map(field => ({ occur: 'should' as const, query: existsOn(field) }))
  return {
    kind: 'constantScore',
    query: { kind: 'boolean', clauses, minimumShouldMatch: 0 },
  }
}

/** The field of that name, those of an object, or those that a pattern names. */
function fieldsOf(pattern: string, context: QueryContext): readonly SearchedField[] {
  const field = searchedField(pattern, context)
  if (field !== null) return [field]
  if (context.mapping.object(pattern) !== null) return context.mapping.fieldsLike(`${pattern}.*`)
  return pattern.includes('*') ? context.mapping.fieldsLike(pattern) : []
}

function existsOn(field: SearchedField): Query {
  return fieldSearch(field.type).exists(field)
}
