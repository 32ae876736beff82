/** Which documents have a field. */
import type { FieldType } from '../../../schema/field-type.ts'
import { MATCH_ALL, type Query } from '../../../search/query/query.ts'
import { fieldSearch } from '../field/field-searches.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { unmapped } from './field-clause.ts'

/** Metadata fields that are columns of their own. */
const EXISTING: ReadonlySet<string> = new Set([
  '_routing',
  '_seq_no',
  '_version',
  '_ignored',
  '_doc_count',
])

/**
 * Documents that have a field, a field of an object, or one that a pattern names.
 * @throws {EngineError} the field cannot be asked for
 */
export function existsQuery(pattern: string, context: QueryContext): Query {
  if (pattern === '_id' || pattern === '_index') return MATCH_ALL
  if (pattern === '_source')
    throw shardError('failed to create query: The _source field is not searchable')
  if (EXISTING.has(pattern))
    return { kind: 'constantScore', query: { kind: 'fieldExists', field: pattern, listed: false } }
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
function fieldsOf(pattern: string, context: QueryContext): readonly FieldType[] {
  const field = context.mapping.field(pattern)
  if (field !== null) return [field]
  if (context.mapping.object(pattern) !== null) return context.mapping.fieldsLike(`${pattern}.*`)
  return pattern.includes('*') ? context.mapping.fieldsLike(pattern) : []
}

function existsOn(field: FieldType): Query {
  return fieldSearch(field.type).exists(field)
}
