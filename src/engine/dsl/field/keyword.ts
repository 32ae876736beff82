import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { Query } from '../../../search/query/query.ts'
import { queryText } from '../../../search/query/query-ops.ts'
import type { FieldMatch } from '../match-options.ts'
import { fuzzyTerm } from '../match-text.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { inSimilarity } from './field-similarity.ts'
import {
  type FuzzyTerm,
  fuzzyQuery,
  PLAIN_TERMS,
  patternQuery,
  prefixQuery,
  type TermField,
  type TermOptions,
  wildcardMapped,
} from './many-terms.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { boostedBy, checkTermRanges, termBetween, termsInSet } from './term-queries.ts'
import { TEXT_TERMS, termSort, unmappedTermSort } from './term-sort.ts'
import { valueWords } from './value-words.ts'
import { anyOf, existsByDocValues, refusePhrasePrefix } from './whole-value.ts'

type WholeTermsMember =
  | 'docValues'
  | 'normalizer'
  | 'boost'
  | 'termBoost'
  | 'scoresConstant'
  | 'similarity'
  | 'splitsQueries'

/** The properties by which fields of whole values are searched. */
type WholeTerms = MappedField & Pick<KeywordField, WholeTermsMember>

/** Searches in `keyword`: values are compared as the field's normalizer leaves them. */
export const keyword: FieldSearch<WholeTerms> = {
  isNumber: false,
  term,
  terms(field, texts, context) {
    checkSearchable(field)
    if (!field.indexed) return anyOf(texts, text => term(field, text, context))
    const values = texts.map(text => context.normalize(field, text))
    return onEither(field, termsInSet(field.name, values), context)
  },
  range(field, lower, upper, _options, context) {
    checkTermRanges(context)
    checkSearchable(field)
    const normalized = (end: RangeEnd | null): RangeEnd | null =>
      end === null ? null : { ...end, text: context.normalize(field, end.text) }
    return termBetween(field.name, normalized(lower), normalized(upper))
  },
  exists: existsByDocValues,
  prefix,
  pattern(field, pattern, options, context) {
    checkSearchable(field)
    const normalized = (text: string): string => context.normalize(field, text)
    const text =
      pattern.kind === 'wildcard'
        ? wildcardMapped(pattern.text, normalized)
        : normalized(pattern.text)
    const query = patternQuery(termsOf(field), { ...pattern, text }, options, context)
    if (pattern.kind === 'term') return boostedBy(field.boost, query)
    return onEither(field, query, context)
  },
  fuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    if (match.kind === 'wordsPrefix') return prefix(field, match.text, PLAIN_TERMS, context)
    if (match.kind === 'words' && field.splitsQueries) return words(field, match, context)
    return word(field, match.text, match, context)
  },
  sort: (field, level) => termSort(field, level, TEXT_TERMS),
  unmappedSort: level => unmappedTermSort(level, TEXT_TERMS),
}

function term(field: WholeTerms, text: string, context: QueryContext): Query {
  checkSearchable(field)
  const { name } = field
  const value = context.normalize(field, text)
  if (!field.indexed) {
    const end = { text: value, isIncluded: true }
    return boostedBy(field.boost, termBetween(name, end, end))
  }
  const query: Query = { kind: 'term', field: name, term: value }
  return boostedBy(field.termBoost, inSimilarity(field, query, context))
}

/** A word of a match: with a few edits where the match says so. */
function word(field: WholeTerms, text: string, match: FieldMatch, context: QueryContext): Query {
  const asked = match.kind === 'words' ? fuzzyTerm(match, text) : null
  return asked === null ? term(field, text, context) : fuzzy(field, asked, context)
}

/** Each word of the text as a value. */
function words(field: WholeTerms, match: FieldMatch, context: QueryContext): Query {
  const texts = match.text.split(/\s+/).filter(each => each !== '')
  return valueWords(texts, match, context, each => word(field, each, match, context))
}

function prefix(
  field: WholeTerms,
  start: string,
  options: TermOptions,
  context: QueryContext,
): Query {
  checkSearchable(field)
  const query = prefixQuery(termsOf(field), context.normalize(field, start), options, context)
  return onEither(field, query, context)
}

function fuzzy(field: WholeTerms, asked: FuzzyTerm, context: QueryContext): Query {
  checkSearchable(field)
  const query = fuzzyQuery(termsOf(field), context.normalize(field, asked.text), asked, context)
  return onEither(field, query, context)
}

/** A query for many terms that may run over doc values too, where the field has both and the cluster says so. */
function onEither(field: WholeTerms, query: Query, { eitherTerms }: QueryContext): Query {
  if (!eitherTerms || !field.indexed || !field.docValues) return query
  return { kind: 'eitherTerms', query, values: queryText(query), isRewritten: false }
}

function termsOf({ name, indexed }: WholeTerms): TermField {
  return { name, indexed, start: '' }
}
