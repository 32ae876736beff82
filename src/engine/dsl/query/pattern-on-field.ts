/** Prefixes, patterns and fuzzy terms on any field, metadata fields included. */
import type { Query } from '../../../search/query/query.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import type { FieldPattern, FuzzyTerm, TermOptions } from '../field/many-terms.ts'
import type { QueryContext } from '../query-context.ts'
import { unmapped } from './field-clause.ts'

/** The kind of terms that are asked for. */
export type TermsAsked =
  | { readonly kind: 'prefix'; readonly text: string; readonly options: TermOptions }
  | { readonly kind: 'pattern'; readonly pattern: FieldPattern; readonly options: TermOptions }
  | { readonly kind: 'fuzzy'; readonly fuzzy: FuzzyTerm }

/**
 * Documents with a term of a field that fits.
 * @throws {EngineError} the field has no such terms, or what is asked is malformed
 */
export function termsOnField(name: string, asked: TermsAsked, context: QueryContext): Query {
  const field = searchedField(name, context)
  if (field === null) return unmapped(name)
  const search = fieldSearch(field.type)
  switch (asked.kind) {
    case 'prefix':
      return search.prefix(field, asked.text, asked.options, context)
    case 'pattern':
      return search.pattern(field, asked.pattern, asked.options, context)
    case 'fuzzy':
      return search.fuzzy(field, asked.fuzzy, context)
  }
}
