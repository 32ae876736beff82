import type { GetDocument, SourceFilter } from '../../../engine/api/documents.ts'
import { readText } from '../../../engine/dsl/json-scalars.ts'
import { parsingError, tokenName } from '../../../engine/dsl/parse-error.ts'
import {
  ALL_OF_SOURCE,
  parseSourceSelection,
} from '../../../engine/dsl/search-body/source-selection.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Long, parseLong } from '../../../util/long.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { wholeError } from '../../error-body.ts'
import { flag, list, preference, text } from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter } from './document.ts'
import { gotDocument, sourceBeside } from './get.ts'

/** Defaults for documents that do not say otherwise. */
interface Defaults {
  /** '': each has to say. */
  readonly index: string
  readonly routing: string | null
  readonly storedFields: readonly string[] | null
  readonly source: SourceFilter | null
  readonly realtime: boolean
  readonly refresh: boolean
  /** Whether items may name indices. */
  readonly allowsIndices: boolean
}

/** `GET|POST [/{index}]/_mget`. */
export const multiGet: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_mget'],
    ['POST', '/_mget'],
    ['GET', '/{index}/_mget'],
    ['POST', '/{index}/_mget'],
  ],
  action: 'indices:data/read/mget',
  params: {
    ...SOURCE_PARAMS,
    preference,
    realtime: flag,
    refresh: flag,
    routing: text,
    stored_fields: list,
  },
  body: 'json-required',
  async handle({ engine, params, part, body, hasErrorTrace, context }): Promise<Answer> {
    const defaults: Defaults = {
      index: part('index'),
      routing: params.routing ?? null,
      storedFields: params.stored_fields ?? null,
      source: sourceFilter(params),
      realtime: params.realtime ?? true,
      refresh: params.refresh ?? false,
      allowsIndices: engine.cluster.allowsExplicitIndex,
    }
    const calls = readCalls(body!, defaults)
    const docs = await engine.documents.multiGet(calls, context)
    return {
      json: {
        docs: docs.map((doc, i): JsonRecord => {
          if (!(doc instanceof Error)) return gotDocument(doc)
          const { index, id } = calls[i]!
          return { _index: index, _id: id, error: wholeError(doc, hasErrorTrace) }
        }),
      },
    }
  },
})

function readCalls(body: JsonNode, defaults: Defaults): GetDocument[] {
  if (body.kind !== 'object')
    throw parsingError(body, `unexpected token [${tokenName(body.kind)}], expected [START_OBJECT]`)
  const calls: GetDocument[] = []
  const faults: string[] = []
  for (const { key, value } of body.entries) {
    if (value.kind !== 'array')
      throw parsingError(
        value,
        `unexpected token [${tokenName(value.kind)}], expected [FIELD_NAME] or [START_ARRAY]`,
      )
    if (key === 'docs') calls.push(...value.items.map(item => readDoc(item, defaults)))
    else if (key === 'ids') calls.push(...value.items.map(item => callOf(defaults, idOf(item))))
    else
      throw parsingError(value, `unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`)
  }
  if (calls.length === 0) faults.push('no documents to get')
  for (const [i, { index, id }] of calls.entries()) {
    if (index === '') faults.push(`index is missing for doc ${i}`)
    if (id === '') faults.push(`id is missing for doc ${i}`)
  }
  if (faults.length > 0) throw validationFailed(faults)
  return calls
}

function idOf(node: JsonNode): string {
  if (node.kind === 'string' || node.kind === 'number' || node.kind === 'boolean')
    return readText(node)
  throw new IllegalArgumentError('ids array element should only contain ids')
}

function callOf(defaults: Defaults, id: string): GetDocument {
  const { index, routing, storedFields, source, realtime, refresh } = defaults
  return {
    index,
    id,
    routing,
    realtime,
    refresh,
    version: null,
    versionType: 'internal',
    source: source ?? sourceBeside(storedFields),
    storedFields,
  }
}

function readDoc(node: JsonNode, defaults: Defaults): GetDocument {
  if (node.kind !== 'object')
    throw new IllegalArgumentError('docs array element should include an object')
  let { index, routing, storedFields, source } = defaults
  let id = ''
  let version: Long | null = null
  let type: GetDocument['versionType'] = 'internal'
  for (const entry of node.entries) {
    const { key, value } = entry
    if (value.kind === 'null') continue
    if (key === '_index') {
      if (!defaults.allowsIndices)
        throw new IllegalArgumentError('explicit index in multi get is not allowed')
      index = textOf(entry)
    } else if (key === '_id') id = textOf(entry)
    else if (key === 'routing') routing = textOf(entry)
    else if (key === 'stored_fields')
      storedFields =
        value.kind === 'array'
          ? value.items.map(item => (item.kind === 'string' ? item.value : ''))
          : [textOf(entry)]
    else if (key === '_source') source = sourceOf(value)
    else if (key === 'version') version = longOf(entry)
    else if (key === 'version_type') type = parseVersionType(textOf(entry))
    else if (key === 'fields')
      throw parsingError(value, 'Unsupported field [fields] used, expected [stored_fields] instead')
    else throw parseError(`failed to parse multi get request. unknown field [${key}]`)
  }
  const call = callOf({ ...defaults, index, routing, storedFields, source }, id)
  return { ...call, version, versionType: type }
}

const SOURCE_KEYS = ['includes', 'include', 'excludes', 'exclude']

/** A multi get, unlike a search, takes booleans that are written as texts. */
function sourceOf(node: JsonNode): SourceFilter {
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false'))
    return { ...ALL_OF_SOURCE, enabled: node.value === 'true' }
  if (node.kind === 'number') throw parseError('illegal type for _source: [VALUE_NUMBER]')
  const unknown =
    node.kind === 'object' ? node.entries.find(({ key }) => !SOURCE_KEYS.includes(key)) : undefined
  if (unknown !== undefined) throw parseError(`source definition may not contain [${unknown.key}]`)
  return parseSourceSelection(node)
}

function longOf(entry: JsonEntry): Long {
  const text = textOf(entry)
  const value = parseLong(text)
  if (value !== null) return value
  throw parseError(`Failed to parse value [${text}] for field [${entry.key}]`)
}

function textOf({ key, value }: JsonEntry): string {
  if (value.kind !== 'object' && value.kind !== 'array') return readText(value)
  throw parseError(`failed to parse multi get request. [${key}] must be a text`)
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
