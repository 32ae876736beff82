/** Queries on fields whose values no analyzer takes apart. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldMatch } from '../match-options.ts'
import { fuzzyTerm } from '../match-text.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import type { FieldPattern, FuzzyTerm } from './many-terms.ts'

/** A field as messages name it; those of the index itself have their name as type. */
type Named = { readonly name: string; readonly type: string }

/** Documents that have a field with doc values, or are listed as having it. */
export function existsByDocValues(field: MappedField & { readonly docValues: boolean }): Query {
  return fieldExists(field.name, !field.docValues)
}

/** @param listed the field has neither norms nor doc values: `_field_names` lists its documents */
export function fieldExists(field: string, listed: boolean): Query {
  return { kind: 'constantScore', query: { kind: 'fieldExists', field, listed } }
}

/** Refuses ranges: values of the type have no order. */
export function refuseRange(field: MappedField): never {
  throw new IllegalArgumentError(
    `Field [${field.name}] of type [${field.type}] does not support range queries`,
  )
}

/** Refuses prefixes: values of the type do not start with one another. */
export function refusePrefix(field: Named): never {
  throw shardError(
    `Can only use prefix queries on keyword, text and wildcard fields - not on [${field.name}] ` +
      `which is of type [${field.type}]`,
  )
}

/** Refuses patterns: the type has no terms that they could match. */
export function refusePattern(field: Named, { kind }: FieldPattern): never {
  if (kind === 'term')
    throw shardError(
      `[${field.name}] field which is of type [${field.type}], does not support case insensitive ` +
        'term queries',
    )
  const takers = kind === 'wildcard' ? 'keyword, text and wildcard' : 'keyword and text'
  throw shardError(
    `Can only use ${kind} queries on ${takers} fields - not on [${field.name}] which is of type ` +
      `[${field.type}]`,
  )
}

/** Refuses fuzzy queries: the type has no terms to compare with. */
export function refuseFuzzy(field: Named): never {
  throw new IllegalArgumentError(
    `Can only use fuzzy queries on keyword and text fields - not on [${field.name}] which is of ` +
      `type [${field.type}]`,
  )
}

/**
 * Refuses phrases whose last word is a prefix.
 * @throws {IllegalArgumentError} the match is one
 */
export function refusePhrasePrefix(field: MappedField, match: FieldMatch): void {
  if (match.kind === 'phrasePrefix')
    throw new IllegalArgumentError(
      `Can only use phrase prefix queries on text fields - not on [${field.name}] which is of ` +
        `type [${field.type}]`,
    )
}

/** Documents with any of the values, each by the rules of `term`. */
export function anyOf(texts: readonly string[], term: (text: string) => Query): Query {
  const clauses = [...new Set(texts)].map(text => ({
    occur: 'should' as const,
    query: term(text),
  }))
  const query: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  return { kind: 'constantScore', query }
}

/** The query of a match for a whole value: with a few edits where the match says so. */
export function wholeMatch<F extends MappedField>(
  field: F,
  match: FieldMatch,
  context: QueryContext,
  queries: {
    term(field: F, text: string, context: QueryContext): Query
    fuzzy(field: F, fuzzy: FuzzyTerm, context: QueryContext): Query
  },
): Query {
  const { text } = match
  const fuzzy = match.kind === 'words' ? fuzzyTerm(match, text) : null
  return fuzzy === null ? queries.term(field, text, context) : queries.fuzzy(field, fuzzy, context)
}
