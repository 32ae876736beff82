/** `collapse`: of hits with one value of a field, only the first. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { type DeclaredOption, INTEGER, readDeclared } from '../declared-options.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

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
  readDeclared(
    'collapse',
    node,
    new Map<string, DeclaredOption>([
      ['field', { takes: ['string'], read: value => (field = fieldOf(readText(value))) }],
      // Groups are searched in turn; the value is checked.
      [
        'max_concurrent_group_searches',
        { takes: INTEGER, read: value => checkConcurrency(readInteger(value)) },
      ],
      [
        'inner_hits',
        {
          takes: ['object', 'array'],
          read: value =>
            (innerHits = value.kind === 'array' ? value.items.map(objectOf) : [objectOf(value)]),
        },
      ],
    ]),
  )
  if (field === null) throw new IllegalArgumentError('[collapse] field name is null or empty')
  return { field, innerHits }
}

function fieldOf(field: string): string {
  if (field === '') throw new IllegalArgumentError('field name is null or empty')
  return field
}

function checkConcurrency(searches: number): void {
  if (searches < 1) throw new IllegalArgumentError('maxConcurrentGroupRequests` must be positive')
}

function objectOf(node: JsonNode): JsonObjectNode {
  if (node.kind === 'object') return node
  throw parsingError(node, 'Invalid token in inner_hits array')
}
