import { matchNone, type Query } from '../../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readText, readTexts } from '../json-scalars.ts'
import { numberColumn } from '../number-column.ts'
import { notSupportedYet, parsingError, tokenName } from '../parse-error.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { readFieldClause, unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `terms_set`: documents with as many of several values as a field of theirs says. */
export const termsSetParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const { field, value } = readFieldClause('terms_set', node, read)
    if (value.kind !== 'object')
      throw parsingError(
        value,
        `[terms_set] unknown token [${tokenName(value.kind)}] after [${field}]`,
      )
    let terms: readonly string[] | null = null
    let minimumField: string | null = null
    for (const entry of value.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'terms') terms = readTerms(entry.value)
      else if (entry.key === 'minimum_should_match_field') minimumField = readText(entry.value)
      else if (entry.key === 'minimum_should_match_script') throw notSupportedYet(entry.key)
      else throw unknownKey('terms_set', entry)
    }
    if (terms === null) throw new IllegalArgumentError('terms cannot be null')
    const texts = terms
    return { field, build: context => build(field, texts, minimumField, context) }
  },
}

function readTerms(node: JsonNode): readonly string[] {
  if (node.kind !== 'array')
    throw parsingError(node, `[terms_set] unknown token [${tokenName(node.kind)}] after [terms]`)
  for (const item of node.items)
    if (item.kind === 'null') throw parsingError(item, 'No value specified for terms query')
  return readTexts(node)
}

function build(
  name: string,
  terms: readonly string[],
  minimumField: string | null,
  context: QueryContext,
): Query {
  if (terms.length === 0) return matchNone('No terms supplied for "terms_set" query.')
  const most = context.maxClauseCount
  if (terms.length > most)
    throw new EngineError({ type: 'too_many_clauses', reason: `maxClauseCount is set to ${most}` })
  if (minimumField === null) throw shardError('No minimum should match has been specified')
  const minimum = context.mapping.field(minimumField)
  if (minimum === null)
    throw shardError(`failed to find minimum_should_match field [${minimumField}]`)
  const field = searchedField(name, context)
  if (field === null) return unmapped(name)
  const queries = terms.map(term => fieldSearch(field.type).term(field, term, context))
  return { kind: 'covering', queries, minimum: numberColumn(minimum) }
}
