import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName, unknownField } from '../parse-error.ts'

/** Bounds as they were written; null ends are open. */
export interface ParsedBounds {
  readonly min: string | null
  readonly max: string | null
}

/** Reads `{min, max}`. */
export function readBounds(node: JsonNode): ParsedBounds {
  if (node.kind !== 'object')
    throw parsingError(node, `[bounds] Expected START_OBJECT but was: ${tokenName(node.kind)}`)
  const bounds: { min: string | null; max: string | null } = { min: null, max: null }
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key !== 'min' && key !== 'max') throw unknownField(entry, 'bounds', ['min', 'max'])
    bounds[key] = value.kind === 'null' ? null : readText(value)
  }
  return bounds
}
