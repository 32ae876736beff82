/**
 * `filter_path`: keeps the parts of a response that the patterns match. A pattern is a dotted path;
 * `*` in a name matches any characters, `**` any number of names, a leading `-` excludes. Arrays
 * are transparent. Exclusions apply to the result of the inclusions; an object that becomes empty
 * is dropped.
 */

import { assert } from '../assert.ts'
import { matchesPieces } from '../wildcard.ts'
import { parseJsonTree } from './json-tree.ts'
import {
  DeferredJson,
  Float32,
  Float64,
  type JsonMap,
  type JsonValue,
  RawJson,
} from './json-value.ts'
import { jsonEntries, jsonValueOf } from './json-writer.ts'

/**
 * The remaining path below the current level: a linked list with shared tails, so that equal rests
 * of a pattern are one object, and a set of them cannot exceed the pattern's length.
 */
interface Path {
  /** The pieces of a name between its asterisks; null is `**`. */
  readonly segment: readonly string[] | null
  readonly rest: Path | null
}

/**
 * The parts of a value that the patterns keep; `{}` if there are none.
 * @param patterns comma list already split, blanks trimmed; empty ones are ignored
 */
export function filterJson(value: JsonValue, patterns: readonly string[]): JsonValue {
  const includes: Path[] = []
  const excludes: Path[] = []
  for (const pattern of patterns) {
    if (pattern.startsWith('-')) excludes.push(pathOf(pattern.slice(1)))
    else if (pattern !== '') includes.push(pathOf(pattern))
  }
  const included = includes.length === 0 ? value : include(value, new Set(includes))
  const kept = included === undefined ? undefined : exclude(included, new Set(excludes))
  return kept === undefined ? new Map() : kept
}

function pathOf(pattern: string): Path {
  let path: Path | null = null
  for (const name of pattern.split('.').reverse())
    path = { segment: name === '**' ? null : name.split('*'), rest: path }
  assert(path !== null, 'a split text has a piece')
  return path
}

/** The part of `value` that the paths match, or undefined. */
function include(value: JsonValue, paths: ReadonlySet<Path>): JsonValue | undefined {
  if (value instanceof RawJson) {
    const opened = openRaw(value)
    return opened instanceof RawJson ? undefined : include(opened, paths)
  }
  if (value instanceof DeferredJson) return deferred(value, made => include(made, paths))
  if (Array.isArray(value)) {
    const items = value.map(item => include(item, paths)).filter(item => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isObject(value)) return undefined
  const kept = new Map<string, JsonValue>()
  for (const [key, item] of jsonEntries(value)) {
    if (item === undefined) continue
    const { matches, below } = follow(paths, key)
    const left = matches ? item : below.size > 0 ? include(item, below) : undefined
    if (left !== undefined) kept.set(key, left)
  }
  return kept.size === 0 ? undefined : kept
}

/** `value` without the parts that the paths match, or undefined. */
function exclude(value: JsonValue, paths: ReadonlySet<Path>): JsonValue | undefined {
  if (paths.size === 0) return value
  if (value instanceof RawJson) {
    const opened = openRaw(value)
    return opened instanceof RawJson ? value : exclude(opened, paths)
  }
  if (value instanceof DeferredJson) return deferred(value, made => exclude(made, paths))
  if (Array.isArray(value)) {
    const items = value.map(item => exclude(item, paths)).filter(item => item !== undefined)
    return items.length === 0 && value.length > 0 ? undefined : items
  }
  if (!isObject(value)) return value
  const kept = new Map<string, JsonValue>()
  let isEmpty = true
  for (const [key, item] of jsonEntries(value)) {
    if (item === undefined) continue
    isEmpty = false
    const { matches, below } = follow(paths, key)
    if (matches) continue
    const left = exclude(item, below)
    if (left !== undefined) kept.set(key, left)
  }
  return kept.size === 0 && !isEmpty ? undefined : kept
}

/** Advances paths by one name: whether one ends there, and the remaining paths of the others. */
function follow(paths: ReadonlySet<Path>, key: string): { matches: boolean; below: Set<Path> } {
  let matches = false
  const below = new Set<Path>()
  for (const path of paths) {
    // `**` also matches no name at all, so the next segment may match here.
    let at: Path | null = path
    while (at !== null && at.segment === null) at = at.rest
    if (at !== path) below.add(path)
    if (at === null) matches = true
    else if (at.segment !== null && matchesPieces(at.segment, key)) {
      if (at.rest === null) matches = true
      else below.add(at.rest)
    }
  }
  return { matches, below }
}

/** The rest of a value behind a filter, made anew when it is written; undefined for none. */
function deferred(
  value: DeferredJson,
  filter: (made: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  const left = (): JsonValue | undefined => filter(value.make())
  return left() === undefined ? undefined : new DeferredJson(() => left() ?? null)
}

/** Parses raw JSON with children; a scalar stays raw. */
function openRaw(value: RawJson): JsonValue {
  const node = parseJsonTree(value.bytes)
  return node.kind === 'number' ? value : jsonValueOf(node)
}

function isObject(value: JsonValue): value is JsonMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Float32) &&
    !(value instanceof Float64) &&
    !(value instanceof RawJson) &&
    !(value instanceof DeferredJson)
  )
}
