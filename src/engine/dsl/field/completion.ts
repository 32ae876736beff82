import type { CompletionField } from '../../../schema/field-type/completion.ts'
import { notSupportedYet } from '../parse-error.ts'
import type { FieldSearch } from './field-search.ts'
import { unmappedNumberSort, unsupportedFielddata } from './number-sort.ts'
import { fieldExists, refuseRange } from './whole-value.ts'

/** Searches in `completion`: whether there is one. */
export const completion: FieldSearch<CompletionField> = {
  isNumber: false,
  term: refuseQuery,
  terms: refuseQuery,
  range: refuseRange,
  exists: field => fieldExists(field.name, true),
  prefix: refuseQuery,
  pattern: refuseQuery,
  fuzzy: refuseQuery,
  match: refuseQuery,
  sort(field) {
    throw unsupportedFielddata(field)
  },
  unmappedSort: unmappedNumberSort,
}

function refuseQuery({ type }: CompletionField): never {
  throw notSupportedYet(`query on a field of type ${type}`)
}
