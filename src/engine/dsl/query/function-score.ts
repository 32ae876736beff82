import { MATCH_ALL, type Query } from '../../../search/query/query.ts'
import type {
  FunctionBoostMode,
  FunctionCombination,
  FunctionScoreMode,
} from '../../../search/scorer/function-score-scorer.ts'
import type { FunctionNames } from '../../../search/weight/function/score-function.ts'
import { type EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { parsingError, tokenName, unknownObject } from '../parse-error.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import type { ParsedFunction } from '../score-function/score-function-parser.ts'
import { SCORE_FUNCTION_PARSERS } from '../score-function/score-function-parsers.ts'
import { amongSeen } from '../seen-documents.ts'
import type { QueryParser, QueryReader } from './query-parser.ts'

const SCORE_MODES: readonly FunctionScoreMode[] = ['first', 'avg', 'max', 'sum', 'min', 'multiply']
const BOOST_MODES: readonly FunctionBoostMode[] = [
  'multiply',
  'replace',
  'sum',
  'avg',
  'min',
  'max',
]
const MAX_FLOAT = 3.4028234663852886e38
const CLASSES = 'org.opensearch.common.lucene.search.function'

/** An entry of `functions`, or the one function. */
interface FunctionEntry {
  readonly filter: ParsedQuery | null
  readonly function: ParsedFunction
  readonly weight: number | null
  readonly name: string | null
}

/** `function_score`: a query whose scores functions change. */
export const functionScoreParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let query: ParsedQuery | null = null
    let functions: readonly FunctionEntry[] = []
    /** The single function, or `functions`. */
    let found: string | null = null
    const combination: { -readonly [K in keyof FunctionCombination]: FunctionCombination[K] } = {
      scoreMode: 'multiply',
      boostMode: 'multiply',
      maxBoost: MAX_FLOAT,
      minScore: null,
    }
    for (const entry of node.entries) {
      const { key, value } = entry
      if (key === 'query' && value.kind === 'object') {
        if (query !== null) throw failure(entry, '[query] is already defined.')
        query = read.inner(value)
      } else if (value.kind === 'array') {
        if (key !== 'functions') throw failure(entry, `array [${key}] is not supported`)
        if (found !== null)
          throw misplaced(entry, `already found [${found}], now encountering [functions].`)
        found = 'functions'
        functions = value.items.map(item => readEntry(item, read))
      } else if (key === 'score_mode')
        combination.scoreMode = mode(readText(value), SCORE_MODES, 'FunctionScoreQuery.ScoreMode')
      else if (key === 'boost_mode')
        combination.boostMode = mode(readText(value), BOOST_MODES, 'CombineFunction')
      else if (key === 'max_boost') combination.maxBoost = Math.fround(readNumber(value))
      else if (key === 'min_score')
        combination.minScore = value.kind === 'null' ? null : Math.fround(readNumber(value))
      else if (!read.option(entry)) {
        checkSingle(entry, found)
        found = key
        functions = [readSingle(entry)]
      }
    }
    return { field: null, build: context => build(query, functions, combination, context) }
  },
}

function checkSingle(entry: JsonEntry, found: string | null): void {
  const { key } = entry
  if (found === 'functions')
    throw misplaced(entry, `already found [functions] array, now encountering [${key}].`)
  if (found !== null)
    throw failure(
      entry,
      `already found function [${found}], now encountering [${key}]. use [functions] array if ` +
        'you want to define several functions.',
    )
}

function readSingle(entry: JsonEntry): FunctionEntry {
  const { key, value } = entry
  const bare = { filter: null, name: null } as const
  if (value.kind === 'object') return { ...bare, function: readFunction(entry), weight: null }
  if (key !== 'weight') throw failure(entry, `field [${key}] is not supported`)
  return { ...bare, function: one, weight: Math.fround(readNumber(value)) }
}

function readEntry(node: JsonNode, read: QueryReader): FunctionEntry {
  if (node.kind !== 'object')
    throw parsingError(
      node,
      'failed to parse [function_score]. malformed query, expected a [START_OBJECT] while parsing ' +
        `functions but got a [${tokenName(node.kind)}] instead`,
    )
  let filter: ParsedQuery | null = null
  let found: { readonly name: string; readonly function: ParsedFunction } | null = null
  let weight: number | null = null
  let name: string | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'weight' && value.kind !== 'object') weight = Math.fround(readNumber(value))
    else if (key === '_name' && value.kind !== 'object') name = readText(value)
    else if (value.kind !== 'object') throw failure(entry, `field [${key}] is not supported`)
    else if (key === 'filter') filter = read.inner(value)
    else {
      if (found !== null)
        throw parsingError(
          entry,
          `failed to parse function_score functions. already found [${found.name}], now ` +
            `encountering [${key}].`,
        )
      found = { name: key, function: readFunction(entry) }
    }
  }
  if (found === null && weight === null)
    throw failure(node, 'an entry in functions list is missing a function.')
  return { filter, function: found?.function ?? one, weight, name }
}

function readFunction(entry: JsonEntry): ParsedFunction {
  const { key, value } = entry
  if (!Object.hasOwn(SCORE_FUNCTION_PARSERS, key)) throw unknownObject(entry)
  const parser = SCORE_FUNCTION_PARSERS[key]!
  if (value.kind !== 'object')
    throw parsingError(value, `Expected [START_OBJECT] but found [${tokenName(value.kind)}]`)
  return parser(value)
}

const one: ParsedFunction = () => ({ kind: 'one' })

function mode<T extends string>(text: string, modes: readonly T[], of: string): T {
  const found = modes.find(each => each === text.toLowerCase())
  if (found !== undefined) return found
  throw new IllegalArgumentError(`No enum constant ${CLASSES}.${of}.${text.toUpperCase()}`)
}

function build(
  query: ParsedQuery | null,
  functions: readonly FunctionEntry[],
  combination: FunctionCombination,
  context: QueryContext,
): Query {
  const made = functions.map(each => ({
    function: each.function(context),
    filter: each.filter === null ? null : filterOf(each.filter.build(context)),
    weight: each.weight,
  }))
  const whole = query === null ? MATCH_ALL : query.build(context)
  const scripts = made.some(each => each.function.kind === 'script')
  const names: FunctionNames = {
    query: query?.name ?? null,
    functions: functions.map(({ name }) => name),
    filters: functions.map(({ filter }) => filter?.name ?? null),
  }
  return {
    kind: 'functionScore',
    functions: made,
    query: scripts ? amongSeen(whole, context) : whole,
    combination,
    ...(names.functions.some(isNamed) || names.filters.some(isNamed) || isNamed(names.query)
      ? { names }
      : {}),
  }
}

function isNamed(name: string | null): boolean {
  return name !== null && name !== ''
}

/** A function for all documents has no filter. */
function filterOf(query: Query): Query | null {
  return query.kind === 'matchAll' ? null : query
}

function failure(at: { readonly line: number; readonly col: number }, reason: string): EngineError {
  return parsingError(at, `failed to parse [function_score] query. ${reason}`)
}

function misplaced(entry: JsonEntry, reason: string): EngineError {
  return failure(entry, `you can either define [functions] array or a single function. ${reason}`)
}
