import type { FlatObjectField } from '../../../schema/field-type/flat-object.ts'
import type { Query } from '../../../search/query/query.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import {
  type FuzzyTerm,
  fuzzyQuery,
  PLAIN_TERMS,
  patternQuery,
  prefixQuery,
  type TermField,
  type TermOptions,
} from './many-terms.ts'
import { unmappedNumberSort } from './number-sort.ts'
import type { RangeEnd } from './range-end.ts'
import { checkTermRanges, termBetween, termsInSet, wholeTerms } from './term-queries.ts'
import { prefixedSort, TEXT_TERMS, termSort } from './term-sort.ts'
import { fieldExists, refusePhrasePrefix, wholeMatch } from './whole-value.ts'

/** Searches in `flat_object`: in all values, or in those at a path, whose terms begin with it. */
export const flatObject: FieldSearch<FlatObjectField> = {
  isNumber: false,
  term,
  terms: (field, texts) => {
    const { name, start } = termsOf(field)
    return termsInSet(
      name,
      texts.map(text => start + text),
    )
  },
  range(field, lower, upper, _options, context) {
    checkTermRanges(context)
    const { name, start } = termsOf(field)
    if (start === '') return termBetween(name, lower, upper)
    const end = (given: RangeEnd | null): RangeEnd | null =>
      given === null ? null : { ...given, text: start + given.text }
    // `>` follows `=`: all values of the path lie between the two.
    const first = { text: start, isIncluded: true }
    const behind = { text: `${start.slice(0, -1)}>`, isIncluded: false }
    return termBetween(name, end(lower) ?? first, end(upper) ?? behind)
  },
  exists({ name, path, pathsField }) {
    if (path === null) return fieldExists(name, false)
    const query: Query = {
      kind: 'boolean',
      clauses: ['=', '.'].map(next => ({
        occur: 'should',
        query: { kind: 'prefix', field: pathsField, prefix: path + next },
      })),
      minimumShouldMatch: 0,
    }
    return { kind: 'constantScore', query }
  },
  prefix,
  pattern: (field, pattern, options, context) =>
    patternQuery(termsOf(field), pattern, options, context),
  fuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return match.kind === 'wordsPrefix'
      ? prefix(field, match.text, PLAIN_TERMS, context)
      : wholeMatch(field, match, context, { term, fuzzy })
  },
  sort(field, level) {
    const { name, start } = termsOf(field)
    if (start !== '') return prefixedSort({ ...field, name }, level, start)
    return termSort({ ...field, docValues: true }, level, TEXT_TERMS)
  },
  unmappedSort: unmappedNumberSort,
}

function term(field: FlatObjectField, text: string): Query {
  const { name, start } = termsOf(field)
  return { kind: 'term', field: name, term: start + text }
}

function prefix(
  field: FlatObjectField,
  text: string,
  options: TermOptions,
  context: QueryContext,
): Query {
  return prefixQuery(termsOf(field), text, options, context)
}

function fuzzy(field: FlatObjectField, asked: FuzzyTerm, context: QueryContext): Query {
  return fuzzyQuery(termsOf(field), asked.text, asked, context)
}

/** The field that is searched, and what its terms begin with. */
function termsOf({ name, path, pathsField }: FlatObjectField): TermField {
  return path === null ? wholeTerms(name) : { name: pathsField, indexed: true, start: `${path}=` }
}
