/** A text asked of several fields term by term, as if they were one field. */
import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import {
  type BlendedQuery,
  type BooleanClause,
  boosted,
  type FieldSimilarities,
  MATCH_ALL,
  type Query,
  withoutSimilarity,
} from '../../../search/query/query.ts'
import { fieldSearch, type SearchedField, searchedField } from '../field/field-searches.ts'
import { fieldMatch, leniently } from '../field-match.ts'
import type { FieldMatch } from '../match-options.ts'
import { NO_TERMS, type SeveralFields, textQuery } from '../match-text.ts'
import { withMinimum } from '../minimum-should-match.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { bestOf, textFieldOf, unmappedFields, type Weights } from './many-fields.ts'

/** A field and its boost. */
interface BoostedField {
  readonly field: SearchedField
  readonly boost: number
}

/**
 * The query of a text on several fields: those of one analyzer share each term, and of several such
 * groups the best counts.
 * @returns null: the text has no terms
 * @throws {EngineError} a value that does not fit its field, unless the match is lenient
 */
export function crossFields(
  fields: Weights,
  match: FieldMatch,
  tieBreaker: number,
  context: QueryContext,
): Query | null {
  const groups = new Map<string, BoostedField[]>()
  for (const [name, boost] of fields) {
    const field = searchedField(name, context)
    if (field === null) continue
    const key = match.analyzer ?? analyzerKey(field, context)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [{ field, boost }])
    else group.push({ field, boost })
  }
  if (groups.size === 0) return unmappedFields([...fields.keys()])
  const queries: Query[] = []
  for (const group of groups.values()) {
    const query =
      group.length === 1
        ? onOne(group[0]!, match, context)
        : onAll(group, match, tieBreaker, context)
    if (query !== NO_TERMS) queries.push(query)
  }
  return queries.length === 0 ? null : bestOf(queries, tieBreaker)
}

/** Equal for fields whose searches take a text apart alike. */
function analyzerKey(field: SearchedField, context: QueryContext): string {
  // Its words are asked of values that are made, and share no statistics.
  if (field.type === 'derived') return `derived ${field.name}`
  const text = textFieldOf(field.name, context)
  if (text !== null) return `text ${context.analyzerName(text)}`
  if (field.type !== 'keyword') return 'whole'
  const { normalizer, splitsQueries } = field as KeywordField
  return `${splitsQueries ? 'words' : 'whole'} ${normalizer ?? ''}`.trim()
}

function onOne({ field, boost }: BoostedField, match: FieldMatch, context: QueryContext): Query {
  const query = fieldMatch(field, match, context)
  return query === NO_TERMS ? query : boosted(query, boost)
}

function onAll(
  fields: readonly BoostedField[],
  match: FieldMatch,
  tieBreaker: number,
  context: QueryContext,
): Query {
  const several: SeveralFields = {
    anyOf: terms => blendedTerms(fields, terms, match, tieBreaker, context),
    onEach: make =>
      bestOf(
        fields.flatMap(({ field, boost }) => {
          const text = textFieldOf(field.name, context)
          const query = text === null ? null : make(text)
          return query === null ? [] : boosted(query, boost)
        }),
        tieBreaker,
      ),
  }
  const query = asWords(fields, match, several, context)
  if (query !== null) return withMinimum(query, match.minimumShouldMatch)
  return match.zeroTermsQuery === 'all' ? MATCH_ALL : NO_TERMS
}

function asWords(
  fields: readonly BoostedField[],
  match: FieldMatch,
  several: SeveralFields,
  context: QueryContext,
): Query | null {
  for (const { field } of fields) {
    const text = textFieldOf(field.name, context)
    if (text === null) continue
    const analysed = context.analyze(text, match.text, match.analyzer, false)
    if (analysed === null)
      throw shardError(`[${match.query}] analyzer [${match.analyzer}] not found`)
    return textQuery(text, analysed, match, context, several)
  }
  const isSplit = fields.every(({ field }) => 'splitsQueries' in field && field.splitsQueries)
  if (!isSplit) return several.anyOf([match.text])
  const words = match.text.split(/\s+/).filter(word => word !== '')
  if (words.length < 2) return words.length === 0 ? null : several.anyOf(words)
  const occur = match.operator === 'and' ? 'must' : 'should'
  const clauses = words.map((word): BooleanClause => ({ occur, query: several.anyOf([word]) }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

/** Terms with shared statistics; what a field makes no term of stands beside them. */
function blendedTerms(
  fields: readonly BoostedField[],
  terms: readonly string[],
  { lenient }: FieldMatch,
  tieBreaker: number,
  context: QueryContext,
): Query {
  const blended: BlendedQuery['terms'][number][] = []
  const queries: Query[] = []
  const similarities: FieldSimilarities[number][] = []
  for (const { field, boost } of fields)
    for (const term of terms) {
      let query = leniently(field.name, lenient, () =>
        fieldSearch(field.type).term(field, term, context),
      )
      let factor = boost
      if (query.kind === 'boost') {
        factor = Math.fround(factor * query.boost)
        query = query.query
      }
      const plain = withoutSimilarity(query)
      if (query.kind === 'similarity') similarities.push(...query.similarities)
      if (plain.kind === 'term')
        blended.push({ field: plain.field, term: plain.term, boost: factor })
      else queries.push(boosted(query, factor))
    }
  if (blended.length > 0) {
    const query: Query = { kind: 'blended', terms: blended, tieBreaker }
    queries.push(similarities.length === 0 ? query : { kind: 'similarity', query, similarities })
  }
  return bestOf(queries, tieBreaker)
}
