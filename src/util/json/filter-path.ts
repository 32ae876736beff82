/**
 * `filter_path`: keeps of a response what the patterns name. A pattern is a dotted path; `*` in a
 * name stands for any characters, `**` for any number of names, a leading `-` excludes. Arrays are
 * looked through as if they were not there. Exclusions are applied to what the inclusions keep;
 * an object of which nothing is left is left out itself.
 */

import { parseJsonTree } from './json-tree.ts'
import { Float32, Float64, type JsonMap, type JsonValue, RawJson } from './json-value.ts'
import { jsonEntries, jsonValueOf } from './json-writer.ts'

/** What is left of a path below the place looked at. */
type Path = readonly Segment[]

/** A name to match; null is `**`. */
type Segment = RegExp | null

/**
 * What the patterns keep of a value; `{}` when that is nothing.
 * @param patterns comma list already split, blanks trimmed; empty ones are ignored
 */
export function filterJson(value: JsonValue, patterns: readonly string[]): JsonValue {
  const includes: Path[] = []
  const excludes: Path[] = []
  for (const pattern of patterns) {
    if (pattern.startsWith('-')) excludes.push(pathOf(pattern.slice(1)))
    else if (pattern !== '') includes.push(pathOf(pattern))
  }
  const included = includes.length === 0 ? value : include(value, includes)
  const kept = included === undefined ? undefined : exclude(included, excludes)
  return kept === undefined ? new Map() : kept
}

function pathOf(pattern: string): Path {
  return pattern.split('.').map(segment => {
    if (segment === '**') return null
    const source = segment.replace(/[\\^$+?.()|[\]{}]/g, '\\$&').replace(/\*+/g, '.*')
    return new RegExp(`^${source}$`, 's')
  })
}

/** The part of `value` that the paths reach, or undefined. */
function include(value: JsonValue, paths: readonly Path[]): JsonValue | undefined {
  if (value instanceof RawJson) {
    const opened = openRaw(value)
    return opened instanceof RawJson ? undefined : include(opened, paths)
  }
  if (Array.isArray(value)) {
    const items = value.map(item => include(item, paths)).filter(item => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isObject(value)) return undefined
  const kept = new Map<string, JsonValue>()
  for (const [key, item] of jsonEntries(value)) {
    if (item === undefined) continue
    const { matches, below } = follow(paths, key)
    const left = matches ? item : below.length > 0 ? include(item, below) : undefined
    if (left !== undefined) kept.set(key, left)
  }
  return kept.size === 0 ? undefined : kept
}

/** What `value` has without the places that the paths reach, or undefined. */
function exclude(value: JsonValue, paths: readonly Path[]): JsonValue | undefined {
  if (paths.length === 0) return value
  if (value instanceof RawJson) {
    const opened = openRaw(value)
    return opened instanceof RawJson ? value : exclude(opened, paths)
  }
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

/** Steps over one name: whether a path ends there, and what remains of the others. */
function follow(paths: readonly Path[], key: string): { matches: boolean; below: Path[] } {
  let matches = false
  const below: Path[] = []
  for (const path of paths) {
    // `**` stands for no name at all as well, so what follows it may match here.
    let from = 0
    while (from < path.length && path[from] === null) from++
    if (from > 0) below.push(path)
    const segment = path[from]
    if (segment == null) matches = true
    else if (segment.test(key)) {
      if (path.length === from + 1) matches = true
      else below.push(path.slice(from + 1))
    }
  }
  return { matches, below }
}

/** Raw JSON that has parts as a value to look into; a scalar stays as it is. */
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
    !(value instanceof RawJson)
  )
}
