/** Scripts as requests write them (contract-scripts S1). */

import type { ScriptRequest } from '../../script/script-request.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { readText } from './json-scalars.ts'
import { contentError, tokenName, unknownField } from './parse-error.ts'

const KEYS = ['source', 'id', 'lang', 'params', 'options']
const OLD_NAMES: Readonly<Record<string, string>> = { inline: 'source', stored: 'id' }

/**
 * Reads a script: a text is the source of an inline one.
 * @param otherwise its language where it names none
 * @throws {EngineError} `x_content_parse_exception`: an unknown key; `illegal_argument_exception`: neither
 *   source nor id, or both
 */
export function parseScript(node: JsonNode, otherwise: string = 'painless'): ScriptRequest {
  if (node.kind === 'string') return inline(node.value, otherwise)
  if (node.kind !== 'object')
    throw contentError(node, `[script] Expected START_OBJECT but was: ${tokenName(node.kind)}`)
  let source: string | null = null
  let id: string | null = null
  let lang: string | null = null
  let params: JsonObjectNode | null = null
  let options: ReadonlyMap<string, string> = new Map()
  for (const entry of node.entries) {
    const { value } = entry
    const key = OLD_NAMES[entry.key] ?? entry.key
    if (key === 'source') source = readSource(value)
    else if (key === 'id') id = readText(value)
    else if (key === 'lang') lang = readText(value)
    else if (key === 'params') params = objectOf(value, key)
    else if (key === 'options') options = checkedOptions(readOptions(value))
    else throw unknownField(entry, 'script', KEYS)
  }
  if (source === null && id === null)
    throw new IllegalArgumentError(
      'must specify either [source] for an inline script or [id] for a stored script',
    )
  if (source !== null && id !== null)
    throw new IllegalArgumentError('must only use one of [source, id] when specifying a script')
  if (source !== null) return { ...inline(source, lang ?? otherwise), params, options }
  if (lang !== null)
    throw new IllegalArgumentError('illegally specified <lang> for a stored script')
  return { source: null, id: id!, lang: null, params, options }
}

/** The source of a script: a text, or JSON that is kept as its text. */
export function readSource(node: JsonNode): string {
  if (node.kind === 'string') return node.value
  if (node.kind !== 'object' && node.kind !== 'array') return readText(node)
  return new TextDecoder().decode(writeJson(jsonValueOf(node)))
}

/** Options of a compiler: texts by name. */
export function readOptions(node: JsonNode): ReadonlyMap<string, string> {
  const { entries } = objectOf(node, 'options')
  return new Map(entries.map(({ key, value }) => [key, readText(value)]))
}

/**
 * The options, of which only `content_type` has a meaning.
 * @throws {IllegalArgumentError} there are others
 */
export function checkedOptions(options: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  for (const [key, value] of options)
    if (key !== 'content_type')
      throw new IllegalArgumentError(`illegal compiler options [{${key}=${value}}] specified`)
  return options
}

function inline(source: string, lang: string): ScriptRequest & { readonly id: null } {
  return { source, id: null, lang, params: null, options: new Map() }
}

function objectOf(node: JsonNode, key: string): JsonObjectNode {
  if (node.kind === 'object') return node
  throw contentError(
    node,
    `[script] ${key} doesn't support values of type: ${tokenName(node.kind)}`,
  )
}
