/** `collapse`: of hits with one value of a field, only the first. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'

/** A collapsed search. */
export interface ParsedCollapse {
  readonly field: string
  /** Other hits of each group that come with its first, each as the request wrote it. */
  readonly innerHits: readonly JsonObjectNode[]
}

/**
 * Reads `collapse`.
 * @throws {EngineError} 400: no such object
 */
export function parseCollapse(node: JsonNode): ParsedCollapse {
  if (node.kind !== 'object')
    throw parsingError(node, `[collapse] Expected START_OBJECT but was: ${tokenName(node.kind)}`)
  let field: string | null = null
  let innerHits: readonly JsonObjectNode[] = []
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'field') field = readText(value)
    else if (key === 'max_concurrent_group_searches') {
      // Groups are searched in turn; the value is checked.
      if (readInteger(value) < 1)
        throw new IllegalArgumentError('maxConcurrentGroupRequests` must be positive')
    } else if (key === 'inner_hits')
      innerHits = value.kind === 'array' ? value.items.map(objectOf) : [objectOf(value)]
    else throw contentError(entry, `[collapse] unknown field [${key}]`)
  }
  if (field === null) throw new IllegalArgumentError('[collapse] field name is null or empty')
  return { field, innerHits }
}

function objectOf(node: JsonNode): JsonObjectNode {
  if (node.kind === 'object') return node
  throw parsingError(node, `[inner_hits] Expected START_OBJECT but was: ${tokenName(node.kind)}`)
}
