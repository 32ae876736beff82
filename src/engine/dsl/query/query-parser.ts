import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { Lookup } from '../lookup.ts'
import type { ParsedQuery } from '../query-context.ts'

/** The options that every query takes. */
export const QUERY_OPTIONS: readonly string[] = ['boost', '_name']

/** A query as its own parser reads it; `parseQuery` adds the name and the boost. */
export interface ReadQuery
  extends Pick<ParsedQuery, 'field' | 'build'>,
    Partial<Pick<ParsedQuery, 'buildOnTop'>> {}

/** Context of a query parser. */
export interface QueryReader {
  /**
   * Reads one of `QUERY_OPTIONS`.
   * @returns false for another key
   */
  option(entry: JsonEntry): boolean
  /** Reads a query within this one. */
  inner(node: JsonNode): ParsedQuery
  /**
   * Reads a query that stood encoded in this one.
   * @throws {EngineError} it is the last of too many, one in the other
   */
  wrapped(node: JsonNode): ParsedQuery
  /** Notes inner hits that the query asks for. */
  noteInnerHits(node: JsonObjectNode): void
  /** Has a lookup run before the query is built, which then reads its answer. */
  lookUp(lookup: Lookup<unknown>): void
}

/** A query of the DSL; each has a file of its own beside this one, and `query-parsers.ts` a line. */
export interface QueryParser {
  /**
   * Whether a `must` clause of it becomes a filter, because its score is the same for all hits and only
   * shifts them: never, always, or where its one field is a number.
   */
  readonly mustBecomesFilter: 'never' | 'always' | 'onNumbers'
  /**
   * Reads the object behind the query's name. Its depth is bounded by the reader of the body.
   * @throws {EngineError} 400: not such a query
   */
  parse(node: JsonObjectNode, read: QueryReader): ReadQuery
}
