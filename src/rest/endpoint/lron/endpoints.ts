/** The endpoints of settings of long-running operations: who is told of their end. */
import type { LronConfig } from '../../../service/lron/lron-config.ts'
import type { Kept } from '../../../service/system-index.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag, integer, text } from '../../params.ts'
import { sortOrder } from '../../sort-order.ts'
import { writeBody } from '../document/document.ts'

const LRON = '/_plugins/_im/lron'
const WRITE = 'cluster:admin/opensearch/controlcenter/lron/write'
const GET = 'cluster:admin/opensearch/controlcenter/lron/get'

const createLron = defineEndpoint({
  routes: [['POST', LRON]],
  action: WRITE,
  params: { dry_run: flag },
  body: 'json-required',
  async handle({ services, params, body }): Promise<Answer> {
    return { json: printKept(await services.lron.create(body!, params.dry_run ?? false)) }
  },
})

const updateLron = defineEndpoint({
  routes: [['PUT', `${LRON}/{id}`]],
  action: WRITE,
  params: { dry_run: flag },
  body: 'json-required',
  async handle({ services, params, part, body }): Promise<Answer> {
    const kept = await services.lron.update(part('id'), body!, params.dry_run ?? false)
    return { json: printKept(kept) }
  },
})

const getLron = defineEndpoint({
  routes: [['GET', `${LRON}/{id}`]],
  action: GET,
  params: {},
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    return { json: printList(1, [await services.lron.get(part('id'))]) }
  },
})

const listLron = defineEndpoint({
  routes: [['GET', LRON]],
  action: GET,
  params: { from: integer, size: integer, sortField: text, sortOrder, queryString: text },
  body: 'none',
  async handle({ services, params }): Promise<Answer> {
    const { total, hits } = await services.lron.list({
      from: params.from ?? 0,
      size: params.size ?? 20,
      sortField: params.sortField ?? 'lron_config.priority',
      sortOrder: params.sortOrder ?? 'asc',
      query: params.queryString ?? '*',
    })
    return { json: printList(total, hits) }
  },
})

const deleteLron = defineEndpoint({
  routes: [['DELETE', `${LRON}/{id}`]],
  action: 'cluster:admin/opensearch/controlcenter/lron/delete',
  params: {},
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    // 200 of one that is missing too, as the reference server.
    return { json: writeBody(await services.lron.delete(part('id'))) }
  },
})

/** Settings made, shown, changed, deleted. */
export const LRON_ENDPOINTS: readonly Endpoint[] = [
  createLron,
  updateLron,
  getLron,
  listLron,
  deleteLron,
]

function printKept({ id, source }: Kept<LronConfig>): JsonRecord {
  return { _id: id, lron_config: source as unknown as JsonRecord }
}

function printList(total: number, configs: readonly Kept<LronConfig>[]): JsonRecord {
  return { lron_configs: configs.map(printKept), total_number: total }
}
