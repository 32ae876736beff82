/** `rescore`: queries that score the best hits of each shard anew. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readInteger, readNumber, readText } from '../json-scalars.ts'
import { fieldError, parsingError, tokenName, unknownField, unknownObject } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { ParsedQuery } from '../query-context.ts'

/** How a hit's two scores become one. */
export type RescoreMode = 'total' | 'multiply' | 'avg' | 'max' | 'min'

/** One rescoring. */
export interface ParsedRescore {
  /** Hits of each shard that are scored anew, from 0. */
  readonly windowSize: number
  readonly query: ParsedQuery
  /** Factors, float32. */
  readonly queryWeight: number
  readonly rescoreWeight: number
  readonly mode: RescoreMode
}

const MODES: readonly string[] = ['total', 'multiply', 'avg', 'max', 'min']

const DEFAULT_WINDOW = 10

const SCORING_KEYS = ['rescore_query', 'query_weight', 'rescore_query_weight', 'score_mode']

/**
 * Reads `rescore`: one rescoring, or a list of them that run in turn.
 * @throws {EngineError} 400: not such
 */
export function parseRescore(node: JsonNode): readonly ParsedRescore[] {
  return node.kind === 'array' ? node.items.map(parseOne) : [parseOne(node)]
}

function parseOne(node: JsonNode): ParsedRescore {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  let windowSize = DEFAULT_WINDOW
  let asked: Omit<ParsedRescore, 'windowSize'> | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (value.kind === 'array' || value.kind === 'null')
      throw parsingError(value, `unexpected token [${tokenName(value.kind)}] after [${key}]`)
    if (value.kind !== 'object') {
      if (key !== 'window_size') throw parsingError(entry, `rescore doesn't support [${key}]`)
      windowSize = readInteger(value)
    } else if (key === 'query') asked = parseScoring(value)
    else throw unknownObject(entry)
  }
  if (asked === null) throw parsingError(node, 'missing rescore type')
  return { windowSize, ...asked }
}

function parseScoring(node: JsonObjectNode): Omit<ParsedRescore, 'windowSize'> {
  let query: ParsedQuery | null = null
  let queryWeight = 1
  let rescoreWeight = 1
  let mode: RescoreMode = 'total'
  for (const entry of node.entries) {
    const { key, value } = entry
    try {
      if (key === 'rescore_query') query = parseQuery(value)
      else if (key === 'query_weight') queryWeight = Math.fround(readNumber(value))
      else if (key === 'rescore_query_weight') rescoreWeight = Math.fround(readNumber(value))
      else if (key === 'score_mode') mode = readMode(readText(value))
      else throw unknownField(entry, 'query', SCORING_KEYS)
    } catch (error) {
      if (key === 'rescore_query' || key === 'score_mode')
        throw fieldError(value, 'query', key, error)
      throw error
    }
  }
  if (query === null) throw new IllegalArgumentError('rescore_query cannot be null')
  return { query, queryWeight, rescoreWeight, mode }
}

function readMode(text: string): RescoreMode {
  const mode = text.toLowerCase()
  if (MODES.includes(mode)) return mode as RescoreMode
  throw new IllegalArgumentError(`illegal score_mode [${text}]`)
}
