/** Matches on fields of whole values whose text stands for several of them. */
import { MATCH_ALL, type Query } from '../../../search/query/query.ts'
import { EngineError } from '../../../util/errors.ts'
import type { FieldMatch } from '../match-options.ts'
import { NO_TERMS } from '../match-text.ts'
import { withMinimum } from '../minimum-should-match.ts'
import type { QueryContext } from '../query-context.ts'

/** Puts the queries of words together as the match asks. @param make called for each, in order */
export function valueWords<W>(
  words: readonly W[],
  match: FieldMatch,
  context: QueryContext,
  make: (word: W, isLast: boolean) => Query,
): Query {
  if (words.length === 0) return match.zeroTermsQuery === 'all' ? MATCH_ALL : NO_TERMS
  if (words.length === 1) return make(words[0]!, true)
  if (words.length > context.maxClauseCount)
    throw new EngineError({
      type: 'too_many_clauses',
      reason: `maxClauseCount is set to ${context.maxClauseCount}`,
    })
  const occur = match.operator === 'and' ? 'must' : 'should'
  const clauses = words.map(
    (word, i) => ({ occur, query: make(word, i === words.length - 1) }) as const,
  )
  return withMinimum({ kind: 'boolean', clauses, minimumShouldMatch: 0 }, match.minimumShouldMatch)
}
