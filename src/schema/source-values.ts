/** Values of fields as a document's source has them. */
import { type JsonNode, jsonEntry } from '../util/json/json-tree.ts'
import type { FieldType } from './field-type.ts'
import type { Mapping } from './mapping.ts'

/** The paths at which a source has a field's values: its own, and those of fields that are copied to it. */
export function sourcePaths(
  { name }: Pick<FieldType, 'name'>,
  mapping: Mapping,
): readonly string[] {
  const own = sourcePath(name, mapping)
  const paths = [own]
  for (const field of mapping.fields())
    if (field.copyTo.includes(own)) paths.push(sourcePath(field.name, mapping))
  return paths
}

/** The path at which a source has a field's own values: those of a multi-field or a derived one are its parent's. */
export function sourcePath(name: string, mapping: Mapping): string {
  const parent = mapping.field(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
  const isPart = [...(parent?.multiFields ?? []), ...(parent?.derived ?? [])].some(
    part => part.name === name,
  )
  return parent !== null && isPart ? sourcePath(parent.name, mapping) : name
}

/**
 * The values at a path, whose names may be joined by dots; nulls included. Depth is bounded by the reader.
 * @param keepsLists a list is one value; else its items are
 */
export function valuesAt(root: JsonNode, path: string, keepsLists: boolean): JsonNode[] {
  const found: JsonNode[] = []
  collect(root, path.split('.'), keepsLists, found)
  return found
}

function collect(
  node: JsonNode,
  path: readonly string[],
  keepsLists: boolean,
  to: JsonNode[],
): void {
  if (node.kind === 'array' && !(keepsLists && path.length === 0)) {
    for (const item of node.items) collect(item, path, keepsLists, to)
    return
  }
  if (path.length === 0) {
    to.push(node)
    return
  }
  if (node.kind !== 'object') return
  for (let length = 1; length <= path.length; length++) {
    const entry = jsonEntry(node, path.slice(0, length).join('.'))
    if (entry !== null) collect(entry.value, path.slice(length), keepsLists, to)
  }
}

/** The values at a path but for nulls, lists flattened. */
export function presentAt(root: JsonNode, path: string): JsonNode[] {
  return valuesAt(root, path, false).filter(({ kind }) => kind !== 'null')
}
