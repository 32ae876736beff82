import type { TextField } from '../../../schema/field-type/text-field.ts'
import { MATCH_ALL, type Query } from '../../../search/query/query.ts'
import type { TermFrequencyFilter } from '../../../segment/uninvert.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float64 } from '../../../util/json/json-value.ts'
import type { FieldMatch } from '../match-options.ts'
import { NO_TERMS, textQuery } from '../match-text.ts'
import { withMinimum } from '../minimum-should-match.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { patternQuery } from './many-terms.ts'
import { unmappedNumberSort, unsupportedFielddata } from './number-sort.ts'
import { checkIndexed } from './searchable.ts'
import {
  boostedBy,
  checkTermRanges,
  termBetween,
  termsInSet,
  textFuzzy,
  textPrefix,
  textTerm,
  wholeTerms,
} from './term-queries.ts'
import { uninvertedSort } from './term-sort.ts'
import { fieldExists } from './whole-value.ts'

/** Searches in `text`: terms are taken as they are, `match` has its text analysed. */
export const text: FieldSearch<TextField> = {
  isNumber: false,
  analysesTexts: () => true,
  term: textTerm,
  terms(field, texts) {
    checkIndexed(field)
    return termsInSet(field.name, texts)
  },
  range(field, lower, upper, _options, context) {
    checkTermRanges(context)
    checkIndexed(field)
    return termBetween(field.name, lower, upper)
  },
  exists: field => fieldExists(field.name, !field.norms),
  prefix: textPrefix,
  pattern(field, pattern, options, context) {
    checkIndexed(field)
    const query = patternQuery(wholeTerms(field.name), pattern, options, context)
    return pattern.kind === 'term' ? boostedBy(field.boost, query) : query
  },
  fuzzy: textFuzzy,
  match: matchText,
  sort(field, level) {
    if (field.type === 'search_as_you_type') throw unsupportedFielddata(field)
    if (field.parameters.get('fielddata') === true)
      return uninvertedSort(field, level, frequenciesOf(field))
    throw new IllegalArgumentError(
      'Text fields are not optimised for operations that require per-document field data like ' +
        'aggregations and sorting, so these operations are disabled by default. Please use a ' +
        `keyword field instead. Alternatively, set fielddata=true on [${field.name}] in order to ` +
        'load field data by uninverting the inverted index. Note that this can use significant ' +
        'memory.',
    )
  },
  unmappedSort: unmappedNumberSort,
}

/** The terms of a field that sorts see: all, unless its mapping says otherwise. */
function frequenciesOf({ parameters }: TextField): TermFrequencyFilter {
  const given = parameters.get('fielddata_frequency_filter')
  const number = (key: string, otherwise: number): number => {
    const value = given instanceof Map ? given.get(key) : otherwise
    return value instanceof Float64 ? value.value : Number(value)
  }
  return {
    min: number('min', 0),
    max: number('max', 2147483647),
    minSegmentSize: number('min_segment_size', 0),
  }
}

function matchText(field: TextField, match: FieldMatch, context: QueryContext): Query {
  const isQuote = match.kind === 'phrase' || match.kind === 'phrasePrefix'
  const analysed = context.analyze(field, match.text, match.analyzer, isQuote)
  if (analysed === null) throw shardError(`[${match.query}] analyzer [${match.analyzer}] not found`)
  const query = textQuery(field, analysed, match, context)
  if (query !== null) return withMinimum(query, match.minimumShouldMatch)
  return match.zeroTermsQuery === 'all' ? MATCH_ALL : NO_TERMS
}
