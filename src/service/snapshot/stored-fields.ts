/** Readers of a repository's own bodies: a value that was never written is damage. */
import { CorruptSegmentError } from '../../util/errors.ts'
import { type JsonNode, jsonEntry } from '../../util/json/json-tree.ts'

/** The value of a key. */
export function nodeAt(node: JsonNode, key: string): JsonNode {
  const entry = node.kind === 'object' ? jsonEntry(node, key) : null
  if (entry === null) throw wrong(`the key [${key}]`, node.kind)
  return entry.value
}

/** The value of a key; null where it is null, or missing. */
export function nodeOrNull(node: JsonNode, key: string): JsonNode | null {
  const value = node.kind === 'object' ? jsonEntry(node, key)?.value : undefined
  return value === undefined || value.kind === 'null' ? null : value
}

/** A text. */
export function textAt(node: JsonNode, key: string): string {
  const value = nodeAt(node, key)
  if (value.kind !== 'string') throw wrong(`a text as [${key}]`, value.kind)
  return value.value
}

/** A whole number from `min` on. */
export function integerAt(node: JsonNode, key: string, min = 0): number {
  const value = nodeAt(node, key)
  if (value.kind !== 'number' || !Number.isSafeInteger(value.value) || value.value < min)
    throw wrong(`a number from ${min} on as [${key}]`, value.kind)
  return value.value
}

/** A boolean. */
export function booleanAt(node: JsonNode, key: string): boolean {
  const value = nodeAt(node, key)
  if (value.kind !== 'boolean') throw wrong(`a boolean as [${key}]`, value.kind)
  return value.value
}

/** The items of a list. */
export function itemsAt(node: JsonNode, key: string): readonly JsonNode[] {
  const value = nodeAt(node, key)
  if (value.kind !== 'array') throw wrong(`a list as [${key}]`, value.kind)
  return value.items
}

/** The texts of a list. */
export function textsAt(node: JsonNode, key: string): readonly string[] {
  return itemsAt(node, key).map(item => {
    if (item.kind !== 'string') throw wrong(`texts in [${key}]`, item.kind)
    return item.value
  })
}

/** Damage: a body that has the right checksum, but was never written so. */
export function wrong(expected: string, found: string): CorruptSegmentError {
  return new CorruptSegmentError('repository', 0, expected, found)
}
