/** Indices and their policies: given, taken, changed, tried again, explained. */

import { readText } from '../../../engine/dsl/json-scalars.ts'
import { type ExplainedIndex, parseFilter } from '../../../service/ism/explain.ts'
import type { IsmStatus } from '../../../service/ism/index-changes.ts'
import { printProgress } from '../../../service/ism/managed-index.ts'
import { printPolicy } from '../../../service/ism/policy/policy.ts'
import { printValidation } from '../../../service/ism/validate-action.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  objectBody,
  type Route,
} from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { flag, list, millis, type ParamReader, type ParamTable } from '../../params.ts'
import { PAGE_PARAMS, pageOf } from './page-params.ts'

/** Indices of other places have types of their own; there are none here. */
const indexType: ParamReader<'_default'> = takes('_default', value => {
  if (value === '_default') return value
  throw new IllegalArgumentError(
    `Index type [type=${value}] was not recognized when trying to get index metadata`,
  )
})

/** `POST /_plugins/_ism/add/{index}`. */
export const addPolicy: Endpoint = defineEndpoint({
  routes: routesOf('POST', 'add'),
  action: 'cluster:admin/opendistro/ism/managedindex/add',
  params: { type: indexType },
  body: 'json',
  async handle(call): Promise<Answer> {
    const names = namesOf(call, 'Missing indices')
    const id = textOf(call.body, 'policy_id')
    if (id === null) throw new IllegalArgumentError('Missing policy_id')
    return statusAnswer(await call.services.ism.add(names, id, call.context))
  },
})

/** `POST /_plugins/_ism/remove/{index}`. */
export const removePolicy: Endpoint = defineEndpoint({
  routes: routesOf('POST', 'remove'),
  action: 'cluster:admin/opendistro/ism/managedindex/remove',
  params: { type: indexType },
  body: 'json-unread',
  async handle(call): Promise<Answer> {
    const names = namesOf(call, 'Missing indices')
    return statusAnswer(await call.services.ism.remove(names, call.context))
  },
})

/** `POST /_plugins/_ism/change_policy/{index}`. */
export const changePolicy: Endpoint = defineEndpoint({
  routes: routesOf('POST', 'change_policy'),
  action: 'cluster:admin/opendistro/ism/managedindex/change',
  params: { type: indexType },
  body: 'json-required',
  async handle(call): Promise<Answer> {
    const names = namesOf(call, 'Missing index')
    return statusAnswer(await call.services.ism.changePolicy(names, call.body!, call.context))
  },
})

/** `POST /_plugins/_ism/retry/{index}`. */
export const retryIndex: Endpoint = defineEndpoint({
  routes: routesOf('POST', 'retry'),
  action: 'cluster:admin/opendistro/ism/managedindex/retry',
  params: { type: indexType, cluster_manager_timeout: millis, master_timeout: millis },
  body: 'json',
  async handle(call): Promise<Answer> {
    const names = namesOf(call, 'Missing indices')
    const state = textOf(call.body, 'state')
    return statusAnswer(await call.services.ism.retry(names, state, call.context))
  },
})

const EXPLAIN_PARAMS = {
  ...PAGE_PARAMS,
  type: indexType,
  local: flag,
  show_policy: flag,
  validate_action: flag,
  cluster_manager_timeout: millis,
  master_timeout: millis,
}

/** `GET /_plugins/_ism/explain[/{index}]`. */
export const explainIndices: Endpoint = defineEndpoint({
  routes: routesOf('GET', 'explain'),
  action: 'cluster:admin/opendistro/ism/managedindex/explain',
  params: EXPLAIN_PARAMS,
  body: 'none',
  handle: explain,
})

/** `POST /_plugins/_ism/explain[/{index}]`, with a filter. */
export const explainFiltered: Endpoint = defineEndpoint({
  routes: routesOf('POST', 'explain'),
  action: 'cluster:admin/opendistro/ism/managedindex/explain',
  params: EXPLAIN_PARAMS,
  body: 'json-required',
  handle: explain,
})

async function explain(call: Call<typeof EXPLAIN_PARAMS>): Promise<Answer> {
  const { services, params, part, body, context } = call
  const names = part('index') === '' ? null : list(part('index'))
  const { indices, total } = await services.ism.explain(
    {
      names,
      page: pageOf(params, 'managed_index.index'),
      filter: body === null ? null : parseFilter(body),
      validates: params.validate_action ?? false,
    },
    context,
  )
  const shown = new Map<string, JsonValue>(
    indices.map(index => [index.name, printIndex(index, params.show_policy ?? false)]),
  )
  return { json: shown.set('total_managed_indices', total) }
}

function printIndex({ managed, validation }: ExplainedIndex, showsPolicy: boolean): JsonRecord {
  const id = managed?.policyId ?? null
  return {
    'index.plugins.index_state_management.policy_id': id,
    'index.opendistro.index_state_management.policy_id': id,
    ...(managed === null ? {} : printProgress(managed)),
    enabled: managed?.isEnabled ?? null,
    policy: managed !== null && showsPolicy ? printPolicy(managed.policy) : undefined,
    validate: validation === null ? undefined : printValidation(validation),
  }
}

/** With the indices in the path and without; the older prefix too. */
function routesOf(method: 'GET' | 'POST', verb: string): readonly Route[] {
  return ['/_plugins/_ism', '/_opendistro/_ism'].flatMap((base): Route[] => [
    [method, `${base}/${verb}`],
    [method, `${base}/${verb}/{index}`],
  ])
}

function namesOf({ part }: Pick<Call<ParamTable>, 'part'>, missing: string): readonly string[] {
  const names = list(part('index'))
  if (names.length === 0) throw new IllegalArgumentError(missing)
  return names
}

function textOf(body: JsonNode | null, key: string): string | null {
  const entry = body === null ? undefined : objectBody(body).entries.find(each => each.key === key)
  return entry === undefined || entry.value.kind === 'null' ? null : readText(entry.value)
}

function statusAnswer({ updated, failed }: IsmStatus): Answer {
  return {
    json: {
      updated_indices: updated,
      failures: failed.length > 0,
      failed_indices: failed.map(({ name, uuid, reason }) => ({
        index_name: name,
        index_uuid: uuid,
        reason,
      })),
    },
  }
}
