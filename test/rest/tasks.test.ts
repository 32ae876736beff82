import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../support/rest-calls.ts'

const HEALTH = 'cluster:monitor/health'
const WRITE = 'indices:data/write/index'
const LISTS = 'cluster:monitor/tasks/lists'

let rest: Rest
let nodeId: string
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r7' })
  nodeId = rest.engine.cluster.identity.nodeId
  await rest.call('PUT /books', {
    settings: { number_of_replicas: 0, 'index.refresh_interval': '-1' },
  })
})
afterAll(() => rest.close())

/** A request that waits until somebody ends it, and its task's id. */
async function waiting(): Promise<{ readonly answer: Promise<Answered>; readonly id: string }> {
  const answer = rest.call('GET /_cluster/health/absent?timeout=60s', undefined, {
    'x-opaque-id': 'waiter',
  })
  return { answer, id: await idOf(HEALTH) }
}

/** A write that waits for a refresh, and its task's id. */
async function writing(): Promise<{ readonly end: () => Promise<void>; readonly id: string }> {
  const answer = rest.call('PUT /books/_doc/1?refresh=wait_for', { n: 1 })
  const id = await idOf(WRITE)
  const end = async (): Promise<void> => {
    // The write must have come to its wait, or the refresh would be before it.
    while ((await rest.call('POST /books/_refresh')).status === 200)
      if (!(await running()).includes(WRITE)) break
    expect((await answer).status).toBe(201)
    await rest.call('DELETE /books/_doc/1?refresh')
  }
  return { end, id }
}

async function running(): Promise<string[]> {
  const { json } = await rest.call('GET /_tasks?group_by=none')
  return json.tasks.map(({ action }: { action: string }) => action)
}

async function idOf(action: string): Promise<string> {
  const { json } = await rest.call(`GET /_tasks?group_by=none&actions=${action}`)
  expect(json.tasks).toHaveLength(1)
  return `${json.tasks[0].node}:${json.tasks[0].id}`
}

describe('a list of tasks', () => {
  it('shows itself and its step, below the node that they run on', async () => {
    const { status, json } = await rest.call('GET /_tasks')
    expect(status).toBe(200)
    const { tasks, ...node } = json.nodes[nodeId]
    expect(node).toEqual({
      name: expect.any(String),
      transport_address: '127.0.0.1:0',
      host: '127.0.0.1',
      ip: '127.0.0.1:0',
      roles: ['cluster_manager', 'data', 'ingest', 'remote_cluster_client'],
      attributes: { rack: 'r7' },
    })
    const [list, step] = Object.values<Record<string, unknown>>(tasks)
    expect(Object.keys(tasks)).toEqual([`${nodeId}:${list!['id']}`, `${nodeId}:${step!['id']}`])
    expect(Object.entries(list!)).toEqual([
      ['node', nodeId],
      ['id', expect.any(Number)],
      ['type', 'transport'],
      ['action', LISTS],
      ['start_time_in_millis', expect.any(Number)],
      ['running_time_in_nanos', expect.any(Number)],
      ['cancellable', true],
      ['cancelled', false],
      ['headers', {}],
    ])
    expect(step).toMatchObject({
      type: 'direct',
      action: `${LISTS}[n]`,
      parent_task_id: `${nodeId}:${list!['id']}`,
    })
    expect(Math.abs(Date.now() - Number(list!['start_time_in_millis']))).toBeLessThan(60_000)
  })

  it('groups by parents, or not at all', async () => {
    const byParent = await rest.call('GET /_tasks?group_by=parents')
    const [[id, list]] = Object.entries<{ children: object[] }>(byParent.json.tasks) as [
      [string, { children: object[] }],
    ]
    expect(list.children).toMatchObject([{ action: `${LISTS}[n]`, parent_task_id: id }])
    const flat = await rest.call('GET /_tasks?group_by=none&detailed&human')
    expect(flat.json.tasks).toHaveLength(2)
    expect(flat.json.tasks[0]).toMatchObject({
      description: '',
      start_time: expect.stringMatching(/^\d{4}-.*Z$/),
      running_time: expect.stringMatching(/(nanos|micros|ms)$/),
    })
    expect((await rest.call('GET /_tasks?group_by=age')).json.error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: '[group_by] must be one of [nodes], [parents] or [none] but was [age]',
    })
  })

  it.each([
    ['actions=cluster:*lists', [LISTS]],
    ['actions=*lists*', [LISTS, `${LISTS}[n]`]],
    ['actions=indices:*', null],
    ['nodes=other', null],
    ['nodes=_local&actions=*[n]', [`${LISTS}[n]`]],
    ['parent_task_id=other:1', null],
  ])('keeps to %s', async (filter, actions) => {
    const { json } = await rest.call(`GET /_tasks?${filter}`)
    if (actions === null) expect(json).toEqual({ nodes: {} })
    else
      expect(
        Object.values<{ action: string }>(json.nodes[nodeId].tasks).map(({ action }) => action),
      ).toEqual(actions)
  })

  it('carries the mark of the client that asked', async () => {
    const headers = { 'x-opaque-id': 'That is me' }
    const answer = await rest.call(`GET /_tasks?group_by=none&actions=${LISTS}`, undefined, headers)
    expect(answer.headers['x-opaque-id']).toBe('That is me')
    expect(answer.json.tasks[0].headers).toEqual({ 'X-Opaque-Id': 'That is me' })
  })

  it('waits for the end of what it lists, or says that the time was up', async () => {
    const { answer, id } = await waiting()
    const late = await rest.call(`GET /_tasks?actions=${HEALTH}&wait_for_completion&timeout=1ms`)
    expect(late.status).toBe(200)
    expect(late.json).toEqual({
      node_failures: [
        {
          type: 'failed_node_exception',
          reason: `Failed node [${nodeId}]`,
          node_id: nodeId,
          caused_by: {
            type: 'timeout_exception',
            reason: `Timed out waiting for completion of [${id}]`,
          },
        },
      ],
      nodes: {},
    })
    const ended = rest.call(`GET /_tasks?actions=${HEALTH}&wait_for_completion&group_by=none`)
    await rest.call(`POST /_tasks/${id}/_cancel`)
    await answer
    expect((await ended).json.tasks).toMatchObject([{ action: HEALTH, cancelled: true }])
  })
})

describe('parameters', () => {
  const only = 'Failed to parse value [maybe] as only [true] or [false] are allowed.'
  const unit = (name: string): string =>
    `failed to parse setting [${name}] with value [1] as a time value: unit is missing or unrecognized`
  it.each([
    ['GET /_tasks?detailed=maybe', only],
    ['GET /_tasks?wait_for_completion=maybe', only],
    ['GET /_tasks?timeout=1', unit('timeout')],
    [
      'GET /_tasks?action=x',
      'request [/_tasks] contains unrecognized parameter: [action] -> did you mean [actions]?',
    ],
    ['GET /_tasks/a:1?wait_for_completion=maybe', only],
    ['GET /_tasks/a:1?timeout=1', unit('timeout')],
    [
      'GET /_tasks/a:1?detailed=true',
      'request [/_tasks/a:1] contains unrecognized parameter: [detailed]',
    ],
    ['POST /_tasks/_cancel?wait_for_completion=maybe', only],
    [
      'POST /_tasks/_cancel?timeout=1s',
      'request [/_tasks/_cancel] contains unrecognized parameter: [timeout]',
    ],
  ])('are checked: %s', async (line, reason) => {
    const { status, json } = await rest.call(line)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })
})

describe('one task', () => {
  it('is shown while it runs, in both forms, and waited for', async () => {
    const { answer, id } = await waiting()
    const { json } = await rest.call(`GET /_tasks/${id}`)
    expect(json.completed).toBe(false)
    expect(json.task).toMatchObject({ action: HEALTH, headers: { 'X-Opaque-Id': 'waiter' } })
    expect(Object.keys(json.nodes[nodeId].tasks)).toEqual([id])
    const late = await rest.call(`GET /_tasks/${id}?wait_for_completion&timeout=1ms`)
    expect([late.status, late.json.error.type, late.json.error.reason]).toEqual([
      500,
      'timeout_exception',
      `Timed out waiting for completion of [${id}]`,
    ])
    const ended = rest.call(`GET /_tasks/${id}?wait_for_completion`)
    await rest.call(`POST /_tasks/${id}/_cancel`)
    expect((await answer).status).toBe(408)
    expect((await ended).json).toMatchObject({ completed: true, task: { cancelled: true } })
    expect((await ended).json).not.toHaveProperty('nodes')
    expect((await rest.call(`GET /_tasks/${id}`)).status).toBe(404)
  })

  it('of a forced merge counts primaries alone where asked', async () => {
    await rest.call('PUT /copied', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
    const shards = async (query: string) =>
      (await rest.call(`POST /copied/_forcemerge${query}`)).json._shards
    expect(await shards('')).toEqual({ total: 4, successful: 2, failed: 0 })
    expect(await shards('?primary_only=true')).toEqual({ total: 2, successful: 2, failed: 0 })
    await rest.call('DELETE /copied')
  })

  it('leaves its answer when nobody waited for it', async () => {
    const started = await rest.call(
      'POST /books/_forcemerge?max_num_segments=1&wait_for_completion=false',
      undefined,
      { 'x-opaque-id': 'night' },
    )
    expect(started.json).toEqual({ task: expect.stringMatching(`^${nodeId}:\\d+$`) })
    const { json } = await rest.call(`GET /_tasks/${started.json.task}?wait_for_completion`)
    expect(json).toMatchObject({
      completed: true,
      task: {
        action: 'indices:admin/forcemerge',
        description:
          'Force-merge indices [books], maxSegments[1], onlyExpungeDeletes[false], flush[true], primaryOnly[false]',
        cancellable: true,
        headers: { 'X-Opaque-Id': 'night' },
      },
      response: { _shards: { total: 1, successful: 1, failed: 0 } },
    })
    const again = await rest.call(`GET /_tasks/${started.json.task}`)
    expect(again.json).toEqual(json)
  })

  it('may open an index', async () => {
    await rest.call('PUT /shut')
    await rest.call('POST /shut/_close')
    const { json } = await rest.call(
      'POST /shut/_open?wait_for_completion=false&task_execution_timeout=30s',
    )
    const ended = await rest.call(`GET /_tasks/${json.task}?wait_for_completion`)
    expect(ended.json).toMatchObject({
      completed: true,
      task: { action: 'indices:admin/open', description: 'open indices [shut]' },
      response: { acknowledged: true, shards_acknowledged: true },
    })
  })

  it('leaves its error when nobody waited for it', async () => {
    const { json } = await rest.call('POST /absent/_forcemerge?wait_for_completion=false')
    const ended = await rest.call(`GET /_tasks/${json.task}?wait_for_completion`)
    expect(ended.status).toBe(200)
    expect(ended.json).toMatchObject({
      completed: true,
      error: { type: 'index_not_found_exception', reason: 'no such index [absent]' },
    })
    expect(ended.json).not.toHaveProperty('response')
  })

  it('opens indices when nobody waits', async () => {
    await rest.call('PUT /shut', { settings: { number_of_replicas: 0 } })
    await rest.call('POST /shut/_close')
    const { json } = await rest.call('POST /shut/_open?wait_for_completion=false')
    const ended = await rest.call(`GET /_tasks/${json.task}?wait_for_completion`)
    expect(ended.json.response).toEqual({ acknowledged: true, shards_acknowledged: true })
    expect((await rest.call('GET /shut/_count')).status).toBe(200)
  })

  it('says which task is unknown', async () => {
    const unknown = await rest.call(`GET /_tasks/${nodeId}:999999`)
    expect([unknown.status, unknown.json.error.type, unknown.json.error.reason]).toEqual([
      404,
      'resource_not_found_exception',
      `task [${nodeId}:999999] isn't running and hasn't stored its results`,
    ])
    const foreign = await rest.call('GET /_tasks/foo:1')
    expect(foreign.status).toBe(404)
    expect(foreign.json.error).toMatchObject({
      type: 'resource_not_found_exception',
      reason:
        "task [foo:1] belongs to the node [foo] which isn't part of the cluster and there is no record of the task",
      caused_by: {
        type: 'resource_not_found_exception',
        reason: "task [foo:1] isn't running and hasn't stored its results",
      },
    })
    const none = await rest.call('GET /_tasks/foo')
    expect([none.status, none.json.error.reason]).toEqual([400, 'malformed task id foo'])
  })
})

describe('a cancellation', () => {
  it('ends what it names, and shows it', async () => {
    const { answer, id } = await waiting()
    const { status, json } = await rest.call(
      `POST /_tasks/_cancel?actions=${HEALTH}&wait_for_completion`,
    )
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['node_failures', 'nodes'])
    expect(json.node_failures).toEqual([])
    expect(json.nodes[nodeId].tasks[id]).toMatchObject({
      action: HEALTH,
      status: 'cancelled',
      cancellable: true,
      cancelled: true,
      cancellation_time_millis: expect.any(Number),
    })
    expect((await answer).status).toBe(408)
    expect((await rest.call('POST /_tasks/_cancel?actions=unknown')).json).toEqual({
      node_failures: [],
      nodes: {},
    })
  })

  it('keeps to the nodes that are meant, and to the steps of a task', async () => {
    const { answer, id } = await waiting()
    const cancel = async (query: string): Promise<unknown> =>
      (await rest.call(`POST /_tasks/_cancel?actions=${HEALTH}&${query}`)).json
    const none = { node_failures: [], nodes: {} }
    expect(await cancel('nodes=another')).toEqual(none)
    expect(await cancel(`parent_task_id=${id}`)).toEqual(none)
    expect(await cancel('parent_task_id=another:1')).toEqual(none)
    const found = await cancel('nodes=_local')
    expect(found).toHaveProperty(['nodes', nodeId, 'tasks', id, 'status'], 'cancelled')
    expect((await answer).status).toBe(408)
    const malformed = await rest.call('POST /_tasks/_cancel?parent_task_id=x')
    expect([malformed.status, malformed.json.error.reason]).toEqual([400, 'malformed task id x'])
  })

  it('passes over what cannot be cancelled, and refuses it by name', async () => {
    const { end, id } = await writing()
    const all = await rest.call(`POST /_tasks/_cancel?actions=${WRITE}`)
    expect(all.json.nodes).toEqual({})
    const one = await rest.call(`POST /_tasks/${id}/_cancel`)
    expect([one.status, one.json.error.type, one.json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      `task [${id}] doesn't support cancellation`,
    ])
    const { json } = await rest.call(`GET /_tasks?group_by=none&detailed&actions=${WRITE}`)
    expect(json.tasks[0].description).toBe('index {[books][1], source[{"n":1}]}')
    expect(json.tasks[0]).not.toHaveProperty('cancelled')
    await end()
  })

  it.each([
    ['here:9', 404, 'resource_not_found_exception', 'task [here:9] is not found'],
    ['here', 400, 'illegal_argument_exception', 'malformed task id here'],
    [
      'here:9',
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: task id cannot be used together with node ids;2: task id cannot be used together with actions;',
      '?nodes=_all&actions=x',
    ],
  ])('of %s is answered %i %s', async (id, status, type, reason, query = '') => {
    const answer = await rest.call(`POST /_tasks/${id}/_cancel${query}`)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      status,
      type,
      reason,
    ])
  })
})
