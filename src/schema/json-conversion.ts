/** From the positioned tree that a body was read into to the values that a response prints. */

import type { JsonNode } from '../util/json/json-tree.ts'
import { Float32, Float64, type JsonValue } from '../util/json/json-value.ts'

/**
 * The node as a value that prints the same: whole numbers as such (of any size), others with their
 * fraction. `sortKeys` puts every object's keys in order of code units. Depth is bounded by the
 * reader's limit.
 */
export function nodeToJson(node: JsonNode, sortKeys = false): JsonValue {
  switch (node.kind) {
    case 'object': {
      const entries = node.entries.map(
        entry => [entry.key, nodeToJson(entry.value, sortKeys)] as const,
      )
      if (sortKeys) entries.sort((a, b) => (a[0] < b[0] ? -1 : 1))
      return new Map(entries)
    }
    case 'array':
      return node.items.map(item => nodeToJson(item, sortKeys))
    case 'number': {
      if (!/^-?\d+$/.test(node.text)) return new Float64(node.value)
      return Number.isSafeInteger(node.value) && !Object.is(node.value, -0)
        ? node.value
        : BigInt(node.text)
    }
    case 'null':
      return null
    case 'string':
    case 'boolean':
      return node.value
  }
}

/** Whether two values print the same. */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a === null || b === null) return false
  if (a instanceof Float64 && b instanceof Float64) return a.value === b.value
  if (a instanceof Float32 && b instanceof Float32) return a.value === b.value
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
  if (a instanceof Map && b instanceof Map) {
    if (a.size !== b.size) return false
    for (const [key, value] of a) if (!isSameJson(value, b.get(key))) return false
    return true
  }
  return false
}

/** A value as it reads in an error: text bare, objects and lists as Java prints them. */
export function describeNode(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.entries.map(e => `${e.key}=${describeNode(e.value)}`).join(', ')}}`
    case 'array':
      return `[${node.items.map(describeNode).join(', ')}]`
    case 'number':
      return node.text
    case 'null':
      return 'null'
    case 'string':
    case 'boolean':
      return String(node.value)
  }
}
