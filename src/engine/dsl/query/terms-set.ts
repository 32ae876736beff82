import type { ScriptRequest } from '../../../script/script-request.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import type { CoveringMinimum } from '../../../search/weight/weight-node.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { fieldSearch, searchedField } from '../field/field-searches.ts'
import { readText, readTexts } from '../json-scalars.ts'
import { numberColumn } from '../number-column.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseScript } from '../parse-script.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { scriptPlan } from '../script-plan.ts'
import { amongSeen } from '../seen-documents.ts'
import { readFieldClause, unknownKey, unmapped } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `terms_set`: documents with as many of several values as a field of theirs or a script says. */
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
    let script: ScriptRequest | null = null
    for (const entry of value.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'terms') terms = readTerms(entry.value)
      else if (entry.key === 'minimum_should_match_field') minimumField = readText(entry.value)
      else if (entry.key === 'minimum_should_match_script') script = parseScript(entry.value)
      else throw unknownKey('terms_set', entry)
    }
    if (terms === null) throw new IllegalArgumentError('terms cannot be null')
    if (minimumField !== null && script !== null)
      throw new IllegalArgumentError(
        'A script has already been specified. Cannot specify both a field and script',
      )
    const texts = terms
    const minimum = script ?? minimumField
    return { field, build: context => build(field, texts, minimum, context) }
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
  minimum: string | ScriptRequest | null,
  context: QueryContext,
): Query {
  if (terms.length === 0) return matchNone('No terms supplied for "terms_set" query.')
  const most = context.maxClauseCount
  if (terms.length > most)
    throw new EngineError({ type: 'too_many_clauses', reason: `maxClauseCount is set to ${most}` })
  const needed = minimumOf(minimum, terms.length, context)
  const field = searchedField(name, context)
  if (field === null) return unmapped(name)
  const queries = terms.map(term => fieldSearch(field.type).term(field, term, context))
  const covering: Query = { kind: 'covering', queries, minimum: needed }
  return needed.kind === 'script' ? amongSeen(covering, context) : covering
}

function minimumOf(
  minimum: string | ScriptRequest | null,
  termCount: number,
  context: QueryContext,
): CoveringMinimum {
  if (minimum === null) throw shardError('No minimum should match has been specified')
  if (typeof minimum === 'object')
    return { kind: 'script', script: scriptPlan(minimum, 'terms_set', context), termCount }
  const field = context.mapping.field(minimum)
  if (field === null) throw shardError(`failed to find minimum_should_match field [${minimum}]`)
  return { kind: 'field', column: numberColumn(field) }
}
