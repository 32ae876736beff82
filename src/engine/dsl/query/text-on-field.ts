/** Parameters common to the match queries: a text searched in one field. */
import type { Query } from '../../../search/query/query.ts'
import type { JsonEntry, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { searchedField } from '../field/field-searches.ts'
import { fieldMatch } from '../field-match.ts'
import { readText } from '../json-scalars.ts'
import {
  type FieldMatch,
  type OpenMatch,
  PLAIN_MATCH,
  readQueryText,
  readSlop,
  zeroTerms,
} from '../match-options.ts'
import type { MatchKind } from '../match-text.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { readFieldClause, unknownKey, unmapped } from './field-clause.ts'
import type { QueryReader, ReadQuery } from './query-parser.ts'

/**
 * Reads `{⟨field⟩: text or {query: text, …}}`.
 * @param query      its name, for messages
 * @param readOption reads an option that not all of them take; false for a key that it has not
 */
export function readTextOnField(
  query: string,
  kind: MatchKind,
  node: JsonObjectNode,
  read: QueryReader,
  readOption: (match: OpenMatch, entry: JsonEntry) => boolean,
): ReadQuery {
  const { field, value } = readFieldClause(query, node, read)
  const match: OpenMatch = { ...PLAIN_MATCH, query, kind }
  if (value.kind !== 'object') match.text = readQueryText(query, field, value)
  else {
    let hasText = false
    for (const entry of value.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'query') {
        match.text = readQueryText(query, field, entry.value)
        hasText = true
      } else if (entry.key === 'analyzer') match.analyzer = readText(entry.value)
      else if (!readOption(match, entry)) throw unknownKey(query, entry)
    }
    if (!hasText) throw parsingError(value, 'No text specified for text query')
  }
  return { field, build: context => build(field, match, context) }
}

/** Reads an option of phrases; false for another key. */
export function readPhraseOption(match: OpenMatch, entry: JsonEntry): boolean {
  if (entry.key === 'slop') match.slop = readSlop(entry.value)
  else if (entry.key === 'zero_terms_query') match.zeroTermsQuery = zeroTerms(entry)
  else return false
  return true
}

function build(name: string, match: FieldMatch, context: QueryContext): Query {
  const field = searchedField(name, context)
  if (field === null) return unmapped(name)
  return fieldMatch(field, match, context)
}
