/** Bodies that templates make of parameters. */

import type { ScriptRequest } from '../../script/script-request.ts'
import { newScriptRun } from '../../script/script-run.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import type { ScriptMap } from '../../script/value/script-value.ts'
import { assert } from '../../util/assert.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { Node } from '../node/node.ts'

const NO_PARAMS: ScriptMap = new Map()

/**
 * The JSON that a template makes of its parameters.
 * @throws {EngineError} it is not stored, does not compile, or makes no JSON
 */
export function renderTemplate(node: Node, request: ScriptRequest): JsonNode {
  return templateOf(node, request)(NO_PARAMS)
}

/**
 * Compiles a template: the JSON that it makes of its parameters and others.
 * @returns throws as `renderTemplate` where it makes no JSON
 * @throws {EngineError} it is not stored, or does not compile
 */
export function templateOf(node: Node, request: ScriptRequest): (others: ScriptMap) => JsonNode {
  const resolved = node.scripts.resolve(request, 'template')
  const compiled = node.scripts.compile(resolved, 'template')
  assert(compiled.lang === 'mustache', 'templates have one language')
  const { template } = compiled
  const params = resolved.params === null ? NO_PARAMS : valueOfNode(resolved.params)
  assert(params instanceof Map, 'parameters are an object')
  return others => {
    const all: ScriptMap = new Map([...params, ...others])
    return parseJsonTree(new TextEncoder().encode(template.render(all, newScriptRun())))
  }
}
