/** Vectors of documents: of one, of several. */
import type {
  FieldVector,
  TermVectorsCall,
  TermVectorsOutcome,
  VectorTerm,
  VectorToken,
} from '../../../engine/api/term-vectors.ts'
import { parseVersionType } from '../../../engine/dsl/version-type.ts'
import { validationFailed } from '../../../util/errors.ts'
import { Float32, type JsonMap, type JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint, objectBody } from '../../endpoint.ts'
import { wholeError } from '../../error-body.ts'
import { flag, list, long, type ParamValues, preference, text } from '../../params.ts'
import { readMultiVectorsBody, readVectorsBody } from './term-vectors-body.ts'

const VECTOR_PARAMS = {
  field_statistics: flag,
  fields: list,
  offsets: flag,
  payloads: flag,
  positions: flag,
  preference,
  realtime: flag,
  routing: text,
  term_statistics: flag,
  version: long,
  version_type: parseVersionType,
}

/** `GET|POST /{index}/_termvectors[/{id}]`. */
export const termVectors: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/{index}/_termvectors'],
    ['POST', '/{index}/_termvectors'],
    ['GET', '/{index}/_termvectors/{id}'],
    ['POST', '/{index}/_termvectors/{id}'],
  ],
  action: 'indices:data/read/tv',
  params: VECTOR_PARAMS,
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const id = part('id') === '' ? null : part('id')
    const plain = { ...PLAIN, index: part('index'), id }
    const call = withParams(
      body === null ? plain : readVectorsBody(objectBody(body), plain),
      params,
    )
    const faults = faultsOf(call)
    if (faults.length > 0) throw validationFailed(faults)
    return { json: printVectors(await engine.searches.termVectors(call, context)) }
  },
})

/** `GET|POST [/{index}]/_mtermvectors`. */
export const multiTermVectors: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_mtermvectors'],
    ['POST', '/_mtermvectors'],
    ['GET', '/{index}/_mtermvectors'],
    ['POST', '/{index}/_mtermvectors'],
  ],
  action: 'indices:data/read/mtv',
  params: { ...VECTOR_PARAMS, ids: list },
  body: 'json',
  async handle({ engine, params, part, body, hasErrorTrace, context }): Promise<Answer> {
    const template = withParams({ ...PLAIN, index: part('index') }, params)
    const object = body === null ? null : objectBody(body)
    const calls = readMultiVectorsBody(object, template, params.ids ?? [])
    if (calls.length === 0) throw validationFailed(['multi term vectors: no documents requested'])
    const faults = calls.flatMap((call, i) => {
      const found = faultsOf(call)
      return found.length === 0 ? [] : [...found, `at multi term vectors for doc ${i}`]
    })
    if (faults.length > 0) throw validationFailed(faults)
    const found = await engine.searches.multiTermVectors(calls, context)
    return {
      json: {
        docs: found.map((each, i): JsonRecord => {
          if (!(each instanceof Error)) return printVectors(each)
          const { index, id } = calls[i]!
          return { _index: index, _id: id ?? undefined, error: wholeError(each, hasErrorTrace) }
        }),
      },
    }
  },
})

/** A request that says nothing. */
const PLAIN: TermVectorsCall = {
  index: '',
  id: null,
  doc: null,
  routing: null,
  realtime: true,
  version: null,
  versionType: 'internal',
  fields: null,
  analyzers: new Map(),
  filter: null,
  fieldStatistics: true,
  termStatistics: false,
  positions: true,
  offsets: true,
  payloads: true,
}

/** The parameters of the URL win over the body; its fields are asked for too. */
function withParams(
  call: TermVectorsCall,
  params: ParamValues<typeof VECTOR_PARAMS>,
): TermVectorsCall {
  const fields = [...(call.fields ?? []), ...(params.fields ?? [])]
  return {
    ...call,
    routing: params.routing ?? call.routing,
    realtime: params.realtime ?? call.realtime,
    version: params.version ?? call.version,
    versionType: params.version_type ?? call.versionType,
    fields: fields.length === 0 ? null : fields,
    fieldStatistics: params.field_statistics ?? call.fieldStatistics,
    termStatistics: params.term_statistics ?? call.termStatistics,
    positions: params.positions ?? call.positions,
    offsets: params.offsets ?? call.offsets,
    payloads: params.payloads ?? call.payloads,
  }
}

function faultsOf({ index, id, doc }: TermVectorsCall): string[] {
  const faults: string[] = []
  if (index === '') faults.push('index is missing')
  if (id === null && doc === null) faults.push('id or doc is missing')
  return faults
}

function printVectors(found: TermVectorsOutcome): JsonRecord {
  const { index, id, version, tookInMillis, fields } = found
  return {
    _index: index,
    _id: id ?? undefined,
    _version: version,
    found: fields !== null,
    took: tookInMillis,
    term_vectors:
      fields === null ? undefined : new Map(fields.map(field => [field.name, printField(field)])),
  }
}

function printField({ statistics, terms }: FieldVector): JsonRecord {
  return {
    field_statistics:
      statistics === null
        ? undefined
        : {
            sum_doc_freq: statistics.sumDocFreq,
            doc_count: statistics.docCount,
            sum_ttf: statistics.sumTotalTermFreq,
          },
    terms: new Map(terms.map(each => [each.term, printTerm(each)])) satisfies JsonMap,
  }
}

function printTerm({ statistics, freq, tokens, score }: VectorTerm): JsonRecord {
  return {
    doc_freq: statistics?.docFreq,
    ttf: statistics?.totalTermFreq,
    term_freq: freq,
    tokens: tokens?.map(printToken),
    score: score === null ? undefined : new Float32(score),
  }
}

function printToken({ position, startOffset, endOffset, payload }: VectorToken): JsonRecord {
  return {
    position: position ?? undefined,
    start_offset: startOffset ?? undefined,
    end_offset: endOffset ?? undefined,
    payload: payload === null ? undefined : Buffer.from(payload).toString('base64'),
  }
}
