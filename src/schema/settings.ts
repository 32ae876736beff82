/**
 * Settings as they are kept: an immutable map from full dotted key to text or a list of texts,
 * whatever form they came in. `setting-registry.ts` knows what the keys mean.
 */

import { EngineError } from '../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { matchesWildcard } from '../util/wildcard.ts'

/** A value as the wire shows it; numbers and booleans are text. */
export type SettingValue = string | readonly string[]

/** A change: a value, or null to go back to the default. A key with `*` takes only null. */
export type SettingChanges = ReadonlyMap<string, SettingValue | null>

/** An immutable set of settings, in order of key. */
export class Settings {
  static readonly EMPTY: Settings = new Settings(new Map())

  readonly #values: ReadonlyMap<string, SettingValue>

  /** @param values copied, sorted by key */
  constructor(values: Iterable<readonly [string, SettingValue]>) {
    this.#values = new Map([...values].sort((a, b) => (a[0] < b[0] ? -1 : 1)))
  }

  get size(): number {
    return this.#values.size
  }

  get(key: string): SettingValue | null {
    return this.#values.get(key) ?? null
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  keys(): Iterable<string> {
    return this.#values.keys()
  }

  /** The settings as a map, in order of key. */
  toMap(): ReadonlyMap<string, SettingValue> {
    return this.#values
  }

  /** These settings with the changes made: null removes a key, or all keys that a pattern matches. */
  with(changes: SettingChanges): Settings {
    const values = new Map(this.#values)
    for (const [key, value] of changes) {
      if (value !== null) values.set(key, value)
      else if (key.includes('*')) {
        for (const present of this.#values.keys())
          if (matchesWildcard(key, present)) values.delete(present)
      } else values.delete(key)
    }
    return new Settings(values)
  }

  /** The settings whose keys the test keeps. */
  filter(keeps: (key: string) => boolean): Settings {
    return new Settings([...this.#values].filter(([key]) => keeps(key)))
  }

  /** As responses print them: flat dotted keys, or nested objects. */
  toJson(isFlat: boolean): JsonValue {
    return isFlat ? new Map(this.#values) : nest(this.#values)
  }
}

/**
 * Settings of a body in any of their forms, nested, dotted or mixed, as flat changes.
 * @param node an object; booleans and numbers become the text they were written as
 * @param prefix put before every key that does not start with it and is no bare pattern; '' for none
 * @throws {EngineError} `parse_exception`: not an object, an array of objects, a key given twice
 */
export function flattenSettings(node: JsonNode, prefix: string): Map<string, SettingValue | null> {
  if (node.kind !== 'object') {
    throw parseError(
      `malformed, expected settings to start with 'object', instead was [${TOKEN_NAMES[node.kind]}]`,
    )
  }
  const changes = new Map<string, SettingValue | null>()
  // Recursion is as deep as the body, which its reader has bounded.
  const read = (path: string, object: JsonObjectNode): void => {
    for (const { key, value, line, col } of object.entries) {
      const dotted = path === '' ? key : `${path}.${key}`
      if (value.kind === 'object') {
        read(dotted, value)
        continue
      }
      const isWhole = dotted.startsWith(prefix) || dotted.endsWith('*')
      const full = isWhole ? dotted : prefix + dotted
      const previous = changes.get(full)
      const current = settingOf(value)
      if (previous !== undefined) {
        throw parseError(
          `duplicate settings key [${full}] found at line number [${line}], column number [${col}], ` +
            `previous value [${shown(previous)}], current value [${shown(current)}]`,
        )
      }
      changes.set(full, current)
    }
  }
  read('', node)
  return changes
}

const TOKEN_NAMES: Record<JsonNode['kind'], string> = {
  object: 'START_OBJECT',
  array: 'START_ARRAY',
  string: 'VALUE_STRING',
  number: 'VALUE_NUMBER',
  boolean: 'VALUE_BOOLEAN',
  null: 'VALUE_NULL',
}

function settingOf(node: JsonNode): SettingValue | null {
  switch (node.kind) {
    case 'null':
      return null
    case 'string':
      return node.value
    case 'number':
      return node.text
    case 'boolean':
      return String(node.value)
    case 'array':
      return node.items.map(item => {
        const value = item.kind === 'array' || item.kind === 'object' ? null : settingOf(item)
        if (typeof value === 'string') return value
        throw parseError('only value lists are allowed in serialized settings')
      })
    case 'object':
      throw parseError('only value lists are allowed in serialized settings')
  }
}

function shown(value: SettingValue | null): string {
  return value === null ? 'null' : typeof value === 'string' ? value : value.join(', ')
}

/** Nested objects of dotted keys; the name of one below a key that has a value itself is dotted: `a`, `a.b: { c }`. */
function nest(values: ReadonlyMap<string, SettingValue>): JsonValue {
  const root = new Map<string, JsonValue>()
  for (const [key, value] of values) {
    let object = root
    let from = 0
    for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      const name = key.slice(from, dot)
      const inner = object.get(name)
      if (inner !== undefined && !(inner instanceof Map)) continue
      const below = inner ?? new Map<string, JsonValue>()
      object.set(name, below)
      object = below
      from = dot + 1
    }
    object.set(key.slice(from), value)
  }
  return root
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
