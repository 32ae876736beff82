import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { readTextOption } from '../query-string/text-options.ts'
import { SIMPLE_FLAGS } from '../simple-query-string/syntax.ts'
import { weightsOf } from './many-fields.ts'
import type { QueryParser } from './query-parser.ts'
import { buildSimpleQueryString, type SimpleQueryString } from './simple-query-string-builder.ts'

type OpenSimpleQueryString = { -readonly [Key in keyof SimpleQueryString]: SimpleQueryString[Key] }

const ALL_FLAGS = -1

const DEFAULTS: SimpleQueryString = {
  text: '',
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
    const asked: OpenSimpleQueryString = { ...DEFAULTS }
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
      } else if (key === 'flags') asked.flags = readFlags(value)
      else if (!readTextOption(asked, entry))
        throw parsingError(entry, `[simple_query_string] unsupported field [${key}]`)
    }
    if (!hasText) throw parsingError(node, '[simple_query_string] query text missing')
    return { field: null, build: context => buildSimpleQueryString(asked, context) }
  },
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
