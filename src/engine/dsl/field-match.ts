/** A text asked of one field of any type: what `match` and its kin become. */
import type { FieldType } from '../../schema/field-type.ts'
import { MATCH_ALL, matchNone, type Query } from '../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { termQuery } from './field-values.ts'
import { type TextOptions, textQuery } from './match-text.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { prefixQuery } from './prefix-query.ts'
import { type QueryContext, shardError } from './query-context.ts'

/** What is asked, and how. */
export interface FieldMatch extends TextOptions {
  /** The query's name, for messages. */
  readonly query: string
  readonly text: string
  /** Null for the field's own. */
  readonly analyzer: string | null
  readonly minimumShouldMatch: string | null
  readonly lenient: boolean
  readonly zeroTermsQuery: 'none' | 'all'
}

/** What a match is where nothing is said. */
export const PLAIN_MATCH: Omit<FieldMatch, 'query' | 'text'> = {
  kind: 'words',
  operator: 'or',
  slop: 0,
  maxExpansions: 50,
  synonymPhrases: true,
  analyzer: null,
  minimumShouldMatch: null,
  lenient: false,
  zeroTermsQuery: 'none',
}

/**
 * Makes the query of a text on a field.
 * @throws {EngineError} a value that does not fit the field, unless the match is lenient
 */
export function fieldMatch(field: FieldType, match: FieldMatch, context: QueryContext): Query {
  try {
    return field.type === 'text' ? onText(field, match, context) : onOther(field, match, context)
  } catch (error) {
    if (!match.lenient || !(error instanceof EngineError)) throw error
    const { type, reason } = error.record
    if (type === 'query_shard_exception' || type === 'too_many_clauses') throw error
    return matchNone(`failed [${field.name}] query, caused by ${type}:[${reason}]`)
  }
}

function onText(field: FieldType, match: FieldMatch, context: QueryContext): Query {
  const isQuote = match.kind === 'phrase' || match.kind === 'phrasePrefix'
  const text = context.analyze(field, match.text, match.analyzer, isQuote)
  if (text === null) throw shardError(`[${match.query}] analyzer [${match.analyzer}] not found`)
  const query = textQuery(field, text, match, context)
  if (query !== null) return withMinimum(query, match.minimumShouldMatch)
  return match.zeroTermsQuery === 'all'
    ? MATCH_ALL
    : matchNone('Matching no documents because no terms present')
}

/** Fields that are not analysed: the whole text is one term. */
function onOther(field: FieldType, match: FieldMatch, context: QueryContext): Query {
  if (match.kind === 'phrasePrefix')
    throw new IllegalArgumentError(
      `Can only use phrase prefix queries on text fields - not on [${field.name}] which is of ` +
        `type [${field.type}]`,
    )
  return match.kind === 'wordsPrefix' && field.type === 'keyword'
    ? prefixQuery(field, match.text, context)
    : termQuery(field, match.text, context)
}

/** Asks for some of the optional clauses; of a query that has none it asks nothing. */
function withMinimum(query: Query, wanted: string | null): Query {
  if (wanted === null || query.kind !== 'boolean') return query
  const count = query.clauses.filter(clause => clause.occur === 'should').length
  return count === 0 ? query : { ...query, minimumShouldMatch: minimumShouldMatch(wanted, count) }
}
