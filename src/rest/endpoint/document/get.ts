/** Documents read by their ids: one, its source alone, several. */

import type { GetDocument, GetOutcome, SourceFilter } from '../../../engine/api/documents.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import { EngineError, validationFailed } from '../../../util/errors.ts'
import { type JsonRecord, RawJson } from '../../../util/json/json-value.ts'
import { type Answer, type Call, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag, list, long, preference, text } from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter } from './document.ts'

const ALL: SourceFilter = { enabled: true, includes: [], excludes: [] }
const NONE: SourceFilter = { enabled: false, includes: [], excludes: [] }

const GET_PARAMS = {
  ...SOURCE_PARAMS,
  preference,
  realtime: flag,
  refresh: flag,
  routing: text,
  version: long,
  version_type: parseVersionType,
}

/** `GET|HEAD /{index}/_doc/{id}`. */
export const getDocument: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/{index}/_doc/{id}'],
    ['HEAD', '/{index}/_doc/{id}'],
  ],
  action: 'indices:data/read/get',
  params: { ...GET_PARAMS, stored_fields: list },
  body: 'none',
  async handle(call): Promise<Answer> {
    const stored = call.params.stored_fields ?? null
    const asked = sourceFilter(call.params)
    const source = asked ?? sourceBeside(stored)
    const found = await call.engine.documents.get(getCall(call, source, stored), call.context)
    return { status: found.found ? 200 : 404, json: gotDocument(found) }
  },
})

/** `GET|HEAD /{index}/_source/{id}`. */
export const getSource: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/{index}/_source/{id}'],
    ['HEAD', '/{index}/_source/{id}'],
  ],
  action: 'indices:data/read/get',
  params: GET_PARAMS,
  body: 'none',
  async handle(call): Promise<Answer> {
    const filter = sourceFilter(call.params) ?? ALL
    if (!filter.enabled) throw validationFailed(['fetching source can not be disabled'])
    const found = await call.engine.documents.get(getCall(call, filter, null), call.context)
    if (found.source !== null) return { json: new RawJson(found.source) }
    throw new EngineError({
      type: 'resource_not_found_exception',
      reason: `${found.found ? 'Source' : 'Document'} not found [${call.part('index')}]/[${call.part('id')}]`,
    })
  },
})

/** Without a word on the source, stored fields take its place, unless it is one of them. */
export function sourceBeside(stored: readonly string[] | null): SourceFilter {
  return stored === null || stored.includes('_source') ? ALL : NONE
}

function getCall(
  { params, part }: Pick<Call<typeof GET_PARAMS>, 'params' | 'part'>,
  source: SourceFilter,
  storedFields: readonly string[] | null,
): GetDocument {
  return {
    index: part('index'),
    id: part('id'),
    routing: params.routing ?? null,
    realtime: params.realtime ?? true,
    refresh: params.refresh ?? false,
    version: params.version ?? null,
    versionType: params.version_type ?? 'internal',
    source,
    storedFields,
  }
}

/** A document as a get prints it, in the documented order. */
export function gotDocument(found: GetOutcome): JsonRecord {
  return {
    _index: found.index,
    _id: found.id,
    _version: found.version ?? undefined,
    _seq_no: found.seqNo ?? undefined,
    _primary_term: found.primaryTerm ?? undefined,
    _routing: found.routing ?? undefined,
    _ignored: found.ignored.length === 0 ? undefined : found.ignored,
    found: found.found,
    _source: found.source === null ? undefined : new RawJson(found.source),
    fields: found.fields === null || found.fields.size === 0 ? undefined : found.fields,
  } as JsonRecord
}
