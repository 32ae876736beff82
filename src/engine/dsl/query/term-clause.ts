/** Queries of the form `{⟨field⟩: text}` or `{⟨field⟩: {value: text, …}}`. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText, scalarText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { readFieldClause, unknownKey } from './field-clause.ts'
import type { QueryReader } from './query-parser.ts'

/** The field and the text that is asked of it. */
interface TermClause {
  readonly field: string
  readonly text: string
}

/**
 * Reads such a query.
 * @param alias      another key for the text; null: there is none
 * @param readOption reads an option of the query; false for a key that it has not
 */
export function readTermClause(
  query: string,
  alias: string | null,
  node: JsonObjectNode,
  read: QueryReader,
  readOption: (entry: JsonEntry) => boolean,
): TermClause {
  const clause = readFieldClause(query, node, read)
  const { field } = clause
  let { value } = clause
  if (value.kind === 'object') {
    const { entries } = value
    const given = entries.findLast(({ key }) => key === 'value' || key === alias)?.value ?? null
    for (const entry of entries) {
      if (entry.key === 'value' || entry.key === alias || read.option(entry)) continue
      if (!readOption(entry)) throw unknownKey(query, entry)
    }
    if (given === null) throw new IllegalArgumentError('value cannot be null')
    value = given
  }
  if (value.kind === 'null') throw new IllegalArgumentError('value cannot be null')
  const text = scalarText(value)
  if (text === null)
    throw parsingError(
      value,
      `[${query}] unknown token [${tokenName(value.kind)}] after [${field}]`,
    )
  return { field, text }
}

/** Options of prefixes and patterns while they are read. */
export interface OpenTermOptions {
  rewrite: string | null
  ignoresCase: boolean
}

/** Reads `rewrite` and `case_insensitive`; false for another key. */
export function readTermOption(options: OpenTermOptions, { key, value }: JsonEntry): boolean {
  if (key === 'rewrite') options.rewrite = value.kind === 'null' ? null : readText(value)
  else if (key === 'case_insensitive') options.ignoresCase = readBoolean(value)
  else return false
  return true
}
