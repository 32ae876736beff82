/** Options that `match` and its kin share, read one by one. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { readFuzziness } from './fuzziness.ts'
import { readBoolean, readInteger, readText, scalarText } from './json-scalars.ts'
import type { MatchKind, TextOptions } from './match-text.ts'
import { parsingError, tokenName } from './parse-error.ts'

/** A query and its parameters. */
export interface FieldMatch extends TextOptions {
  /** The query's name, for messages. */
  readonly query: string
  readonly text: string
  /** Null for the field's own. */
  readonly analyzer: string | null
  readonly minimumShouldMatch: string | null
  readonly lenient: boolean
  readonly zeroTermsQuery: 'none' | 'all'
}

/** Defaults of a match; it has all keys, so that V8 copies it at once where some are overwritten. */
export const PLAIN_MATCH: FieldMatch = {
  query: '',
  text: '',
  kind: 'words',
  operator: 'or',
  slop: 0,
  keepsGaps: true,
  maxExpansions: 50,
  synonymPhrases: true,
  fuzziness: null,
  prefixLength: 0,
  transpositions: true,
  fuzzyRewrite: null,
  analyzer: null,
  minimumShouldMatch: null,
  lenient: false,
  zeroTermsQuery: 'none',
}

/** A match while its options are read. */
export type OpenMatch = { -readonly [Key in keyof FieldMatch]: FieldMatch[Key] }

/** The text that is asked for; `place` is the key or field that it stands behind. */
export function readQueryText(query: string, place: string, value: JsonNode): string {
  if (value.kind === 'array' || value.kind === 'object')
    throw parsingError(
      value,
      `[${query}] unknown token [${tokenName(value.kind)}] after [${place}]`,
    )
  const text = scalarText(value)
  if (text === null) throw parsingError(value, 'No text specified for text query')
  return text
}

/** Reads what words take: operator, minimum and fuzziness; false for another key. */
export function readWordsOption(match: OpenMatch, { key, value }: JsonEntry): boolean {
  switch (key) {
    case 'operator':
      match.operator = operatorOf(readText(value))
      return true
    case 'minimum_should_match':
      match.minimumShouldMatch = readText(value)
      return true
    case 'fuzziness':
      match.fuzziness = readFuzziness(value)
      return true
    case 'fuzzy_rewrite':
      match.fuzzyRewrite = value.kind === 'null' ? null : readText(value)
      return true
    case 'prefix_length':
      match.prefixLength = readInteger(value)
      if (match.prefixLength < 0)
        throw new IllegalArgumentError(
          `[${match.query}] requires prefix length to be non-negative.`,
        )
      return true
    case 'max_expansions':
      match.maxExpansions = readInteger(value)
      if (match.maxExpansions <= 0)
        throw new IllegalArgumentError(`[${match.query}] requires maxExpansions to be positive.`)
      return true
    case 'fuzzy_transpositions':
      match.transpositions = readBoolean(value)
      return true
    default:
      return false
  }
}

/** Reads what a match of words alone takes; false for another key. */
export function readLooseOption(match: OpenMatch, entry: JsonEntry): boolean {
  const { key, value } = entry
  switch (key) {
    case 'lenient':
      match.lenient = readBoolean(value)
      return true
    case 'zero_terms_query':
      match.zeroTermsQuery = zeroTerms(entry)
      return true
    case 'auto_generate_synonyms_phrase_query':
      match.synonymPhrases = readBoolean(value)
      return true
    // Deprecated there and passed over here.
    case 'cutoff_frequency':
      return true
    default:
      return false
  }
}

/** A slop of 0 or more. */
export function readSlop(value: JsonNode): number {
  const slop = readInteger(value)
  if (slop < 0) throw new IllegalArgumentError('No negative slop allowed.')
  return slop
}

/** How many terms a prefix may become, 0 or more. */
export function readExpansions(value: JsonNode): number {
  const most = readInteger(value)
  if (most < 0) throw new IllegalArgumentError('No negative maxExpansions allowed.')
  return most
}

/** @throws {IllegalArgumentError} neither `or` nor `and` */
export function operatorOf(text: string): 'or' | 'and' {
  const lower = text.toLowerCase()
  if (lower === 'or' || lower === 'and') return lower
  throw new IllegalArgumentError(`Failed to parse operator [${text}], expected [or] or [and]`)
}

export function zeroTerms(entry: JsonEntry): 'none' | 'all' {
  const text = readText(entry.value).toLowerCase()
  if (text === 'none' || text === 'all') return text
  throw parsingError(entry, `Unsupported zero_terms_query value [${readText(entry.value)}]`)
}

/** The kinds of `multi_match`. */
export type MultiMatchType =
  | 'best_fields'
  | 'most_fields'
  | 'phrase'
  | 'phrase_prefix'
  | 'bool_prefix'
  | 'cross_fields'

/** How each kind asks a field. */
export const MATCH_KINDS: Readonly<Record<MultiMatchType, MatchKind>> = {
  best_fields: 'words',
  cross_fields: 'words',
  most_fields: 'words',
  phrase: 'phrase',
  phrase_prefix: 'phrasePrefix',
  bool_prefix: 'wordsPrefix',
}

/** The share of fields beside the best one; the sum of most fields has all of them. */
export function tieBreakerOf(type: MultiMatchType): number {
  return type === 'most_fields' || type === 'bool_prefix' ? 1 : 0
}

const TYPES: readonly MultiMatchType[] = [
  'best_fields',
  'most_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
  'cross_fields',
]

/** @throws {EngineError} `parse_exception`: no such type */
export function multiMatchType(text: string): MultiMatchType {
  const type = TYPES.find(each => each === text.toLowerCase())
  if (type !== undefined) return type
  throw new EngineError({
    type: 'parse_exception',
    reason: `failed to parse [multi_match] query type [${text}]. unknown type.`,
  })
}
