/** Queries of one field of any type: what `match` and its kin become. */
import { matchNone, type Query } from '../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { fieldSearch, type SearchedField } from './field/field-searches.ts'
import { valueWords } from './field/value-words.ts'
import type { FieldMatch } from './match-options.ts'
import { type QueryContext, shardError } from './query-context.ts'

/**
 * Makes the query of a text on a field.
 * @throws {EngineError} no such analyzer; a value that does not fit the field, unless the match is lenient
 */
export function fieldMatch(field: SearchedField, match: FieldMatch, context: QueryContext): Query {
  const { analyzer } = match
  if (analyzer !== null && !context.hasAnalyzer(analyzer))
    throw shardError(`[${match.query}] analyzer [${analyzer}] not found`)
  return leniently(field.name, match.lenient, () => {
    const search = fieldSearch(field.type)
    return analyzer === null || search.analysesTexts?.(field) === true
      ? search.match(field, match, context)
      : analysedValues(field, match, analyzer, context)
  })
}

/**
 * A match by an analyzer that the request names: each of its words is a value.
 * @throws {EngineError} no such analyzer; several words as a phrase; a word that is no value of the field
 */
function analysedValues(
  field: SearchedField,
  match: FieldMatch,
  analyzer: string,
  context: QueryContext,
): Query {
  const search = fieldSearch(field.type)
  const analysed = context.analyze(null, match.text, analyzer, false)
  if (analysed === null) throw shardError(`[${match.query}] analyzer [${analyzer}] not found`)
  const one = { ...match, analyzer: null, minimumShouldMatch: null }
  // The whole text is one value; and these phrases are refused whatever their words.
  if (analyzer === 'keyword' || match.kind === 'phrasePrefix')
    return search.match(field, one, context)
  const places: string[][] = []
  for (const { term, positionIncrement } of analysed.tokens) {
    if (positionIncrement === 0 && places.length > 0) places.at(-1)!.push(term)
    else places.push([term])
  }
  if (match.kind === 'phrase' && places.length > 1)
    throw new IllegalArgumentError(
      `Can only use phrase queries on text fields - not on [${field.name}] which is of type ` +
        `[${field.type}]`,
    )
  const last = analysed.tokens.at(-1)
  const isOpen = last !== undefined && last.endOffset === analysed.endOffset
  return valueWords(places, match, context, (terms, isLast) => {
    const kind = match.kind === 'wordsPrefix' && isLast && isOpen ? 'wordsPrefix' : 'words'
    // Terms at one position stand for one another.
    const either = { ...match, operator: 'or', minimumShouldMatch: null } as const
    return valueWords(terms, either, context, text =>
      leniently(field.name, match.lenient, () =>
        search.match(field, { ...one, kind, text }, context),
      ),
    )
  })
}

/**
 * Makes a query on a field, or one without matches where the field does not take the value, or no such query.
 * @throws {EngineError} what `make` throws, unless it is lenient; too many clauses
 */
export function leniently(field: string, lenient: boolean, make: () => Query): Query {
  try {
    return make()
  } catch (error) {
    if (!lenient || !(error instanceof EngineError)) throw error
    const { type, reason } = error.record
    if (type === 'too_many_clauses') throw error
    return matchNone(`failed [${field}] query, caused by ${type}:[${reason}]`)
  }
}
