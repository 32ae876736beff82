import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readText } from '../json-scalars.ts'
import { operatorOf, readExpansions } from '../match-options.ts'
import { parsingError } from '../parse-error.ts'
import { SIMPLE_FLAGS } from '../simple-query-string/syntax.ts'
import { weightsOf } from './many-fields.ts'
import type { QueryParser } from './query-parser.ts'
import { buildSimpleQueryString, type SimpleQueryString } from './simple-query-string-builder.ts'

type OpenSimpleQueryString = { -readonly [Key in keyof SimpleQueryString]: SimpleQueryString[Key] }

const ALL_FLAGS = -1

const DEFAULTS: Omit<SimpleQueryString, 'text'> = {
  fields: new Map(),
  flags: ALL_FLAGS,
  operator: 'or',
  analyzer: null,
  analyzesWildcards: false,
  lenient: null,
  minimumShouldMatch: null,
  quoteFieldSuffix: null,
  fuzzyPrefixLength: 0,
  fuzzyMaxExpansions: 50,
  fuzzyTranspositions: true,
  synonymPhrases: true,
}

/** `simple_query_string`: a text in a language without errors of syntax. */
export const simpleQueryStringParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const asked: OpenSimpleQueryString = { ...DEFAULTS, text: '' }
    let hasText = false
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'fields' && value.kind === 'array')
        asked.fields = weightsOf(value.items.map(readText))
      else if (value.kind === 'array' || value.kind === 'object')
        throw parsingError(entry, `[simple_query_string] query does not support [${key}]`)
      else if (key === 'query') {
        asked.text = readText(value)
        hasText = true
      } else if (!readOption(asked, entry))
        throw parsingError(entry, `[simple_query_string] unsupported field [${key}]`)
    }
    if (!hasText) throw parsingError(node, '[simple_query_string] query text missing')
    return { field: null, build: context => buildSimpleQueryString(asked, context) }
  },
}

function readOption(asked: OpenSimpleQueryString, { key, value }: JsonEntry): boolean {
  switch (key) {
    case 'flags':
      asked.flags = readFlags(value)
      return true
    case 'default_operator':
      asked.operator = operatorOf(readText(value))
      return true
    case 'analyzer':
      asked.analyzer = value.kind === 'null' ? null : readText(value)
      return true
    case 'analyze_wildcard':
      asked.analyzesWildcards = readBoolean(value)
      return true
    case 'lenient':
      asked.lenient = value.kind === 'null' ? null : readBoolean(value)
      return true
    case 'minimum_should_match':
      asked.minimumShouldMatch = value.kind === 'null' ? null : readText(value)
      return true
    case 'quote_field_suffix':
      asked.quoteFieldSuffix = value.kind === 'null' ? null : readText(value)
      return true
    case 'fuzzy_prefix_length':
      asked.fuzzyPrefixLength = readInteger(value)
      return true
    case 'fuzzy_max_expansions':
      asked.fuzzyMaxExpansions = readExpansions(value)
      return true
    case 'fuzzy_transpositions':
      asked.fuzzyTranspositions = readBoolean(value)
      return true
    case 'auto_generate_synonyms_phrase_query':
      asked.synonymPhrases = readBoolean(value)
      return true
    default:
      return false
  }
}

/** Names joined by `|`, or their bits as a number. */
function readFlags(value: JsonNode): number {
  if (value.kind === 'null') return ALL_FLAGS
  if (value.kind === 'number') {
    const flags = readInteger(value)
    return flags < 0 ? ALL_FLAGS : flags
  }
  const text = readText(value)
  let flags = 0
  for (const name of text.split('|')) {
    const upper = name.toUpperCase()
    if (upper === 'NONE') return 0
    if (upper === 'ALL' || upper === '') return ALL_FLAGS
    const known = upper === 'SLOP' ? 'NEAR' : upper
    if (!Object.hasOwn(SIMPLE_FLAGS, known))
      throw new IllegalArgumentError(`Unknown simple_query_string flag [${name}]`)
    flags |= SIMPLE_FLAGS[known as keyof typeof SIMPLE_FLAGS]
  }
  return flags
}
