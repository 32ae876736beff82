import type { FieldType } from '../../../schema/field-type.ts'
import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import type { MetadataField } from '../field/metadata/metadata-field.ts'
import { readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `exists`: documents that have a field, a field of an object, or one that a pattern names. */
export const existsParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let pattern: string | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'field') pattern = readText(entry.value)
      else throw unknownKey('exists', entry)
    }
    if (pattern === null) throw parsingError(node, '[exists] must be provided with a [field]')
    const field = pattern
    if (field === '') throw new IllegalArgumentError('field name is null or empty')
    return { field, build: context => buildExists(field, context) }
  },
}

function buildExists(pattern: string, context: QueryContext): Query {
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
function fieldsOf(pattern: string, context: QueryContext): readonly (FieldType | MetadataField)[] {
  const field = searchedField(pattern, context)
  if (field !== null) return [field]
  if (context.mapping.object(pattern) !== null) return context.mapping.fieldsLike(`${pattern}.*`)
  return pattern.includes('*') ? context.mapping.fieldsLike(pattern) : []
}

function existsOn(field: FieldType | MetadataField): Query {
  return fieldSearch(field.type).exists(field)
}
