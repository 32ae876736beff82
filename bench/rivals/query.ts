/**
 * Queries as every engine of the bench understands them: clauses, and a text form that even a child
 * without a JSON parser reads.
 *
 *   query  := clause, or several with a space between
 *   clause := occur|kind|field|value…       a lone clause is the whole query, its occur is ignored
 *   occur  := must | should | filter | must_not | function
 *   kind   := term (one word) | phrase (its words) | prefix (one) | range (least, most; both count)
 *           | wildcard | regexp (its pattern) | fuzzy (a word, its edits)
 *           | best (words; the better one of the field `head` and this field)
 *           | log1p (no value) | gauss (origin, scale)
 *
 * A function multiplies the score of the query that the other clauses make by that of the field's
 * number: the decimal logarithm of one more, or a bell around the origin, one half at the scale.
 *
 * Example: `should|term|body|file should|term|body|source filter|range|words|10|20`. Words are
 * tokens of the standard analyzer, which have neither spaces nor bars.
 */

/** How a clause takes part. */
export type ClauseOccur = 'must' | 'should' | 'filter' | 'must_not' | 'function'

/** What a clause looks for. */
export type ClauseKind =
  | 'term'
  | 'phrase'
  | 'prefix'
  | 'range'
  | 'wildcard'
  | 'regexp'
  | 'fuzzy'
  | 'best'
  | 'log1p'
  | 'gauss'

/** One clause. */
export interface Clause {
  readonly occur: ClauseOccur
  readonly kind: ClauseKind
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
