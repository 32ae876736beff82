import type { FieldRestrictions } from '../../task/access.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { type JsonNode, type JsonObjectNode, parseJsonTree } from '../../util/json/json-tree.ts'

/**
 * A document's source, or an object in the form of one, without the fields that are hidden and with texts masked.
 * Objects in lists keep their places. Numbers stay as they were written: masks are of texts alone.
 * @param source empty: the mapping keeps none
 */
export function visibleSource(source: Uint8Array, fields: FieldRestrictions): Uint8Array {
  if (source.length === 0) return source
  const tree = parseJsonTree(source)
  return tree.kind === 'object' ? encodeUtf8(objectText(tree, '', fields)) : source
}

/** Names of fields that may be told. */
export function visibleNames(
  names: readonly string[],
  fields: FieldRestrictions | null,
): readonly string[] {
  return fields === null ? names : names.filter(name => fields.sees(name))
}

/** Depth is that of the document, which was bounded when it was indexed. */
function objectText(
  { entries }: JsonObjectNode,
  prefix: string,
  fields: FieldRestrictions,
): string {
  const parts: string[] = []
  for (const { key, value } of entries) {
    const path = `${prefix}${key}`
    const isSeen = fields.sees(path)
    if (!isSeen && !(isInner(value) && fields.showsAround(path))) continue
    const text = valueText(value, path, isSeen, fields)
    if (text !== null) parts.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${parts.join(',')}}`
}

function isInner({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array'
}

/**
 * The value's JSON; null: it is hidden.
 * @param isSeen whether its path is seen itself, not only for what is in it
 */
function valueText(
  node: JsonNode,
  path: string,
  isSeen: boolean,
  fields: FieldRestrictions,
): string | null {
  if (node.kind === 'object') return objectText(node, `${path}.`, fields)
  if (node.kind === 'array') {
    const items = node.items.flatMap(item => valueText(item, path, isSeen, fields) ?? [])
    return `[${items.join(',')}]`
  }
  if (!isSeen) return null
  if (node.kind === 'number') return node.text
  if (node.kind === 'null') return 'null'
  const mask = node.kind === 'string' ? fields.maskOf(path) : null
  return JSON.stringify(mask === null ? node.value : mask.apply(String(node.value)))
}
