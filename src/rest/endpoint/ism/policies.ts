/** Policies of index-state management: made, shown, changed, deleted. */
import type { StoredPolicy } from '../../../service/ism/ism-store.ts'
import { printPolicy } from '../../../service/ism/policy/policy.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint, refreshPolicy } from '../../endpoint.ts'
import { long } from '../../params.ts'
import { writeBody, writeStatus } from '../document/document.ts'
import { PAGE_PARAMS, pageOf } from './page-params.ts'

const POLICIES = '/_plugins/_ism/policies'
const OLD_POLICIES = '/_opendistro/_ism/policies'

/** `PUT /_plugins/_ism/policies/{policy_id}`. */
export const putPolicy: Endpoint = defineEndpoint({
  routes: [
    ['PUT', `${POLICIES}/{policy_id}`],
    ['PUT', `${OLD_POLICIES}/{policy_id}`],
  ],
  action: 'cluster:admin/opendistro/ism/policy/write',
  params: { if_seq_no: long, if_primary_term: long, refresh: refreshPolicy },
  body: 'json-required',
  async handle({ services, params, part, body, context }): Promise<Answer> {
    const { if_seq_no: seqNo, if_primary_term: primaryTerm } = params
    const stamp = seqNo === undefined || primaryTerm === undefined ? null : { seqNo, primaryTerm }
    const done = await services.ism.put(
      part('policy_id'),
      body!,
      stamp,
      params.refresh ?? 'true',
      context,
    )
    if (done.disallowed !== null)
      return {
        status: 403,
        text: `You have actions that are not allowed in your policy [${done.disallowed.join(', ')}]`,
      }
    const { outcome, policy } = done
    const isNew = outcome.result === 'created'
    return {
      status: writeStatus(outcome),
      ...(isNew ? { headers: { location: `${POLICIES}/${outcome.id}` } } : {}),
      json: {
        _id: outcome.id,
        _version: outcome.version,
        _primary_term: outcome.primaryTerm,
        _seq_no: outcome.seqNo,
        policy: { policy: printPolicy(policy) },
      },
    }
  },
})

/** `PUT /_plugins/_ism/policies`: the id is missing. */
export const putNamelessPolicy: Endpoint = defineEndpoint({
  routes: [
    ['PUT', POLICIES],
    ['PUT', OLD_POLICIES],
  ],
  action: 'cluster:admin/opendistro/ism/policy/write',
  params: { if_seq_no: long, if_primary_term: long, refresh: refreshPolicy },
  body: 'json-unread',
  handle(): never {
    throw new IllegalArgumentError('Missing policy ID')
  },
})

/** `GET /_plugins/_ism/policies/{policy_id}`. */
export const getPolicy: Endpoint = defineEndpoint({
  routes: [
    ['GET', `${POLICIES}/{policy_id}`],
    ['GET', `${OLD_POLICIES}/{policy_id}`],
    ['HEAD', `${POLICIES}/{policy_id}`],
    ['HEAD', `${OLD_POLICIES}/{policy_id}`],
  ],
  action: 'cluster:admin/opendistro/ism/policy/get',
  params: { ...PAGE_PARAMS, version: long },
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    const stored = await services.ism.get(part('policy_id'))
    const { policy, version, seqNo, primaryTerm } = stored
    return {
      json: {
        _id: policy.id,
        _version: version,
        _seq_no: seqNo,
        _primary_term: primaryTerm,
        policy: printPolicy(policy),
      },
    }
  },
})

/** `GET /_plugins/_ism/policies`. */
export const listPolicies: Endpoint = defineEndpoint({
  routes: [
    ['GET', POLICIES],
    ['GET', OLD_POLICIES],
  ],
  action: 'cluster:admin/opendistro/ism/policy/search',
  params: PAGE_PARAMS,
  body: 'none',
  async handle({ services, params }): Promise<Answer> {
    const { total, policies } = await services.ism.list(pageOf(params, 'policy.policy_id.keyword'))
    return { json: { policies: policies.map(printStored), total_policies: total } }
  },
})

/** `DELETE /_plugins/_ism/policies/{policy_id}`. */
export const deletePolicy: Endpoint = defineEndpoint({
  routes: [
    ['DELETE', `${POLICIES}/{policy_id}`],
    ['DELETE', `${OLD_POLICIES}/{policy_id}`],
  ],
  action: 'cluster:admin/opendistro/ism/policy/delete',
  params: { refresh: refreshPolicy },
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    const outcome = await services.ism.delete(part('policy_id'))
    return { status: writeStatus(outcome), json: writeBody(outcome) }
  },
})

function printStored({ policy, seqNo, primaryTerm }: StoredPolicy): JsonRecord {
  return {
    _id: policy.id,
    _seq_no: seqNo,
    _primary_term: primaryTerm,
    policy: printPolicy(policy),
  }
}
