import type { KeywordField } from '../../../schema/field-type/keyword.ts'
import type { Query } from '../../../search/query/query.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { checkTermRanges, prefixQuery, termBetween, termsInSet } from './term-queries.ts'
import { termSort, unmappedTermSort } from './term-sort.ts'
import { anyOf, existsByDocValues, refusePhrasePrefix } from './whole-value.ts'

/** Searches in `keyword`: values are compared as the field's normalizer leaves them. */
export const keyword: FieldSearch<KeywordField> = {
  isNumber: false,
  takesPhrases: true,
  term,
  terms(field, texts, context) {
    checkSearchable(field)
    if (!field.indexed) return anyOf(texts, text => term(field, text, context))
    return termsInSet(
      field.name,
      texts.map(text => context.normalize(field, text)),
    )
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
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return match.kind === 'wordsPrefix'
      ? prefix(field, match.text, context)
      : term(field, match.text, context)
  },
  sort: termSort,
  unmappedSort: unmappedTermSort,
}

function term(field: KeywordField, text: string, context: QueryContext): Query {
  checkSearchable(field)
  const { name } = field
  const value = context.normalize(field, text)
  if (!field.indexed) {
    const end = { text: value, isIncluded: true }
    return termBetween(name, end, end)
  }
  const query: Query = { kind: 'term', field: name, term: value }
  return field.useSimilarity ? query : { kind: 'constantScore', query }
}

function prefix(field: KeywordField, start: string, context: QueryContext): Query {
  checkSearchable(field)
  return prefixQuery(field.name, context.normalize(field, start), context)
}
