/** An alias of an index: another name, through which a part of it may be seen. */
import { parseBoolean } from '../../schema/field-type/field-parameter.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { checkNameFor } from './index-names.ts'

/** The entry of an alias on one of its indices. */
export interface AliasMetadata {
  /** A query that narrows the index; null shows all of it. */
  readonly filter: JsonObjectNode | null
  /** Routing value of writes and gets; null leaves it to the request. */
  readonly indexRouting: string | null
  /** Routing values of searches, parted by commas; null leaves them to the request. */
  readonly searchRouting: string | null
  /** Whether writes go to the index; null: when it is the alias's only one. */
  readonly isWriteIndex: boolean | null
  /** Whether wildcards pass over the alias; null is no. */
  readonly isHidden: boolean | null
}

/** Aliases of one index, by name. */
export type Aliases = ReadonlyMap<string, AliasMetadata>

/** An alias that shows all of an index. */
export const PLAIN_ALIAS: AliasMetadata = {
  filter: null,
  indexRouting: null,
  searchRouting: null,
  isWriteIndex: null,
  isHidden: null,
}

/**
 * Reads the object of an alias.
 * @param unknownKey makes the error of a key that it does not have
 * @throws {EngineError} a value of another type; `illegal_argument_exception`: several routing values
 *   for writes
 */
export function parseAlias(
  name: string,
  node: JsonNode,
  unknownKey: (key: string) => EngineError = key =>
    new IllegalArgumentError(`Unknown field [${key}] in alias [${name}]`),
): AliasMetadata {
  if (node.kind === 'null') return PLAIN_ALIAS
  if (node.kind !== 'object')
    throw new EngineError({
      type: 'parse_exception',
      reason: `alias [${name}] must be an object`,
    })
  let alias = PLAIN_ALIAS
  let routing: string | null = null
  for (const { key, value } of node.entries) {
    if (key === 'filter') alias = { ...alias, filter: filterOf(name, value) }
    else if (key === 'routing') routing = textOf(key, value)
    else if (key === 'index_routing') alias = { ...alias, indexRouting: textOf(key, value) }
    else if (key === 'search_routing') alias = { ...alias, searchRouting: textOf(key, value) }
    else if (key === 'is_write_index') alias = { ...alias, isWriteIndex: flagOf(key, value) }
    else if (key === 'is_hidden') alias = { ...alias, isHidden: flagOf(key, value) }
    else throw unknownKey(key)
  }
  const whole = {
    ...alias,
    indexRouting: alias.indexRouting ?? routing,
    searchRouting: alias.searchRouting ?? routing,
  }
  if (whole.indexRouting?.includes(',') === true)
    throw new IllegalArgumentError(
      `alias [${name}] has several index routing values associated with it`,
    )
  return whole
}

function filterOf(name: string, node: JsonNode): JsonObjectNode | null {
  if (node.kind === 'null') return null
  if (node.kind === 'object') return node.entries.length === 0 ? null : node
  throw new IllegalArgumentError(`failed to parse filter for alias [${name}]`)
}

function textOf(key: string, node: JsonNode): string | null {
  switch (node.kind) {
    case 'null':
      return null
    case 'string':
      return node.value
    case 'number':
      return node.text
    case 'boolean':
    case 'array':
    case 'object':
      throw new EngineError({ type: 'parse_exception', reason: `[${key}] must be a text` })
  }
}

function flagOf(key: string, node: JsonNode): boolean | null {
  return node.kind === 'null' ? null : parseBoolean(node, key)
}

/** An alias as `GET _alias` prints it; what was not given is left out. */
export function printAlias(alias: AliasMetadata): JsonMap {
  const printed = new Map<string, JsonValue>()
  if (alias.filter !== null) printed.set('filter', jsonValueOf(alias.filter))
  if (alias.indexRouting !== null) printed.set('index_routing', alias.indexRouting)
  if (alias.searchRouting !== null) printed.set('search_routing', alias.searchRouting)
  if (alias.isWriteIndex !== null) printed.set('is_write_index', alias.isWriteIndex)
  if (alias.isHidden !== null) printed.set('is_hidden', alias.isHidden)
  return printed
}

/** Aliases as `GET _alias` prints them, in order of name. */
export function printAliases(aliases: Aliases): JsonMap {
  const names = [...aliases.keys()].sort()
  return new Map(names.map(name => [name, printAlias(aliases.get(name)!)]))
}

/** Reads aliases by name, as a new index and a template have them. */
export function parseAliases(node: JsonNode): Aliases {
  if (node.kind !== 'object')
    throw new EngineError({ type: 'parse_exception', reason: 'key [aliases] must be an object' })
  return new Map(
    node.entries.map(({ key, value }) => {
      checkAliasName(key)
      return [key, parseAlias(key, value)]
    }),
  )
}

/** Reads the aliases of a template, whose names are checked once `{index}` in them is known. */
export function templateAliases(node: JsonNode): Aliases {
  if (node.kind === 'object') return storedAliases(node)
  throw new EngineError({ type: 'parse_exception', reason: 'key [aliases] must be an object' })
}

/** Aliases as they are stored, which is as they print. */
export function storedAliases(node: JsonNode): Aliases {
  if (node.kind !== 'object') return new Map()
  return new Map(node.entries.map(({ key, value }) => [key, parseAlias(key, value)]))
}

/**
 * Refuses a name that no alias may have.
 * @throws {EngineError} `invalid_alias_name_exception`
 */
export function checkAliasName(name: string): void {
  checkNameFor(
    name,
    description =>
      new EngineError({
        type: 'invalid_alias_name_exception',
        reason: `Invalid alias name [${name}]: ${description}`,
      }),
  )
}
