/** Stored scripts: put, shown, deleted. */
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TURN_PARAMS,
} from '../../endpoint.ts'
import { flag, text } from '../../params.ts'

/** `PUT|POST /_scripts/{id}[/{context}]`. */
export const putScript: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_scripts/{id}'],
    ['POST', '/_scripts/{id}'],
    ['PUT', '/_scripts/{id}/{context}'],
    ['POST', '/_scripts/{id}/{context}'],
  ],
  action: 'cluster:admin/script/put',
  params: { ...MASTER_PARAMS, context: text },
  body: 'json-required',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const of = part('context') || params.context || null
    await engine.scripts.put({ id: part('id'), context: of, body: body! }, context)
    return { json: { acknowledged: true } }
  },
})

/** `GET|HEAD /_scripts/{id}`. */
export const getScript: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_scripts/{id}'],
    ['HEAD', '/_scripts/{id}'],
  ],
  action: 'cluster:admin/script/get',
  params: { ...TURN_PARAMS, local: flag },
  body: 'none',
  handle({ engine, part }): Answer {
    const id = part('id')
    const script = engine.scripts.get(id)
    if (script === null) return { status: 404, json: { _id: id, found: false } }
    const { lang, source, options } = script
    const shown: JsonRecord = {
      lang,
      source,
      ...(options.size === 0 ? {} : { options: new Map(options) }),
    }
    return { json: { _id: id, found: true, script: shown } }
  },
})

/** `DELETE /_scripts/{id}`. */
export const deleteScript: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_scripts/{id}']],
  action: 'cluster:admin/script/delete',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.scripts.delete(part('id'), context)
    return { json: { acknowledged: true } }
  },
})
