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
  const render = textOf(node, request)
  return others => parseJsonTree(new TextEncoder().encode(render(others)))
}

/**
 * Compiles a template: the text that it makes of its parameters and others.
 * @throws {EngineError} it is not stored, or does not compile
 */
function textOf(node: Node, request: ScriptRequest): (others: ScriptMap) => string {
  const resolved = node.scripts.resolve(request, 'template')
  const compiled = node.scripts.compile(resolved, 'template')
  assert(compiled.lang === 'mustache', 'templates have one language')
  const { template } = compiled
  const params = resolved.params === null ? NO_PARAMS : valueOfNode(resolved.params)
  assert(params instanceof Map, 'parameters are an object')
  return others => {
    const all: ScriptMap = new Map([...params, ...others])
    return template.render(all, newScriptRun())
  }
}

/**
 * The text of an inline template with its parameters.
 * @param params an object
 * @throws {EngineError} it does not compile
 */
export function renderText(node: Node, source: string, params: JsonNode): string {
  const values = valueOfNode(params)
  assert(values instanceof Map, 'parameters are an object')
  const request = { source, id: null, lang: 'mustache', params: null, options: new Map() }
  return textOf(node, request)(values)
}
