/** `collate` of a phrase suggestion: whether documents match a query that is made of each phrase. */
import type { ScriptRequest } from '../../script/script-request.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { readBoolean } from '../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../dsl/parse-error.ts'
import { parseScript } from '../dsl/parse-script.ts'

/** As it is read. */
export interface Collate {
  /** Makes the query of a phrase, its parameter `suggestion`; null: none was given, and nothing is asked. */
  readonly template: ScriptRequest | null
  /** Its other parameters. */
  readonly params: JsonObjectNode | null
  /** Whether phrases without a document stay, each saying whether it has one. */
  readonly prune: boolean
}

/**
 * Reads the object behind `collate`.
 * @throws {EngineError} 400
 */
export function readCollate(node: JsonObjectNode): Collate {
  let template: ScriptRequest | null = null
  let params: JsonObjectNode | null = null
  let prune = false
  for (const { key, value } of node.entries) {
    if (key === 'query') {
      if (template !== null)
        throw refused(value, `query already set, doesn't support additional [${key}]`)
      template = parseScript(value, 'mustache')
    } else if (key === 'params') {
      if (value.kind !== 'object')
        throw refused(value, `params doesn't support values of type: ${tokenName(value.kind)}`)
      params = value
    } else if (key === 'prune') {
      const isText = value.kind === 'string' && /^(true|false)$/.test(value.value)
      if (value.kind !== 'boolean' && !isText)
        throw refused(value, "prune must be either 'true' or 'false'")
      prune = readBoolean(value)
    } else throw refused(value, `doesn't support field [${key}]`)
  }
  return { template, params, prune }
}

function refused(at: JsonNode, reason: string): Error {
  return parsingError(at, `suggester[phrase][collate] ${reason}`)
}
