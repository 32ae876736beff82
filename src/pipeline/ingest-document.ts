/**
 * A document on its way through pipelines: its source and its metadata (`_index`, `_id`, …) in one
 * map, as scripts see them, and the values of the run beside it, which paths find below `_ingest.`.
 */

import {
  classNameOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from '../script/value/script-value.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { sizeOfValue } from './copy-value.ts'
import type { FieldPath } from './field-path.ts'

/** Bytes that processors may write into one document. */
const MAX_BYTES = 128 * 2 ** 20

/** A document that processors change. */
export class IngestDocument {
  /** Source and metadata. */
  readonly fields: ScriptMap
  /** `timestamp`, and what processors leave for others. */
  readonly ingest: ScriptMap
  /** Ids of the pipelines under way, outermost first. */
  readonly pipelines: string[] = []
  #bytes = 0

  /** @param fields owned by the document from here on */
  constructor(fields: ScriptMap, timestamp: string) {
    this.fields = fields
    this.ingest = new Map([['timestamp', timestamp]])
  }

  /**
   * Counts what a processor makes, before or after it is made.
   * @throws {EngineError} `circuit_breaking_exception`: more than a document may take
   */
  charge(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MAX_BYTES)
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason: `[ingest] memory limit of [${MAX_BYTES}] for a document exceeded`,
      })
  }

  /**
   * The value at a path.
   * @throws {EngineError} `illegal_argument_exception`: the path leads nowhere
   */
  get(path: FieldPath): ScriptValue {
    let at: ScriptValue = this.#root(path)
    for (const key of path.keys) at = step(at, key, path)
    return at
  }

  /** The value at a path; null where the path leads nowhere. */
  find(path: FieldPath): ScriptValue {
    let at: ScriptValue = this.#root(path)
    for (const key of path.keys) {
      if (!holds(at, key)) return null
      at = at instanceof Map ? at.get(key)! : (at as ScriptList)[Number(key)]!
    }
    return at
  }

  /**
   * Whether a path leads to a value, which may be null.
   * @param refusesOutOfRange refuses the index of a list item that is not there
   * @throws {EngineError} `illegal_argument_exception`: such an index
   */
  has(path: FieldPath, refusesOutOfRange = false): boolean {
    let at: ScriptValue = this.#root(path)
    for (const key of path.keys) {
      if (!holds(at, key)) {
        if (refusesOutOfRange && Array.isArray(at) && isIndex(key)) throw outOfBounds(at, key, path)
        return false
      }
      at = at instanceof Map ? at.get(key)! : (at as ScriptList)[Number(key)]!
    }
    return true
  }

  /**
   * The text at a path; null where it is null, or missing where that is allowed.
   * @throws {EngineError} `illegal_argument_exception`: no path, a value of another type
   */
  text(path: FieldPath, ignoresMissing = false): string | null {
    const value = ignoresMissing ? this.find(path) : this.get(path)
    if (value === null || typeof value === 'string') return value
    throw notCast(path, value, 'java.lang.String')
  }

  /** The same of a list. */
  list(path: FieldPath, ignoresMissing = false): ScriptList | null {
    const value = ignoresMissing ? this.find(path) : this.get(path)
    if (value === null || Array.isArray(value)) return value
    throw notCast(path, value, 'java.util.List')
  }

  /** The same of a map. */
  map(path: FieldPath): ScriptMap | null {
    const value = this.get(path)
    if (value === null || value instanceof Map) return value
    throw notCast(path, value, 'java.util.Map')
  }

  /**
   * Puts a value at a path; missing maps on the way are made.
   * @throws {EngineError} `illegal_argument_exception`: the path leads through a value that holds none
   */
  set(path: FieldPath, value: ScriptValue): void {
    this.charge(typeof value === 'string' ? value.length : 16)
    const parent = this.#parent(path)
    const key = path.keys.at(-1)!
    if (parent instanceof Map) parent.set(key, value)
    else if (Array.isArray(parent)) parent[indexIn(parent, key, path)] = value
    else throw unset(parent, key, path)
  }

  /**
   * Adds a value, or each item of a list, to the list at a path; any other value there becomes one.
   * @throws {EngineError} `illegal_argument_exception`: as `set`
   */
  append(path: FieldPath, value: ScriptValue, allowsDuplicates = true): void {
    this.charge(sizeOfValue(value))
    const parent = this.#parent(path)
    const key = path.keys.at(-1)!
    if (parent instanceof Map) {
      const old = parent.get(key)
      parent.set(key, extended(old === undefined ? [] : old, value, allowsDuplicates))
    } else if (Array.isArray(parent)) {
      const index = indexIn(parent, key, path)
      parent[index] = extended(parent[index]!, value, allowsDuplicates)
    } else throw unset(parent, key, path)
  }

  /**
   * Takes the value at a path away.
   * @throws {EngineError} `illegal_argument_exception`: the path leads nowhere
   */
  remove(path: FieldPath): void {
    let at: ScriptValue = this.#root(path)
    for (const key of path.keys.slice(0, -1)) at = step(at, key, path)
    const key = path.keys.at(-1)!
    if (at instanceof Map) {
      if (!at.delete(key)) throw notPresent(key, path)
    } else if (Array.isArray(at)) at.splice(indexIn(at, key, path), 1)
    else {
      const from = at === null ? 'null' : `object of type [${classNameOf(at)}]`
      throw partOf(`cannot remove [${key}] from ${from}`, path)
    }
  }

  #root(path: FieldPath): ScriptMap {
    return path.isIngest ? this.ingest : this.fields
  }

  /** The value that holds the last key of a path; missing maps on the way are made. */
  #parent(path: FieldPath): ScriptValue {
    let at: ScriptValue = this.#root(path)
    const { keys } = path
    for (let i = 0; i < keys.length - 1; i++) {
      const key = keys[i]!
      if (at instanceof Map && !at.has(key)) {
        const made: ScriptMap = new Map()
        at.set(key, made)
        at = made
      } else at = step(at, key, path)
    }
    return at
  }
}

function step(at: ScriptValue, key: string, path: FieldPath): ScriptValue {
  if (at instanceof Map) {
    const found = at.get(key)
    if (found === undefined) throw notPresent(key, path)
    return found
  }
  if (Array.isArray(at)) return at[indexIn(at, key, path)]!
  const from = at === null ? 'null' : `object of type [${classNameOf(at)}]`
  throw partOf(`cannot resolve [${key}] from ${from}`, path)
}

function holds(at: ScriptValue, key: string): boolean {
  if (at instanceof Map) return at.has(key)
  return Array.isArray(at) && isIndex(key) && Number(key) >= 0 && Number(key) < at.length
}

/** Whether Java reads a text as an int. */
function isIndex(key: string): boolean {
  return /^[+-]?\d{1,10}$/.test(key) && Math.abs(Number(key)) < 2 ** 31
}

function indexIn(list: ScriptList, key: string, path: FieldPath): number {
  if (!isIndex(key)) throw partOf(`[${key}] is not an integer, cannot be used as an index`, path)
  const index = Number(key)
  if (index < 0 || index >= list.length) throw outOfBounds(list, key, path)
  return index
}

function outOfBounds(list: ScriptList, key: string, path: FieldPath): IllegalArgumentError {
  return partOf(`[${Number(key)}] is out of bounds for array with length [${list.length}]`, path)
}

function notPresent(key: string, path: FieldPath): IllegalArgumentError {
  return partOf(`field [${key}] not present`, path)
}

function unset(parent: ScriptValue, key: string, path: FieldPath): IllegalArgumentError {
  const kind = parent === null ? 'null parent' : `parent object of type [${classNameOf(parent)}]`
  return partOf(`cannot set [${key}] with ${kind}`, path)
}

function partOf(fault: string, { text }: FieldPath): IllegalArgumentError {
  return new IllegalArgumentError(`${fault} as part of path [${text}]`)
}

function notCast(
  { text }: FieldPath,
  value: Exclude<ScriptValue, null>,
  wanted: string,
): IllegalArgumentError {
  return new IllegalArgumentError(
    `field [${text}] of type [${classNameOf(value)}] cannot be cast to [${wanted}]`,
  )
}

function extended(old: ScriptValue, value: ScriptValue, allowsDuplicates: boolean): ScriptList {
  const list = Array.isArray(old) ? old : [old]
  for (const item of Array.isArray(value) ? value : [value])
    if (allowsDuplicates || !list.some(other => isEqual(other, item))) list.push(item)
  return list
}

function isEqual(a: ScriptValue, b: ScriptValue): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isEqual(item, b[i]!))
  if (a instanceof Map && b instanceof Map)
    return (
      a.size === b.size && [...a].every(([key, item]) => b.has(key) && isEqual(item, b.get(key)!))
    )
  return classNameOf(a) === classNameOf(b) && 'value' in a && 'value' in b && a.value === b.value
}
