import { contentError } from '../../../engine/dsl/parse-error.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
} from '../../endpoint.ts'
import { list } from '../../params.ts'

const ALIAS_KEYS = new Set([
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
])

/** `PUT|POST [/{index}]/_alias[/{name}]`; index and name may stand in the body. */
export const putAlias: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_alias'],
    ['POST', '/_alias'],
    ['PUT', '/_alias/{name}'],
    ['POST', '/_alias/{name}'],
    ['PUT', '/_aliases/{name}'],
    ['POST', '/_aliases/{name}'],
    ['PUT', '/{index}/_alias'],
    ['POST', '/{index}/_alias'],
    ['PUT', '/{index}/_alias/{name}'],
    ['POST', '/{index}/_alias/{name}'],
    ['PUT', '/{index}/_aliases'],
    ['PUT', '/{index}/_aliases/{name}'],
    ['POST', '/{index}/_aliases/{name}'],
  ],
  action: 'indices:admin/aliases',
  params: MASTER_PARAMS,
  body: 'json',
  async handle({ engine, part, body, context }): Promise<Answer> {
    let indices = list(part('index'))
    let aliases = list(part('name'))
    const entries: JsonEntry[] = []
    for (const entry of body === null ? [] : objectBody(body).entries) {
      const { key, value } = entry
      if (key === 'index') indices = namesIn(value)
      else if (key === 'alias') aliases = namesIn(value)
      else if (ALIAS_KEYS.has(key)) entries.push(entry)
      else throw contentError(entry, `unknown field [${key}]`)
    }
    if (aliases.length === 0)
      throw new IllegalArgumentError('One of [alias] or [aliases] is required')
    const alias = { kind: 'object', line: 1, col: 1, entries } as const
    if (indices.length === 0) throw new IllegalArgumentError("[indices] can't be empty")
    await engine.aliases.update([{ kind: 'add', indices, aliases, alias }], context)
    return { json: { acknowledged: true } }
  },
})

function namesIn(node: JsonNode): readonly string[] {
  return node.kind === 'string' ? list(node.value) : []
}
