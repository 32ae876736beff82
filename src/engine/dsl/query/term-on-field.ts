import { notSupported } from '../../../schema/mapping-errors.ts'
import { MATCH_ALL, matchNone, type Query } from '../../../search/query/query.ts'
import { fieldSearch } from '../field/field-searches.ts'
import type { QueryContext } from '../query-context.ts'
import { unmapped } from './field-clause.ts'
import { idsQuery } from './ids-query.ts'
import { IGNORED_FIELD_NAME, ignoredFields } from './ignored-field.ts'

/** `term` on any field, `_id` and `_index` included. */
export function termOnField(field: string, text: string, context: QueryContext): Query {
  if (field === '_id') return idsQuery([text])
  if (field === '_index')
    return text === context.index
      ? MATCH_ALL
      : matchNone(`The index [${context.index}] doesn't match the expression`)
  if (field === '_routing') {
    // Kept as doc values alone: a run of one term.
    const ends = { lower: text, upper: text, includeLower: true, includeUpper: true }
    return { kind: 'termRange', field, ...ends }
  }
  if (field === IGNORED_FIELD_NAME) return ignoredFields([text])
  // It lists only fields that nothing else tells of.
  if (field === '_field_names') throw notSupported(field)
  const type = context.mapping.field(field)
  return type === null ? unmapped(field) : fieldSearch(type.type).term(type, text, context)
}
