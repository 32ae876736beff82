import type { ExplainedHit } from '../../../engine/api/searches.ts'
import { type JsonRecord, RawJson } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { list, preference, text } from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter } from '../document/document.ts'
import { bodyOrUrlQuery, URL_QUERY_PARAMS } from './url-query.ts'

/** `GET|POST /{index}/_explain/{id}`. */
export const explain: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/{index}/_explain/{id}'],
    ['POST', '/{index}/_explain/{id}'],
  ],
  action: 'indices:data/read/explain',
  params: {
    ...SOURCE_PARAMS,
    ...URL_QUERY_PARAMS,
    preference,
    routing: text,
    stored_fields: list,
  },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const { index, id, hit } = await engine.searches.explain(
      {
        index: part('index'),
        id: part('id'),
        routing: params.routing ?? null,
        body: bodyOrUrlQuery(body, params),
        source: sourceFilter(params),
        storedFields: params.stored_fields ?? null,
      },
      context,
    )
    if (hit === null) return { status: 404, json: { _index: index, _id: id, matched: false } }
    const { isMatch, explanation, get } = hit
    return {
      json: { _index: index, _id: id, matched: isMatch, explanation, get: printGet(get) },
    }
  },
})

function printGet(get: ExplainedHit['get']): JsonRecord | undefined {
  if (get === null) return undefined
  const { seqNo, primaryTerm, routing, ignored, source, fields } = get
  return {
    _seq_no: seqNo,
    _primary_term: primaryTerm,
    _routing: routing ?? undefined,
    _ignored: ignored.length === 0 ? undefined : ignored,
    found: true,
    _source: source === null ? undefined : new RawJson(source),
    fields: fields === null || fields.size === 0 ? undefined : fields,
  }
}
