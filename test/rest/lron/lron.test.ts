import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpReceiver, httpReceiver } from '../../support/http-receiver.ts'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const LRON = '/_plugins/_im/lron'
const REINDEX = 'indices:data/write/reindex'
const channels = [{ id: 'chat' }]
const both = { success: true, failure: true }

let rest: Rest
let node: string
const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const SETTINGS = { 'lamella.outbound.allowlist': '127.0.0.1', 'lamella.lron.delay': '50ms' }

beforeAll(async () => {
  rest = await openRest(SETTINGS)
  node = rest.engine.cluster.identity.nodeId
})

afterAll(() => rest.close())

describe('settings', () => {
  it('lists none before there is one', async () => {
    expect(await ok(`GET ${LRON}`)).toEqual({ lron_configs: [], total_number: 0 })
  })

  it('makes, shows, changes and deletes them', async () => {
    const lron_config = { action_name: REINDEX, channels }
    const made = await rest.call(`POST ${LRON}`, { lron_config })
    expect(made.status).toBe(200)
    const shown = { lron_condition: both, action_name: REINDEX, channels }
    expect(made.text).toBe(JSON.stringify({ _id: `LRON:${REINDEX}`, lron_config: shown }))
    const [status, type] = await failure(`POST ${LRON}`, { lron_config })
    expect([status, type]).toEqual([409, 'version_conflict_engine_exception'])
    const path = `${LRON}/${encodeURIComponent(`LRON:${REINDEX}`)}`
    expect(await ok(`GET ${path}`)).toEqual({
      lron_configs: [{ _id: `LRON:${REINDEX}`, lron_config: shown }],
      total_number: 1,
    })
    const change = { lron_config: { ...lron_config, lron_condition: { success: false } } }
    expect((await ok(`PUT ${path}`, change)).lron_config.lron_condition).toEqual({
      success: false,
      failure: true,
    })
    const { _shards: shards, ...deleted } = await ok(`DELETE ${path}`)
    expect(deleted).toEqual({
      _index: '.opensearch-control-center',
      _id: `LRON:${REINDEX}`,
      _version: 3,
      result: 'deleted',
      forced_refresh: true,
      _seq_no: 2,
      _primary_term: 1,
    })
    expect(shards.successful).toBe(1)
    const again = await rest.call(`DELETE ${path}`)
    expect([again.status, again.json.result]).toEqual([200, 'not_found'])
    expect(await failure(`GET ${path}`)).toEqual([
      404,
      'status_exception',
      `lronConfig LRON:${REINDEX} not found`,
    ])
  })

  it('makes one that is put and was not there, and writes nothing in a dry run', async () => {
    const lron_config = { action_name: 'indices:admin/open', channels }
    const path = `${LRON}/LRON:indices:admin%2Fopen`
    const dry = await ok(`POST ${LRON}?dry_run=true`, { lron_config })
    expect(dry).toEqual({
      _id: 'LRON:indices:admin/open',
      lron_config: { lron_condition: both, ...lron_config },
    })
    expect((await rest.call(`GET ${path}`)).status).toBe(404)
    expect((await ok(`PUT ${path}?dry_run=true`, { lron_config }))._id).toBe(dry._id)
    expect((await rest.call(`GET ${path}`)).status).toBe(404)
    await ok(`PUT ${path}`, { lron_config })
    expect((await ok(`GET ${path}`)).total_number).toBe(1)
    await ok(`DELETE ${path}`)
  })

  it('takes tasks, whose action is only told, and no channels where nothing is told', async () => {
    const silent = { success: false, failure: false }
    const lron_config = {
      lron_condition: silent,
      task_id: `${node}:42`,
      action_name: 'indices:admin/resize',
    }
    const { _id: id, lron_config: shown } = await ok(`POST ${LRON}`, { lron_config })
    expect(id).toBe(`LRON:${node}:42`)
    expect(JSON.stringify(shown)).toBe(JSON.stringify(lron_config))
    await ok(`DELETE ${LRON}/${id}`)
  })

  const REFUSED: readonly (readonly [object, string])[] = [
    [{ x: 1 }, 'Invalid field: [x] found in LRONConfig.'],
    [{ lron_config: { x: 1 } }, 'Invalid field: [x] found in LRONConfig.'],
    [
      { lron_config: { action_name: REINDEX, lron_condition: { x: true } } },
      'Invalid field: [x] found in LRONCondition.',
    ],
    [{ lron_config: { channels } }, 'LRONConfig must contain taskID or actionName'],
    [{}, 'LRONConfig must contain taskID or actionName'],
    [
      { lron_config: { action_name: 'indices:admin/close', channels } },
      'Invalid action name. All supported actions: [indices:data/write/reindex, indices:admin/resize, ' +
        'indices:admin/forcemerge, indices:admin/open]',
    ],
    [
      { lron_config: { action_name: REINDEX } },
      'Enabled LRONConfig must contain at least one channel',
    ],
    [
      { lron_config: { action_name: REINDEX, channels: [], lron_condition: { success: false } } },
      'Enabled LRONConfig must contain at least one channel',
    ],
    [{ lron_config: { task_id: 'x', channels } }, 'malformed task id x'],
    [{ lron_config: { task_id: 'other:1', channels } }, 'Illegal taskID. NodeID not exists.'],
    [{ lron_config: { action_name: REINDEX, channels: [{}] } }, 'Channel ID is null or empty'],
    [
      { lron_config: { action_name: REINDEX, channels, lron_condition: { success: 'yes' } } },
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
  ]
  it.each(REFUSED.map(row => [JSON.stringify(row[0]), row] as const))(
    'refuses %s',
    async (_name, [body, reason]) => {
      const expected = [400, 'illegal_argument_exception', reason]
      expect(await failure(`POST ${LRON}`, body)).toEqual(expected)
    },
  )

  it('refuses an id that is not that of the setting', async () => {
    const lron_config = { action_name: REINDEX, channels }
    expect(await failure(`PUT ${LRON}/LRON:x`, { lron_config })).toEqual([
      400,
      'illegal_argument_exception',
      "docId isn't match with lron_config",
    ])
  })

  it('pages, sorts and searches', async () => {
    const tasks = Array.from({ length: 25 }, (_, i) => `${node}:${100 + i}`)
    for (const task_id of tasks) await ok(`POST ${LRON}`, { lron_config: { task_id, channels } })
    await ok(`POST ${LRON}`, { lron_config: { action_name: REINDEX, channels: [{ id: 'other' }] } })
    const ids = async (query: string): Promise<string[]> =>
      (await ok(`GET ${LRON}?${query}`)).lron_configs.map((one: { _id: string }) => one._id)
    const first = await ok(`GET ${LRON}`)
    expect([first.total_number, first.lron_configs.length]).toEqual([26, 20])
    // Settings of actions have the lower priority, and stand first.
    expect(first.lron_configs[0]._id).toBe(`LRON:${REINDEX}`)
    expect(JSON.stringify(first)).not.toContain('priority')
    expect(await ids('from=20&size=10')).toHaveLength(6)
    expect(await ids('size=1&sortOrder=desc&sortField=lron_config.task_id')).toEqual([
      `LRON:${node}:124`,
    ])
    expect(await ids('queryString=other')).toEqual([`LRON:${REINDEX}`])
    expect(await ids('queryString=lron_config.channels.id:chat&size=100')).toHaveLength(25)
    const [status, , reason] = await failure(`GET ${LRON}?sortOrder=up`)
    expect([status, reason]).toEqual([
      400,
      'No enum constant org.opensearch.search.sort.SortOrder.UP',
    ])
    for (const id of await ids('size=100')) await ok(`DELETE ${LRON}/${encodeURIComponent(id)}`)
  })
})

describe('messages at the end', () => {
  let receiver: HttpReceiver

  beforeAll(async () => {
    receiver = await httpReceiver()
    for (const id of ['chat', 'chat-2']) {
      const config = { name: id, config_type: 'chat_a', chat_a: { url: `${receiver.url}/${id}` } }
      await ok('POST /_plugins/_notifications/configs', { config_id: id, config })
    }
    await ok('PUT /books', { settings: { number_of_replicas: 0 } })
    const lines = Array.from({ length: 20 }, (_, i) => [{ index: { _id: `${i}` } }, { n: i }])
    await ok('POST /books/_bulk?refresh=true', ndjson(...lines.flat()))
  })

  beforeEach(() => {
    ;(receiver.received as unknown[]).length = 0
  })

  async function set(config: object): Promise<void> {
    const { _id: id } = await ok(`POST ${LRON}?dry_run=true`, { lron_config: config })
    await ok(`PUT ${LRON}/${encodeURIComponent(id)}`, { lron_config: config })
  }

  async function until(count: number): Promise<string[]> {
    const end = Date.now() + 20_000
    while (receiver.received.length < count && Date.now() < end)
      await new Promise(resolve => setTimeout(resolve, 10))
    await new Promise(resolve => setTimeout(resolve, 150))
    return receiver.received.map(({ body }) => JSON.parse(body).text)
  }

  const cluster = 'lamella'

  it('tells of a reindex that nobody waits for, once for each channel', async () => {
    await set({ action_name: REINDEX, channels: [...channels, { id: 'chat-2' }, { id: 'chat' }] })
    const body = { source: { index: 'books' }, dest: { index: 'copy' } }
    await ok('POST /_reindex?wait_for_completion=false', body)
    const [text, second] = await until(2)
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/chat', '/chat-2'])
    expect(second).toBe(text)
    expect(text).toBe(
      `Reindex operation on [${cluster}/books] has completed\n\n` +
        `The reindex operation from [${cluster}/books] to [${cluster}/copy] has been completed.\n\n` +
        'Summary: Total: 20, Created: 20, Updated: 0, Deleted: 0, Conflicts: 0',
    )
    // One that is waited for is told of by its answer.
    await ok('POST /_reindex', body)
    expect(await until(3)).toHaveLength(2)
    await ok(`DELETE ${LRON}/${encodeURIComponent(`LRON:${REINDEX}`)}`)
  })

  it('tells of failures with their number, two texts and where to look', async () => {
    await set({ action_name: REINDEX, channels })
    await ok('PUT /strict', { mappings: { dynamic: 'strict' } })
    const body = { source: { index: 'books' }, dest: { index: 'strict' } }
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body)
    const [text = ''] = await until(1)
    expect(text).toContain(`Reindex operation on [${cluster}/books] has failed\n\n`)
    expect(text).toContain(`to [${cluster}/strict] has failed.`)
    expect(text).toContain('Errors: 20\nmapping set to strict, dynamic introduction of [n]')
    expect(text).toContain(`For details: GET /_tasks/${task}`)
    // Versions in conflict that are passed over are none.
    const proceed = { ...body, conflicts: 'proceed', dest: { index: 'copy', op_type: 'create' } }
    await ok('POST /_reindex?wait_for_completion=false', proceed)
    const [, done = ''] = await until(2)
    expect(done).toContain('has completed')
    expect(done).toContain('Conflicts: 20')
    await ok(`DELETE ${LRON}/${encodeURIComponent(`LRON:${REINDEX}`)}`)
  })

  it('tells of a task by a setting of its own, which goes with it', async () => {
    const source = { index: 'books', size: 1 }
    const dest = { index: 'slow' }
    const line = 'POST /_reindex?wait_for_completion=false&requests_per_second=20'
    const { task } = await ok(line, { source, dest })
    await set({ action_name: REINDEX, channels: [{ id: 'chat-2' }] })
    await set({ task_id: task, channels })
    expect((await rest.call(`GET ${LRON}/LRON:${task}`)).status).toBe(200)
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const [text = ''] = await until(2)
    // The task's channels come first, and cancellation is a failure.
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/chat', '/chat-2'])
    expect(text).toContain(`Reindex operation on [${cluster}/books] has been cancelled`)
    expect(text).toContain('has been cancelled by the user.')
    expect((await rest.call(`GET ${LRON}/LRON:${task}`)).status).toBe(404)
    expect((await ok(`GET ${LRON}`)).total_number).toBe(1)
    await ok(`DELETE ${LRON}/${encodeURIComponent(`LRON:${REINDEX}`)}`)
  })

  it('tells only what was asked for; a setting of a task goes all the same', async () => {
    const source = { index: 'books', size: 5 }
    const line = 'POST /_reindex?wait_for_completion=false&requests_per_second=50'
    const { task } = await ok(line, { source, dest: { index: 'quiet' } })
    await set({ task_id: task, channels, lron_condition: { success: false, failure: true } })
    await ok(`GET /_tasks/${task}?wait_for_completion=true`)
    expect(await until(0)).toEqual([])
    await new Promise(resolve => setTimeout(resolve, 200))
    expect((await rest.call(`GET ${LRON}/LRON:${task}`)).status).toBe(404)
  })

  it('tells of merges, of indices that are opened, and of those made out of others', async () => {
    for (const action of ['forcemerge', 'open', 'resize'])
      await set({ action_name: `indices:admin/${action}`, channels })
    await ok('POST /books,copy/_forcemerge?wait_for_completion=false')
    expect(await until(1)).toEqual([
      `Force merge operation on [books,copy] from [${cluster}] has completed\n\n` +
        `The force merge operation on [books,copy] from [${cluster}] has been completed.`,
    ])
    await ok('POST /copy/_close')
    await ok('POST /copy/_open?wait_for_completion=false')
    const [, opened] = await until(2)
    expect(opened).toBe(
      `[${cluster}/copy] has been opened\n\nThe open operation on [${cluster}/copy] has been completed.`,
    )
    await ok('PUT /books/_block/write')
    const settings = { settings: { 'index.number_of_replicas': 0 } }
    await ok('POST /books/_clone/twin?wait_for_completion=false', settings)
    const [, , cloned] = await until(3)
    expect(cloned).toBe(
      `Clone operation on [${cluster}/books] has completed\n\n` +
        `The clone operation from [${cluster}/books] to [${cluster}/twin] has been completed.`,
    )
    // The index is there by now.
    await ok('POST /books/_clone/twin?wait_for_completion=false', settings)
    const [, , , failed = ''] = await until(4)
    expect(failed).toContain(`Clone operation on [${cluster}/books] has failed\n\n`)
    expect(failed).toMatch(/Errors: 1\nindex \[twin\/[^\]]+\] already exists/)
    expect(failed).toContain(
      'Check that writes to the source index are blocked (index.blocks.write)',
    )
    await ok('POST /gone/_open?wait_for_completion=false')
    const [, , , , missing = ''] = await until(5)
    expect(missing).toContain(`[${cluster}/gone] failed to open\n\n`)
    expect(missing).toContain('Errors: 1\nno such index [gone]')
    await ok('POST /books/_split/two?wait_for_completion=false&task_execution_timeout=0ms', {
      settings: { 'index.number_of_shards': 2, 'index.number_of_replicas': 0 },
    })
    const [, , , , , late = ''] = await until(6)
    expect(late).toBe(
      `Split operation on [${cluster}/books] has timed out\n\n` +
        `The split operation from [${cluster}/books] to [${cluster}/two] has timed out.\n\n` +
        'Waiting for it ended after 0s; it may go on. To see how far it is: GET /two/_recovery',
    )
  })

  it('counts indices where many are named', async () => {
    const names = Array.from({ length: 11 }, (_, i) => `many-${i}`)
    for (const name of names) await ok(`PUT /${name}`)
    await ok(`POST /${names}/_forcemerge?wait_for_completion=false`)
    expect(await until(1)).toEqual([
      `Force merge operation on 11 indexes from [${cluster}] has completed\n\n` +
        `The force merge operation on 11 indexes from [${cluster}] has been completed.`,
    ])
  })

  it('tells that copies which were waited for did not come in time', async () => {
    await ok('POST /copy/_close')
    // One node holds one copy of each shard.
    await ok('POST /copy/_open?wait_for_completion=false&wait_for_active_shards=2')
    const [opened] = await until(1)
    expect(opened).toBe(
      `[${cluster}/copy] timed out to open\n\n` +
        `The open operation on [${cluster}/copy] has timed out.\n\n` +
        'Waiting for opening ended; it may go on. To see how far it is: GET /copy/_recovery',
    )
    const settings = { settings: { 'index.number_of_replicas': 1 } }
    await ok(
      'POST /books/_clone/waits?wait_for_completion=false&wait_for_active_shards=2',
      settings,
    )
    const [, cloned] = await until(2)
    expect(cloned).toContain(`Clone operation on [${cluster}/books] has timed out\n\n`)
    for (const action of ['forcemerge', 'open', 'resize'])
      await ok(`DELETE ${LRON}/LRON:indices:admin%2F${action}`)
  })
})

it('keeps settings, and messages on their way, over a restart', async () => {
  const folder = tempFolder('lron')
  const receiver = await httpReceiver(() => ({ delayInMillis: 300 }))
  const first = await openRest({ ...SETTINGS, 'lamella.lron.delay': '1h' }, folder)
  const config = { name: 'c', config_type: 'chat_a', chat_a: { url: receiver.url } }
  await ok('POST /_plugins/_notifications/configs', { config_id: 'chat', config }, first)
  const lron_config = { action_name: 'indices:admin/forcemerge', channels }
  await ok(`POST ${LRON}`, { lron_config }, first)
  await ok('PUT /i', {}, first)
  const { task } = await ok('POST /i/_forcemerge?wait_for_completion=false', undefined, first)
  await ok(`GET /_tasks/${task}?wait_for_completion=true`, undefined, first)
  // The task has ended, so that its message is kept, whether or not it has been delivered.
  await first.close()
  const second = await openRest(SETTINGS, folder)
  expect((await ok(`GET ${LRON}`, undefined, second)).total_number).toBe(1)
  const end = Date.now() + 20_000
  while (receiver.received.length === 0 && Date.now() < end)
    await new Promise(resolve => setTimeout(resolve, 10))
  const texts = new Set(receiver.received.map(({ body }) => JSON.parse(body).text))
  expect([...texts]).toEqual([
    expect.stringContaining('Force merge operation on [lamella/i] has completed'),
  ])
  await second.close()
}, 60_000)
