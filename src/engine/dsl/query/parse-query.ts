/** A query object of the DSL, by its one key; `boost` and `_name` are read here for all queries. */
import { boosted } from '../../../search/query/query.ts'
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readBoost } from '../json-scalars.ts'
import { type Lookup, NO_LOOKUPS } from '../lookup.ts'
import { notSupportedYet, parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import type { QueryReader } from './query-parser.ts'
import { QUERY_PARSERS } from './query-parsers.ts'

/** Encoded queries, one in the other; each may be as deep as a body. */
const MAX_WRAPPED = 8

/**
 * Reads a query object. Its depth is bounded by the reader of the body.
 * @throws {EngineError} 400: not a query
 */
export function parseQuery(node: JsonNode): ParsedQuery {
  return parseWithin(node, 0)
}

/** @param wrapped encoded queries around */
function parseWithin(node: JsonNode, wrapped: number): ParsedQuery {
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
  if (!Object.hasOwn(QUERY_PARSERS, name)) throw unknownQuery(name, entry)
  const parser = QUERY_PARSERS[name]!
  if (parser === null) throw notSupportedYet(name)
  const options = new CommonOptions(name, wrapped)
  const { field, build } = parser.parse(value, options)
  if (second !== undefined)
    throw parsingError(
      second,
      `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
    )
  const { boost, lookups } = options
  const { mustBecomesFilter } = parser
  return {
    mustBecomesFilter,
    field,
    boost,
    lookups,
    build: context => boosted(build(context), boost),
  }
}

/** Reads what every query takes. */
class CommonOptions implements QueryReader {
  boost = 1
  lookups: readonly Lookup<unknown>[] = NO_LOOKUPS
  readonly #query: string
  readonly #wrapped: number

  constructor(query: string, wrapped: number) {
    this.#query = query
    this.#wrapped = wrapped
  }

  readonly inner = (node: JsonNode): ParsedQuery => this.#within(node, this.#wrapped)

  wrapped(node: JsonNode): ParsedQuery {
    if (this.#wrapped === MAX_WRAPPED)
      throw new IllegalArgumentError(`[wrapper] queries are nested more than ${MAX_WRAPPED} deep`)
    return this.#within(node, this.#wrapped + 1)
  }

  lookUp(lookup: Lookup<unknown>): void {
    this.lookups = [...this.lookups, lookup]
  }

  #within(node: JsonNode, wrapped: number): ParsedQuery {
    const query = parseWithin(node, wrapped)
    if (query.lookups.length > 0) this.lookups = [...this.lookups, ...query.lookups]
    return query
  }

  option({ key, value }: JsonEntry): boolean {
    if (key === '_name') throw notSupportedYet('_name')
    if (key !== 'boost') return false
    this.boost = readBoost(value, this.#query)
    return true
  }
}

function unknownQuery(name: string, at: { line: number; col: number }): EngineError {
  const alike = findAlike(name, Object.keys(QUERY_PARSERS))
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
