/** The body of a search template: the template, its parameters, and what the search is to explain. */

import type { ScriptRequest } from '../../script/script-request.ts'
import { validationFailed } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { type DeclaredOption, FLAG, readDeclared, TEXT } from './declared-options.ts'
import { readBoolean, readText } from './json-scalars.ts'
import { contentError, tokenName } from './parse-error.ts'
import { readSource } from './parse-script.ts'

/** A search by template. */
export interface SearchTemplate {
  readonly template: ScriptRequest
  /** `explain` and `profile` where they are on, for the search's body. */
  readonly additions: readonly JsonEntry[]
}

/**
 * Reads a body.
 * @param pathId id of a stored template from the path; null: the body names the template
 * @throws {EngineError} `x_content_parse_exception`; `action_request_validation_exception`: no template
 */
export function parseSearchTemplate(node: JsonNode, pathId: string | null = null): SearchTemplate {
  if (node.kind !== 'object')
    throw contentError(
      node,
      `[search_template] Expected START_OBJECT but was: ${tokenName(node.kind)}`,
    )
  let source: string | null = null
  let id = pathId
  let params: JsonObjectNode | null = null
  const flags = new Map<string, boolean>()
  const flag = (key: string): DeclaredOption => ({
    takes: FLAG,
    read: value => flags.set(key, readBoolean(value)),
  })
  readDeclared(
    'search_template',
    node,
    new Map<string, DeclaredOption>([
      ['params', { takes: ['object'], read: value => (params = value as JsonObjectNode) }],
      ['explain', flag('explain')],
      ['profile', flag('profile')],
      ['id', { takes: TEXT, read: value => (id ??= readText(value)) }],
      [
        'source',
        { takes: ['string', 'object', 'array'], read: value => (source = readSource(value)) },
      ],
    ]),
  )
  const options = new Map<string, string>()
  const { line, col } = node
  const additions = [...flags]
    .filter(([, isOn]) => isOn)
    .map(([key]) => ({
      key,
      line,
      col,
      value: { kind: 'boolean', line, col, value: true } as const,
    }))
  if (id) return { template: { id, source: null, lang: null, params, options }, additions }
  if (!source) throw validationFailed(['template is missing'])
  return { template: { source, id: null, lang: 'mustache', params, options }, additions }
}
