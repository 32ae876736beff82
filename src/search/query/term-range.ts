import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import { multiTermWeight, termsOfRuns } from './multi-term-weight.ts'
import type { TermRangeQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { expanded } from './term-expansion.ts'
import { termRangeAutomaton } from './term-range-automaton.ts'
import { rangeRuns } from './term-runs.ts'

/** Documents with a term in an interval of byte order. */
export const termRangeQuery: QueryType<TermRangeQuery> = {
  className: () => 'MultiTermQueryConstantScoreBlendedWrapper',
  text(query) {
    const open = query.includeLower ? '[' : '{'
    const close = query.includeUpper ? ']' : '}'
    return `${query.field}:${open}${endText(query.lower)} TO ${endText(query.upper)}${close}`
  },
  clauseCount: () => 1,
  mapInner: null,
  visitTerms(query, visitor, of) {
    const runs = rangeRuns(query)
    visitor.termsLike(query.field, of.text(query), term => isWithin(encodeUtf8(term), runs))
  },
  onShard(query, leaves) {
    const { field, rewrite } = query
    if (rewrite === undefined) return query
    return expanded(field, rewrite, termRangeAutomaton(query), null, leaves)
  },
  createWeight: (query, builder, id, boost) =>
    multiTermWeight(builder, query.field, id, boost, termsOfRuns(rangeRuns(query))),
}

function isWithin(term: Uint8Array, runs: ReturnType<typeof rangeRuns>): boolean {
  return runs.some(
    ({ lower, upper }) =>
      compareBytes(term, lower) >= 0 && (upper === null || compareBytes(term, upper) < 0),
  )
}

function endText(end: string | null): string {
  if (end === null) return '*'
  return end === '*' ? '\\*' : end
}
