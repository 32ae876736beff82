/** Queries on fields whose values no analyzer takes apart. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldMatch } from '../match-options.ts'
import { shardError } from '../query-context.ts'

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
export function refusePrefix(field: MappedField): never {
  throw shardError(
    `Can only use prefix queries on keyword, text and wildcard fields - not on [${field.name}] ` +
      `which is of type [${field.type}]`,
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
