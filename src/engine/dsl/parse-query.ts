/** A query object of the DSL, by its one key. */
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import {
  type ParseQuery,
  parseBool,
  parseBoosting,
  parseConstantScore,
  parseDisMax,
} from './compound.ts'
import {
  parseMatch,
  parseMatchBoolPrefix,
  parseMatchPhrase,
  parseMatchPhrasePrefix,
} from './full-text.ts'
import { parseMultiMatch } from './multi-match.ts'
import { notSupportedYet, parsingError } from './parse-error.ts'
import type { ParsedQuery } from './query-context.ts'
import {
  parseExists,
  parseIds,
  parseMatchAll,
  parseMatchNone,
  parsePrefix,
  parseRange,
  parseTerm,
  parseTerms,
} from './term-level.ts'

const PARSERS: ReadonlyMap<string, (node: JsonObjectNode, parse: ParseQuery) => ParsedQuery> =
  new Map([
    ['match_all', parseMatchAll],
    ['match_none', parseMatchNone],
    ['term', parseTerm],
    ['terms', parseTerms],
    ['range', parseRange],
    ['exists', parseExists],
    ['prefix', parsePrefix],
    ['ids', parseIds],
    ['match', parseMatch],
    ['match_phrase', parseMatchPhrase],
    ['match_phrase_prefix', parseMatchPhrasePrefix],
    ['match_bool_prefix', parseMatchBoolPrefix],
    ['multi_match', parseMultiMatch],
    ['bool', parseBool],
    ['constant_score', parseConstantScore],
    ['dis_max', parseDisMax],
    ['boosting', parseBoosting],
  ])

/** Queries of the real API that are not built yet. */
const NOT_YET = [
  'combined_fields',
  'distance_feature',
  'function_score',
  'fuzzy',
  'geo_bounding_box',
  'geo_distance',
  'geo_polygon',
  'geo_shape',
  'has_child',
  'has_parent',
  'hybrid',
  'intervals',
  'knn',
  'more_like_this',
  'nested',
  'neural',
  'parent_id',
  'percolate',
  'query_string',
  'rank_feature',
  'regexp',
  'script',
  'script_score',
  'simple_query_string',
  'span_containing',
  'span_field_masking',
  'span_first',
  'span_gap',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
  'template',
  'terms_set',
  'wildcard',
  'wrapper',
  'xy_shape',
] as const

const NOT_YET_SET: ReadonlySet<string> = new Set(NOT_YET)

/**
 * Reads a query object. Its depth is bounded by the reader of the body.
 * @throws {EngineError} 400: not a query
 */
export function parseQuery(node: JsonNode): ParsedQuery {
  if (node.kind !== 'object')
    throw parsingError(node, '[_na] query malformed, must start with start_object')
  const [entry, second] = node.entries
  if (entry === undefined)
    throw new IllegalArgumentError(
      `query malformed, empty clause found at [${node.line}:${node.col}]`,
    )
  const { key: name, value } = entry
  if (value.kind !== 'object')
    throw parsingError(value, `[${name}] query malformed, no start_object after query name`)
  const parser = PARSERS.get(name)
  if (parser === undefined) {
    if (NOT_YET_SET.has(name)) throw notSupportedYet(name)
    throw unknownQuery(name, entry)
  }
  const parsed = parser(value, parseQuery)
  if (second !== undefined)
    throw parsingError(
      second,
      `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
    )
  return parsed
}

function unknownQuery(name: string, at: { line: number; col: number }): EngineError {
  const alike = findAlike(name, [...PARSERS.keys(), ...NOT_YET])
  const reason = `unknown query [${name}]${didYouMean(alike)}`
  return new EngineError({
    type: 'parsing_exception',
    reason,
    extra: { line: at.line, col: at.col },
    causedBy: {
      type: 'named_object_not_found_exception',
      reason: `[${at.line}:${at.col}] unknown field [${name}]`,
    },
  })
}
