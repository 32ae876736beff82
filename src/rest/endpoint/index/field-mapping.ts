import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'

/** `GET [/{index}]/_mapping/field/{fields}`. */
export const getFieldMapping: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_mapping/field/{fields}'],
    ['GET', '/{index}/_mapping/field/{fields}'],
  ],
  action: 'indices:admin/mappings/fields/get',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, local: flag, include_defaults: flag },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const patterns = part('fields').split(',')
    const found = await engine.indices.fieldMappings(
      targetOf(part('index'), params, 'open'),
      { patterns, withDefaults: params.include_defaults ?? false },
      context,
    )
    const printed = found.map(({ index, fields }): [string, JsonRecord] => {
      const mappings = new Map<string, JsonValue>()
      for (const { fullName, name, mapping } of fields)
        mappings.set(fullName, { full_name: fullName, mapping: new Map([[name, mapping]]) })
      return [index, { mappings }]
    })
    return { json: new Map(printed) }
  },
})
