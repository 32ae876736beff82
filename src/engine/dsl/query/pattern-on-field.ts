/** Prefixes, patterns and fuzzy terms on any field, those of the index itself included. */
import type { FieldType } from '../../../schema/field-type.ts'
import { MATCH_ALL, matchNone, type Query } from '../../../search/query/query.ts'
import type { FieldSearch } from '../field/field-search.ts'
import { fieldSearch } from '../field/field-searches.ts'
import {
  type FieldPattern,
  type FuzzyTerm,
  fuzzyQuery,
  matchesTerm,
  patternQuery,
  prefixQuery,
  type TermOptions,
} from '../field/many-terms.ts'
import { refuseFuzzy, refusePattern, refusePrefix } from '../field/whole-value.ts'
import type { QueryContext } from '../query-context.ts'
import { unmapped } from './field-clause.ts'
import { IGNORED_FIELD_NAME } from './ignored-field.ts'

/** What is asked of the terms of a field. */
export type TermsAsked =
  | { readonly kind: 'prefix'; readonly text: string; readonly options: TermOptions }
  | { readonly kind: 'pattern'; readonly pattern: FieldPattern; readonly options: TermOptions }
  | { readonly kind: 'fuzzy'; readonly fuzzy: FuzzyTerm }

/**
 * Documents with a term of a field that fits.
 * @throws {EngineError} the field has no such terms, or what is asked is malformed
 */
export function termsOnField(name: string, asked: TermsAsked, context: QueryContext): Query {
  if (name === '_index') return indexTerms(asked, context)
  if (name === '_id') return refuse({ name, type: name }, asked)
  if (name === '_routing' || name === IGNORED_FIELD_NAME) return metaTerms(name, asked, context)
  const field = context.mapping.field(name)
  return field === null ? unmapped(name) : mappedTerms(field, asked, context)
}

function mappedTerms(field: FieldType, asked: TermsAsked, context: QueryContext): Query {
  const search: FieldSearch<FieldType> = fieldSearch(field.type)
  switch (asked.kind) {
    case 'prefix':
      return search.prefix(field, asked.text, asked.options, context)
    case 'pattern':
      return search.pattern(field, asked.pattern, asked.options, context)
    case 'fuzzy':
      return search.fuzzy(field, asked.fuzzy, context)
  }
}

/** The name of the index is the one term of all its documents. */
function indexTerms(asked: TermsAsked, { index }: QueryContext): Query {
  const isRegexp = asked.kind === 'pattern' && asked.pattern.kind === 'regexp'
  if (asked.kind === 'fuzzy' || isRegexp) return refuse({ name: '_index', type: '_index' }, asked)
  const pattern =
    asked.kind === 'prefix' ? ({ kind: 'prefix', text: asked.text } as const) : asked.pattern
  return matchesTerm(pattern, asked.options.ignoresCase, index)
    ? MATCH_ALL
    : matchNone(`The index [${index}] doesn't match the expression`)
}

function metaTerms(name: string, asked: TermsAsked, context: QueryContext): Query {
  // Routings are kept as doc values alone.
  const field = { name, indexed: name !== '_routing', start: '' }
  switch (asked.kind) {
    case 'prefix':
      return prefixQuery(field, asked.text, asked.options, context)
    case 'pattern':
      return patternQuery(field, asked.pattern, asked.options, context)
    case 'fuzzy':
      return fuzzyQuery(field, asked.fuzzy.text, asked.fuzzy, context)
  }
}

function refuse(field: { name: string; type: string }, asked: TermsAsked): never {
  switch (asked.kind) {
    case 'prefix':
      return refusePrefix(field)
    case 'pattern':
      return refusePattern(field, asked.pattern)
    case 'fuzzy':
      return refuseFuzzy(field)
  }
}
