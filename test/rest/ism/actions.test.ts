import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpReceiver, httpReceiver } from '../../support/http-receiver.ts'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { ndjson, okOf } from '../../support/rest-calls.ts'

const ISM = '/_plugins/_ism'

let node: IsmNode
let receiver: HttpReceiver
const ok = okOf(() => node)

beforeAll(async () => {
  receiver = await httpReceiver()
  node = await openIsm({ 'lamella.outbound.allowlist': '127.0.0.1' })
})

afterAll(() => node.close())

const explain = async (index: string): Promise<Record<string, unknown>> =>
  (await ok(`GET ${ISM}/explain/${index}`))[index]
const info = async (index: string): Promise<Record<string, unknown>> =>
  (await explain(index))['info'] as Record<string, unknown>
const message = async (index: string): Promise<unknown> => (await info(index))['message']
const settingsOf = async (index: string): Promise<Record<string, unknown>> =>
  (await ok(`GET /${index}/_settings?flat_settings=true`))[index].settings

let policies = 0

/** Makes an index, and gives it a policy of one state with these actions, whose first run has been. */
async function begin(index: string, actions: readonly object[], body: object = {}): Promise<void> {
  const id = `policy-${policies++}`
  await ok(`PUT ${ISM}/policies/${id}`, policyOf(actions))
  await ok(`PUT /${index}`, body)
  await ok(`POST ${ISM}/add/${index}`, { policy_id: id })
  await node.run()
}

describe('a rollover', () => {
  const settings = { 'plugins.index_state_management.rollover_alias': 'logs' }

  it('waits for a condition, then moves the alias on and copies the others', async () => {
    const rollover = { min_doc_count: 2, min_index_age: '900d', min_size: '5gb', copy_alias: true }
    await begin('logs-000001', [{ rollover }], {
      settings,
      aliases: { logs: { is_write_index: true }, every: { filter: { term: { a: 1 } } } },
    })
    await node.run()
    const waiting = await info('logs-000001')
    expect(waiting).toMatchObject({
      message: 'Pending rollover of index [index=logs-000001]',
      conditions: {
        min_index_age: {
          condition: '900d',
          current: expect.any(String),
          creationDate: expect.any(Number),
        },
        min_doc_count: { condition: 2, current: 0 },
        min_size: { condition: '5gb', current: expect.any(String) },
      },
    })
    expect(await explain('logs-000001')).toMatchObject({ rolled_over: false })
    for (const id of [1, 2]) await ok(`PUT /logs/_doc/${id}?refresh=true`, { a: 1 })
    await node.run()
    expect(await info('logs-000001')).toMatchObject({
      message:
        'Successfully rolled over and copied alias from [index=logs-000001] to [index=logs-000002]',
      conditions: { min_doc_count: { condition: 2, current: 2 } },
    })
    expect(await explain('logs-000001')).toMatchObject({
      rolled_over: true,
      rolled_over_index_name: 'logs-000002',
    })
    const aliases = (await ok('GET /logs-000002/_alias'))['logs-000002'].aliases
    expect(aliases).toEqual({
      logs: { is_write_index: true },
      every: { filter: { term: { a: 1 } } },
    })
    await node.run()
    expect(await explain('logs-000001')).toMatchObject({ policy_completed: true })
  })

  it('is found done where the alias went on already', async () => {
    await begin('done-000001', [{ rollover: {} }], {
      settings: { 'plugins.index_state_management.rollover_alias': 'done' },
      aliases: { done: { is_write_index: true } },
    })
    await ok('POST /done/_rollover')
    await node.run()
    expect(await message('done-000001')).toBe(
      'This index has already been rolled over using this alias, treating as a success ' +
        '[index=done-000001, alias=done]',
    )
    expect(Object.keys(await ok('GET /_alias/done')).sort()).toEqual(['done-000001', 'done-000002'])
  })

  it('moves a data stream on, leads to a transition by its age, and passes over what skips it', async () => {
    await ok('PUT /_index_template/flow', { index_patterns: ['flow'], data_stream: {} })
    await ok('PUT /_data_stream/flow')
    const states = [
      {
        name: 'hot',
        actions: [{ rollover: {} }],
        transitions: [{ state_name: 'old', conditions: { min_rollover_age: '1d' } }],
      },
      { name: 'old', actions: [{ delete: {} }], transitions: [] },
    ]
    await ok(`PUT ${ISM}/policies/flow`, {
      policy: { description: 'd', default_state: 'hot', states },
    })
    const index = '.ds-flow-000001'
    await ok(`POST ${ISM}/add/flow`, { policy_id: 'flow' })
    await node.run(2)
    expect(await message(index)).toBe(
      `Successfully rolled over data stream [data_stream=flow index=${index}]`,
    )
    node.wait(2 * 86_400_000)
    await node.run(2)
    expect((await node.call(`HEAD /${index}`)).status).toBe(404)
    expect((await ok('GET /_data_stream/flow')).data_streams[0].indices).toHaveLength(1)
    expect((await ok(`GET ${ISM}/explain?queryString=*flow*`)).total_managed_indices).toBe(0)
    await begin('skips', [{ rollover: {} }], {
      settings: { 'index_state_management.rollover_skip': true },
    })
    await node.run()
    expect(await message('skips')).toBe('Skipped rollover action for [index=skips]')
  })

  it('tells why it failed, and is not made of an empty index where that is asked for', async () => {
    await begin('odd', [{ rollover: {} }], {
      settings: { 'plugins.index_state_management.rollover_alias': 'odd-alias' },
      aliases: { 'odd-alias': {} },
    })
    await node.run()
    expect(await info('odd')).toEqual({
      message: 'Failed to rollover index [index=odd]',
      cause: "index name [odd] does not match pattern '^.*-\\d+$'",
    })
    await begin('empty-000001', [{ rollover: { prevent_empty_rollover: true } }], {
      settings: { 'plugins.index_state_management.rollover_alias': 'empty' },
      aliases: { empty: {} },
    })
    await node.run()
    expect(await message('empty-000001')).toBe(
      'Rollover prevented: index is empty (0 documents) [index=empty-000001]',
    )
    await begin('loose', [{ rollover: {} }], {
      settings: { 'plugins.index_state_management.rollover_alias': 'loose-alias' },
    })
    await node.run()
    expect(await message('loose')).toBe(
      'Missing alias or not the write index when rollover [index=loose]',
    )
  })
})

describe('actions on settings', () => {
  it('set replicas, the priority and where an index may be', async () => {
    await begin('set', [
      { replica_count: { number_of_replicas: 3 } },
      { index_priority: { priority: 50 } },
      { allocation: { require: { box: 'warm' }, exclude: { zone: 'a' } } },
    ])
    await node.run()
    expect(await message('set')).toBe('Successfully set number_of_replicas to 3 [index=set]')
    await node.run()
    expect(await message('set')).toBe('Successfully set index priority to 50 [index=set]')
    await node.run()
    expect(await message('set')).toBe('Successfully updated allocation setting [index=set]')
    expect(await settingsOf('set')).toMatchObject({
      'index.number_of_replicas': '3',
      'index.priority': '50',
      'index.routing.allocation.require.box': 'warm',
      'index.routing.allocation.exclude.zone': 'a',
    })
  })

  it('tell of what hinders them', async () => {
    await begin('stuck', [{ index_priority: { priority: 1 } }], {
      settings: { 'index.blocks.metadata': true },
    })
    await node.run()
    expect(await info('stuck')).toEqual({
      message: 'Failed to set index priority to 1 [index=stuck]',
      cause: expect.stringContaining('blocked by'),
    })
    await ok('PUT /stuck/_settings', { 'index.blocks.metadata': false })
  })
})

describe('actions on the life of an index', () => {
  it('close, open and delete it', async () => {
    await begin('short', [{ close: {} }, { open: {} }, { delete: {} }])
    await node.run()
    expect(await message('short')).toBe('Successfully closed index [index=short]')
    await node.run()
    expect(await message('short')).toBe('Successfully opened index [index=short]')
    await node.run()
    expect((await node.call('HEAD /short')).status).toBe(404)
    expect((await ok(`GET ${ISM}/explain?queryString=short`)).total_managed_indices).toBe(0)
  })

  it('merge its segments', async () => {
    await begin('merge', [{ force_merge: { max_num_segments: 1 } }])
    for (let i = 0; i < 3; i++) await ok(`PUT /merge/_doc/${i}?refresh=true`, { a: i })
    await node.run()
    expect(await message('merge')).toBe('Successfully set index to read-only [index=merge]')
    await node.run()
    expect(await explain('merge')).toMatchObject({
      action: { action_properties: { max_num_segments: 1 } },
      info: { message: 'Successfully completed force merge [index=merge]' },
    })
    await node.run()
    expect(await message('merge')).toBe(
      'Successfully confirmed segments force merged [index=merge]',
    )
    const { segments } = (await ok('GET /merge/_stats/segments')).indices.merge.primaries
    expect(segments.count).toBe(1)
  })

  it('give it aliases and take them away', async () => {
    const actions = [
      { add: { alias: 'mine', filter: { term: { a: 1 } } } },
      { remove: { aliases: ['yours', 'never'] } },
    ]
    await begin('named', [{ alias: { actions } }], { aliases: { yours: {} } })
    await node.run()
    expect(await message('named')).toBe('Successfully updated alias [index=named]')
    expect((await ok('GET /named/_alias')).named.aliases).toEqual({
      mine: { filter: { term: { a: 1 } } },
    })
  })
})

describe('a shrink', () => {
  const sharded = { settings: { number_of_shards: 4, 'index.blocks.write': false } }

  it('makes an index of fewer shards, gives the source back and moves the aliases', async () => {
    const shrink = {
      num_new_shards: 3,
      target_index_name_template: { source: '{{ctx.index}}-small' },
      aliases: [{ extra: {} }],
      switch_aliases: true,
      force_unsafe: true,
    }
    await begin('wide', [{ shrink }], { ...sharded, aliases: { both: {} } })
    const docs = Array.from({ length: 20 }, (_, i) => [{ index: { _id: `${i}` } }, { n: i }]).flat()
    await ok('POST /wide/_bulk?refresh=true', ndjson(...docs))
    await node.run()
    expect(await explain('wide')).toMatchObject({
      action: {
        action_properties: {
          shrink_action_properties: {
            node_name: 'lamella-0',
            target_index_name: 'wide-small',
            target_num_shards: 2,
          },
        },
      },
      info: {
        message: 'Successfully initialized moving the shards to lamella-0 for a shrink action.',
      },
    })
    expect(await settingsOf('wide')).toMatchObject({
      'index.blocks.write': 'true',
      'index.routing.allocation.require._name': 'lamella-0',
    })
    await node.run()
    expect(await message('wide')).toBe('The shards successfully moved to lamella-0.')
    await node.run()
    expect(await message('wide')).toBe('Shrink started. wide-small currently being populated.')
    await node.run()
    expect(await message('wide')).toBe('Shrink finished successfully.')
    const source = await settingsOf('wide')
    expect(source['index.blocks.write']).toBe('false')
    expect(source['index.routing.allocation.require._name']).toBeUndefined()
    const target = await settingsOf('wide-small')
    expect(target['index.number_of_shards']).toBe('2')
    expect(target['index.routing.allocation.require._name']).toBeUndefined()
    expect((await ok('GET /wide-small/_count')).count).toBe(20)
    expect(await ok('GET /wide-small,wide/_alias')).toEqual({
      wide: { aliases: {} },
      'wide-small': { aliases: { both: {}, extra: {} } },
    })
  })

  it('is passed over where it changes nothing, and refused where it may not be', async () => {
    const few = { num_new_shards: 1, force_unsafe: true }
    await begin('one', [{ shrink: few }])
    await node.run()
    expect(await message('one')).toBe(
      'Source index only has one primary shard. Skip this shrink execution.',
    )
    await node.run()
    expect(await explain('one')).toMatchObject({ policy_completed: true })
    await begin('same', [{ shrink: { num_new_shards: 7, force_unsafe: true } }], sharded)
    await node.run()
    expect(await message('same')).toBe(
      'Source index already has target number of shards. Skip this shrink execution.',
    )
    await begin('unsafe', [{ shrink: { num_new_shards: 1 } }], {
      settings: { number_of_shards: 2, number_of_replicas: 0 },
    })
    await node.run()
    expect(await message('unsafe')).toBe(
      'Shrink failed because index has no replicas and force_unsafe is not set to true.',
    )
    await ok('PUT /taken_shrunken')
    await begin('taken', [{ shrink: few }], sharded)
    await node.run()
    expect(await message('taken')).toBe('Shrink failed because taken_shrunken already exists.')
  })

  it.each([
    [{ percentage_of_source_shards: 0.6 }, 2],
    [{ percentage_of_source_shards: 0.1 }, 1],
    [{ max_shard_size: '1tb' }, 1],
  ])('counts the shards of %j', async (shards, expected) => {
    const index = `count-${Object.values(shards)[0]}`.replace('.', '-')
    await begin(index, [{ shrink: { ...shards, force_unsafe: true } }], sharded)
    await node.run(3)
    expect((await settingsOf(`${index}_shrunken`))['index.number_of_shards']).toBe(`${expected}`)
  })
})

describe('a notification', () => {
  it('goes to its channel, and one of a failure to that of the policy', async () => {
    await ok('POST /_plugins/_notifications/configs', {
      config_id: 'chat',
      config: {
        name: 'chat',
        config_type: 'chat_a',
        is_enabled: true,
        chat_a: { url: receiver.url },
      },
    })
    const channel = { id: 'chat' }
    const template = {
      source:
        '{{ctx.index}} of {{ctx.policy_id}} says {{ctx.action.name}}{{#deep.list}}{{.}}{{/deep.list}}',
      lang: 'mustache',
      // A parameter does not stand for what the index says.
      params: { deep: { list: ['!', '?'] }, ctx: { index: 'other' } },
    }
    await ok(`PUT ${ISM}/policies/tells`, {
      ...policyOf(
        [
          { notification: { channel, message_template: template } },
          { rollover: {}, retry: { count: 0 } },
        ],
        {
          error_notification: { channel, message_template: { source: 'failed: {{ctx.index}}' } },
        },
      ),
    })
    const { policy } = await ok(`GET ${ISM}/policies/tells`)
    expect(policy.states[0].actions[0].notification.message_template).toEqual(template)
    await ok('PUT /told')
    await ok(`POST ${ISM}/add/told`, { policy_id: 'tells' })
    await node.run(2)
    expect(await message('told')).toBe('Successfully sent notification [index=told]')
    await node.run()
    expect(await info('told')).toEqual({
      message: 'Missing rollover_alias index setting [index=told]',
      error_notification: 'Successfully published error notification [index = told]',
    })
    const texts = async (): Promise<string[]> =>
      receiver.received.map(({ body }) => JSON.parse(body).text)
    await expect
      .poll(texts)
      .toEqual([
        'Index Management-ISM-Notification Action\n\ntold of tells says notification!?',
        'Index Management-ISM-Error Notification\n\nfailed: told',
      ])
  })

  it('fails without its channel', async () => {
    const notification = { channel: { id: 'nobody' }, message_template: { source: 'x' } }
    await begin('untold', [{ notification }])
    await node.run()
    expect(await info('untold')).toEqual({
      message: 'Failed to send notification [index=untold]',
      cause: expect.stringContaining('nobody'),
    })
  })
})
