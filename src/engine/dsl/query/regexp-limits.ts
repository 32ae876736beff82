/** Flags and limits of regular expressions in queries. */
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

const NO_FLAGS: LuceneOperators = {
  intersection: false,
  complement: false,
  empty: false,
  anyString: false,
  interval: false,
}

/** Flags by name; complement is accepted and has no effect. */
const FLAGS: ReadonlyMap<string, Partial<LuceneOperators>> = new Map([
  ['INTERSECTION', { intersection: true }],
  ['COMPLEMENT', {}],
  ['EMPTY', { empty: true }],
  ['ANYSTRING', { anyString: true }],
  ['INTERVAL', { interval: true }],
  ['NONE', {}],
])

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

/**
 * The operators of flags joined by `|`.
 * @throws {IllegalArgumentError} an unknown one
 */
export function flagsOf(text: string): LuceneOperators {
  if (text === '') return ALL_FLAGS
  let operators = NO_FLAGS
  for (const name of text.split('|')) {
    if (name === '') continue
    if (name.toUpperCase() === 'ALL') return ALL_FLAGS
    const flag = FLAGS.get(name.toUpperCase())
    if (flag === undefined) throw new IllegalArgumentError(`Unknown regexp flag [${name}]`)
    operators = { ...operators, ...flag }
  }
  return operators
}

/** Flags as the bits of a number. */
export function flagBits(bits: number): LuceneOperators {
  return {
    intersection: (bits & 1) !== 0,
    complement: false,
    empty: (bits & 4) !== 0,
    anyString: (bits & 8) !== 0,
    interval: (bits & 32) !== 0,
  }
}
