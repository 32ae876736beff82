import type { Mapping } from '../../schema/mapping.ts'
import { type JsonNode, jsonEntry } from '../../util/json/json-tree.ts'

/** Where a source has a field's values: a multi-field's are its parent's. */
export function sourcePath(name: string, mapping: Mapping): string {
  const parent = mapping.field(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
  return parent?.multiFields.some(sub => sub.name === name) === true ? parent.name : name
}

/**
 * Values below a path of a source, whose names may be joined by dots; lists are flattened, nulls left
 * out. Depth is bounded by the reader.
 */
export function valuesAt(source: JsonNode, path: string): JsonNode[] {
  const values: JsonNode[] = []
  collect(source, path.split('.'), values)
  return values
}

function collect(node: JsonNode, path: readonly string[], to: JsonNode[]): void {
  if (node.kind === 'array') {
    for (const item of node.items) collect(item, path, to)
    return
  }
  if (path.length === 0) {
    if (node.kind !== 'null') to.push(node)
    return
  }
  if (node.kind !== 'object') return
  for (let length = 1; length <= path.length; length++) {
    const entry = jsonEntry(node, path.slice(0, length).join('.'))
    if (entry !== null) collect(entry.value, path.slice(length), to)
  }
}
