import { contentError, tokenName, unknownField } from '../../../engine/dsl/parse-error.ts'
import { checkAccess } from '../../../task/access.ts'
import { type EngineError, IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { type Answer, defineEndpoint, type Endpoint, objectBody } from '../../endpoint.ts'
import { flag, list, text } from '../../params.ts'

const KEYS = [
  'analyzer',
  'attributes',
  'char_filter',
  'explain',
  'field',
  'filter',
  'normalizer',
  'text',
  'tokenizer',
]

/** `GET|POST [/{index}]/_analyze`. */
export const analyze: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_analyze'],
    ['POST', '/_analyze'],
    ['GET', '/{index}/_analyze'],
    ['POST', '/{index}/_analyze'],
  ],
  action: 'indices:admin/analyze',
  params: {
    index: text,
    analyzer: text,
    attributes: list,
    char_filter: list,
    explain: flag,
    field: text,
    filter: list,
    normalizer: text,
    text,
    tokenizer: text,
    prefer_local: flag,
  },
  body: 'json',
  async handle({ engine, params, part, body, method, context }): Promise<Answer> {
    // Without an index it is a matter of the cluster.
    if (part('index') === '' && !params.index) checkAccess(context, 'cluster:admin/analyze', [])
    const keys = new Map<string, JsonNode>()
    for (const entry of body === null ? [] : objectBody(body).entries) {
      if (!KEYS.includes(entry.key)) throw unknownField(entry, 'analyze_request', KEYS)
      if (entry.value.kind !== 'null') keys.set(entry.key, entry.value)
    }
    const index = part('index') === '' ? (params.index ?? null) : part('index')
    const call = {
      index,
      text: texts('text', keys) ?? (params.text === undefined ? [] : [params.text]),
      analyzer: oneText('analyzer', keys) ?? params.analyzer ?? null,
      normalizer: oneText('normalizer', keys) ?? params.normalizer ?? null,
      field: oneText('field', keys) ?? params.field ?? null,
      tokenizer: keys.get('tokenizer') ?? (params.tokenizer ? textNode(params.tokenizer) : null),
      filter: nodes(keys.get('filter')) ?? (params.filter ?? []).map(textNode),
      charFilter: nodes(keys.get('char_filter')) ?? (params.char_filter ?? []).map(textNode),
      explain: oneFlag('explain', keys) ?? params.explain ?? false,
      attributes: texts('attributes', keys) ?? params.attributes ?? [],
      isCached: method === 'GET',
    }
    const hasParts = call.tokenizer !== null || call.filter.length > 0 || call.charFilter.length > 0
    const complaints: string[] = []
    if (call.text.length === 0) complaints.push('text is missing')
    if (call.normalizer !== null) {
      if (index === null) complaints.push('index is required if normalizer is specified')
      if (call.tokenizer !== null || call.analyzer !== null) {
        complaints.push('tokenizer/analyze should be null if normalizer is specified')
      }
    }
    if (call.analyzer !== null && hasParts) {
      complaints.push('cannot define extra components on a named analyzer')
    }
    if (call.field !== null && call.analyzer === null && hasParts) {
      complaints.push('cannot define extra components on a field-specific analyzer')
    }
    if (complaints.length > 0) throw validationFailed(complaints)
    if (call.field !== null && index === null) {
      throw new IllegalArgumentError('analysis based on a specific field requires an index')
    }
    return { json: await engine.analysis.analyze(call, context) }
  },
})

function badField(key: string, node: JsonNode): EngineError {
  const token = tokenName(node.kind)
  return contentError(node, `[analyze_request] ${key} doesn't support values of type: ${token}`)
}

function oneText(key: string, keys: ReadonlyMap<string, JsonNode>): string | null {
  const node = keys.get(key)
  if (node === undefined) return null
  if (node.kind === 'string') return node.value
  throw badField(key, node)
}

function oneFlag(key: string, keys: ReadonlyMap<string, JsonNode>): boolean | null {
  const node = keys.get(key)
  if (node === undefined) return null
  if (node.kind === 'boolean') return node.value
  if (node.kind === 'string') return flag(node.value)
  throw badField(key, node)
}

/** A text or a list of them; numbers and booleans as they were written. */
function texts(key: string, keys: ReadonlyMap<string, JsonNode>): readonly string[] | null {
  const node = keys.get(key)
  if (node === undefined) return null
  return (node.kind === 'array' ? node.items : [node]).map(item => {
    if (item.kind === 'string') return item.value
    if (item.kind === 'number') return item.text
    if (item.kind === 'boolean') return String(item.value)
    throw badField(key, item)
  })
}

function nodes(node: JsonNode | undefined): readonly JsonNode[] | null {
  if (node === undefined) return null
  return node.kind === 'array' ? node.items : [node]
}

function textNode(value: string): JsonNode {
  return { kind: 'string', line: 1, col: 1, value }
}
