/** What all regular expressions of queries share. */
import type { LuceneOperators } from '../../../util/automaton/lucene-pattern.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { QueryContext } from '../query-context.ts'

/** Max states of an automaton where a request does not say. */
export const DEFAULT_MAX_STATES = 10_000

/** `~` is no operator there any more: it stands for itself. */
export const ALL_FLAGS: LuceneOperators = {
  intersection: true,
  complement: false,
  empty: true,
  anyString: true,
  interval: true,
}

/**
 * Refuses long expressions.
 * @param query named by the message
 * @throws {IllegalArgumentError} it is longer than `index.max_regex_length`
 */
export function checkRegexLength(text: string, query: string, context: QueryContext): void {
  const { maxRegexLength } = context
  if (text.length > maxRegexLength)
    throw new IllegalArgumentError(
      `The length of regex [${text.length}] used in the ${query} has exceeded the ` +
        `allowed maximum of [${maxRegexLength}]. This maximum can be set by changing the ` +
        '[index.max_regex_length] index level setting.',
    )
}
