import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { readText } from '../json-scalars.ts'
import { fieldError, parsingError, tokenName, unknownField } from '../parse-error.ts'

/** The point in time that a search looks at. */
export interface PointInTime {
  readonly id: string
  /** Its new keep-alive; null leaves it as it is. */
  readonly keepAliveInMillis: number | null
}

const KEYS = ['id', 'keep_alive']

/**
 * Reads `pit`.
 * @throws {EngineError} 400: no id, an unknown field, a duration that is none
 */
export function parsePointInTime(node: JsonNode): PointInTime {
  if (node.kind !== 'object')
    throw parsingError(node, `Expected [START_OBJECT] but found [${tokenName(node.kind)}]`)
  let id: string | null = null
  let keepAliveInMillis: number | null = null
  for (const entry of node.entries) {
    const { key, value } = entry
    if (!KEYS.includes(key)) throw unknownField(entry, 'pit', KEYS)
    try {
      if (key === 'id') id = readText(value)
      else keepAliveInMillis = parseDuration(readText(value), key) / 1e6
    } catch (error) {
      throw fieldError(value, 'pit', key, error)
    }
  }
  if (id === null) throw new IllegalArgumentError('point int time id is not provided')
  return { id, keepAliveInMillis }
}
