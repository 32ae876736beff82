/** A partial document laid over a source: objects are merged, all other values replaced. */
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'

/** A source after a partial document. */
interface MergedSource {
  readonly source: JsonObjectNode
  /** False: every value was there already, numbers written alike. */
  readonly isChanged: boolean
}

/** Nesting of both is bounded where they were read. */
export function mergeSource(old: JsonObjectNode, part: JsonObjectNode): MergedSource {
  const entries = new Map<string, JsonEntry>(old.entries.map(entry => [entry.key, entry]))
  let isChanged = false
  for (const entry of part.entries) {
    const existing = entries.get(entry.key)
    if (existing?.value.kind === 'object' && entry.value.kind === 'object') {
      const inner = mergeSource(existing.value, entry.value)
      if (!inner.isChanged) continue
      entries.set(entry.key, { ...existing, value: inner.source })
    } else {
      if (existing !== undefined && isSameNode(existing.value, entry.value)) continue
      entries.set(entry.key, entry)
    }
    isChanged = true
  }
  return { source: isChanged ? { ...old, entries: [...entries.values()] } : old, isChanged }
}

/** Whether two values are the same, whatever the order of keys. */
function isSameNode(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === 'object' && b.kind === 'object') {
    if (a.entries.length !== b.entries.length) return false
    const others = new Map(b.entries.map(({ key, value }) => [key, value]))
    return a.entries.every(({ key, value }) => {
      const other = others.get(key)
      return other !== undefined && isSameNode(value, other)
    })
  }
  if (a.kind === 'array' && b.kind === 'array')
    return (
      a.items.length === b.items.length && a.items.every((item, i) => isSameNode(item, b.items[i]!))
    )
  if (a.kind === 'number' && b.kind === 'number') return a.text === b.text
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value
  if (a.kind === 'boolean' && b.kind === 'boolean') return a.value === b.value
  return a.kind === 'null' && b.kind === 'null'
}
