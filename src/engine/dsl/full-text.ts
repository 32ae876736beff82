/** match, match_phrase, match_phrase_prefix and match_bool_prefix. */
import { boosted } from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../util/json/json-tree.ts'
import { fieldSearch } from './field/field-searches.ts'
import { fieldMatch } from './field-match.ts'
import { readBoost, readText } from './json-scalars.ts'
import {
  type FieldMatch,
  type OpenMatch,
  PLAIN_MATCH,
  readExpansions,
  readLooseOption,
  readQueryText,
  readSlop,
  readWordsOption,
  zeroTerms,
} from './match-options.ts'
import type { MatchKind } from './match-text.ts'
import { parsingError } from './parse-error.ts'
import type { ParsedQuery, QueryContext } from './query-context.ts'
import { buildTerm, readFieldClause, refuseName, unknownKey, unmapped } from './term-level.ts'

export function parseMatch(node: JsonObjectNode): ParsedQuery {
  return parseOnField('match', 'words', node, (match, entry) =>
    readWordsOption(match, entry) ? true : readLooseOption(match, entry),
  )
}

export function parseMatchPhrase(node: JsonObjectNode): ParsedQuery {
  return parseOnField('match_phrase', 'phrase', node, readPhraseOption)
}

export function parseMatchPhrasePrefix(node: JsonObjectNode): ParsedQuery {
  return parseOnField('match_phrase_prefix', 'phrasePrefix', node, (match, entry) => {
    if (entry.key !== 'max_expansions') return readPhraseOption(match, entry)
    match.maxExpansions = readExpansions(entry.value)
    return true
  })
}

export function parseMatchBoolPrefix(node: JsonObjectNode): ParsedQuery {
  return parseOnField('match_bool_prefix', 'wordsPrefix', node, readWordsOption)
}

function readPhraseOption(match: OpenMatch, entry: JsonEntry): boolean {
  if (entry.key === 'slop') match.slop = readSlop(entry.value)
  else if (entry.key === 'zero_terms_query') match.zeroTermsQuery = zeroTerms(entry)
  else return false
  return true
}

/** @param readOption reads what not all of them take; false for a key that is none of its own */
function parseOnField(
  query: string,
  kind: MatchKind,
  node: JsonObjectNode,
  readOption: (match: OpenMatch, entry: JsonEntry) => boolean,
): ParsedQuery {
  const clause = readFieldClause(query, node)
  const { field, value } = clause
  let { boost } = clause
  const match: OpenMatch = { ...PLAIN_MATCH, query, kind, text: '' }
  if (value.kind !== 'object') match.text = readQueryText(query, field, value)
  else {
    let hasText = false
    for (const entry of value.entries) {
      refuseName(entry)
      if (entry.key === 'query') {
        match.text = readQueryText(query, field, entry.value)
        hasText = true
      } else if (entry.key === 'boost') boost = readBoost(entry.value, query)
      else if (entry.key === 'analyzer') match.analyzer = readText(entry.value)
      else if (!readOption(match, entry)) throw unknownKey(query, entry)
    }
    if (!hasText) throw parsingError(value, 'No text specified for text query')
  }
  return { name: query, field, build: context => boosted(build(field, match, context), boost) }
}

function build(name: string, match: FieldMatch, context: QueryContext) {
  const field = context.mapping.field(name)
  if (field === null)
    return name.startsWith('_') ? buildTerm(name, match.text, context) : unmapped(name)
  if (match.kind === 'phrase' && !fieldSearch(field.type).takesPhrases)
    throw new IllegalArgumentError(
      `Can only use phrase queries on text fields - not on [${name}] which is of type ` +
        `[${field.type}]`,
    )
  return fieldMatch(field, match, context)
}
