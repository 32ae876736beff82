/** A query object of the DSL, by its one key; `boost` and `_name` are read here for all queries. */
import { boosted } from '../../../search/query/query.ts'
import { didYouMean, findAlike } from '../../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoost, readText } from '../json-scalars.ts'
import { type Lookup, NO_LOOKUPS } from '../lookup.ts'
import { notSupportedYet, parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import type { NamedQuery } from '../query-notes.ts'
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
  const { key: kind, value } = entry
  if (value.kind !== 'object')
    throw parsingError(value, `[${kind}] query malformed, no start_object after query name`)
  if (!Object.hasOwn(QUERY_PARSERS, kind)) throw unknownQuery(kind, entry)
  const parser = QUERY_PARSERS[kind]!
  if (parser === null) throw notSupportedYet(kind)
  const options = new CommonOptions(kind, wrapped)
  const { field, build, buildOnTop = null } = parser.parse(value, options)
  if (second !== undefined)
    throw parsingError(
      second,
      `[${kind}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
    )
  const { boost, lookups, innerHits } = options
  const { mustBecomesFilter } = parser
  return {
    mustBecomesFilter,
    field,
    boost,
    name: options.name?.name ?? null,
    lookups,
    innerHits,
    build: noted(build, options),
    buildOnTop: buildOnTop === null ? null : noted(buildOnTop, options),
  }
}

/** Makes a query with the boost and under the name that all queries take. */
function noted(build: ParsedQuery['build'], { boost, name }: CommonOptions): ParsedQuery['build'] {
  return context => {
    const query = boosted(build(context), boost)
    if (name !== null) context.notes.named.set(name.name, { ...name, query })
    return query
  }
}

const NO_INNER_HITS: readonly JsonObjectNode[] = []

/** Reads what every query takes. */
class CommonOptions implements QueryReader {
  boost = 1
  name: Omit<NamedQuery, 'query'> | null = null
  lookups: readonly Lookup<unknown>[] = NO_LOOKUPS
  innerHits: readonly JsonObjectNode[] = NO_INNER_HITS
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

  noteInnerHits(node: JsonObjectNode): void {
    this.innerHits = [...this.innerHits, node]
  }

  #within(node: JsonNode, wrapped: number): ParsedQuery {
    const query = parseWithin(node, wrapped)
    if (query.lookups.length > 0) this.lookups = [...this.lookups, ...query.lookups]
    if (query.innerHits.length > 0) this.innerHits = [...this.innerHits, ...query.innerHits]
    return query
  }

  option({ key, value, line, col }: JsonEntry): boolean {
    if (key === '_name') {
      this.name = { name: readText(value), line, col }
      return true
    }
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
