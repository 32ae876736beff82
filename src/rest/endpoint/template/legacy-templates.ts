/** Templates of the older kind: put, shown, deleted. */
import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { flag, integer, list } from '../../params.ts'
import { PUT_PARAMS, putCall } from './put-call.ts'

/** `PUT|POST /_template/{name}`. */
export const putLegacyTemplate: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_template/{name}'],
    ['POST', '/_template/{name}'],
  ],
  action: 'indices:admin/template/put',
  params: { ...PUT_PARAMS, order: integer },
  body: 'json-required',
  async handle(call): Promise<Answer> {
    const order = call.params.order ?? null
    await call.engine.templates.putLegacy({ ...putCall(call), order }, call.context)
    return { json: { acknowledged: true } }
  },
})

/** `GET|HEAD /_template[/{name}]`: 404 where a name without `*` is missing. */
export const getLegacyTemplates: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_template'],
    ['GET', '/_template/{name}'],
    ['HEAD', '/_template/{name}'],
  ],
  action: 'indices:admin/template/get',
  params: { ...MASTER_PARAMS, local: flag, flat_settings: flag },
  body: 'none',
  handle({ engine, params, part }): Answer {
    const names = list(part('name'))
    const isFlat = params.flat_settings ?? false
    const shown = engine.templates.showLegacy({ names, isFlat })
    const isMissing = shown.length === 0 && names.some(name => !name.includes('*'))
    return {
      status: isMissing ? 404 : 200,
      json: new Map(shown.map(({ name, template }) => [name, template])),
    }
  },
})

/** `DELETE /_template/{name}`. */
export const deleteLegacyTemplate: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_template/{name}']],
  action: 'indices:admin/template/delete',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.templates.deleteLegacy(part('name'), context)
    return { json: { acknowledged: true } }
  },
})
