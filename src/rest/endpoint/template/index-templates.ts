/** Index templates: put, shown, deleted, simulated. */
import type { SimulatedTemplate } from '../../../engine/api/templates.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { flag, list, text } from '../../params.ts'
import { PUT_PARAMS, putCall } from './put-call.ts'

/** `PUT|POST /_index_template/{name}`. */
export const putIndexTemplate: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_index_template/{name}'],
    ['POST', '/_index_template/{name}'],
  ],
  action: 'indices:admin/index_template/put',
  params: PUT_PARAMS,
  body: 'json-required',
  async handle(call): Promise<Answer> {
    const warnings = await call.engine.templates.putIndex(putCall(call), call.context)
    return { json: { acknowledged: true }, warnings }
  },
})

/** `GET|HEAD /_index_template[/{name}]`. */
export const getIndexTemplates: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_index_template'],
    ['GET', '/_index_template/{name}'],
    ['HEAD', '/_index_template/{name}'],
  ],
  action: 'indices:admin/index_template/get',
  params: { ...MASTER_PARAMS, local: flag, flat_settings: flag },
  body: 'none',
  handle({ engine, params, part }): Answer {
    const isFlat = params.flat_settings ?? false
    const shown = engine.templates.showIndex({ names: list(part('name')), isFlat })
    return {
      json: {
        index_templates: shown.map(
          ({ name, template }): JsonRecord => ({ name, index_template: template }),
        ),
      },
    }
  },
})

/** `DELETE /_index_template/{name}`. */
export const deleteIndexTemplates: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_index_template/{name}']],
  action: 'indices:admin/index_template/delete',
  params: { ...MASTER_PARAMS, cause: text },
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.templates.deleteIndex(list(part('name')), context)
    return { json: { acknowledged: true } }
  },
})

/** `POST /_index_template/_simulate_index/{index}`. */
export const simulateIndex: Endpoint = defineEndpoint({
  routes: [['POST', '/_index_template/_simulate_index/{index}']],
  action: 'indices:admin/index_template/simulate_index',
  params: { ...PUT_PARAMS, flat_settings: flag },
  body: 'json',
  async handle({ engine, params, part, body }): Promise<Answer> {
    const simulated = await engine.templates.simulate({
      name: null,
      index: part('index'),
      body,
      create: false,
      isFlat: params.flat_settings ?? false,
    })
    return { json: simulated === null ? {} : print(simulated) }
  },
})

/** `POST /_index_template/_simulate[/{name}]`. */
export const simulateTemplate: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_index_template/_simulate'],
    ['POST', '/_index_template/_simulate/{name}'],
  ],
  action: 'indices:admin/index_template/simulate',
  params: { ...PUT_PARAMS, flat_settings: flag },
  body: 'json',
  async handle({ engine, params, part, body }): Promise<Answer> {
    const name = part('name')
    const simulated = await engine.templates.simulate({
      name: name === '' ? null : name,
      index: null,
      body,
      create: params.create ?? false,
      isFlat: params.flat_settings ?? false,
    })
    return { json: simulated === null ? {} : print(simulated) }
  },
})

function print({ settings, mappings, aliases, overlapping }: SimulatedTemplate): JsonRecord {
  return {
    template: { settings, mappings, aliases },
    overlapping: overlapping.map(({ name, indexPatterns }) => ({
      name,
      index_patterns: indexPatterns,
    })),
  }
}
