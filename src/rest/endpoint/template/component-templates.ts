/** Component templates: put, shown, deleted. */
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { flag, list, text } from '../../params.ts'
import { PUT_PARAMS, putCall } from './put-call.ts'

/** `PUT|POST /_component_template/{name}`. */
export const putComponentTemplate: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_component_template/{name}'],
    ['POST', '/_component_template/{name}'],
  ],
  action: 'cluster:admin/component_template/put',
  params: PUT_PARAMS,
  body: 'json-required',
  async handle(call): Promise<Answer> {
    await call.engine.templates.putComponent(putCall(call), call.context)
    return { json: { acknowledged: true } }
  },
})

/** `GET|HEAD /_component_template[/{name}]`. */
export const getComponentTemplates: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_component_template'],
    ['GET', '/_component_template/{name}'],
    ['HEAD', '/_component_template/{name}'],
  ],
  action: 'cluster:admin/component_template/get',
  params: { ...MASTER_PARAMS, local: flag, flat_settings: flag },
  body: 'none',
  handle({ engine, params, part }): Answer {
    const isFlat = params.flat_settings ?? false
    const shown = engine.templates.showComponents({ names: list(part('name')), isFlat })
    return {
      json: {
        component_templates: shown.map(
          ({ name, template }): JsonRecord => ({ name, component_template: template }),
        ),
      },
    }
  },
})

/** `DELETE /_component_template/{name}`. */
export const deleteComponentTemplates: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_component_template/{name}']],
  action: 'cluster:admin/component_template/delete',
  params: { ...MASTER_PARAMS, cause: text },
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.templates.deleteComponents(list(part('name')), context)
    return { json: { acknowledged: true } }
  },
})
