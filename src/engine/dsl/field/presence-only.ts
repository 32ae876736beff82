import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { type EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { checkDocValues, unmappedNumberSort } from './number-sort.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
} from './whole-value.ts'

/** The errors by which a type refuses searches. */
interface Refusals<F> {
  /** Of a single value. */
  term(field: F): EngineError
  /** Of a sort by a field that has doc values. */
  readonly sort: string
}

/** Searches in values that queries on fields find by their presence alone. */
export function presenceOnly<F extends MappedField & { readonly docValues: boolean }>(
  refusals: Refusals<F>,
): FieldSearch<F> {
  const refuse = (field: F): never => {
    throw refusals.term(field)
  }
  return {
    isNumber: false,
    refusesTerms: true,
    term: refuse,
    terms: refuse,
    range({ name, type }) {
      throw new IllegalArgumentError(
        `Field [${name}] of type [${type}] does not support range queries`,
      )
    },
    exists: existsByDocValues,
    prefix: refusePrefix,
    pattern: refusePattern,
    fuzzy: refuseFuzzy,
    match(field, match) {
      refusePhrasePrefix(field, match)
      return refuse(field)
    },
    sort(field) {
      checkDocValues(field)
      throw new IllegalArgumentError(refusals.sort)
    },
    unmappedSort: unmappedNumberSort,
  }
}
