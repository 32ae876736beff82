import type { TextField } from '../../../schema/field-type/text-field.ts'
import { type BooleanClause, boosted, MATCH_ALL, type Query } from '../../../search/query/query.ts'
import type { OwnBm25 } from '../../../search/weight/similarity.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { plainField } from '../derived/derived-field.ts'
import { readText, readTexts } from '../json-scalars.ts'
import {
  type FieldMatch,
  type OpenMatch,
  operatorOf,
  PLAIN_MATCH,
  readLooseOption,
} from '../match-options.ts'
import { NO_TERMS, type SeveralFields, textQuery } from '../match-text.ts'
import { withMinimum } from '../minimum-should-match.ts'
import { unknownField } from '../parse-error.ts'
import type { FieldSimilarity, QueryContext } from '../query-context.ts'
import {
  resolvedFields,
  textFieldOf,
  unmappedFields,
  type Weights,
  weightsOf,
} from './many-fields.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

const KEYS = [
  'query',
  'fields',
  'operator',
  'minimum_should_match',
  'zero_terms_query',
  'auto_generate_synonyms_phrase_query',
] as const

/** `combined_fields`: one text asked of several text fields as if they were one. */
export const combinedFieldsParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const match: OpenMatch = { ...PLAIN_MATCH, query: 'combined_fields' }
    const missing = new Set(['query', 'fields'])
    let fields: Weights = new Map()
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      missing.delete(key)
      if (key === 'query') match.text = readText(value)
      else if (key === 'fields') fields = weightsOf(readTexts(value))
      else if (key === 'operator') match.operator = operatorOf(readText(value))
      else if (key === 'minimum_should_match') match.minimumShouldMatch = readText(value)
      else if (!(KEYS as readonly string[]).includes(key) || !readLooseOption(match, entry))
        throw unknownField(entry, 'combined_fields', [...KEYS, ...QUERY_OPTIONS])
    }
    if (missing.size > 0) throw new IllegalArgumentError(`Required [${[...missing].join(', ')}]`)
    return { field: null, build: context => build(fields, match, context) }
  },
}

/** A field and its weight, float32. */
interface WeightedField {
  readonly field: TextField
  readonly weight: number
}

function build(given: Weights, match: FieldMatch, context: QueryContext): Query {
  const fields = fieldsOf(resolvedFields(given, context), context)
  const [first] = fields
  if (first === undefined) return unmappedFields([...given.keys()])
  const analysed = context.analyze(first.field, match.text, null, false)!
  const query = textQuery(
    first.field,
    analysed,
    match,
    context,
    together(fields, bm25Of(context.similarityOf(null))),
  )
  if (query !== null) return withMinimum(query, match.minimumShouldMatch)
  return match.zeroTermsQuery === 'all' ? MATCH_ALL : NO_TERMS
}

function fieldsOf(weights: Weights, context: QueryContext): WeightedField[] {
  const fields: WeightedField[] = []
  for (const [name, weight] of weights) {
    const mapped = plainField(name, 'combined_fields', context)
    if (mapped === null) continue
    const field = textFieldOf(name, context)
    if (field === null || field.type === 'search_as_you_type')
      throw new IllegalArgumentError(
        `Field [${name}] of type [${mapped.type}] does not support [combined_fields] queries`,
      )
    if (weight < 1) throw new IllegalArgumentError('weight must be greater or equal to 1')
    // The parameters of its own similarity count for nothing, as in the real server.
    if (field.scoresConstant) throw otherSimilarity()
    bm25Of(context.similarityOf(field.similarity))
    fields.push({ field, weight })
  }
  const names = new Set(fields.map(({ field }) => context.analyzerName(field)))
  if (names.size > 1)
    throw new IllegalArgumentError(
      'All fields in [combined_fields] query must have the same search analyzer',
    )
  // Lucene's query sorts them.
  return fields.sort((a, b) => (a.field.name < b.field.name ? -1 : 1))
}

/**
 * The parameters of BM25; null: the default ones.
 * @throws {IllegalArgumentError} another similarity
 */
function bm25Of(similarity: FieldSimilarity | null): OwnBm25 | null {
  if (similarity === null) return null
  if (similarity === 'constant' || similarity.kind !== 'bm25') throw otherSimilarity()
  return similarity
}

function otherSimilarity(): IllegalArgumentError {
  return new IllegalArgumentError(
    '[combined_fields] queries can only be used with the [BM25] similarity',
  )
}

function together(fields: readonly WeightedField[], similarity: OwnBm25 | null): SeveralFields {
  const named = fields.map(({ field, weight }) => ({ field: field.name, weight }))
  return {
    anyOf: terms => ({
      kind: 'combinedFields',
      fields: named,
      terms: [...new Set(terms)].sort(),
      similarity,
    }),
    onEach(make) {
      const clauses = fields.flatMap(({ field, weight }): readonly BooleanClause[] => {
        const query = make(field)
        return query === null ? [] : [{ occur: 'should', query: boosted(query, weight) }]
      })
      return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
    },
  }
}
