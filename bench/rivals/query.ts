/**
 * Queries as every engine of the bench understands them: clauses, and a text form that even a child
 * without a JSON parser reads.
 *
 *   query  := clause, or several with a space between
 *   clause := occur|kind|field|value…       a lone clause is the whole query, its occur is ignored
 *   occur  := must | should | filter | must_not
 *   kind   := term (one word) | phrase (its words) | prefix (one) | range (least, most; both count)
 *
 * Example: `should|term|body|file should|term|body|source filter|range|words|10|20`. Words are
 * tokens of the standard analyzer, which have neither spaces nor bars.
 */

/** How a clause takes part. */
export type ClauseOccur = 'must' | 'should' | 'filter' | 'must_not'

/** One clause. */
export interface Clause {
  readonly occur: ClauseOccur
  readonly kind: 'term' | 'phrase' | 'prefix' | 'range'
  readonly field: 'body' | 'package' | 'words' | 'date'
  readonly values: readonly (string | number)[]
}

/** A query: clauses that are combined as a boolean query combines them. */
export type RivalQuery = readonly Clause[]

/** The text form. */
export function writeQuery(query: RivalQuery): string {
  return query
    .map(({ occur, kind, field, values }) => [occur, kind, field, ...values].join('|'))
    .join(' ')
}

/** A word of the text field. */
export function word(occur: ClauseOccur, text: string): Clause {
  return { occur, kind: 'term', field: 'body', values: [text] }
}
