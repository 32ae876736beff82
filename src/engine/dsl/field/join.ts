import type { JoinField } from '../../../schema/field-type/join.ts'
import type { Query } from '../../../search/query/query.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { type FuzzyTerm, fuzzyQuery, PLAIN_TERMS, patternQuery, prefixQuery } from './many-terms.ts'
import { checkTermRanges, termBetween, termsInSet, wholeTerms } from './term-queries.ts'
import { TEXT_TERMS, termSort, unmappedTermSort } from './term-sort.ts'
import { existsByDocValues, refusePhrasePrefix, wholeMatch } from './whole-value.ts'

/** Searches in `join`: its values are the names of relations. */
export const join: FieldSearch<JoinField> = {
  isNumber: false,
  term: named,
  terms: (field, texts) => termsInSet(field.name, texts),
  range(field, lower, upper, _options, context) {
    checkTermRanges(context)
    return termBetween(field.name, lower, upper)
  },
  exists: existsByDocValues,
  prefix: ({ name }, prefix, options, context) =>
    prefixQuery(wholeTerms(name), prefix, options, context),
  pattern: ({ name }, pattern, options, context) =>
    patternQuery(wholeTerms(name), pattern, options, context),
  fuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return match.kind === 'wordsPrefix'
      ? prefixQuery(wholeTerms(field.name), match.text, PLAIN_TERMS, context)
      : wholeMatch(field, match, context, { term: named, fuzzy })
  },
  sort: (field, level) => termSort(field, level, TEXT_TERMS),
  unmappedSort: level => unmappedTermSort(level, TEXT_TERMS),
}

function fuzzy({ name }: JoinField, asked: FuzzyTerm, context: QueryContext): Query {
  return fuzzyQuery(wholeTerms(name), asked.text, asked, context)
}

function named({ name }: JoinField, term: string): Query {
  return { kind: 'constantScore', query: { kind: 'term', field: name, term } }
}
