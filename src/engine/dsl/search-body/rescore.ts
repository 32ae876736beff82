/** `rescore`: queries that score the best hits of each shard anew. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, INTEGER, readDeclared } from '../declared-options.ts'
import { readInteger, readNumber, readText } from '../json-scalars.ts'
import { parsingError, tokenName, unknownObject } from '../parse-error.ts'
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
      windowSize = readWindow(value)
    } else if (key === 'query') asked = parseScoring(value)
    else throw unknownObject(entry)
  }
  if (asked === null) throw parsingError(node, 'missing rescore type')
  return { windowSize, ...asked }
}

function readWindow(node: JsonNode): number {
  const size = readInteger(node)
  if (size >= 0) return size
  throw new IllegalArgumentError(`[window_size] parameter cannot be negative, found [${size}]`)
}

function parseScoring(node: JsonObjectNode): Omit<ParsedRescore, 'windowSize'> {
  const asked = {
    query: null as ParsedQuery | null,
    queryWeight: 1,
    rescoreWeight: 1,
    mode: 'total' as RescoreMode,
  }
  const weight = (key: 'queryWeight' | 'rescoreWeight'): DeclaredOption => ({
    takes: INTEGER,
    read: value => (asked[key] = Math.fround(readNumber(value))),
  })
  readDeclared(
    'query',
    node,
    new Map<string, DeclaredOption>([
      ['rescore_query', { takes: ['object'], read: value => (asked.query = parseQuery(value)) }],
      ['query_weight', weight('queryWeight')],
      ['rescore_query_weight', weight('rescoreWeight')],
      [
        'score_mode',
        { takes: ['string'], read: value => (asked.mode = readMode(readText(value))) },
      ],
    ]),
  )
  const { query } = asked
  if (query === null) throw new IllegalArgumentError('rescore_query cannot be null')
  return { ...asked, query }
}

function readMode(text: string): RescoreMode {
  const mode = text.toLowerCase()
  if (MODES.includes(mode)) return mode as RescoreMode
  throw new IllegalArgumentError(`illegal score_mode [${text}]`)
}
