import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IsmNode, openIsm } from '../../support/ism-node.ts'
import { failureOf, okOf } from '../../support/rest-calls.ts'

const ISM = '/_plugins/_ism'
const SIMULATE = `POST ${ISM}/simulate`

let node: IsmNode
const ok = okOf(() => node)
const failure = failureOf(() => node)
const simulated = async (body: object): Promise<Record<string, unknown>[]> =>
  (await ok(SIMULATE, body)).simulate_results

const state = (name: string, actions: object[], transitions: object[]): object => ({
  name,
  actions,
  transitions,
})
const policy = (...states: object[]): object => ({
  description: 'd',
  default_state: 'hot',
  states,
})
const to = (name: string, conditions?: object): object => ({ state_name: name, conditions })

beforeAll(async () => {
  node = await openIsm()
  for (const name of ['logs-1', 'logs-2', 'other']) await ok(`PUT /${name}`)
  await ok('PUT /logs-1/_doc/1?refresh=true', { a: 1 })
  await ok('PUT /logs-1/_alias/first')
  await ok(`PUT ${ISM}/policies/age`, {
    policy: policy(
      state('hot', [{ read_only: {} }], [to('cold', { min_index_age: '36h' })]),
      state('cold', [], []),
    ),
  })
})

afterAll(() => node.close())

describe('a simulation', () => {
  it('names the first action of an index that no policy has', async () => {
    const { index } = { index: (await ok('GET /other/_settings')).other.settings.index }
    expect(await simulated({ policy_id: 'age', indices: ['other'] })).toEqual([
      {
        index_name: 'other',
        index_uuid: index.uuid,
        policy_id: 'age',
        is_managed: false,
        current_state: 'hot',
        current_action: 'read_only',
        next_state: null,
      },
    ])
  })

  it('tells of each kind of condition how it stands', async () => {
    node.wait(10_000)
    const inline = policy(
      state(
        'hot',
        [],
        [
          to('a', { min_index_age: '36h' }),
          to('a', { min_doc_count: 2 }),
          to('a', { min_size: '1tb' }),
          to('a', { min_rollover_age: '1d' }),
          to('a', { min_state_age: '90m' }),
          to('a', { no_alias: true }),
          to('a', { cron: { cron: { expression: '0 0 1 1 *', timezone: 'UTC' } } }),
          to('b', { no_alias: false }),
          to('c', { min_doc_count: 1 }),
          to('d'),
        ],
      ),
      ...['a', 'b', 'c', 'd'].map(name => state(name, [], [])),
    )
    const [result] = await simulated({ policy: inline, indices: ['logs-1'] })
    expect(result).toMatchObject({
      policy_id: '',
      is_managed: false,
      current_action: 'transition',
      next_state: 'b',
    })
    const age = expect.stringMatching(/^[\d.]+(ms|s|m|micros)$/)
    const met = (name: string, type: string, current: unknown, required: unknown): object => ({
      state_name: name,
      condition_met: true,
      condition_type: type,
      current_value: current,
      required_value: required,
    })
    const unmet = (type: string, current: unknown, required: unknown): object => ({
      ...met('a', type, current, required),
      condition_met: false,
    })
    const year = new Date(node.now()).getUTCFullYear() + 1
    expect(result!['transition_evaluation']).toEqual([
      unmet('min_index_age', age, '1.5d'),
      unmet('min_doc_count', '1', '2'),
      unmet('min_size', expect.stringMatching(/^[\d.]+k?b$/), '1tb'),
      unmet('min_rollover_age', 'index has never been rolled over', '1d'),
      unmet('min_state_age', 'state start time unknown (index not yet managed)', '1.5h'),
      unmet('no_alias', '1 alias(es)', 'no aliases (no_alias=true)'),
      unmet(
        'cron',
        expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        `next fire at ${year}-01-01T00:00:00Z`,
      ),
      met('b', 'no_alias', '1 alias(es)', 'at least one alias (no_alias=false)'),
      met('c', 'min_doc_count', '1', '1'),
      { state_name: 'd', condition_met: true, condition_type: 'unconditional' },
    ])
  })

  it('goes on from where a managed index is, and changes nothing', async () => {
    await ok(`POST ${ISM}/add/logs-2`, { policy_id: 'age' })
    const only = async (): Promise<Record<string, unknown> | undefined> =>
      (await simulated({ policy_id: 'age', indices: ['logs-2'] }))[0]
    expect(await only()).toMatchObject({ is_managed: false, current_action: 'read_only' })
    await node.run()
    expect(await only()).toMatchObject({ is_managed: true, current_action: 'read_only' })
    await node.run()
    const before = await ok(`GET ${ISM}/explain/logs-2`)
    expect(await only()).toMatchObject({
      is_managed: true,
      current_state: 'hot',
      current_action: 'transition',
      next_state: null,
    })
    expect(await ok(`GET ${ISM}/explain/logs-2`)).toEqual(before)
    node.wait(2 * 86_400_000)
    expect((await only())!['next_state']).toBe('cold')
    // A policy that has no such state.
    const other = { ...policy(state('warm', [], [])), default_state: 'warm' }
    expect((await simulated({ policy: other, indices: ['logs-2'] }))[0]).toEqual({
      index_name: 'logs-2',
      index_uuid: expect.any(String),
      policy_id: '',
      is_managed: true,
      error: "State 'hot' referenced in metadata not found in policy",
    })
  })

  it('expands patterns, tells of names that are none, and takes each index once', async () => {
    const indices = ['logs-*', 'none-*', 'logs-1', 'missing', 'first', 'lo?s-1']
    const found = await simulated({ policy_id: 'age', indices })
    expect(found.map(each => each['index_name'])).toEqual(['logs-1', 'logs-2', 'missing', 'first'])
    expect(found[2]).toEqual({
      index_name: 'missing',
      index_uuid: null,
      policy_id: 'age',
      is_managed: false,
      error: "Index 'missing' not found in cluster",
    })
    expect(found[3]!['error']).toBe("Index 'first' not found in cluster")
  })

  it('tells of closed indices too', async () => {
    await ok('PUT /shut')
    await ok('POST /shut/_close')
    const inline = policy(state('hot', [], [to('hot', { min_doc_count: 5 })]))
    const [found] = await simulated({ policy: inline, indices: ['shut'] })
    expect(found!['transition_evaluation']).toMatchObject([{ current_value: '0' }])
  })

  const ARVE = 'action_request_validation_exception'
  it.each([
    [
      {},
      ARVE,
      'Validation Failed: 1: indices cannot be empty;2: either policy_id or policy must be provided;',
    ],
    [
      { indices: ['a'] },
      ARVE,
      'Validation Failed: 1: either policy_id or policy must be provided;',
    ],
    [
      { indices: ['a'], policy_id: 'age', policy: policy(state('hot', [], [])) },
      ARVE,
      'Validation Failed: 1: only one of policy_id or policy can be provided, not both;',
    ],
    [
      { indices: 'a', policy_id: 'age' },
      'parsing_exception',
      'Failed to parse object: expecting token of type [START_ARRAY] but found [VALUE_STRING]',
    ],
    [
      { indices: ['a'], policy: { nonsense: 1 } },
      'illegal_argument_exception',
      'Invalid field: [nonsense] found in Policy.',
    ],
  ])('%j is refused', async (body, type, reason) => {
    expect(await failure(SIMULATE, body)).toEqual([400, type, reason])
  })

  it('of a policy that is none answers 404', async () => {
    expect(await failure(SIMULATE, { policy_id: 'no', indices: ['a'] })).toEqual([
      404,
      'status_exception',
      "Policy 'no' not found",
    ])
  })
})
