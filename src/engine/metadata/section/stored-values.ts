/** Readers of stored metadata: a value that was never written is damage. */
import { Settings, type SettingValue } from '../../../schema/settings.ts'
import { CorruptSegmentError } from '../../../util/errors.ts'
import { type JsonNode, jsonEntry } from '../../../util/json/json-tree.ts'

/** @throws {CorruptSegmentError} no object, or one without the key */
export function valueAt(node: JsonNode, key: string): JsonNode {
  const entry = node.kind === 'object' ? jsonEntry(node, key) : null
  if (entry === null) throw new CorruptSegmentError('state', 32, `the key [${key}]`, 'none')
  return entry.value
}

/** @throws {CorruptSegmentError} no text under the key */
export function textAt(node: JsonNode, key: string): string {
  const value = valueAt(node, key)
  if (value.kind !== 'string')
    throw new CorruptSegmentError('state', 32, `a text as [${key}]`, value.kind)
  return value.value
}

/** A number under a key; null without. */
export function numberAt(node: JsonNode, key: string): number | null {
  const value = node.kind === 'object' ? jsonEntry(node, key)?.value : undefined
  return value?.kind === 'number' ? value.value : null
}

/** Settings, whose values are texts and lists of texts. */
export function readSettings(node: JsonNode): Settings {
  const values: [string, SettingValue][] = []
  if (node.kind === 'object')
    for (const { key, value } of node.entries) {
      if (value.kind === 'string') values.push([key, value.value])
      else if (value.kind === 'array')
        values.push([key, value.items.map(item => (item.kind === 'string' ? item.value : ''))])
    }
  return new Settings(values)
}
