import type { ConstantKeywordField } from '../../../schema/field-type/constant-keyword.ts'
import { MATCH_ALL, matchNone, type Query } from '../../../search/query/query.ts'
import type { FieldSearch } from './field-search.ts'
import { matchesTerm } from './many-terms.ts'
import { unmappedNumberSort } from './number-sort.ts'
import type { RangeEnd } from './range-end.ts'
import { byCodePoints } from './term-queries.ts'
import { constantSort } from './term-sort.ts'
import { refuseFuzzy, refusePhrasePrefix } from './whole-value.ts'

/** Searches in `constant_keyword`: all documents match, or none. */
export const constantKeyword: FieldSearch<ConstantKeywordField> = {
  isNumber: false,
  term: (field, text) => allIf(text === field.value, field),
  terms: (field, texts) => allIf(texts.includes(field.value), field),
  range(field, lower, upper) {
    const isIn = (end: RangeEnd | null, sign: 1 | -1): boolean => {
      if (end === null) return true
      const order = sign * byCodePoints(field.value, end.text)
      return order > 0 || (order === 0 && end.isIncluded)
    }
    return allIf(isIn(lower, 1) && isIn(upper, -1), field)
  },
  exists: () => MATCH_ALL,
  prefix: (field, prefix, { ignoresCase }) =>
    allIf(matchesTerm({ kind: 'prefix', text: prefix }, ignoresCase, field.value), field),
  pattern: (field, pattern, { ignoresCase }) =>
    allIf(matchesTerm(pattern, ignoresCase, field.value), field),
  fuzzy: refuseFuzzy,
  match(field, match) {
    refusePhrasePrefix(field, match)
    if (match.kind === 'words' && match.fuzziness !== null) refuseFuzzy(field)
    const isFound =
      match.kind === 'wordsPrefix' ? field.value.startsWith(match.text) : field.value === match.text
    return allIf(isFound, field)
  },
  sort: constantSort,
  unmappedSort: unmappedNumberSort,
}

function allIf(isFound: boolean, { name }: ConstantKeywordField): Query {
  return isFound ? MATCH_ALL : matchNone(`The constant of field [${name}] does not match`)
}
