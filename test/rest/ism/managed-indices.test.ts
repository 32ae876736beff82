import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { failureOf, okOf } from '../../support/rest-calls.ts'

const ISM = '/_plugins/_ism'
const POLICIES = `${ISM}/policies`

let node: IsmNode
const ok = okOf(() => node)
const failure = failureOf(() => node)

beforeAll(async () => {
  node = await openIsm()
})

afterAll(() => node.close())

const uuidOf = async (index: string): Promise<string> =>
  (await ok(`GET /${index}/_settings`))[index].settings.index.uuid
const explain = async (index: string, query = ''): Promise<Record<string, unknown>> =>
  (await ok(`GET ${ISM}/explain/${index}${query}`))[index]
const message = async (index: string): Promise<unknown> =>
  ((await explain(index))['info'] as { message: string } | undefined)?.message

const TWO_STATES = {
  policy: {
    description: 'd',
    default_state: 'hot',
    states: [
      {
        name: 'hot',
        actions: [{ read_only: {} }],
        transitions: [{ state_name: 'cold', conditions: { min_index_age: '1d' } }],
      },
      { name: 'cold', actions: [{ read_write: {} }], transitions: [] },
    ],
  },
}

describe('an index', () => {
  it('goes through its policy, one step in each run, and is explained at each', async () => {
    await ok(`PUT ${POLICIES}/life`, TWO_STATES)
    await ok('PUT /life-1')
    const uuid = await uuidOf('life-1')
    expect(await ok(`POST ${ISM}/add/life-1`, { policy_id: 'life' })).toEqual({
      updated_indices: 1,
      failures: false,
      failed_indices: [],
    })
    const head = {
      'index.plugins.index_state_management.policy_id': 'life',
      'index.opendistro.index_state_management.policy_id': 'life',
      index: 'life-1',
      index_uuid: uuid,
      policy_id: 'life',
    }
    expect(await ok(`GET ${ISM}/explain/life-1`)).toEqual({
      'life-1': { ...head, enabled: true },
      total_managed_indices: 1,
    })
    await node.run()
    const version = { policy_seq_no: expect.any(Number), policy_primary_term: 1 }
    const age = { index_creation_date: expect.any(Number) }
    const retry_info = { failed: false, consumed_retries: 0 }
    const first = await explain('life-1')
    expect(first).toEqual({
      ...head,
      ...version,
      ...age,
      state: { name: 'hot', start_time: node.now() },
      retry_info,
      info: { message: 'Successfully initialized policy: life' },
      enabled: true,
    })
    await node.run()
    const second = await explain('life-1')
    expect(second).toMatchObject({
      action: {
        name: 'read_only',
        start_time: node.now(),
        index: 0,
        failed: false,
        consumed_retries: 0,
        last_retry_time: null,
      },
      step: { name: 'set_read_only', start_time: node.now(), step_status: 'completed' },
      info: { message: 'Successfully set index to read-only [index=life-1]' },
    })
    expect(Object.keys(second)).toEqual([
      ...Object.keys(head),
      'policy_seq_no',
      'policy_primary_term',
      'index_creation_date',
      'state',
      'action',
      'step',
      'retry_info',
      'info',
      'enabled',
    ])
    const blocked = await failure('PUT /life-1/_doc/1', { a: 1 })
    expect(blocked.slice(0, 2)).toEqual([403, 'cluster_block_exception'])
    await node.run()
    expect(await explain('life-1')).toMatchObject({
      action: { name: 'transition', index: -1 },
      step: { name: 'attempt_transition_step', step_status: 'condition_not_met' },
      info: { message: 'Evaluating transition conditions [index=life-1]' },
    })
    node.wait(86_400_000)
    await node.run()
    expect(await explain('life-1')).toMatchObject({
      transition_to: 'cold',
      info: { message: 'Transitioning to cold [index=life-1]' },
    })
    await node.run()
    expect(await explain('life-1')).toMatchObject({
      state: { name: 'cold', start_time: node.now() },
      action: { name: 'read_write', index: 0 },
    })
    await ok('PUT /life-1/_doc/1', { a: 1 })
    await node.run()
    expect(await explain('life-1')).toEqual({
      ...head,
      ...version,
      ...age,
      policy_completed: true,
      enabled: true,
    })
    await node.run()
    expect(await explain('life-1')).toMatchObject({ policy_completed: true, enabled: false })
  })

  it('keeps the policy that it was given when that changes or goes', async () => {
    await ok(`PUT ${POLICIES}/gone`, policyOf([{ close: {} }]))
    await ok('PUT /keeps')
    await ok(`POST ${ISM}/add/keeps`, { policy_id: 'gone' })
    await ok(`DELETE ${POLICIES}/gone`)
    const shown = await explain('keeps', '?show_policy=true')
    expect(shown['policy']).toMatchObject({ policy_id: 'gone', default_state: 'only' })
    await node.run(2)
    expect(await message('keeps')).toBe('Successfully closed index [index=keeps]')
  })

  it('without a policy has none in an explanation, and one that is missing no entry', async () => {
    await ok('PUT /bare')
    expect(await ok(`GET ${ISM}/explain/bare,missing?validate_action=true`)).toEqual({
      bare: {
        'index.plugins.index_state_management.policy_id': null,
        'index.opendistro.index_state_management.policy_id': null,
        enabled: null,
        validate: { validation_message: 'Starting Validation', validation_status: 'passed' },
      },
      total_managed_indices: 0,
    })
  })

  it('is told of in pages and through filters', async () => {
    await ok(`PUT ${POLICIES}/paged`, TWO_STATES)
    for (const name of ['page-a', 'page-b', 'page-c']) await ok(`PUT /${name}`)
    await ok(`POST ${ISM}/add/page-*`, { policy_id: 'paged' })
    const names = async (line: string, body?: object): Promise<unknown> => {
      const { total_managed_indices: total, ...indices } = await ok(line, body)
      return [total, ...Object.keys(indices)]
    }
    const all = `${ISM}/explain?queryString=page-*`
    expect(await names(`GET ${all}`)).toEqual([3, 'page-a', 'page-b', 'page-c'])
    expect(await names(`GET ${all}&sortOrder=desc&size=1&from=1`)).toEqual([3, 'page-b'])
    expect(await names(`GET ${all}&size=0`)).toEqual([3])
    await ok(`POST ${ISM}/remove/page-c`)
    await node.run(2)
    const filtered = (filter: object): Promise<unknown> => names(`POST ${all}`, { filter })
    expect(await filtered({ policy_id: 'paged' })).toEqual([2, 'page-a', 'page-b'])
    expect(await filtered({ policy_id: 'none' })).toEqual([0])
    expect(await filtered({ state: 'hot', action_type: 'read_only', failed: false })).toEqual([
      2,
      'page-a',
      'page-b',
    ])
    expect(await filtered({ state: 'cold' })).toEqual([0])
    expect(await filtered({ failed: true })).toEqual([0])
    expect(await names(`POST ${ISM}/explain/page-*`, { filter: { action_type: 'open' } })).toEqual([
      0,
    ])
  })
})

describe('adding a policy', () => {
  it('names what stays as it was', async () => {
    await ok(`PUT ${POLICIES}/add`, policyOf([]))
    for (const name of ['add-1', 'add-2', 'add-3']) await ok(`PUT /${name}`)
    await ok('POST /add-3/_close')
    await ok(`POST ${ISM}/add/add-1`, { policy_id: 'add' })
    expect(await ok(`POST ${ISM}/add/add-*`, { policy_id: 'add' })).toEqual({
      updated_indices: 1,
      failures: true,
      failed_indices: [
        { index_name: 'add-3', index_uuid: await uuidOf('add-3'), reason: 'This index is closed' },
        {
          index_name: 'add-1',
          index_uuid: await uuidOf('add-1'),
          reason:
            'This index already has a policy, use the update policy API to update index policies',
        },
      ],
    })
    expect((await ok(`POST ${ISM}/add/missing`, { policy_id: 'add' })).updated_indices).toBe(0)
  })

  it('passes restricted names over', async () => {
    const key = 'plugins.index_state_management.restricted_index_pattern'
    await ok('PUT /_cluster/settings', { transient: { [key]: 'secret-.*' } })
    await ok('PUT /secret-1')
    const { failed_indices: failed } = await ok(`POST ${ISM}/add/secret-1`, { policy_id: 'add' })
    expect(failed[0].reason).toBe('Matches restricted index pattern defined in the cluster setting')
    await ok('PUT /_cluster/settings', { transient: { [key]: null } })
    const bad = await failure('PUT /_cluster/settings', { transient: { [key]: '(' } })
    expect(bad[0]).toBe(400)
  })

  it.each([
    [`POST ${ISM}/add`, {}, 400, 'illegal_argument_exception', 'Missing indices'],
    [`POST ${ISM}/add/bare`, undefined, 400, 'illegal_argument_exception', 'Missing policy_id'],
    [
      `POST ${ISM}/add/bare`,
      { policy_id: 'x' },
      404,
      'status_exception',
      'Could not find policy=x',
    ],
    [
      `POST ${ISM}/add/bare?type=cold`,
      { policy_id: 'add' },
      400,
      'illegal_argument_exception',
      'Index type [type=cold] was not recognized when trying to get index metadata',
    ],
    [`POST ${ISM}/remove`, undefined, 400, 'illegal_argument_exception', 'Missing indices'],
    [`POST ${ISM}/remove/x`, undefined, 404, 'index_not_found_exception', 'no such index [x]'],
    [`POST ${ISM}/change_policy`, {}, 400, 'illegal_argument_exception', 'Missing index'],
    [
      `POST ${ISM}/change_policy/bare`,
      {},
      400,
      'illegal_argument_exception',
      'ChangePolicy policy id is null',
    ],
    [
      `POST ${ISM}/change_policy/bare`,
      { x: 1 },
      400,
      'illegal_argument_exception',
      'Invalid field: [x] found in ChangePolicy.',
    ],
    [
      `POST ${ISM}/change_policy/bare`,
      { policy_id: 'x', include: [{}] },
      400,
      'illegal_argument_exception',
      'Must include a state when using include filter',
    ],
    [
      `POST ${ISM}/change_policy/bare`,
      { policy_id: 'x' },
      404,
      'status_exception',
      'Could not find policy=x',
    ],
    [`POST ${ISM}/retry`, undefined, 400, 'illegal_argument_exception', 'Missing indices'],
    [`POST ${ISM}/retry/x`, undefined, 404, 'index_not_found_exception', 'no such index [x]'],
  ] as const)('%s %j is refused', async (line, body, status, type, reason) => {
    expect(await failure(line, body)).toEqual([status, type, reason])
  })
})

describe('removing a policy', () => {
  it('leaves an index to itself for good, a blocked one too', async () => {
    await ok('PUT /leave', { settings: { 'index.blocks.read_only_allow_delete': true } })
    await ok(`POST ${ISM}/add/leave`, { policy_id: 'add' })
    expect(await ok(`POST ${ISM}/remove/leave`)).toEqual({
      updated_indices: 1,
      failures: false,
      failed_indices: [],
    })
    const { settings } = (await ok('GET /leave/_settings?flat_settings=true')).leave
    expect(settings).toMatchObject({
      'index.plugins.index_state_management.auto_manage': 'false',
      'index.blocks.read_only_allow_delete': 'true',
    })
    const { failed_indices: failed } = await ok(`POST ${ISM}/remove/leave`)
    expect(failed[0].reason).toBe('This index does not have a policy to remove')
  })
})

describe('changing a policy', () => {
  it('waits for the end of the state, unless the other policy is the same there', async () => {
    await ok(`PUT ${POLICIES}/from`, TWO_STATES)
    await ok(`PUT ${POLICIES}/alike`, TWO_STATES)
    await ok(`PUT ${POLICIES}/other`, policyOf([{ open: {} }]))
    for (const name of ['change-1', 'change-2']) await ok(`PUT /${name}`)
    await ok(`POST ${ISM}/add/change-*`, { policy_id: 'from' })
    await node.run()
    expect(await ok(`POST ${ISM}/change_policy/change-1`, { policy_id: 'alike' })).toEqual({
      updated_indices: 1,
      failures: false,
      failed_indices: [],
    })
    await ok(`POST ${ISM}/change_policy/change-2`, { policy_id: 'other', state: 'only' })
    await node.run()
    expect(await message('change-1')).toBe('Attempting to change policy to alike')
    expect(await explain('change-1')).toMatchObject({ policy_id: 'alike', state: { name: 'hot' } })
    expect(await message('change-2')).toBe('Successfully set index to read-only [index=change-2]')
    await node.run()
    expect(await explain('change-2')).toMatchObject({
      policy_id: 'other',
      transition_to: 'only',
      info: { message: 'Attempting to change policy to other' },
    })
    const { failed_indices: failed } = await ok(`POST ${ISM}/change_policy/change-2`, {
      policy_id: 'from',
    })
    expect(failed[0].reason).toBe('Cannot change policy while transitioning to new state')
    await node.run()
    expect(await message('change-2')).toBe('Successfully opened index [index=change-2]')
  })

  it('passes over states that are not included, and indices without a policy', async () => {
    const body = { policy_id: 'from', include: [{ state: 'cold' }] }
    expect(await ok(`POST ${ISM}/change_policy/change-2`, body)).toMatchObject({
      updated_indices: 0,
      failures: false,
    })
    const { failed_indices: failed } = await ok(`POST ${ISM}/change_policy/bare`, {
      policy_id: 'from',
    })
    expect(failed[0].reason).toBe('This index is not being managed')
  })
})

describe('an action that fails', () => {
  const FAILING = {
    rollover: {},
    retry: { count: 2, backoff: 'exponential', delay: '30m' },
  }

  it('is tried again after pauses, then stands still until a retry is asked for', async () => {
    await ok(`PUT ${POLICIES}/failing`, policyOf([FAILING]))
    await ok('PUT /fails')
    await ok(`POST ${ISM}/add/fails`, { policy_id: 'failing' })
    await node.run(2)
    const action = async (): Promise<unknown> => (await explain('fails'))['action']
    const failedAt = node.now()
    expect(await action()).toMatchObject({
      failed: false,
      consumed_retries: 1,
      last_retry_time: failedAt,
    })
    expect(await message('fails')).toBe('Missing rollover_alias index setting [index=fails]')
    const { failed_indices: failed } = await ok(`POST ${ISM}/retry/fails`)
    expect(failed[0].reason).toBe('This index is not in failed state.')
    // The first pause is 30 minutes, the second an hour.
    await node.run(2)
    expect(await action()).toMatchObject({ consumed_retries: 1 })
    await node.run(1)
    expect(await action()).toMatchObject({ consumed_retries: 2, failed: false })
    await node.run(5)
    expect(await action()).toMatchObject({ consumed_retries: 2, failed: false })
    await node.run(1)
    expect(await action()).toMatchObject({ consumed_retries: 2, failed: true })
    await node.run()
    expect(await explain('fails')).toMatchObject({ enabled: false })
    expect(
      (await ok(`POST ${ISM}/explain/fails`, { filter: { failed: true } })).fails,
    ).toBeDefined()
    expect(await ok(`POST ${ISM}/retry/fails`)).toMatchObject({ updated_indices: 1 })
    expect(await explain('fails')).toMatchObject({
      enabled: true,
      action: { failed: false, consumed_retries: 0, start_time: null },
      info: { message: 'Pending retry of failed managed index' },
    })
    await node.run()
    expect(await action()).toMatchObject({ consumed_retries: 1, start_time: node.now() })
  })

  it('is begun in another state where the retry names one', async () => {
    const once = { ...TWO_STATES.policy, states: [...TWO_STATES.policy.states] }
    once.states[0] = {
      ...once.states[0]!,
      actions: [{ rollover: {}, retry: { count: 0 } } as never],
    }
    await ok(`PUT ${POLICIES}/once`, { policy: once })
    await ok('PUT /once')
    await ok(`POST ${ISM}/add/once`, { policy_id: 'once' })
    const early = await ok(`POST ${ISM}/retry/once`)
    expect(early.failed_indices[0].reason).toBe('This index has no metadata information')
    expect((await ok(`POST ${ISM}/retry/bare`)).failed_indices[0].reason).toBe(
      'This index is not being managed.',
    )
    await node.run(2)
    expect(await explain('once')).toMatchObject({ action: { failed: true } })
    await ok(`POST ${ISM}/retry/once`, { state: 'cold' })
    await node.run()
    expect(await explain('once')).toMatchObject({ state: { name: 'cold' } })
    await ok(`POST ${ISM}/change_policy/once`, { policy_id: 'once' })
  })

  it('fails at its timeout, and for good in a state that is none', async () => {
    const waiting = { rollover: { min_doc_count: 5 }, timeout: '1h' }
    await ok(`PUT ${POLICIES}/late`, policyOf([waiting]))
    await ok('PUT /late-1', {
      aliases: { late: {} },
      settings: { 'plugins.index_state_management.rollover_alias': 'late' },
    })
    await ok(`POST ${ISM}/add/late-1`, { policy_id: 'late' })
    await node.run(2)
    expect(await message('late-1')).toBe('Pending rollover of index [index=late-1]')
    node.wait(3_600_000)
    await node.run()
    expect(await explain('late-1')).toMatchObject({
      action: { failed: true },
      step: { step_status: 'timed_out' },
      info: { message: 'Action timed out' },
      enabled: false,
    })
    await ok(`POST ${ISM}/retry/late-1`, { state: 'nowhere' })
    await node.run()
    expect(await explain('late-1')).toMatchObject({
      retry_info: { failed: true },
      info: { message: 'Failed to find state=nowhere in policy=late' },
      enabled: false,
    })
  })
})

describe('settings', () => {
  const PREFIX = 'plugins.index_state_management.'
  const set = (key: string, value: unknown): Promise<unknown> =>
    ok('PUT /_cluster/settings', { transient: { [PREFIX + key]: value } })

  it('switch jobs off and on again', async () => {
    await ok(`PUT ${POLICIES}/switch`, policyOf([{ close: {} }]))
    await ok('PUT /switched')
    await ok(`POST ${ISM}/add/switched`, { policy_id: 'switch' })
    await node.run()
    await set('enabled', false)
    await node.run()
    expect(await explain('switched')).toMatchObject({ enabled: false })
    await set('enabled', null)
    await node.run()
    expect(await message('switched')).toBe('Successfully closed index [index=switched]')
    expect(await explain('switched')).toMatchObject({ enabled: true })
  })

  it('forbid actions that policies have already', async () => {
    await ok(`PUT ${POLICIES}/allowed`, policyOf([{ close: {} }]))
    await ok('PUT /allowed')
    await ok(`POST ${ISM}/add/allowed`, { policy_id: 'allowed' })
    await set('allow_list', ['open'])
    await node.run(2)
    expect(await explain('allowed')).toMatchObject({
      retry_info: { failed: true },
      info: { message: 'Attempted to execute action=close which is not allowed.' },
    })
    await set('allow_list', null)
  })

  it('say how often jobs run', async () => {
    await set('job_interval', 60)
    await ok(`PUT ${POLICIES}/hourly`, policyOf([]))
    await ok('PUT /hourly')
    await ok(`POST ${ISM}/add/hourly`, { policy_id: 'hourly' })
    node.wait(59 * 60_000)
    await node.services.ism.sweep()
    expect(await message('hourly')).toBeUndefined()
    node.wait(61 * 60_000)
    await node.services.ism.sweep()
    expect(await message('hourly')).toBe('Successfully initialized policy: hourly')
    await set('job_interval', null)
    // Jobs that began at once come a part of the interval later each, so that not all come at once.
    await set('job_interval', 10)
    await set('jitter', 1)
    const names = Array.from({ length: 24 }, (_, i) => `spread-${i}`)
    for (const name of names) await ok(`PUT /${name}`)
    await ok(`POST ${ISM}/add/spread-*`, { policy_id: 'hourly' })
    // The second run of a job ends it, and its message.
    const all = new Set<string>()
    const begun = async (): Promise<number> => {
      for (const name of names) if ((await message(name)) !== undefined) all.add(name)
      return all.size
    }
    node.wait(15 * 60_000)
    await node.services.ism.sweep()
    const early = await begun()
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThan(names.length)
    node.wait(6 * 60_000)
    await node.services.ism.sweep()
    expect(await begun()).toBe(names.length)
    await set('jitter', null)
    await set('job_interval', null)
    for (const [key, value] of [
      ['job_interval', 0],
      ['jitter', 1.1],
      ['enabled', 'x'],
      ['coordinator.sweep_period', '1m'],
    ] as const)
      expect(
        (await failure('PUT /_cluster/settings', { transient: { [PREFIX + key]: value } }))[0],
      ).toBe(400)
  })
})

describe('templates of policies', () => {
  const templated = (patterns: string[], priority: number): object =>
    policyOf([], { ism_template: { index_patterns: patterns, priority } })

  it('take on new indices, by priority, and let deleted ones go', async () => {
    await using(async fresh => {
      await ok('PUT /auto-before', undefined, fresh)
      // Indices are dated by the machine's clock, policies by the one that tests move.
      fresh.wait(Date.now() + 20 - fresh.now())
      await ok(`PUT ${POLICIES}/low`, templated(['auto-*'], 1), fresh)
      await ok(`PUT ${POLICIES}/high`, templated(['auto-*', '-auto-x*'], 5), fresh)
      while (Date.now() <= fresh.now()) await new Promise(resolve => setTimeout(resolve, 5))
      for (const name of ['auto-1', 'auto-x1']) await ok(`PUT /${name}`, undefined, fresh)
      await ok('PUT /auto-hidden', { settings: { 'index.hidden': true } }, fresh)
      const settings = { 'plugins.index_state_management.auto_manage': false }
      await ok('PUT /auto-not', { settings }, fresh)
      await fresh.services.ism.sweep()
      const found = async (index: string): Promise<Record<string, unknown>> =>
        (await ok(`GET ${ISM}/explain/${index}`, undefined, fresh))[index]
      const policy = async (index: string): Promise<unknown> =>
        (await found(index))['index.plugins.index_state_management.policy_id']
      expect(await policy('auto-1')).toBe('high')
      expect(await policy('auto-x1')).toBe('low')
      for (const name of ['auto-before', 'auto-hidden', 'auto-not'])
        expect(await policy(name)).toBe(null)
      const { index_uuid: uuid } = await found('auto-1')
      await ok('DELETE /auto-1', undefined, fresh)
      await ok('PUT /auto-1', undefined, fresh)
      await fresh.services.ism.sweep()
      const { index_uuid: next, policy_id: id } = await found('auto-1')
      expect(id).toBe('high')
      expect(next).not.toBe(uuid)
      const all = await ok(`GET ${ISM}/explain`, undefined, fresh)
      expect(Object.keys(all)).toEqual(['auto-1', 'auto-x1', 'total_managed_indices'])
      expect(all.total_managed_indices).toBe(2)
      await ok(`POST ${ISM}/remove/auto-1`, undefined, fresh)
      await fresh.services.ism.sweep()
      expect(await policy('auto-1')).toBe(null)
    })
  })

  it('take on the indices of a data stream by its name', async () => {
    await using(async fresh => {
      await ok('PUT /_index_template/flow', { index_patterns: ['flow'], data_stream: {} }, fresh)
      await ok(`PUT ${POLICIES}/flow`, templated(['flow'], 0), fresh)
      await ok('PUT /_data_stream/flow', undefined, fresh)
      await fresh.services.ism.sweep()
      const name = '.ds-flow-000001'
      const shown = await ok(`GET ${ISM}/explain/${name}`, undefined, fresh)
      expect(shown[name]).toMatchObject({ policy_id: 'flow' })
    })
  })

  /** A node whose clock has not been moved: templates take on what is made after them. */
  async function using(step: (fresh: IsmNode) => Promise<void>): Promise<void> {
    const fresh = await openIsm()
    try {
      await step(fresh)
    } finally {
      await fresh.close()
    }
  }
})
