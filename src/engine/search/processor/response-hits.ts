/** The hits of an answer as processors of responses see them. */
import { valueOfNode } from '../../../script/value/read-value.ts'
import type { ScriptValue } from '../../../script/value/script-value.ts'
import { jsonOfValue } from '../../../script/value/write-value.ts'
import { parseJsonTree } from '../../../util/json/json-tree.ts'
import { Float32, type JsonMap, type JsonValue } from '../../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'

/** Hits in their order. */
export type ResponseHits = readonly PrintedHit[]

/** The values that hits have under a name: those of `fields`, and that of `_source`; undefined: none. */
export interface NamedValues {
  readonly fields: readonly ScriptValue[] | undefined
  readonly source: ScriptValue | undefined
}

/** The id of a hit as messages have it. */
export function idOf(hit: PrintedHit): string {
  return String(hit._id ?? null)
}

/** The score of a hit; not a number without. */
export function scoreOf(hit: PrintedHit): number {
  return hit._score instanceof Float32 ? hit._score.value : Number.NaN
}

/** The values of a hit under a name, which is one key of its source, without a path. */
export function valuesOf(hit: PrintedHit, name: string): NamedValues {
  const fields = fieldsOf(hit).get(name)
  const source = sourceOf(hit)?.get(name)
  return {
    fields: fields === undefined ? undefined : (scriptValue(fields) as readonly ScriptValue[]),
    source: source === undefined ? undefined : scriptValue(source),
  }
}

/** A hit with values under a name, in those places that are given one. */
export function withValues(
  hit: PrintedHit,
  name: string,
  { fields, source }: NamedValues,
): PrintedHit {
  let changed = hit
  if (fields !== undefined)
    changed = { ...changed, fields: new Map(fieldsOf(hit)).set(name, jsonOfValue([...fields])) }
  const before = source === undefined ? null : sourceOf(hit)
  if (before !== null)
    changed = { ...changed, _source: new Map(before).set(name, jsonOfValue(source!)) }
  return changed
}

/**
 * A hit with what it has under a name under another one, last; values of the other name are replaced.
 * @returns null: it has nothing under the name
 */
export function renamed(hit: PrintedHit, from: string, to: string): PrintedHit | null {
  const fields = moved(fieldsOf(hit), from, to)
  const source = moved(sourceOf(hit), from, to)
  if (fields === null && source === null) return null
  return {
    ...hit,
    ...(fields === null ? {} : { fields }),
    ...(source === null ? {} : { _source: source }),
  }
}

function moved(map: JsonMap | null, from: string, to: string): JsonMap | null {
  const value = map?.get(from)
  if (map === null || value === undefined) return null
  const others = [...map].filter(([key]) => key !== from && key !== to)
  return new Map([...others, [to, value]])
}

function fieldsOf({ fields }: PrintedHit): JsonMap {
  return fields === undefined ? new Map() : mapOf(fields)
}

/** The source of a hit; null without. Numbers keep their text. */
export function sourceOf({ _source }: PrintedHit): JsonMap | null {
  return _source === undefined || _source === null ? null : mapOf(_source)
}

function mapOf(value: JsonValue): JsonMap {
  if (value instanceof Map) return value
  const read = jsonValueOf(parseJsonTree(writeJson(value)))
  return read instanceof Map ? (read as JsonMap) : new Map()
}

/** A value of a source as scripts have it. */
export function scriptValue(value: JsonValue): ScriptValue {
  return valueOfNode(parseJsonTree(writeJson(value)))
}
