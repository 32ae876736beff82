/** Options that the languages of query strings share. */
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readInteger, readText } from '../json-scalars.ts'
import { operatorOf, readExpansions } from '../match-options.ts'

/** The options while a query is read; null: not given. */
export interface TextOptions {
  operator: 'and' | 'or'
  analyzer: string | null
  quoteFieldSuffix: string | null
  analyzesWildcards: boolean
  minimumShouldMatch: string | null
  lenient: boolean | null
  fuzzyPrefixLength: number
  fuzzyMaxExpansions: number
  fuzzyTranspositions: boolean
  synonymPhrases: boolean
}

const READERS = new Map<string, (asked: TextOptions, value: JsonNode) => void>([
  [
    'default_operator',
    (asked, value) => {
      asked.operator = operatorOf(readText(value))
    },
  ],
  [
    'analyzer',
    (asked, value) => {
      asked.analyzer = nullOr(readText, value)
    },
  ],
  [
    'quote_field_suffix',
    (asked, value) => {
      asked.quoteFieldSuffix = nullOr(readText, value)
    },
  ],
  [
    'analyze_wildcard',
    (asked, value) => {
      asked.analyzesWildcards = readBoolean(value)
    },
  ],
  [
    'minimum_should_match',
    (asked, value) => {
      asked.minimumShouldMatch = nullOr(readText, value)
    },
  ],
  [
    'lenient',
    (asked, value) => {
      asked.lenient = nullOr(readBoolean, value)
    },
  ],
  [
    'fuzzy_prefix_length',
    (asked, value) => {
      asked.fuzzyPrefixLength = readInteger(value)
    },
  ],
  [
    'fuzzy_max_expansions',
    (asked, value) => {
      asked.fuzzyMaxExpansions = readExpansions(value)
    },
  ],
  [
    'fuzzy_transpositions',
    (asked, value) => {
      asked.fuzzyTranspositions = readBoolean(value)
    },
  ],
  [
    'auto_generate_synonyms_phrase_query',
    (asked, value) => {
      asked.synonymPhrases = readBoolean(value)
    },
  ],
])

/**
 * Reads one of the options.
 * @returns false for another key
 * @throws {EngineError} 400: no such value
 */
export function readTextOption(asked: TextOptions, { key, value }: JsonEntry): boolean {
  const read = READERS.get(key)
  read?.(asked, value)
  return read !== undefined
}

/** A value that null takes back. */
export function nullOr<T>(read: (value: JsonNode) => T, value: JsonNode): T | null {
  return value.kind === 'null' ? null : read(value)
}
