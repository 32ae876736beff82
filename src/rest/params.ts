/**
 * URL parameters: each endpoint has a table of the names that it takes and a reader for each; what
 * is not in it is refused with the names that are alike.
 */

import type { SearchType } from '../engine/api/searches.ts'
import { didYouMean, findAlike } from '../util/did-you-mean.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { type Long, parseLong } from '../util/long.ts'
import { parseBoolean, parseDuration } from '../util/units.ts'
import { type BodyFormat, bodyFormat } from './format/body-format.ts'
import { takes } from './param-form.ts'

/** Turns a parameter's text into its value, or throws. */
export type ParamReader<T> = (text: string, name: string) => T

/** The parameters that an endpoint takes, each with what reads it. */
export type ParamTable = Readonly<Record<string, ParamReader<unknown>>>

/** Values given for a table's parameters; undefined: not given. */
export type ParamValues<T extends ParamTable> = {
  readonly [K in keyof T]: ReturnType<T[K]> | undefined
}

/** Taken by every endpoint. */
export const COMMON_PARAMS: {
  readonly pretty: ParamReader<boolean>
  readonly human: ParamReader<boolean>
  readonly error_trace: ParamReader<boolean>
  readonly filter_path: ParamReader<readonly string[]>
  readonly format: ParamReader<BodyFormat | null>
} = { pretty: flag, human: flag, error_trace: flag, filter_path: list, format: bodyFormat }

/**
 * Splits and decodes a query string; `+` is a blank.
 * @throws {IllegalArgumentError} a broken escape
 */
export function parseQuery(query: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at))
    values.set(name, at < 0 ? '' : decode(part.slice(at + 1)))
  }
  return values
}

/**
 * Reads the given parameters by a table.
 * @param path for the error
 * @throws {IllegalArgumentError} a parameter that the table does not have, a value that is none
 */
export function readParams<T extends ParamTable>(
  table: T,
  given: ReadonlyMap<string, string>,
  path: string,
): ParamValues<T> {
  const values: Record<string, unknown> = Object.create(null)
  // Most requests have none, and tables have up to sixty names.
  if (given.size === 0) return values as ParamValues<T>
  checkNames(table, given, path)
  for (const name of Object.keys(table)) {
    const text = given.get(name)
    if (text !== undefined) values[name] = table[name]!(text, name)
  }
  return values as ParamValues<T>
}

/** @throws {IllegalArgumentError} a parameter that the table does not have */
function checkNames(table: ParamTable, given: ReadonlyMap<string, string>, path: string): void {
  const unknown: string[] = []
  for (const name of given.keys())
    if (!Object.hasOwn(table, name) && !Object.hasOwn(COMMON_PARAMS, name)) unknown.push(name)
  if (unknown.length === 0) return
  const names = [...Object.keys(table), ...Object.keys(COMMON_PARAMS)]
  throw unrecognized(path, 'parameter', unknown, names)
}

/** The error of names that a place does not take, with suggestions. */
export function unrecognized(
  path: string,
  what: string,
  unknown: readonly string[],
  names: readonly string[],
): IllegalArgumentError {
  const parts = [...unknown]
    .sort()
    .map(name => `[${name}]${didYouMean(findAlike(name, names), ' -> ')}`)
  const plural = unknown.length > 1 ? 's' : ''
  return new IllegalArgumentError(
    `request [${path}] contains unrecognized ${what}${plural}: ${parts.join(', ')}`,
  )
}

/** True, false, or nothing for true. */
export function flag(text: string): boolean {
  return text === '' || parseBoolean(text)
}

/** Whether a flag was given as true; one with a bad value is refused elsewhere. */
export function isSet(given: ReadonlyMap<string, string>, name: string): boolean {
  const value = given.get(name)
  return value === '' || value === 'true'
}

/** Any text. */
export function text(value: string): string {
  return value
}

/** A comma list; empty elements are dropped. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** A 32-bit integer. */
export function integer(value: string, name: string): number {
  const number = /^[+-]?\d{1,11}$/.test(value) ? Number(value) : Number.NaN
  if (number >= -(2 ** 31) && number < 2 ** 31) return number
  throw notANumber('int', value, name)
}

/** A whole number of 64 bits. */
export function long(value: string, name: string): Long {
  const number = parseLong(value)
  if (number !== null) return number
  throw notANumber('long', value, name)
}

/** A decimal number. */
export function decimal(value: string, name: string): number {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN
  if (Number.isFinite(number)) return number
  throw notANumber('float', value, name)
}

function notANumber(kind: string, value: string, name: string): IllegalArgumentError {
  return new IllegalArgumentError(
    `Failed to parse ${kind} parameter [${name}] with value [${value}]`,
    { causedBy: { type: 'number_format_exception', reason: `For input string: "${value}"` } },
  )
}

/** A duration, in milliseconds; −1 for none. */
export function millis(value: string, name: string): number {
  const nanos = parseDuration(value, name)
  return nanos < 0 ? -1 : nanos / 1e6
}

/**
 * Preferences by name, and whether the one copy that there is of a shard, a primary on this node, may
 * be the one that they mean.
 */
const PREFERENCES: ReadonlyMap<string, boolean> = new Map([
  ['_primary', true],
  ['_primary_first', true],
  ['_replica', false],
  ['_replica_first', true],
  ['_local', true],
  ['_only_local', true],
  ['_prefer_nodes', true],
  ['_only_nodes', false],
  ['_shards', false],
])

/**
 * Which copies a read prefers: there is one of each, so a name of the caller's own changes nothing,
 * and what would leave copies out is refused.
 */
export function preference(value: string): string {
  if (!value.startsWith('_')) return value
  const kind = value.split(':', 1)[0]!
  const holds = PREFERENCES.get(kind)
  if (holds === undefined) throw new IllegalArgumentError(`no Preference for [${kind}]`)
  return holds ? value : unsupported(value, `preference=${kind}`)
}

/** The same for searches, which `_shards:0,2` keeps to some shards. */
export function searchPreference(value: string): string {
  const [, listed, rest = ''] = /^_shards:([^|]*)(?:\|(.*))?$/s.exec(value) ?? []
  if (listed === undefined) return preference(value)
  for (const item of listed.split(',')) if (item !== '') integer(item, 'preference')
  if (rest !== '') preference(rest)
  return value
}

/** Those that there once were. */
const OLD_SEARCH_TYPES: ReadonlySet<string> = new Set(['query_and_fetch', 'dfs_query_and_fetch'])

/** Whether shards score by their own statistics. */
export function searchType(value: string): SearchType {
  if (value === 'query_then_fetch' || value === 'dfs_query_then_fetch') return value
  const problem = OLD_SEARCH_TYPES.has(value) ? 'Unsupported search type' : 'No search type for'
  throw new IllegalArgumentError(`${problem} [${value}]`)
}

/** One of some names. */
export function choice<T extends string>(...names: readonly T[]): ParamReader<T> {
  return takes(names.join(' | '), (value, name) => {
    const found = names.find(one => one === value)
    if (found !== undefined) return found
    throw new IllegalArgumentError(
      `Failed to parse value [${value}] for parameter [${name}], must be one of [${names.join(', ')}]`,
    )
  })
}

/** A parameter of the real API that is not built yet. */
export function unsupported(_value: string, name: string): never {
  throw new IllegalArgumentError(`[${name}] is not supported yet`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new IllegalArgumentError(`the query string has a broken escape: [${text}]`)
  }
}

takes('boolean', flag)
takes('text', text)
takes('list', list)
takes('integer', integer)
takes('long', long)
takes('number', decimal)
takes('duration', millis)
takes('text', preference)
takes('text, or `_shards:` with numbers', searchPreference)
takes('query_then_fetch | dfs_query_then_fetch', searchType)
takes('not supported yet', unsupported)
takes('json | yaml | cbor | text', bodyFormat)
