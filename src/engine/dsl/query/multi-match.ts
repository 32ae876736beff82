import type { Query } from '../../../search/query/query.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readNumber, readText, readTexts } from '../json-scalars.ts'
import {
  type FieldMatch,
  MATCH_KINDS,
  type MultiMatchType,
  multiMatchType,
  type OpenMatch,
  PLAIN_MATCH,
  readLooseOption,
  readQueryText,
  readSlop,
  readWordsOption,
  tieBreakerOf,
} from '../match-options.ts'
import { NO_TERMS } from '../match-text.ts'
import { parsingError } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { crossFields } from './cross-fields.ts'
import { unknownKey } from './field-clause.ts'
import { matchFields, resolvedFields, type Weights, weightsOf } from './many-fields.ts'
import type { QueryParser, QueryReader, ReadQuery } from './query-parser.ts'

/** A request's query as read. */
interface MultiMatch {
  readonly type: MultiMatchType
  readonly match: FieldMatch
  /** Null: where it is not said, a pattern for all fields makes it lenient. */
  readonly lenient: boolean | null
  readonly fields: Weights
  readonly tieBreaker: number
}

/** `multi_match`: one text asked of several fields. */
export const multiMatchParser: QueryParser = { mustBecomesFilter: 'never', parse }

function parse(node: JsonObjectNode, read: QueryReader): ReadQuery {
  const match: OpenMatch = { ...PLAIN_MATCH, query: 'multi_match' }
  let type: MultiMatchType = 'best_fields'
  let fields: Weights = new Map()
  let tieBreaker: number | null = null
  let lenient: boolean | null = null
  let hasText = false
  for (const entry of node.entries) {
    const { key, value } = entry
    if (read.option(entry)) continue
    if (key === 'query') {
      match.text = readQueryText('multi_match', 'query', value)
      hasText = true
    } else if (key === 'fields') {
      if (value.kind !== 'array' && value.kind !== 'string') throw unknownKey('multi_match', entry)
      fields = weightsOf(readTexts(value))
    } else if (key === 'type') type = multiMatchType(readText(value))
    else if (key === 'analyzer') match.analyzer = readText(value)
    else if (key === 'slop') match.slop = readSlop(value)
    else if (key === 'tie_breaker') tieBreaker = Math.fround(readNumber(value))
    else if (key === 'lenient') lenient = readBoolean(value)
    else if (!readWordsOption(match, entry) && !readLooseOption(match, entry))
      throw unknownKey('multi_match', entry)
  }
  if (!hasText) throw parsingError(node, 'No text specified for multi_match query')
  const hasKey = (key: string): boolean => node.entries.some(entry => entry.key === key)
  const isPhrase = type === 'phrase' || type === 'phrase_prefix'
  if (match.fuzziness !== null && (isPhrase || type === 'cross_fields'))
    throw parsingError(node, `Fuzziness not allowed for type [${type}]`)
  if (type === 'bool_prefix') {
    if (match.slop !== 0) throw parsingError(node, '[slop] not allowed for type [bool_prefix]')
    if (hasKey('cutoff_frequency'))
      throw parsingError(node, '[cutoff_frequency] not allowed for type [bool_prefix]')
  }
  match.kind = MATCH_KINDS[type]
  const asked = { type, match, lenient, fields, tieBreaker: tieBreaker ?? tieBreakerOf(type) }
  return { field: null, build: context => build(asked, context) }
}

function build(read: MultiMatch, context: QueryContext): Query {
  const given = read.fields.size > 0 ? read.fields : weightsOf(context.defaultFields)
  const match = { ...read.match, lenient: read.lenient ?? given.has('*') }
  const fields = resolvedFields(given, context)
  const query =
    read.type === 'cross_fields'
      ? crossFields(fields, match, read.tieBreaker, context)
      : matchFields(fields, match, read.tieBreaker, context)
  return query ?? NO_TERMS
}
