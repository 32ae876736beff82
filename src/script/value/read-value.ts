/** Values for scripts out of JSON: integers by their size, fractions as doubles. */

import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { BigIntegerValue } from './big-integer.ts'
import { doubleValue, type ScriptMap, type ScriptValue } from './script-value.ts'

/**
 * Reads one JSON value.
 * @throws {EngineError} `json_parse_exception`: not JSON, or past a limit
 */
export function readValue(json: Uint8Array): ScriptValue {
  return valueOfNode(parseJsonTree(json))
}

/** The value of a part of a request. */
export function valueOfNode(node: JsonNode): ScriptValue {
  switch (node.kind) {
    case 'null':
      return null
    case 'string':
    case 'boolean':
      return node.value
    case 'number':
      return numberOf(node.text, node.value)
    case 'array':
      return node.items.map(valueOfNode)
    case 'object': {
      const map: ScriptMap = new Map()
      for (const { key, value } of node.entries) map.set(key, valueOfNode(value))
      return map
    }
  }
}

/** Integer, Long or BigInteger by size; Double where the text has a fraction or an exponent. */
function numberOf(text: string, value: number): ScriptValue {
  if (/[.eE]/.test(text)) return doubleValue(value)
  if ((value | 0) === value) return value | 0
  const integer = BigInt(text)
  return BigInt.asIntN(64, integer) === integer ? integer : new BigIntegerValue(integer)
}
