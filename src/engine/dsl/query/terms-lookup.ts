/** The values of `terms` that stand in other documents: those of one, or of all that a query finds. */

import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText, scalarText } from '../json-scalars.ts'
import type { Lookup } from '../lookup.ts'
import { unknownField } from '../parse-error.ts'
import type { QueryReader } from './query-parser.ts'

const KEYS = ['index', 'id', 'path', 'query', 'routing', 'store'] as const

/**
 * Reads where the values stand.
 * @throws {EngineError} 400: a key is missing, or there is another one
 */
export function readTermsLookup(
  node: JsonObjectNode,
  read: QueryReader,
): Lookup<readonly string[]> {
  const texts = new Map<string, string>()
  let query: JsonNode | null = null
  let isStored = false
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'store') isStored = readBoolean(value)
    else if (key === 'query') {
      // Read for its errors, and its own lookups are those of the search that runs it.
      read.inner(value)
      query = value
    } else if ((KEYS as readonly string[]).includes(key)) {
      if (value.kind !== 'null') texts.set(key, readText(value))
    } else throw unknownField(entry, 'terms_lookup', KEYS)
  }
  const index = required(texts, 'index')
  const id = texts.get('id') ?? null
  if (id !== null && query !== null)
    throw new IllegalArgumentError('[terms] query lookup element cannot specify both id and query.')
  if (query === null) required(texts, 'id')
  const path = required(texts, 'path')
  const routing = texts.get('routing') ?? null
  const common = { index, path, routing, isStored }
  const answerOf = (values: readonly JsonNode[]): readonly string[] => [
    ...new Set(values.map(value => termOf(value, path))),
  ]
  if (query !== null) {
    const asked = { ...common, query }
    return { inDocument: null, run: async calls => answerOf(await calls.valuesOfHits(asked)) }
  }
  const asked = { ...common, id: id ?? '' }
  return {
    inDocument: isStored ? null : { asked, answerOf },
    run: async calls => answerOf(await calls.valuesOf(asked)),
  }
}

function required(texts: ReadonlyMap<string, string>, key: string): string {
  const text = texts.get(key)
  if (text !== undefined) return text
  throw new IllegalArgumentError(`[terms] query lookup element requires specifying the ${key}.`)
}

function termOf(value: JsonNode, path: string): string {
  const text = scalarText(value)
  if (text !== null) return text
  throw new IllegalArgumentError(`the value at [${path}] is an object, which is no term`)
}
