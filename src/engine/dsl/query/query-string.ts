import { timeZone } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { AUTO_FUZZINESS, readFuzziness } from '../fuzziness.ts'
import { readBoolean, readInteger, readNumber, readText } from '../json-scalars.ts'
import { multiMatchType, readSlop } from '../match-options.ts'
import { parsingError } from '../parse-error.ts'
import { nullOr, readTextOption } from '../query-string/text-options.ts'
import { unknownKey } from './field-clause.ts'
import { weightsOf } from './many-fields.ts'
import type { QueryParser } from './query-parser.ts'
import { buildQueryString, type QueryString } from './query-string-builder.ts'
import { DEFAULT_MAX_STATES } from './regexp-limits.ts'

type OpenQueryString = { -readonly [Key in keyof QueryString]: QueryString[Key] }

const DEFAULTS: QueryString = {
  defaultField: null,
  fields: new Map(),
  operator: 'or',
  type: 'best_fields',
  tieBreaker: null,
  analyzer: null,
  quoteAnalyzer: null,
  quoteFieldSuffix: null,
  leadingWildcard: true,
  analyzesWildcards: false,
  keepsGaps: true,
  escapes: false,
  fuzziness: AUTO_FUZZINESS,
  fuzzyPrefixLength: 0,
  fuzzyMaxExpansions: 50,
  fuzzyTranspositions: true,
  fuzzyRewrite: null,
  rewrite: null,
  phraseSlop: 0,
  text: '',
  maxStates: DEFAULT_MAX_STATES,
  minimumShouldMatch: null,
  lenient: null,
  timeZone: null,
  synonymPhrases: true,
}

/** `query_string`: a text in the query-string language. */
export const queryStringParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const asked: OpenQueryString = { ...DEFAULTS }
    let hasText = false
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'query') {
        asked.text = readText(entry.value)
        hasText = true
      } else if (entry.key === 'fields') asked.fields = readFields(entry)
      else if (
        !readTextOption(asked, entry) &&
        !readOption(asked, entry) &&
        !readFuzzyOption(asked, entry)
      )
        throw unknownKey('query_string', entry)
    }
    if (!hasText) throw parsingError(node, '[query_string] must be provided with a [query]')
    return { field: null, build: context => buildQueryString(asked, context) }
  },
}

function readFields(entry: JsonEntry): QueryString['fields'] {
  const { value } = entry
  if (value.kind !== 'array') throw unknownKey('query_string', entry)
  for (const item of value.items)
    if (item.kind === 'null')
      throw parsingError(item, '[query_string] field name in [fields] cannot be null')
  return weightsOf(value.items.map(readText))
}

function readOption(asked: OpenQueryString, { key, value, line, col }: JsonEntry): boolean {
  switch (key) {
    case 'default_field':
      asked.defaultField = nullOr(readText, value)
      return true
    case 'type':
      asked.type = multiMatchType(readText(value))
      return true
    case 'tie_breaker':
      asked.tieBreaker = Math.fround(readNumber(value))
      return true
    case 'quote_analyzer':
      asked.quoteAnalyzer = nullOr(readText, value)
      return true
    case 'allow_leading_wildcard':
      asked.leadingWildcard = readBoolean(value)
      return true
    case 'enable_position_increments':
      asked.keepsGaps = readBoolean(value)
      return true
    case 'escape':
      asked.escapes = readBoolean(value)
      return true
    case 'rewrite':
      asked.rewrite = nullOr(readText, value)
      return true
    case 'phrase_slop':
      asked.phraseSlop = readSlop(value)
      return true
    case 'max_determinized_states':
      asked.maxStates = readInteger(value)
      return true
    case 'time_zone':
      asked.timeZone = readZone(readText(value), { line, col })
      return true
    default:
      return false
  }
}

function readZone(text: string, at: { line: number; col: number }): string {
  try {
    timeZone(text)
    return text
  } catch (error) {
    if (!(error instanceof IllegalArgumentError)) throw error
    throw parsingError(at, `[query_string] time_zone [${text}] is unknown`)
  }
}

function readFuzzyOption(asked: OpenQueryString, { key, value }: JsonEntry): boolean {
  if (key === 'fuzziness') asked.fuzziness = readFuzziness(value)
  else if (key === 'fuzzy_rewrite') asked.fuzzyRewrite = nullOr(readText, value)
  else return false
  return true
}
