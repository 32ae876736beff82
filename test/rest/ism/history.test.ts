/** The history of managed indices. */
import { afterEach, describe, expect, it } from 'vitest'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import { type IsmNode, openIsm, policyOf } from '../../support/ism-node.ts'
import { okOf } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ISM = '/_plugins/_ism'
const HISTORY = '.opendistro-ism-managed-index-history'
const PREFIX = 'plugins.index_state_management.history'
const DAY = 86_400_000

let node: IsmNode
const ok = okOf(() => node)
const lines: LogLine[] = []

afterEach(async () => {
  await node.close()
})

const open = async (settings: Record<string, string> = {}, folder: string | null = null) => {
  lines.length = 0
  node = await openIsm(settings, folder, { onLog: line => lines.push(line) })
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Entry = any

/** What was taken down of an index, or of all, in order of time. */
async function entries(index = '*'): Promise<Entry[]> {
  await node.call(`POST /${HISTORY}-*/_refresh?expand_wildcards=all`)
  const { json } = await node.call(`GET /${HISTORY}-*/_search?expand_wildcards=all`, {
    size: 1000,
    query: { wildcard: { 'managed_index_meta_data.index.raw': index } },
    sort: ['managed_index_meta_data.history_timestamp', '_doc'],
  })
  return (json.hits?.hits ?? []).map((hit: Entry) => hit._source.managed_index_meta_data)
}

const until = (count: number, index = '*'): Promise<void> =>
  expect.poll(async () => (await entries(index)).length, { timeout: 5_000 }).toBe(count)

const names = async (): Promise<string[]> => {
  const { json } = await node.call(`GET /${HISTORY}*/_settings?expand_wildcards=all`)
  return Object.keys(json).sort()
}

const nameOf = (count: string): string =>
  `${HISTORY}-${new Date(node.now()).toISOString().slice(0, 10).replaceAll('-', '.')}-${count}`

let count = 0

/** An index under a policy of its own, whose first run has been. */
async function begin(index: string, actions: readonly object[]): Promise<void> {
  const id = `policy-${count++}`
  await ok(`PUT ${ISM}/policies/${id}`, policyOf(actions))
  await ok(`PUT /${index}`)
  await ok(`POST ${ISM}/add/${index}`, { policy_id: id })
  await node.run()
}

const change = (settings: object): Promise<unknown> =>
  ok('PUT /_cluster/settings', { transient: settings })

describe('the history', () => {
  it('has a document for each step that ended, in an index of its day', async () => {
    await open()
    await begin('books', [{ read_only: {} }, { delete: {} }])
    const uuid = (await ok('GET /books/_settings')).books.settings.index.uuid
    const began = node.now()
    await node.run()
    const explained = (await ok(`GET ${ISM}/explain/books`)).books
    await node.run()
    await until(3)
    const [first, second, third] = await entries()
    const common = {
      index: 'books',
      index_uuid: uuid,
      policy_id: 'policy-0',
      policy_seq_no: expect.any(Number),
      policy_primary_term: 1,
      index_creation_date: expect.any(Number),
      retry_info: { failed: false, consumed_retries: 0 },
    }
    expect(first).toEqual({
      ...common,
      state: { name: 'only', start_time: began },
      info: { message: 'Successfully initialized policy: policy-0' },
      history_timestamp: began,
    })
    expect(second).toEqual({
      ...common,
      state: { name: 'only', start_time: began },
      action: {
        name: 'read_only',
        start_time: began + 600_000,
        index: 0,
        failed: false,
        consumed_retries: 0,
        last_retry_time: null,
      },
      step: {
        name: 'set_read_only',
        start_time: began + 600_000,
        step_status: 'completed',
      },
      info: { message: 'Successfully set index to read-only [index=books]' },
      history_timestamp: began + 600_000,
    })
    // What `explain` told of it then.
    expect(explained).toMatchObject({ action: second.action, step: second.step, info: second.info })
    expect(third).toMatchObject({
      action: { name: 'delete', index: 1 },
      step: { name: 'attempt_delete', step_status: 'completed' },
      info: { message: 'Successfully deleted index [index=books]' },
      history_timestamp: began + 1_200_000,
    })
    const name = nameOf('1')
    expect(await names()).toEqual([name])
    const shown = (await ok(`GET /${name}`))[name]
    expect(shown.aliases).toEqual({ [`${HISTORY}-write`]: {} })
    expect(shown.settings.index).toMatchObject({
      hidden: 'true',
      number_of_shards: '1',
      number_of_replicas: '1',
    })
    expect(shown.mappings.dynamic).toBe('strict')
    expect(shown.mappings.properties.managed_index_meta_data.properties.history_timestamp).toEqual({
      type: 'date',
      format: 'strict_date_time||epoch_millis',
    })
    // Patterns of names do not find it, and templates of policies pass it over.
    expect(Object.keys(await ok('GET /*'))).toEqual([])
    expect(lines).toEqual([])
  })

  it('leaves out steps that wait, and has each try of those that fail', async () => {
    await open()
    await begin('waits', [{ rollover: { min_doc_count: 5 } }])
    await ok('PUT /waits/_settings', {
      'plugins.index_state_management.rollover_alias': 'every',
    })
    await ok('PUT /waits/_alias/every')
    await node.run(3)
    await begin('fails', [{ retry: { count: 1, delay: '1m' }, rollover: {} }])
    await node.run(3)
    await until(3, 'fails')
    expect((await entries('waits')).map(({ info }) => info.message)).toEqual([
      'Successfully initialized policy: policy-1',
    ])
    expect(
      (await entries('fails')).map(({ action, step }) => [
        action?.consumed_retries,
        action?.failed,
        step?.step_status,
      ]),
    ).toEqual([
      [undefined, undefined, undefined],
      [1, false, 'failed'],
      [1, true, 'failed'],
    ])
  })

  it('takes down rollovers, transitions and the end of a policy as the server prints them', async () => {
    await open()
    const states = [
      { name: 'hot', actions: [{ rollover: {} }], transitions: [{ state_name: 'cold' }] },
      { name: 'cold', actions: [], transitions: [] },
    ]
    await ok(`PUT ${ISM}/policies/two`, {
      policy: { description: 'd', default_state: 'hot', states },
    })
    await ok('PUT /logs-000001', {
      settings: { 'plugins.index_state_management.rollover_alias': 'logs' },
      aliases: { logs: {} },
    })
    await ok(`POST ${ISM}/add/logs-000001`, { policy_id: 'two' })
    await node.run(6)
    await until(4)
    const taken = await entries()
    expect(taken[1]).toMatchObject({ rolled_over: true, rolled_over_index_name: 'logs-000002' })
    expect(taken[2]).toMatchObject({ transition_to: 'cold', rolled_over: true })
    expect(taken[2]).not.toHaveProperty('action')
    expect(taken[3]).toMatchObject({ policy_completed: true })
    expect(taken[3]).not.toHaveProperty('info')
  })

  it('is not kept where it is switched off, and is again once it is on', async () => {
    await open()
    await change({ [`${PREFIX}.enabled`]: false })
    await begin('one', [{ read_only: {} }])
    await begin('two', [{ read_only: {} }])
    expect(await names()).toEqual([])
    await change({ [`${PREFIX}.enabled`]: true })
    await node.run()
    await until(2)
    const taken = await entries()
    expect(taken.find(({ index }) => index === 'one')).toMatchObject({ policy_completed: true })
    expect(taken.find(({ index }) => index === 'two').action.name).toBe('read_only')
  })

  it('makes its indices with the shards and replicas that the settings say', async () => {
    await open({ [`${PREFIX}.number_of_shards`]: '2', [`${PREFIX}.number_of_replicas`]: '0' })
    await begin('one', [])
    await until(1)
    const shown = (await ok(`GET /${nameOf('1')}/_settings`))[nameOf('1')]
    expect(shown.settings.index).toMatchObject({ number_of_shards: '2', number_of_replicas: '0' })
  })
})

describe('an index of the history', () => {
  it('is followed by another one at its age, once in a period', async () => {
    await open({ [`${PREFIX}.number_of_shards`]: '2' })
    await begin('one', [])
    await until(1)
    const first = nameOf('1')
    node.wait(DAY - 7 * 3_600_000)
    await node.run()
    // Not old enough at the last look, eight hours ago.
    node.wait(7 * 3_600_000)
    await node.run()
    expect(await names()).toEqual([first])
    node.wait(3_600_000)
    await change({ [`${PREFIX}.number_of_shards`]: 1 })
    await node.run()
    const second = nameOf('000002')
    expect(await names()).toEqual([first, second].sort())
    expect(await ok(`GET /_alias/${HISTORY}-write`)).toEqual({
      [second]: { aliases: { [`${HISTORY}-write`]: {} } },
    })
    const shown = (await ok(`GET /${second}`))[second]
    expect(shown.settings.index).toMatchObject({ hidden: 'true', number_of_shards: '1' })
    expect(shown.mappings.dynamic).toBe('strict')
    await begin('two', [])
    await until(1, 'two')
    const { count: taken } = await ok(`GET /${second}/_count`)
    // The end of the first policy, and the beginning of the second.
    expect(taken).toBe(1)
  })

  it('is followed by another one when it is full', async () => {
    await open({ [`${PREFIX}.max_docs`]: '3', [`${PREFIX}.rollover_check_period`]: '1h' })
    await begin('one', [{ read_only: {} }, { read_write: {} }, { read_only: {} }])
    await node.run()
    await until(2)
    node.wait(3_600_000)
    await node.run()
    await until(3)
    expect(await names()).toHaveLength(1)
    node.wait(3_600_000)
    await node.run()
    expect(await names()).toHaveLength(2)
  })

  it('is deleted by its age, but for the one that is written', async () => {
    await open({ [`${PREFIX}.rollover_retention_period`]: '2d' })
    await begin('one', [])
    await until(1)
    const first = nameOf('1')
    node.wait(DAY + 1)
    await node.run()
    const second = nameOf('000002')
    expect(await names()).toEqual([first, second].sort())
    // The end of the policy: no write is under way when indices are deleted.
    await until(2)
    node.wait(DAY)
    await node.run()
    expect(await names()).not.toContain(first)
    const left = await names()
    expect(left.length).toBeGreaterThan(0)
    // Switched off, the one with the alias goes as well.
    await change({ [`${PREFIX}.enabled`]: false })
    node.wait(3 * DAY)
    await node.run()
    expect(await names()).toEqual([])
    expect(lines).toEqual([])
  })
})

describe('jobs', () => {
  it('go on where the history cannot be written, which is tried again', async () => {
    await open()
    await begin('one', [{ read_only: {} }, { read_write: {} }])
    await until(1)
    await ok(`PUT /${nameOf('1')}/_settings`, { 'index.blocks.write': true })
    await node.run(2)
    expect((await ok(`GET ${ISM}/explain/one`)).one.step.name).toBe('set_read_write')
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({
      logger: 'ism',
      level: 'WARN',
      message: expect.stringMatching(
        /^steps of the history cannot be written: index \[.*\] blocked/,
      ),
    })
    await ok(`PUT /${nameOf('1')}/_settings`, { 'index.blocks.write': false })
    await until(3)
  })

  it('go on where the history refuses a document, which is told and lost alone', async () => {
    await open()
    await ok(`PUT /${nameOf('1')}`, {
      settings: { 'index.hidden': true },
      mappings: {
        properties: {
          managed_index_meta_data: {
            properties: {
              index: { type: 'text', fields: { raw: { type: 'keyword' } } },
              info: { type: 'long' },
            },
          },
        },
      },
      aliases: { [`${HISTORY}-write`]: {} },
    })
    const states = [{ name: 'only', actions: [], transitions: [] }]
    await ok(`PUT ${ISM}/policies/p`, {
      policy: { description: 'd', default_state: 'only', states },
    })
    await ok('PUT /one')
    await ok(`POST ${ISM}/add/one`, { policy_id: 'p' })
    await node.run(2)
    await until(1)
    expect((await entries())[0]).toMatchObject({ index: 'one', policy_completed: true })
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^1 steps of the history were lost: failed to parse field/),
    ])
  })

  it('go on where the name of its alias is taken', async () => {
    await open()
    await ok(`PUT /${nameOf('1')}`)
    await begin('one', [{ read_only: {} }])
    await node.run()
    expect((await ok(`GET ${ISM}/explain/one`)).one.step.name).toBe('set_read_only')
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]?.message).toContain(`[${HISTORY}-write]`)
    expect(await names()).toEqual([nameOf('1')])
  })

  it('leave nothing behind when the node ends', async () => {
    const folder = tempFolder('ism-history')
    await open({}, folder)
    await begin('one', [{ read_only: {} }])
    await node.run()
    await node.close()
    expect(lines).toEqual([])
    await open({}, folder)
    expect(await entries()).toHaveLength(2)
    expect(lines).toEqual([])
  })
})

it.each([
  ['max_docs', -1, ' must be >= 0'],
  ['number_of_shards', 0, ' must be >= 1'],
  ['number_of_replicas', -1, ' must be >= 0'],
  ['enabled', 'perhaps', ''],
  ['max_docs', '9223372036854775808', ''],
])('refuses %s = %s', async (key, value, limit) => {
  await open()
  const body = { transient: { [`${PREFIX}.${key}`]: value } }
  const { status, json } = await node.call('PUT /_cluster/settings', body)
  expect(status).toBe(400)
  expect(json.error.reason).toContain(`[${value}]`)
  expect(json.error.reason).toContain(limit)
})

it.each(['max_age', 'rollover_check_period', 'rollover_retention_period'])(
  'refuses a negative %s',
  async key => {
    await open()
    const body = { transient: { [`${PREFIX}.${key}`]: '-2' } }
    const { status, json } = await node.call('PUT /_cluster/settings', body)
    expect(status).toBe(400)
    expect(json.error.reason).toContain(`${PREFIX}.${key}`)
  },
)
