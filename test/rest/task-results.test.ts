import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('task-results')
let rest: Rest
beforeAll(async () => {
  rest = await openRest({}, folder)
  await ok('PUT /books/_doc/1?refresh', { n: 1 })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

/** Merges without waiting, and gives the task's id and what it left. */
async function merged(index = 'books'): Promise<{ readonly id: string; readonly left: object }> {
  const { task: id } = await ok(`POST /${index}/_forcemerge?wait_for_completion=false`)
  // An error that it left stands in the body as one of the call would.
  const { json } = await rest.call(`GET /_tasks/${id}?wait_for_completion`)
  return { id, left: json }
}

describe('the result of a task', () => {
  it('is a document of an index of its own', async () => {
    const { id, left } = await merged()
    const { _source: source } = await ok(`GET /.tasks/_doc/${id}`)
    expect(source).toEqual(left)
    expect(Object.keys(source)).toEqual(['completed', 'task', 'response'])
    expect(Object.keys(source.task)).toEqual([
      'node',
      'id',
      'type',
      'action',
      'description',
      'start_time_in_millis',
      'running_time_in_nanos',
      'cancellable',
      'cancelled',
      'headers',
      'resource_stats',
    ])
    const { '.tasks': index } = await ok('GET /.tasks')
    expect(index.mappings.dynamic).toBe('strict')
    expect(index.mappings.properties.task.properties).toMatchObject({
      action: { type: 'keyword' },
      description: { type: 'text' },
      status: { type: 'object', enabled: false },
    })
    expect(index.settings.index).toMatchObject({ number_of_replicas: '0' })
    await ok('POST /.tasks/_refresh')
    const action = 'indices:admin/forcemerge'
    const found = await ok('POST /.tasks/_search', { query: { term: { 'task.action': action } } })
    expect(found.hits.hits.map(({ _id }: { _id: string }) => _id)).toContain(id)
  })

  it('counts what the merge thread ran for it', async () => {
    for (let n = 0; n < 3; n++) await ok('POST /books/_doc?refresh', { n })
    const path = '/books/_forcemerge?max_num_segments=1&wait_for_completion=false'
    const { task: id } = await ok(`POST ${path}`)
    const { task } = await ok(`GET /_tasks/${id}?wait_for_completion`)
    const { total, thread_info: threads } = task.resource_stats
    expect(threads).toEqual({ thread_executions: 2, active_threads: 0 })
    expect(total.cpu_time_in_nanos).toBeGreaterThan(0)
  })

  it('counts what write threads ran for it, and what accepted their work', async () => {
    const lines = [0, 1, 2].flatMap(n => ['{"index":{}}', JSON.stringify({ n })])
    await ok('POST /leaves/_bulk?refresh', `${lines.join('\n')}\n`)
    const body = { source: { index: 'leaves' }, dest: { index: 'copied' } }
    const { task: id } = await ok('POST /_reindex?wait_for_completion=false', body)
    const { task, response } = await ok(`GET /_tasks/${id}?wait_for_completion`)
    expect(response.created).toBe(3)
    const { max, thread_info: threads } = task.resource_stats
    // The first turn, the thread that inverts the only chunk, and the acceptance of that.
    expect(threads.thread_executions).toBeGreaterThanOrEqual(3)
    expect(threads.active_threads).toBe(0)
    expect(max.cpu_time_in_nanos).toBeGreaterThan(0)
  })

  it('has its share of a chunk that others write with it', async () => {
    await ok('PUT /shared', { settings: { number_of_shards: 1 }, mappings: { dynamic: false } })
    const place = { index: 'shared', routing: null, refresh: 'false', requireAlias: false } as const
    const waits = { waitForActiveShards: 1, timeoutInMillis: 30_000 } as const
    const versions = { ifSeqNo: null, ifPrimaryTerm: null, version: null } as const
    const source = encodeUtf8('{"n":1}')
    const { documents } = rest.engine
    const contexts = [1, 2, 3, 4].map(() => trusted('indices:data/write/index'))
    // They are submitted in one turn of the event loop, and so written together.
    await Promise.all(
      contexts.map((context, i) => {
        const id = `${i}`
        if (i > 1) {
          const body = encodeUtf8(`{"index":{"_id":"${i}"}}\n{"n":1}\n`)
          return documents.bulk({ ...place, ...waits, body, source: null }, context)
        }
        const call = { ...place, ...waits, ...versions, versionType: 'internal', id } as const
        return documents.index({ ...call, opType: 'index', source }, context)
      }),
    )
    for (const { task } of contexts) {
      const { count, active, totalInNanos, maxInNanos } = task.resources
      // The first turn, the inversion and the acceptance.
      expect([count, active]).toEqual([3, 0])
      expect(totalInNanos).toBeGreaterThan(maxInNanos)
    }
  })

  it('tells its times as text too where asked', async () => {
    const { id } = await merged()
    const { task } = await ok(`GET /_tasks/${id}?human`)
    expect(task).toMatchObject({
      start_time: new Date(task.start_time_in_millis).toISOString(),
      running_time: expect.stringMatching(/^[\d.]+(nanos|micros|ms|s)$/),
    })
  })

  it('may be an error', async () => {
    const { left } = await merged('absent')
    expect(left).toMatchObject({
      completed: true,
      error: {
        type: 'index_not_found_exception',
        reason: 'no such index [absent]',
        index: 'absent',
      },
    })
  })

  it('outlives the process, in which numbers of tasks do not come again', async () => {
    const { id, left } = await merged()
    await rest.close()
    rest = await openRest({}, folder)
    expect(await ok(`GET /_tasks/${id}`)).toEqual(left)
    const later = await merged()
    expect(Number(later.id.split(':')[1])).toBeGreaterThan(Number(id.split(':')[1]))
    expect(await ok(`GET /_tasks/${id}?wait_for_completion`)).toEqual(left)
    await rest.close()
    rest = await openRest({}, folder)
    const last = await merged()
    expect(Number(last.id.split(':')[1])).toBeGreaterThan(Number(later.id.split(':')[1]))
  })

  it('stays in memory where it cannot be written', async () => {
    await ok('PUT /.tasks/_settings', { 'index.blocks.write': true })
    const { id, left } = await merged()
    expect(left).toMatchObject({ completed: true, response: { _shards: { failed: 0 } } })
    expect(await ok(`GET /_tasks/${id}`)).toEqual(left)
    expect((await rest.call(`GET /.tasks/_doc/${id}`)).status).toBe(404)
    await ok('PUT /.tasks/_settings', { 'index.blocks.write': null })
    const stored = await merged()
    expect((await rest.call(`GET /.tasks/_doc/${stored.id}`)).status).toBe(200)
  })

  it('is gone with its index, and the next one makes it anew', async () => {
    const { id } = await merged()
    await ok('DELETE /.tasks')
    expect(await failure(`GET /_tasks/${id}`)).toEqual([
      404,
      'resource_not_found_exception',
      `task [${id}] isn't running and hasn't stored its results`,
    ])
    const next = await merged()
    expect((await rest.call(`GET /.tasks/_doc/${next.id}`)).status).toBe(200)
  })

  it('is stored for each of many that end at once', async () => {
    await ok('DELETE /.tasks')
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await merged()).id))
    for (const id of ids) expect((await rest.call(`GET /.tasks/_doc/${id}`)).status).toBe(200)
  })

  it('of another node is found by its document alone', async () => {
    const source = { completed: true, task: { node: 'other', id: 7 }, response: { n: 1.5 } }
    await ok('PUT /.tasks/_doc/other:7', source)
    expect(await ok('GET /_tasks/other:7')).toEqual(source)
    expect(await ok('GET /_tasks/other:7?human')).toEqual(source)
    expect((await failure('GET /_tasks/other:8'))[0]).toBe(404)
  })
})

describe('an id of any shape', () => {
  it.each([
    ['x', 'malformed task id x'],
    ['-1', 'malformed task id -1'],
    [':1', 'malformed task id :1'],
    ['x:', 'malformed task id x:'],
    ['x:y', 'malformed task id x:y'],
    ['x:1:2', 'malformed task id x:1:2'],
    ['x:-1', 'malformed task id x:-1'],
    ['x:1.5', 'malformed task id x:1.5'],
    ['x:99999999999999999999', 'malformed task id x:99999999999999999999'],
    ['%20', 'malformed task id  '],
    ['a%2Fb', 'malformed task id a/b'],
    ['__proto__', 'malformed task id __proto__'],
    ['%F0%9F%90%8B', 'malformed task id 🐋'],
  ])('is refused: %s', async (id, reason) => {
    const expected = [400, 'illegal_argument_exception', reason]
    expect(await failure(`GET /_tasks/${id}`)).toEqual(expected)
    expect(await failure(`POST /_tasks/${id}/_cancel`)).toEqual(expected)
    for (const name of ['_reindex', '_update_by_query', '_delete_by_query']) {
      const line = `POST /${name}/${id}/_rethrottle?requests_per_second=1`
      expect(await failure(line)).toEqual(expected)
    }
    // There it stands for every parent.
    if (id === '-1') return
    expect(await failure(`GET /_tasks?parent_task_id=${id}`)).toEqual(expected)
    expect(await failure(`POST /_tasks/_cancel?parent_task_id=${id}`)).toEqual(expected)
  })

  it('that stands for none is required', async () => {
    expect(await failure('GET /_tasks/unset')).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: task id is required;',
    ])
    expect(await failure('POST /_tasks/unset/_cancel')).toEqual([
      400,
      'illegal_argument_exception',
      'malformed task id unset',
    ])
  })

  it.each(['__proto__:1', `${'x'.repeat(600)}:1`, '%F0%9F%90%8B:0', 'a%2Fb:000000000000001'])(
    'of an unknown node is not found: %s',
    async id => {
      expect((await failure(`GET /_tasks/${id}`)).slice(0, 2)).toEqual([
        404,
        'resource_not_found_exception',
      ])
      expect((await failure(`POST /_tasks/${id}/_cancel`)).slice(0, 2)).toEqual([
        404,
        'resource_not_found_exception',
      ])
    },
  )
})
