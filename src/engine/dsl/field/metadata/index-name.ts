import { MATCH_ALL, matchNone, type Query } from '../../../../search/query/query.ts'
import type { FieldSearch } from '../field-search.ts'
import { unmappedNumberSort } from '../number-sort.ts'
import { constantSort } from '../term-sort.ts'
import { refuseFuzzy, refusePattern, refusePhrasePrefix, refuseRange } from '../whole-value.ts'
import type { IndexNameField } from './metadata-field.ts'

/** Searches in `_index`: all documents match, or none. Values are names and patterns. */
export const indexName: FieldSearch<IndexNameField> = {
  isNumber: false,
  term: (field, text) => allIf(field.matches(text, false), field),
  terms: (field, texts) =>
    allIf(
      texts.some(text => field.matches(text, false)),
      field,
    ),
  range: refuseRange,
  exists: () => MATCH_ALL,
  prefix: (field, text, { ignoresCase }) => allIf(field.matches(`${text}*`, ignoresCase), field),
  pattern(field, pattern, { ignoresCase }) {
    if (pattern.kind === 'regexp') return refusePattern(field, pattern)
    return allIf(field.matches(pattern.text, ignoresCase), field)
  },
  fuzzy: refuseFuzzy,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return allIf(field.matches(match.text, false), field)
  },
  sort: constantSort,
  unmappedSort: unmappedNumberSort,
}

function allIf(isFound: boolean, { value }: IndexNameField): Query {
  return isFound ? MATCH_ALL : matchNone(`The index [${value}] doesn't match the expression`)
}
