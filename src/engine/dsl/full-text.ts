/** match and match_phrase. */
import type { FieldType } from '../../schema/field-type.ts'
import {
  type BooleanClause,
  boosted,
  MATCH_ALL,
  matchNone,
  type Query,
} from '../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { termQuery } from './field-values.ts'
import { readBoolean, readBoost, readInteger, readText, scalarText } from './json-scalars.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { notSupportedYet, parsingError, tokenName } from './parse-error.ts'
import {
  type ParsedQuery,
  type QueryContext,
  type QueryToken,
  shardError,
} from './query-context.ts'
import { buildTerm, readFieldClause, refuseName, unknownKey, unmapped } from './term-level.ts'

interface MatchOptions {
  readonly query: string
  readonly field: string
  readonly text: string
  readonly boost: number
  readonly analyzer: string | null
  readonly operator: 'or' | 'and'
  readonly minimumShouldMatch: string | null
  readonly lenient: boolean
  readonly zeroTermsQuery: 'none' | 'all'
  readonly slop: number
}

/** Options that only fuzziness gives a meaning. */
const FUZZY_ONLY = new Set(['prefix_length', 'max_expansions', 'fuzzy_transpositions'])

export function parseMatch(node: JsonObjectNode): ParsedQuery {
  const options = readOptions('match', node)
  return {
    name: 'match',
    field: options.field,
    build: context => boosted(buildLeniently(options, context, buildMatch), options.boost),
  }
}

export function parseMatchPhrase(node: JsonObjectNode): ParsedQuery {
  const options = readOptions('match_phrase', node)
  return {
    name: 'match_phrase',
    field: options.field,
    build: context => boosted(buildPhrase(options, context), options.boost),
  }
}

function readOptions(query: 'match' | 'match_phrase', node: JsonObjectNode): MatchOptions {
  const clause = readFieldClause(query, node)
  const { field, value } = clause
  const options = {
    query,
    field,
    text: '',
    boost: clause.boost,
    analyzer: null as string | null,
    operator: 'or' as 'or' | 'and',
    minimumShouldMatch: null as string | null,
    lenient: false,
    zeroTermsQuery: 'none' as 'none' | 'all',
    slop: 0,
  }
  if (value.kind !== 'object') return { ...options, text: textOf(query, field, value) }
  let text: string | null = null
  for (const entry of value.entries) {
    refuseName(entry)
    if (entry.key === 'query') text = textOf(query, field, entry.value)
    else if (entry.key === 'boost') options.boost = readBoost(entry.value, query)
    else if (entry.key === 'analyzer') options.analyzer = readText(entry.value)
    else if (entry.key === 'zero_terms_query') options.zeroTermsQuery = zeroTerms(entry)
    else if (query === 'match') readMatchOption(options, entry)
    else if (entry.key === 'slop') {
      options.slop = readInteger(entry.value)
      if (options.slop < 0) throw new IllegalArgumentError('No negative slop allowed.')
    } else throw unknownKey(query, entry)
  }
  if (text === null) throw parsingError(value, 'No text specified for text query')
  return { ...options, text }
}

function readMatchOption(
  options: { operator: string; minimumShouldMatch: string | null; lenient: boolean },
  entry: JsonEntry,
): void {
  const { key, value } = entry
  if (key === 'operator') options.operator = operatorOf(readText(value))
  else if (key === 'minimum_should_match') options.minimumShouldMatch = readText(value)
  else if (key === 'lenient') options.lenient = readBoolean(value)
  else if (key === 'fuzziness' || key === 'fuzzy_rewrite') throw notSupportedYet(key)
  else if (FUZZY_ONLY.has(key)) checkFuzzyOption(key, value)
  else if (key === 'auto_generate_synonyms_phrase_query') readBoolean(value)
  else if (key !== 'cutoff_frequency') throw unknownKey('match', entry)
}

function checkFuzzyOption(key: string, value: JsonNode): void {
  if (key === 'fuzzy_transpositions') {
    readBoolean(value)
    return
  }
  const number = readInteger(value)
  if (key === 'prefix_length' && number < 0)
    throw new IllegalArgumentError('[match] requires prefix length to be non-negative.')
  if (key === 'max_expansions' && number <= 0)
    throw new IllegalArgumentError('[match] requires maxExpansions to be positive.')
}

function textOf(query: string, field: string, value: JsonNode): string {
  if (value.kind === 'array' || value.kind === 'object')
    throw parsingError(
      value,
      `[${query}] unknown token [${tokenName(value.kind)}] after [${field}]`,
    )
  const text = scalarText(value)
  if (text === null) throw parsingError(value, 'No text specified for text query')
  return text
}

function operatorOf(text: string): 'or' | 'and' {
  const lower = text.toLowerCase()
  if (lower === 'or' || lower === 'and') return lower
  throw new IllegalArgumentError(`Failed to parse operator [${text}], expected [or] or [and]`)
}

function zeroTerms(entry: JsonEntry): 'none' | 'all' {
  const text = readText(entry.value).toLowerCase()
  if (text === 'none' || text === 'all') return text
  throw parsingError(entry, `Unsupported zero_terms_query value [${readText(entry.value)}]`)
}

/** `lenient` turns a value that does not fit its field into no match. */
function buildLeniently(
  options: MatchOptions,
  context: QueryContext,
  build: (options: MatchOptions, context: QueryContext) => Query,
): Query {
  try {
    return build(options, context)
  } catch (error) {
    if (!options.lenient || !(error instanceof EngineError)) throw error
    const { type, reason } = error.record
    if (type === 'query_shard_exception') throw error
    return matchNone(`failed [${options.field}] query, caused by ${type}:[${reason}]`)
  }
}

function buildMatch(options: MatchOptions, context: QueryContext): Query {
  const field = context.mapping.field(options.field)
  if (field === null)
    return options.field.startsWith('_')
      ? buildTerm(options.field, options.text, context)
      : unmapped(options.field)
  if (field.type !== 'text') return termQuery(field, options.text, context)
  const tokens = analyzed(field, options, context, false)
  const [first] = tokens
  if (first === undefined) return noTerms(options)
  checkStacked(tokens)
  if (tokens.length === 1) return termQuery(field, first.term, context)
  if (tokens.length > context.maxClauseCount)
    throw new EngineError({
      type: 'too_many_clauses',
      reason: `maxClauseCount is set to ${context.maxClauseCount}`,
    })
  const occur = options.operator === 'and' ? 'must' : 'should'
  const clauses: BooleanClause[] = tokens.map(token => ({
    occur,
    query: termQuery(field, token.term, context),
  }))
  const wanted = options.minimumShouldMatch
  const minimum =
    occur === 'should' && wanted !== null ? minimumShouldMatch(wanted, clauses.length) : 0
  return { kind: 'boolean', clauses, minimumShouldMatch: minimum }
}

function buildPhrase(options: MatchOptions, context: QueryContext): Query {
  const field = context.mapping.field(options.field)
  if (field === null)
    return options.field.startsWith('_')
      ? buildTerm(options.field, options.text, context)
      : unmapped(options.field)
  if (field.type === 'keyword') return termQuery(field, options.text, context)
  if (field.type !== 'text')
    throw new IllegalArgumentError(
      `Can only use phrase queries on text fields - not on [${field.name}] which is of type ` +
        `[${field.type}]`,
    )
  const tokens = analyzed(field, options, context, true)
  const [first] = tokens
  if (first === undefined) return noTerms(options)
  checkStacked(tokens)
  if (tokens.length === 1) return termQuery(field, first.term, context)
  if (field.indexed && field.indexOptions !== 'positions')
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: `field:[${field.name}] was indexed without position data; cannot run PhraseQuery`,
    })
  termQuery(field, first.term, context)
  return {
    kind: 'phrase',
    field: field.name,
    terms: tokens.map(token => token.term),
    positions: tokens.map(token => token.position - first.position),
    slop: options.slop,
  }
}

function analyzed(
  field: FieldType,
  options: MatchOptions,
  context: QueryContext,
  isQuote: boolean,
): readonly QueryToken[] {
  const tokens = context.analyze(field, options.text, options.analyzer, isQuote)
  if (tokens === null)
    throw shardError(`[${options.query}] analyzer [${options.analyzer}] not found`)
  return tokens
}

function noTerms(options: MatchOptions): Query {
  return options.zeroTermsQuery === 'all'
    ? MATCH_ALL
    : matchNone('Matching no documents because no terms present')
}

/** Synonyms stack tokens on one position; no analyzer of this build does. */
function checkStacked(tokens: readonly QueryToken[]): void {
  for (let i = 1; i < tokens.length; i++)
    if (tokens[i]?.position === tokens[i - 1]?.position)
      throw notSupportedYet('several tokens at one position')
}
