import { boosted, matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { searchedField } from '../field/field-searches.ts'
import { isSearchable } from '../field/searchable.ts'
import { fieldMatch } from '../field-match.ts'
import { readBoolean, readNumber, readText, readTexts } from '../json-scalars.ts'
import {
  type FieldMatch,
  type MultiMatchType,
  multiMatchType,
  type OpenMatch,
  PLAIN_MATCH,
  readLooseOption,
  readQueryText,
  readSlop,
  readWordsOption,
} from '../match-options.ts'
import type { MatchKind } from '../match-text.ts'
import { notSupportedYet, parsingError } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser, QueryReader, ReadQuery } from './query-parser.ts'

const KINDS: Readonly<Record<Exclude<MultiMatchType, 'cross_fields'>, MatchKind>> = {
  best_fields: 'words',
  most_fields: 'words',
  phrase: 'phrase',
  phrase_prefix: 'phrasePrefix',
  bool_prefix: 'wordsPrefix',
}

/** Field names or patterns and their boosts. */
type Weights = ReadonlyMap<string, number>

/** A request's query as read. */
interface MultiMatch {
  readonly match: FieldMatch
  /** Null: where it is not said, a pattern for all fields makes it lenient. */
  readonly lenient: boolean | null
  readonly fields: Weights
  readonly tieBreaker: number
}

/** `multi_match`: one text asked of several fields. */
export const multiMatchParser: QueryParser = { mustBecomesFilter: 'never', parse }

function parse(node: JsonObjectNode, read: QueryReader): ReadQuery {
  const match: OpenMatch = { ...PLAIN_MATCH, query: 'multi_match', text: '' }
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
  if (type === 'cross_fields') throw notSupportedYet('cross_fields')
  match.kind = KINDS[type]
  // The sum of most fields is the best plus all of the others.
  const ownTie = type === 'most_fields' || type === 'bool_prefix' ? 1 : 0
  const asked = { match, lenient, fields, tieBreaker: tieBreaker ?? ownTie }
  return { field: null, build: context => build(asked, context) }
}

function build(read: MultiMatch, context: QueryContext): Query {
  const given = read.fields.size > 0 ? read.fields : weightsOf(context.defaultFields)
  const fields = resolve(given, context)
  if (![...fields.keys()].some(name => searchedField(name, context) !== null)) {
    const names = [...fields.keys()]
    return matchNone(
      names.length === 1 ? `unmapped field [${names[0]}]` : `unmapped fields [${names.join(', ')}]`,
    )
  }
  const match = { ...read.match, lenient: read.lenient ?? given.has('*') }
  const queries: Query[] = []
  for (const [name, boost] of fields) {
    const field = searchedField(name, context)
    if (field !== null) queries.push(boosted(fieldMatch(field, match, context), boost))
  }
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  return { kind: 'disMax', queries, tieBreaker: read.tieBreaker }
}

/** `title^2` is the field `title`, its score doubled; of repeats the boosts multiply. */
function weightsOf(texts: readonly string[]): Weights {
  const weights = new Map<string, number>()
  for (const text of texts) {
    const at = text.indexOf('^')
    const name = at < 0 ? text : text.slice(0, at)
    const boost = at < 0 ? 1 : Number(text.slice(at + 1))
    if (name === '' || (at >= 0 && (text.slice(at + 1).trim() === '' || !Number.isFinite(boost))))
      throw new IllegalArgumentError(`[${text}] is no field with a boost`)
    if (boost < 0)
      throw new IllegalArgumentError(
        `negative [boost] are not allowed in [${text}], use a value between 0 and 1 to deboost`,
      )
    weights.set(name, Math.fround((weights.get(name) ?? 1) * Math.fround(boost)))
  }
  return weights
}

/** Patterns as the fields of the mapping that can be searched by text, in the order of names. */
function resolve(weights: Weights, context: QueryContext): Weights {
  const resolved = new Map<string, number>()
  for (const [name, boost] of weights) {
    const names = name.includes('*') ? fieldsLike(name, context) : [name]
    for (const each of names) resolved.set(each, Math.fround((resolved.get(each) ?? 1) * boost))
    if (resolved.size > context.maxClauseCount)
      throw new IllegalArgumentError(
        `field expansion for [${name}] matches too many fields, limit: ` +
          `${context.maxClauseCount}, got: ${resolved.size}`,
      )
  }
  return new Map([...resolved].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

function fieldsLike(pattern: string, context: QueryContext): string[] {
  const names: string[] = []
  for (const field of context.mapping.fieldsLike(pattern))
    if (!field.name.startsWith('_') && isSearchable(field)) names.push(field.name)
  return names
}
