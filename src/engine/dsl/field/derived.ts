/**
 * Searches in derived fields: each query that the values' own type makes runs over documents that have the
 * emitted values alone, and scores the same for all of them.
 */

import type { TextField } from '../../../schema/field-type/text-field.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import type { DerivedQuery, Query } from '../../../search/query/query.ts'
import { typeOf } from '../../../search/query/query-types.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { derivedValues, type NamedDerivedField } from '../derived/derived-field.ts'
import type { FieldMatch } from '../match-options.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { unmappedNumberSort } from './number-sort.ts'

/** A derived field with the searches of its values' type. */
export interface SearchedDerivedField extends NamedDerivedField {
  readonly search: FieldSearch<FieldType>
  /** Those of texts, for the prefilter. */
  readonly textSearch: FieldSearch<TextField>
}

/** Searches in a derived field. */
export const derived: FieldSearch<SearchedDerivedField> = {
  isNumber: false,
  analysesTexts: ({ valueType }) => valueType === 'text',
  term: (field, value, context) =>
    onDerived(field, context, field.search.term(field.inner, value, context), prefilter =>
      field.textSearch.term(prefilter, value, context),
    ),
  terms: (field, values, context) =>
    onDerived(field, context, field.search.terms(field.inner, values, context), prefilter =>
      field.textSearch.terms(prefilter, values, context),
    ),
  range: (field, lower, upper, options, context) =>
    onDerived(
      field,
      context,
      field.search.range(field.inner, lower, upper, options, context),
      null,
    ),
  exists({ name, type }) {
    throw new IllegalArgumentError(
      `Field [${name}] of type [${type}] does not support exist queries`,
    )
  },
  prefix: (field, prefix, options, context) =>
    onDerived(field, context, field.search.prefix(field.inner, prefix, options, context), within =>
      field.textSearch.prefix(within, prefix, options, context),
    ),
  pattern: (field, pattern, options, context) =>
    onDerived(
      field,
      context,
      field.search.pattern(field.inner, pattern, options, context),
      within => field.textSearch.pattern(within, pattern, options, context),
    ),
  fuzzy: (field, fuzzy, context) =>
    onDerived(field, context, field.search.fuzzy(field.inner, fuzzy, context), prefilter =>
      field.textSearch.fuzzy(prefilter, fuzzy, context),
    ),
  match,
  sort({ name }) {
    throw new IllegalArgumentError(`sorting by the derived field [${name}] is not supported yet`)
  },
  unmappedSort: unmappedNumberSort,
}

/** A text that is taken apart is asked for word by word, each of which scores. */
function match(field: SearchedDerivedField, asked: FieldMatch, context: QueryContext): Query {
  const query = field.search.match(field.inner, asked, context)
  if (field.valueType !== 'text')
    return onDerived(field, context, query, prefilter =>
      field.textSearch.term(prefilter, asked.text, context),
    )
  return eachWord(query, word =>
    onDerived(field, context, word, prefilter => renamed(word, field.name, prefilter.name)),
  )
}

/** Changes the queries that a combination of queries is made of. */
function eachWord(query: Query, change: (word: Query) => Query): Query {
  if (query.kind === 'matchNone' || query.kind === 'matchAll') return query
  if (query.kind !== 'boolean' && query.kind !== 'disMax' && query.kind !== 'boost')
    return change(query)
  return typeOf(query).mapInner!(query, inner => eachWord(inner, change))
}

/** The same query on another field: queries are plain data that name their fields. */
function renamed<T>(value: T, from: string, to: string): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(item => renamed(item, from, to)) as T
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    key === 'field' && each === from ? to : renamed(each, from, to),
  ])
  return Object.fromEntries(entries) as T
}

/**
 * The query of a derived field.
 * @param query  on the emitted values
 * @param ofText the same on a text field with every term that the values have; null: there is no such query
 */
export function onDerived(
  field: SearchedDerivedField,
  context: QueryContext,
  query: Query,
  ofText: ((prefilter: TextField) => Query) | null,
): Query {
  if (query.kind === 'matchNone') return query
  if (field.valueType === 'object')
    throw new IllegalArgumentError(
      'Cannot create IndexableField to execute queries on object derived field',
    )
  const named = prefilterOf(field, context)
  const prefilter = named === null || ofText === null ? null : ofText(named)
  const values = derivedValues(field, context)
  const nestedPath = context.nested.path
  const made: DerivedQuery = { kind: 'derived', values, query, prefilter, nestedPath, found: null }
  context.notes.joins.push(made)
  if (prefilter === null) return made
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'filter', query: prefilter },
      { occur: 'filter', query: made },
    ],
    minimumShouldMatch: 0,
  }
}

/** @throws {EngineError} `mapper_exception`: the index has no such text field */
function prefilterOf(
  { definition: { prefilterField } }: SearchedDerivedField,
  { mapping }: QueryContext,
): TextField | null {
  if (prefilterField === null || prefilterField === '') return null
  const field = mapping.field(prefilterField)
  const refuse = (reason: string): never => {
    throw new EngineError({ type: 'mapper_exception', reason })
  }
  if (field === null)
    return refuse(`prefilter_field[${prefilterField}] is not defined in the index mappings`)
  if (field.type !== 'text')
    return refuse(
      `prefilter_field[${prefilterField}] should be of type text. Type found [${field.type}].`,
    )
  return field
}
