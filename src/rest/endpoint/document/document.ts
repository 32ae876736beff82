/** One document: written, deleted. */

import type { SourceFilter, WriteOptions, WriteOutcome } from '../../../engine/api/documents.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  activeShards,
  type Call,
  defineEndpoint,
  type Endpoint,
  refreshPolicy,
  shardsOf,
} from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { flag, list, long, millis, type ParamValues, text } from '../../params.ts'

const NOT_SET_TIMEOUT = 60_000

const WRITE_PARAMS = {
  refresh: refreshPolicy,
  routing: text,
  timeout: millis,
  version: long,
  version_type: parseVersionType,
  if_seq_no: long,
  if_primary_term: long,
  wait_for_active_shards: activeShards,
}

const INDEX_PARAMS = {
  ...WRITE_PARAMS,
  op_type: text,
  require_alias: flag,
  pipeline,
}

/** `_source` and its patterns, wherever documents are read. */
export const SOURCE_PARAMS: {
  readonly _source: (value: string) => readonly string[]
  readonly _source_includes: (value: string) => readonly string[]
  readonly _source_excludes: (value: string) => readonly string[]
} = {
  _source: takes('boolean, or list of patterns', sourceText),
  _source_includes: list,
  _source_excludes: list,
}

/** `PUT|POST /{index}/_doc/{id}`, `POST /{index}/_doc`. */
export const indexDocument: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/{index}/_doc/{id}'],
    ['POST', '/{index}/_doc/{id}'],
    ['POST', '/{index}/_doc'],
  ],
  action: 'indices:data/write/index',
  params: INDEX_PARAMS,
  body: 'bytes',
  handle(call): Promise<Answer> {
    const opType = (call.params.op_type ?? 'index').toLowerCase()
    if (opType !== 'create' && opType !== 'index') {
      throw new IllegalArgumentError(`opType must be 'create' or 'index', found: [${opType}]`)
    }
    // Without an id nothing can be overwritten.
    return write(call, call.part('id') === '' ? 'create' : opType)
  },
})

/** `PUT|POST /{index}/_create/{id}`. */
export const createDocument: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/{index}/_create/{id}'],
    ['POST', '/{index}/_create/{id}'],
  ],
  action: 'indices:data/write/index',
  params: INDEX_PARAMS,
  body: 'bytes',
  handle(call): Promise<Answer> {
    const opType = (call.params.op_type ?? 'create').toLowerCase()
    if (opType !== 'create')
      throw new IllegalArgumentError(`opType must be 'create', found: [${opType}]`)
    return write(call, 'create')
  },
})

/** `DELETE /{index}/_doc/{id}`. */
export const deleteDocument: Endpoint = defineEndpoint({
  routes: [['DELETE', '/{index}/_doc/{id}']],
  action: 'indices:data/write/delete',
  params: WRITE_PARAMS,
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const outcome = await engine.documents.delete(
      {
        ...writeOptions(part('index'), params),
        requireAlias: false,
        id: part('id'),
      },
      context,
    )
    return writeAnswer(outcome, params.routing)
  },
})

/** The reply of a write, in its documented order; also a bulk item's. */
export function writeBody(outcome: WriteOutcome): Record<string, JsonValue> {
  const body: Record<string, JsonValue> = {
    _index: outcome.index,
    _id: outcome.id,
    _version: outcome.version,
    result: outcome.result,
  }
  if (outcome.forcedRefresh) body['forced_refresh'] = true
  body['_shards'] = shardsOf(outcome.shards)
  body['_seq_no'] = outcome.seqNo
  body['_primary_term'] = outcome.primaryTerm
  return body
}

/** The status of a write's outcome. */
export function writeStatus({ result }: WriteOutcome): number {
  return result === 'created' ? 201 : result === 'not_found' ? 404 : 200
}

/** The source filter of the URL, or null when it has none. */
export function sourceFilter(params: ParamValues<typeof SOURCE_PARAMS>): SourceFilter | null {
  const { _source: source, _source_includes: includes, _source_excludes: excludes } = params
  if (source === undefined && includes === undefined && excludes === undefined) return null
  const isSwitch = source?.length === 1 && (source[0] === 'true' || source[0] === 'false')
  return {
    enabled: !(isSwitch && source[0] === 'false'),
    includes: [...(isSwitch ? [] : (source ?? [])), ...(includes ?? [])],
    excludes: excludes ?? [],
  }
}

/** The `pipeline` of a write; `_none` keeps it from that of its index. */
export function pipeline(value: string): string {
  if (value === '') throw validationFailed(['pipeline cannot be an empty string'])
  return value
}

async function write(
  { engine, params, part, bytes, context }: Call<typeof INDEX_PARAMS>,
  opType: 'index' | 'create',
): Promise<Answer> {
  const id = part('id') === '' ? null : part('id')
  const outcome = await engine.documents.index(
    {
      ...writeOptions(part('index'), params),
      requireAlias: params.require_alias ?? false,
      id,
      opType,
      source: bytes,
      pipeline: params.pipeline ?? null,
    },
    context,
  )
  return writeAnswer(outcome, params.routing)
}

/** The answer of a write; a new document has its address in a header. */
export function writeAnswer(outcome: WriteOutcome, routing: string | undefined): Answer {
  const path = `/${encodeURIComponent(outcome.index)}/_doc/${encodeURIComponent(outcome.id)}`
  const location = routing === undefined ? path : `${path}?routing=${encodeURIComponent(routing)}`
  return {
    status: writeStatus(outcome),
    json: writeBody(outcome),
    ...(outcome.result === 'created' ? { headers: { location } } : {}),
  }
}

function writeOptions(
  index: string,
  params: ParamValues<typeof WRITE_PARAMS>,
): Omit<WriteOptions, 'requireAlias'> {
  return {
    index,
    routing: params.routing ?? null,
    refresh: params.refresh ?? 'false',
    ifSeqNo: params.if_seq_no ?? null,
    ifPrimaryTerm: params.if_primary_term ?? null,
    version: params.version ?? null,
    versionType: params.version_type ?? 'internal',
    waitForActiveShards: params.wait_for_active_shards ?? null,
    timeoutInMillis: params.timeout ?? NOT_SET_TIMEOUT,
  }
}

function sourceText(value: string): readonly string[] {
  return value === '' ? ['true'] : list(value)
}

takes('text', pipeline)
takes('internal | external | external_gte', parseVersionType)
