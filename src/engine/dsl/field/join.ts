import type { JoinField } from '../../../schema/field-type/join.ts'
import type { Query } from '../../../search/query/query.ts'
import type { FieldSearch } from './field-search.ts'
import { checkTermRanges, prefixQuery, termBetween, termsInSet } from './term-queries.ts'
import { TEXT_TERMS, termSort, unmappedTermSort } from './term-sort.ts'
import { existsByDocValues, refusePhrasePrefix } from './whole-value.ts'

/** Searches in `join`: its values are the names of relations. */
export const join: FieldSearch<JoinField> = {
  isNumber: false,
  takesPhrases: true,
  term: named,
  terms: (field, texts) => termsInSet(field.name, texts),
  range(field, lower, upper, _options, context) {
    checkTermRanges(context)
    return termBetween(field.name, lower, upper)
  },
  exists: existsByDocValues,
  prefix: (field, prefix, context) => prefixQuery(field.name, prefix, context),
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return match.kind === 'wordsPrefix'
      ? prefixQuery(field.name, match.text, context)
      : named(field, match.text)
  },
  sort: (field, level) => termSort(field, level, TEXT_TERMS),
  unmappedSort: level => unmappedTermSort(level, TEXT_TERMS),
}

function named({ name }: JoinField, term: string): Query {
  return { kind: 'constantScore', query: { kind: 'term', field: name, term } }
}
