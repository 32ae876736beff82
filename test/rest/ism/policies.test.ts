import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLUSTER_SETTINGS } from '../../../src/schema/cluster-settings.ts'
import { ACTION_NAMES } from '../../../src/service/ism/actions.ts'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { failureOf, okOf } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const POLICIES = '/_plugins/_ism/policies'

let node: IsmNode
const ok = okOf(() => node)
const failure = failureOf(() => node)
const folder = tempFolder('ism-policies')

beforeAll(async () => {
  node = await openIsm()
})

afterAll(() => node.close())

/** A policy with everything that one can have. */
const WHOLE = {
  description: 'hot, then gone',
  error_notification: { channel: { id: 'chat' }, message_template: { source: '{{ctx.index}}' } },
  default_state: 'hot',
  states: [
    {
      name: 'hot',
      actions: [
        { timeout: '1h', rollover: { min_doc_count: 5, min_index_age: '1d', min_size: '1gb' } },
        { retry: { count: 0, backoff: 'LINEAR', delay: '2m' }, read_only: {} },
        { replica_count: { number_of_replicas: 2 } },
        { index_priority: { priority: 7 } },
        { force_merge: { max_num_segments: 1 } },
        {
          alias: {
            actions: [
              { add: { alias: 'a', is_hidden: true } },
              { remove: { aliases: ['b', 'c'] } },
            ],
          },
        },
        { allocation: { require: { box: 'warm' } } },
        { notification: { channel: { id: 'chat' }, message_template: { source: 'x' } } },
        {
          shrink: { num_new_shards: 1, target_index_name_template: { source: '{{ctx.index}}_s' } },
        },
        { snapshot: { repository: 'backup', snapshot: 'day' } },
        { close: {} },
        { open: {} },
        { read_write: {} },
      ],
      transitions: [
        { state_name: 'gone', conditions: { min_index_age: '30d' } },
        { state_name: 'gone', conditions: { min_doc_count: 9 } },
        { state_name: 'gone', conditions: { min_size: '1gb' } },
        { state_name: 'gone', conditions: { min_rollover_age: '2d' } },
        { state_name: 'gone', conditions: { min_state_age: '2d' } },
        { state_name: 'gone', conditions: { no_alias: true } },
        {
          state_name: 'gone',
          conditions: { cron: { cron: { expression: '0 5 * * MON', timezone: 'Europe/Paris' } } },
        },
        { state_name: 'gone' },
      ],
    },
    { name: 'gone', actions: [{ delete: {} }], transitions: [] },
  ],
  ism_template: [{ index_patterns: ['log-*', '-log-x'], priority: 3 }],
}

describe('a policy', () => {
  it('is made, shown as it was read, changed under its stamp and deleted', async () => {
    const made = await node.call(`PUT ${POLICIES}/whole`, { policy: WHOLE })
    expect(made.status).toBe(201)
    expect(made.headers['location']).toBe(`${POLICIES}/whole`)
    const { _id, _version, _seq_no: seqNo, _primary_term: term, policy } = made.json
    expect([_id, _version, seqNo, term]).toEqual(['whole', 1, 0, 1])
    expect(Object.keys(policy.policy)).toEqual([
      'policy_id',
      'description',
      'last_updated_time',
      'schema_version',
      'error_notification',
      'default_state',
      'states',
      'ism_template',
    ])
    const shown = await ok(`GET ${POLICIES}/whole`)
    expect(Object.keys(shown)).toEqual(['_id', '_version', '_seq_no', '_primary_term', 'policy'])
    expect(shown.policy).toEqual({ ...policy.policy, schema_version: 27 })
    expect(policy.policy.schema_version).toBe(1)
    const [hot] = shown.policy.states
    const retry = { count: 3, backoff: 'exponential', delay: '1m' }
    expect(hot.actions.slice(0, 3)).toEqual([
      {
        timeout: '1h',
        retry,
        rollover: { min_size: '1gb', min_doc_count: 5, min_index_age: '1d', copy_alias: false },
      },
      { retry: { count: 0, backoff: 'linear', delay: '2m' }, read_only: {} },
      { retry, replica_count: { number_of_replicas: 2 } },
    ])
    expect(hot.actions[5].alias).toEqual({
      actions: [{ add: { aliases: ['a'], is_hidden: true } }, { remove: { aliases: ['b', 'c'] } }],
    })
    expect(hot.actions[6].allocation).toEqual({
      require: { box: 'warm' },
      include: {},
      exclude: {},
      wait_for: false,
    })
    expect(hot.actions[8].shrink).toEqual({
      num_new_shards: 1,
      target_index_name_template: { source: '{{ctx.index}}_s', lang: 'mustache' },
      switch_aliases: false,
    })
    expect(hot.transitions).toEqual(WHOLE.states[0]!.transitions)
    // What is printed is read again to the same.
    const { policy: again } = shown
    const put = await ok(`PUT ${POLICIES}/whole?if_seq_no=0&if_primary_term=1`, { policy: again })
    expect([put._version, put._seq_no]).toEqual([2, 1])
    const changed = (await ok(`GET ${POLICIES}/whole`)).policy
    expect({ ...changed, last_updated_time: 0 }).toEqual({ ...again, last_updated_time: 0 })
    const deleted = await ok(`DELETE ${POLICIES}/whole`)
    expect(deleted).toMatchObject({
      _index: '.opendistro-ism-config',
      _id: 'whole',
      _version: 3,
      result: 'deleted',
      forced_refresh: true,
    })
    expect(await failure(`GET ${POLICIES}/whole`)).toEqual([
      404,
      'status_exception',
      'Policy not found',
    ])
    expect(await failure(`DELETE ${POLICIES}/whole`)).toEqual([
      404,
      'status_exception',
      'Policy whole is not found',
    ])
  })

  it('is refused where there is one, and where its stamp is another', async () => {
    await ok(`PUT ${POLICIES}/once`, policyOf([]))
    const [status, type, reason] = await failure(`PUT ${POLICIES}/once`, policyOf([]))
    expect([status, type]).toEqual([409, 'version_conflict_engine_exception'])
    expect(reason).toContain(
      '[once]: version conflict, document already exists (current version [1])',
    )
    const stale = await failure(
      `PUT ${POLICIES}/once?if_seq_no=999&if_primary_term=1`,
      policyOf([]),
    )
    expect(stale.slice(0, 2)).toEqual([409, 'version_conflict_engine_exception'])
    await ok(`DELETE ${POLICIES}/once`)
  })

  it('is listed by pages, orders and queries', async () => {
    for (const id of ['b-1', 'a-1', 'a-2']) await ok(`PUT ${POLICIES}/${id}`, policyOf([]))
    const ids = async (query: string): Promise<unknown> => {
      const { policies, total_policies: total } = await ok(`GET ${POLICIES}${query}`)
      return [total, ...policies.map((each: { _id: string }) => each._id)]
    }
    expect(await ids('')).toEqual([3, 'a-1', 'a-2', 'b-1'])
    expect(await ids('?sortOrder=desc&size=2')).toEqual([3, 'b-1', 'a-2'])
    expect(await ids('?from=2')).toEqual([3, 'b-1'])
    expect(await ids('?queryString=a-*')).toEqual([2, 'a-1', 'a-2'])
    expect(await ids('?sortField=policy.last_updated_time')).toEqual([3, 'b-1', 'a-1', 'a-2'])
    const { policies } = await ok(`GET ${POLICIES}?size=1`)
    expect(Object.keys(policies[0])).toEqual(['_id', '_seq_no', '_primary_term', 'policy'])
    for (const id of ['b-1', 'a-1', 'a-2']) await ok(`DELETE ${POLICIES}/${id}`)
    expect(await ids('')).toEqual([0])
    expect(await failure(`GET ${POLICIES}?sortOrder=up`)).toEqual([
      400,
      'illegal_argument_exception',
      'No enum constant org.opensearch.search.sort.SortOrder.UP',
    ])
  })

  it('answers under its older path, and a HEAD without a body', async () => {
    await ok('PUT /_opendistro/_ism/policies/old', policyOf([]))
    expect((await ok('GET /_opendistro/_ism/policies/old'))._id).toBe('old')
    expect((await node.call(`HEAD ${POLICIES}/old`)).status).toBe(200)
    expect((await node.call(`HEAD ${POLICIES}/none`)).status).toBe(404)
    await ok('DELETE /_opendistro/_ism/policies/old')
    expect(await failure(`PUT ${POLICIES}`, policyOf([]))).toEqual([
      400,
      'illegal_argument_exception',
      'Missing policy ID',
    ])
  })

  it('is kept over a restart with its stamps', async () => {
    const first = await openIsm({}, folder)
    const made = (await first.call(`PUT ${POLICIES}/kept`, { policy: WHOLE })).json
    await first.close()
    const second = await openIsm({}, folder)
    const shown = (await second.call(`GET ${POLICIES}/kept`)).json
    expect(shown.policy).toEqual({ ...made.policy.policy, schema_version: 27 })
    expect([shown._version, shown._seq_no, shown._primary_term]).toEqual([1, 0, 1])
    await second.close()
  })

  it('with actions that are not allowed is answered 403 in plain text', async () => {
    const setting = { 'plugins.index_state_management.allow_list': ['open', 'delete'] }
    await ok('PUT /_cluster/settings', { transient: setting })
    const refused = await node.call(
      `PUT ${POLICIES}/not`,
      policyOf([{ close: {} }, { read_only: {} }]),
    )
    expect([refused.status, refused.text]).toEqual([
      403,
      'You have actions that are not allowed in your policy [close, read_only]',
    ])
    await ok('PUT /_cluster/settings', {
      transient: { 'plugins.index_state_management.allow_list': null },
    })
  })

  it('may have every kind of action by default', () => {
    const setting = CLUSTER_SETTINGS.find(({ key }) => key.endsWith('.allow_list'))
    expect(setting?.defaultValue).toEqual(ACTION_NAMES)
  })
})

const IAE = 'illegal_argument_exception'
const action = (body: object): object => policyOf([body])
const transition = (body: object): object => ({
  policy: {
    description: 'd',
    default_state: 'a',
    states: [{ name: 'a', actions: [], transitions: [body] }],
  },
})
const when = (conditions: object): object => transition({ state_name: 'a', conditions })
const states = (...given: object[]): object => ({
  policy: { description: 'd', default_state: 'a', states: given },
})
const a = { name: 'a', actions: [], transitions: [] }
const TOKEN = 'Failed to parse object: expecting token of type'

const REFUSED: readonly (readonly [object, string, string?])[] = [
  [{}, `${TOKEN} [FIELD_NAME] but found [END_OBJECT]`, 'parsing_exception'],
  [{ policy: [] }, `${TOKEN} [START_OBJECT] but found [START_ARRAY]`, 'parsing_exception'],
  [{ policy: {} }, 'description is null'],
  [{ policy: { description: 'd' } }, 'default_state is null'],
  [{ policy: { x: 1 } }, 'Invalid field: [x] found in Policy.'],
  [states(), 'Policy must contain at least one State'],
  [states(a, a), 'Policy cannot have duplicate state names'],
  [states({ ...a, name: 'b' }), 'Policy must have a valid default state'],
  [states({ ...a, name: ' ' }), 'State must contain a valid name'],
  [states({ actions: [] }), 'State name is null'],
  [states({ ...a, x: 1 }), 'Invalid field: [x] found in State.'],
  [
    states({ ...a, transitions: [{ state_name: 'z' }] }),
    'Policy contains a transition in state=a pointing to a nonexistent state=z',
  ],
  [
    policyOf([{ delete: {} }, { open: {} }]),
    'State=only must not contain an action after a delete action',
  ],
  [
    states({ ...a, actions: [{ delete: {} }], transitions: [{ state_name: 'a' }] }),
    'State=a cannot contain transitions if using delete action',
  ],
  [action({}), 'Action inside state is null'],
  [action({ x: {} }), 'Invalid field: [x] found in Actions.'],
  [action({ rollup: {} }), '[rollup] is not supported yet'],
  [action({ open: { x: 1 } }), `${TOKEN} [END_OBJECT] but found [FIELD_NAME]`, 'parsing_exception'],
  [action({ open: 1 }), `${TOKEN} [START_OBJECT] but found [VALUE_NUMBER]`, 'parsing_exception'],
  [action({ open: {}, timeout: 5 }), 'Invalid token: [VALUE_NUMBER] for ActionTimeout'],
  [
    action({ open: {}, timeout: 'x' }),
    'failed to parse setting [timeout] with value [x] as a time value: unit is missing or unrecognized',
  ],
  [action({ open: {}, retry: {} }), 'ActionRetry count is null'],
  [
    action({ open: {}, retry: { count: -1 } }),
    'Count for ActionRetry must be a non-negative number',
  ],
  [
    action({ open: {}, retry: { count: 1, backoff: 'x' } }),
    'No enum constant org.opensearch.indexmanagement.spi.indexstatemanagement.model.ActionRetry.Backoff.X',
  ],
  [action({ rollover: { any_of: [] } }), 'Invalid field: [any_of] found in RolloverAction.'],
  [action({ rollover: { min_size: '0' } }), 'RolloverAction minSize value must be greater than 0'],
  [
    action({ rollover: { min_doc_count: 0 } }),
    'RolloverAction minDocs value must be greater than 0',
  ],
  [
    action({ rollover: { min_primary_shard_size: '0' } }),
    'RolloverActionConfig minPrimaryShardSize value must be greater than 0',
  ],
  [action({ force_merge: {} }), 'ForceMergeActionConfig maxNumSegments is null'],
  [
    action({ force_merge: { max_num_segments: 0 } }),
    'Force merge {max_num_segments} must be greater than 0',
  ],
  [action({ force_merge: { x: 0 } }), 'Invalid field: [x] found in ForceMergeActionConfig.'],
  [action({ replica_count: {} }), 'number_of_replicas is null'],
  [
    action({ replica_count: { number_of_replicas: -1 } }),
    'ReplicaCountAction number_of_replicas value must be a non-negative number',
  ],
  [action({ index_priority: {} }), 'priority is null'],
  [
    action({ index_priority: { priority: -1 } }),
    'IndexPriorityAction index_priority value must be a non-negative number',
  ],
  [action({ snapshot: { snapshot: 's' } }), 'SnapshotAction repository must be specified'],
  [action({ snapshot: { repository: 's' } }), 'SnapshotAction snapshot must be specified'],
  [action({ allocation: {} }), 'At least one allocation parameter need to be specified.'],
  [action({ alias: { actions: [] } }), 'At least one alias action needs to be specified.'],
  [
    action({ alias: { actions: [{ remove_index: {} }] } }),
    'Only ADD and REMOVE actions are allowed.',
  ],
  [
    action({ alias: { actions: [{ add: { index: 'i', alias: 'a' } }] } }),
    "Alias action can only work on its applied index so don't accept index/indices parameter.",
  ],
  [action({ alias: { actions: [{ add: {} }] } }), 'At least one alias needs to be specified.'],
  [
    action({ shrink: {} }),
    'Exactly one option specifying the number of shards to shrink to must be used.',
  ],
  [
    action({ shrink: { num_new_shards: 1, max_shard_size: '1gb' } }),
    'Exactly one option specifying the number of shards to shrink to must be used.',
  ],
  [action({ shrink: { num_new_shards: 0 } }), 'Shrink action numNewShards must be greater than 0.'],
  [
    action({ shrink: { max_shard_size: '0' } }),
    'Shrink action maxShardSize must be greater than 0.',
  ],
  [
    action({ shrink: { percentage_of_source_shards: 1 } }),
    'Percentage of source shards must be between 0.0 and 1.0 exclusively',
  ],
  [
    action({
      shrink: { num_new_shards: 1, target_index_name_template: { source: 'x', lang: 'painless' } },
    }),
    'Target index name template must be a mustache script',
  ],
  [action({ notification: {} }), 'NotificationAction message template is null'],
  [
    action({ notification: { message_template: { source: 'x' } } }),
    'Notification must contain a destination or channel',
  ],
  [
    action({ notification: { message_template: { source: 'x', lang: 'painless' } } }),
    'Notification message template must be a mustache script',
  ],
  [
    action({ notification: { message_template: { id: 'stored' } } }),
    'Notification message template must be a mustache script',
  ],
  [
    action({ notification: { channel: { id: '' }, message_template: { source: 'x' } } }),
    'Channel ID cannot be empty',
  ],
  [action({ notification: { channel: {} } }), 'Channel ID is null'],
  [
    action({ notification: { destination: { slack: {} } } }),
    '[destination] is not supported yet: name a [channel]',
  ],
  [
    policyOf([], { error_notification: { message_template: { source: 'x' } } }),
    'ErrorNotification must contain a destination or channel',
  ],
  [transition({}), 'Transition state name is null'],
  [transition({ x: 1 }), 'Invalid field: [x] found in Transition.'],
  [when({}), 'Cannot provide more than one Transition condition'],
  [
    when({ min_index_age: '1d', min_doc_count: 1 }),
    'Cannot provide more than one Transition condition',
  ],
  [when({ x: 1 }), 'Invalid field: [x] found in Conditions.'],
  [when({ min_doc_count: 0 }), 'Transition doc count condition must be greater than 0'],
  [when({ min_size: '0' }), 'Transition size condition must be greater than 0'],
  [
    when({ cron: { cron: { expression: '* * *', timezone: 'UTC' } } }),
    'Cron expression contains 3 parts but we expect one of [5]',
  ],
  [
    when({ cron: { cron: { expression: '61 * * * *', timezone: 'UTC' } } }),
    'Failed to parse cron expression [61 * * * *]: [61] is no minute',
  ],
  [
    when({ cron: { cron: { expression: '* * * * *', timezone: 'Nowhere/X' } } }),
    'Unknown time-zone ID: Nowhere/X',
  ],
  [when({ cron: { interval: {} } }), 'Unknown schedule type found.'],
  [policyOf([], { ism_template: {} }), 'Requires at least one index pattern'],
  [
    policyOf([], { ism_template: { index_patterns: ['a'], priority: -1 } }),
    'Requires priority to be >= 0',
  ],
  [policyOf([], { ism_template: { x: 1 } }), 'Invalid field: [x] found in ISMTemplate.'],
]

describe('a policy that is none', () => {
  it.each(REFUSED)('%j is refused: %s', async (body, reason, type = IAE) => {
    expect(await failure(`PUT ${POLICIES}/bad`, body)).toEqual([400, type, reason])
    expect((await node.call(`GET ${POLICIES}/bad`)).status).toBe(404)
  })
})

describe('templates of policies', () => {
  const templated = (...templates: object[]): object => policyOf([], { ism_template: templates })
  const of = (patterns: string[], priority = 0): object => ({ index_patterns: patterns, priority })
  const IME = 'index_management_exception'

  it.each([
    [['#a'], `index_pattern [#a] must not contain a '#'`],
    [['a:b'], `index_pattern [a:b] must not contain a ':'`],
    [['_a'], `index_pattern [_a] must not start with '_'`],
    [['a', '-'], `index_pattern [-] must have content after '-' exclusion prefix`],
    [
      ['-a'],
      'index_patterns must contain at least one inclusion pattern (patterns cannot be all exclusions)',
    ],
    [
      ['a b'],
      'index_pattern [a b] must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]',
    ],
  ])('%j are refused', async (patterns, fault) => {
    expect(await failure(`PUT ${POLICIES}/bad`, templated(of(patterns)))).toEqual([
      400,
      IME,
      `Validation Failed: 1: ${fault};`,
    ])
  })

  it('contend at the same priority alone, among themselves and with other policies', async () => {
    expect(
      await failure(`PUT ${POLICIES}/self`, templated(of(['log*'], 1), of(['*-1'], 1))),
    ).toEqual([
      400,
      IME,
      "New policy self has an ISM template with index pattern [log*] matching this policy's other ISM " +
        'templates with index patterns [*-1], please use different priority',
    ])
    await ok(`PUT ${POLICIES}/self`, templated(of(['log*'], 1), of(['*-1'], 2)))
    expect(await failure(`PUT ${POLICIES}/other`, templated(of(['l*g-x'], 1)))).toEqual([
      400,
      IME,
      'New policy other has an ISM template with index pattern [l*g-x] matching existing policy ' +
        'templates, please use a different priority than 1',
    ])
    // Each template of a policy is held against each of the others.
    const second = templated(of(['zebra'], 7), of(['loggia'], 1))
    expect((await failure(`PUT ${POLICIES}/other`, second))[2]).toContain('[loggia] matching')
    await ok(`PUT ${POLICIES}/other`, templated(of(['l*g-x'], 3)))
    await ok(`DELETE ${POLICIES}/self`)
    await ok(`DELETE ${POLICIES}/other`)
  })
})
