/** Shapes that queries name by the document in which they stand. */
import type { Geometry } from '../../../schema/geo-shape/geometry.ts'
import { readShape } from '../../../schema/geo-shape/read-shape.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { type JsonNode, type JsonObjectNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import { isScalar, readText } from '../json-scalars.ts'
import type { Lookup } from '../lookup.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** How the shapes of documents are read, whatever their mapping says. */
const READING = { coerce: true, ignoresZ: true } as const

/**
 * Reads where the shape stands.
 * @throws {EngineError} 400: not such a place
 */
export function readIndexedShape(node: JsonObjectNode): Lookup<Geometry> | null {
  const texts = new Map<string, string>()
  for (const entry of node.entries) {
    const { key, value } = entry
    if (value.kind === 'null') continue
    if (!isScalar(value))
      throw parsingError(entry, `unknown token [${tokenName(value.kind)}] after [${key}]`)
    texts.set(key, readText(value))
  }
  const id = texts.get('id')
  if (id === undefined) return null
  const index = texts.get('index') ?? 'shapes'
  const path = texts.get('path') ?? 'shape'
  const routing = texts.get('routing') ?? null
  return {
    inDocument: null,
    async run(calls) {
      const found = await calls.document(index, id, routing)
      if (found === null) throw new IllegalArgumentError(`Shape with ID [${id}] not found`)
      const value = valueAt(parseJsonTree(found.source), path.split('.'))
      if (value !== null) return readShape(value, READING)
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `Shape with name [${id}] found but missing ${path} field`,
      })
    },
  }
}

/** The first value below the names of a path; null: there is none. */
function valueAt(node: JsonNode, [name, ...rest]: readonly string[]): JsonNode | null {
  if (name === undefined) return node.kind === 'null' ? null : node
  if (node.kind !== 'object') return null
  const entry = node.entries.find(({ key }) => key === name)
  return entry === undefined ? null : valueAt(entry.value, rest)
}
