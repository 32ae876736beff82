/** Searches whose bodies templates make. */

import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type {
  MultiSearchCall,
  MultiSearchItem,
  SearchCall,
  SearchOutcome,
} from '../api/searches.ts'
import { parsingError } from '../dsl/parse-error.ts'
import { parseSearchTemplate, type SearchTemplate } from '../dsl/search-template-body.ts'
import type { Node } from '../node/node.ts'
import { renderTemplate } from '../script/render-template.ts'
import { multiSearchItems } from './multi-search.ts'
import { search } from './search.ts'

/**
 * Searches with the body that a template makes.
 * @param call its body is that of the template
 * @throws {EngineError} no such template, or one that makes no JSON; as `search`
 */
export async function searchTemplate(
  node: Node,
  call: SearchCall,
  context: CallContext,
): Promise<SearchOutcome> {
  node.ensureOpen()
  const body = renderedBody(node, parseSearchTemplate(call.body!))
  return await search(node, { ...call, body }, context)
}

/**
 * Runs several searches by template; one that fails does not keep the others.
 * @throws {EngineError} a body is malformed before its template is rendered
 */
export async function multiSearchTemplate(
  node: Node,
  { searches, maxConcurrent }: MultiSearchCall,
  context: CallContext,
): Promise<MultiSearchItem[]> {
  node.ensureOpen()
  const templates = searches.map(({ body }) => parseSearchTemplate(body!))
  const items = searches.map(
    (call, i) => (): SearchCall => ({
      ...call,
      body: renderedBody(node, templates[i]!),
    }),
  )
  return await multiSearchItems(node, items, maxConcurrent, context)
}

/** The search's body, with what the template's own body asks for. */
function renderedBody(node: Node, { template, additions }: SearchTemplate): JsonNode {
  const body = renderTemplate(node, template)
  if (body.kind !== 'object') throw parsingError(body, 'a template of a search must make an object')
  return additions.length === 0 ? body : withEntries(body, additions)
}

function withEntries(body: JsonObjectNode, entries: SearchTemplate['additions']): JsonObjectNode {
  const added = new Set(entries.map(({ key }) => key))
  return { ...body, entries: [...body.entries.filter(({ key }) => !added.has(key)), ...entries] }
}
