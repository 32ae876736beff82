/** Configurations of notifications: made, shown, changed, deleted. */
import { FILTER_NAMES } from '../../../service/notification/config-query.ts'
import { type KeptConfig, shownConfig } from '../../../service/notification/config-store.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { list, type ParamTable, text } from '../../params.ts'
import { listEnvelope } from './list-envelope.ts'

const CONFIGS = '/_plugins/_notifications/configs'
const CONFIG = `${CONFIGS}/{config_id}`
const MAX_ITEMS = 1_000

/** A count; anything else is passed over, as the reference server does. */
const count = takes('integer', (value: string): number | null =>
  /^\d{1,9}$/.test(value) ? Number(value) : null,
)

const FILTERS: ParamTable = Object.fromEntries(FILTER_NAMES.map(name => [name, text]))

/** `GET /_plugins/_notifications/configs`: filters stand in the URL, all of them hold. */
export const listConfigs: Endpoint = defineEndpoint({
  routes: [['GET', CONFIGS]],
  action: 'cluster:admin/opensearch/notifications/configs/get',
  params: {
    ...FILTERS,
    config_id: text,
    config_id_list: list,
    from_index: count,
    max_items: count,
    sort_field: text,
    sort_order: text,
  },
  body: 'none',
  async handle({ services, params }): Promise<Answer> {
    const { notifications } = services
    const ids = idsOf(params.config_id as string | undefined, params.config_id_list as Ids)
    if (ids.length > 0)
      return shown(await notifications.get(ids, params.config_id_list !== undefined))
    const given: Readonly<Record<string, unknown>> = params
    const filters = FILTER_NAMES.flatMap(name => {
      const value = given[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    const from = (params.from_index as number | null | undefined) ?? 0
    const { total, hits } = await notifications.list({
      filters: new Map(filters),
      from,
      size: (params.max_items as number | null | undefined) ?? MAX_ITEMS,
      sortField: String(params.sort_field ?? 'last_updated_time_ms'),
      sortOrder: String(params.sort_order ?? 'asc'),
      types: null,
    })
    return { json: listEnvelope(from, total, 'config_list', hits.map(printConfig)) }
  },
})

/** `POST /_plugins/_notifications/configs`. */
export const createConfig: Endpoint = defineEndpoint({
  routes: [['POST', CONFIGS]],
  action: 'cluster:admin/opensearch/notifications/configs/create',
  params: {},
  body: 'json-required',
  async handle({ services, body }): Promise<Answer> {
    return { json: { config_id: await services.notifications.create(body!) } }
  },
})

/** `GET /_plugins/_notifications/configs/{config_id}`. */
export const getConfig: Endpoint = defineEndpoint({
  routes: [['GET', CONFIG]],
  action: 'cluster:admin/opensearch/notifications/configs/get',
  params: {},
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    return shown(await services.notifications.get([part('config_id')], false))
  },
})

/** `PUT /_plugins/_notifications/configs/{config_id}`. */
export const updateConfig: Endpoint = defineEndpoint({
  routes: [['PUT', CONFIG]],
  action: 'cluster:admin/opensearch/notifications/configs/update',
  params: {},
  body: 'json-required',
  async handle({ services, part, body }): Promise<Answer> {
    const id = part('config_id')
    await services.notifications.update(id, body!)
    return { json: { config_id: id } }
  },
})

/** `DELETE /_plugins/_notifications/configs/{config_id}`, or with ids in the URL. */
export const deleteConfigs: Endpoint = defineEndpoint({
  routes: [
    ['DELETE', CONFIGS],
    ['DELETE', CONFIG],
  ],
  action: 'cluster:admin/opensearch/notifications/configs/delete',
  params: { config_id: text, config_id_list: list },
  body: 'none',
  async handle({ services, part, params }): Promise<Answer> {
    const id = part('config_id') === '' ? params.config_id : part('config_id')
    const ids = idsOf(id, params.config_id_list)
    if (ids.length === 0)
      return { status: 400, text: 'either config_id or config_id_list is required' }
    await services.notifications.delete(ids, params.config_id_list !== undefined)
    return { json: { delete_response_list: new Map(ids.map(name => [name, 'OK'])) } }
  },
})

type Ids = readonly string[] | undefined

/** The ids that a request names, one way and the other. */
function idsOf(id: string | undefined, ids: Ids): readonly string[] {
  const named = id === undefined || id === '' ? [] : [id]
  return [...new Set([...named, ...(ids ?? [])])]
}

function shown(configs: readonly KeptConfig[]): Answer {
  return { json: listEnvelope(0, configs.length, 'config_list', configs.map(printConfig)) }
}

function printConfig({ id, source }: KeptConfig): JsonRecord {
  return {
    config_id: id,
    last_updated_time_ms: source.last_updated_time_ms,
    created_time_ms: source.created_time_ms,
    config: shownConfig(source.config) as unknown as JsonRecord,
  }
}
