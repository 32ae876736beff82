import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const COUNT = 20

beforeEach(async () => {
  await rest.call('DELETE /*')
  const lines = Array.from({ length: COUNT }, (_, n) => [{ index: { _id: `${n}` } }, { n }])
  await ok('POST /from/_bulk?refresh=true', ndjson(...lines.flat()))
})

const BODY = { source: { index: 'from', size: 1 }, dest: { index: 'to' } }
/** An hour between two documents, the most. */
const SLOW = 'requests_per_second=0.00000001&wait_for_completion=false&refresh=true'

const start = async (line = 'POST /_reindex', query = '', body: object = BODY): Promise<string> =>
  (await ok(`${line}?${SLOW}${query}`, body)).task

const ended = (task: string): ReturnType<typeof ok> =>
  ok(`GET /_tasks/${task}?wait_for_completion=true`)

/** The task as soon as it has written its first batch and pauses. */
async function pausing(task: string): ReturnType<typeof ok> {
  for (;;) {
    const found = await ok(`GET /_tasks/${task}`)
    if (found.completed) throw new Error(`[${task}] has ended: ${JSON.stringify(found)}`)
    const { status } = found.task
    const parts = status?.slices ?? [status]
    if (parts.some((part: typeof status) => part?.throttled_until_millis > 0)) return found
  }
}

describe('a reindex as a task', () => {
  it('shows what it does and how far it is', async () => {
    const task = await start()
    const { completed, task: shown } = await pausing(task)
    expect(completed).toBe(false)
    expect(shown).toMatchObject({
      action: 'indices:data/write/reindex',
      description: 'reindex from [from] to [to]',
      cancellable: true,
      cancelled: false,
      status: { total: COUNT, created: 1, batches: 1, retries: { bulk: 0, search: 0 } },
    })
    expect(Object.keys(shown.status)).toEqual([
      'total',
      'updated',
      'created',
      'deleted',
      'batches',
      'version_conflicts',
      'noops',
      'retries',
      'throttled_millis',
      'requests_per_second',
      'throttled_until_millis',
    ])
    const [node] = Object.values((await ok('GET /_tasks?detailed&actions=*reindex')).nodes) as {
      tasks: Record<string, { status: { created: number } }>
    }[]
    expect(node!.tasks[task]!.status.created).toBe(1)
    const [plain] = Object.values((await ok('GET /_tasks?actions=*reindex')).nodes) as {
      tasks: Record<string, object>
    }[]
    expect(plain!.tasks[task]).not.toHaveProperty('status')
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
  })

  it('goes on at once when its rate is raised, and leaves its outcome', async () => {
    const task = await start()
    await pausing(task)
    const { nodes } = await ok(`POST /_reindex/${task}/_rethrottle?requests_per_second=-1`)
    const [node] = Object.values(nodes) as { tasks: Record<string, { status: object }> }[]
    expect(node!.tasks[task]!.status).toMatchObject({ requests_per_second: -1 })
    const { completed, response } = await ended(task)
    expect([completed, response.created, response.failures]).toEqual([true, COUNT, []])
    expect((await ok('GET /to/_count')).count).toBe(COUNT)
  })

  it('ends when it is cancelled, says so, and gives its scroll back', async () => {
    const task = await start()
    await pausing(task)
    const { nodes } = await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const [node] = Object.values(nodes) as { tasks: Record<string, { status: string }> }[]
    expect(node!.tasks[task]!.status).toBe('cancelled')
    const { response } = await ended(task)
    expect(response).toMatchObject({ created: 1, canceled: 'by user request', failures: [] })
    const { _all } = await ok('GET /from/_stats/search')
    expect(_all.total.search.open_contexts).toBe(0)
  })

  it.each([
    ['the thread of scripts', {}, 'POST /from/_update/0'],
    ['the thread of pipelines', { pipeline: 'slow' }, 'PUT /other/_doc/0?pipeline=slow'],
  ])('ends when it is cancelled, whatever %s still does for it', async (_, more, behind) => {
    // Some hundred thousand statements a document.
    const source = `double x = 1; for (int i = 0; i < 400000; i++) { x += i } ctx.x = x; ctx.remove('x')`
    const script = { source }
    await ok('PUT /_ingest/pipeline/slow', { processors: [{ script }] })
    const lines = Array.from({ length: 200 }, (_, n) => [{ index: {} }, { n }])
    await ok('POST /from/_bulk?refresh=true', ndjson(...lines.flat()))
    const { task } = await ok('POST /_reindex?wait_for_completion=false', {
      source: { index: 'from' },
      dest: { index: 'to', ...more },
      ...('pipeline' in more ? {} : { script }),
    })
    // Documents of its batch are on that thread, and one more is behind them.
    while ((await ok(`GET /_tasks/${task}`)).task.status?.batches !== 1);
    await new Promise(resolve => setTimeout(resolve, 20))
    const written = ok(
      behind,
      'pipeline' in more ? { n: 1 } : { script: { source: 'ctx._source.x = 1' } },
    )
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const { response } = await ended(task)
    const { nodes } = await ok('GET /_nodes/stats/thread_pool')
    const [node] = Object.values<{ thread_pool: { pipeline: { queue: number } } }>(nodes)
    expect(node!.thread_pool.pipeline.queue).toBeGreaterThan(0)
    expect(response).toMatchObject({ created: 0, canceled: 'by user request', failures: [] })
    await written
  })

  it('counts exactly what it wrote where it is cancelled amid a batch', async () => {
    const many = 9000
    const words = 'and so on, '.repeat(60)
    const lines = Array.from({ length: many }, (_, n) => [{ index: {} }, { n, words }])
    await ok('POST /large/_bulk?refresh=true', ndjson(...lines.flat()))
    const body = { source: { index: 'large', size: many }, dest: { index: 'copy' } }
    await ok('PUT /copy', { mappings: { properties: { words: { type: 'text' } } } })
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body)
    // One batch is all of it: chunks of it are written, and others wait.
    const written = async (): Promise<number> => {
      const { _all } = await ok('GET /copy/_stats/indexing')
      return _all.primaries.indexing.index_total
    }
    while ((await written()) === 0) await new Promise(resolve => setTimeout(resolve, 1))
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const { response } = await ended(task)
    expect(response).toMatchObject({ canceled: 'by user request', failures: [], total: many })
    expect(response.created).toBeGreaterThan(0)
    expect(response.created).toBeLessThan(many)
    await ok('POST /copy/_refresh')
    expect((await ok('GET /copy/_count')).count).toBe(response.created)
  })

  it('has slices as children, whose states it adds up, and which share its rate', async () => {
    const task = await start('POST /_reindex', '&slices=2')
    await pausing(task)
    const children = async (): Promise<{ id: number; status: { slice_id: number } }[]> => {
      const { tasks } = await ok(`GET /_tasks?parent_task_id=${task}&detailed&group_by=none`)
      return tasks
    }
    const found = await children()
    expect(found.map(({ status }) => status.slice_id)).toEqual([0, 1])
    const parent = await ok(`GET /_tasks/${task}`)
    expect(parent.task.status.slices).toHaveLength(2)
    await ok(`POST /_reindex/${task}/_rethrottle?requests_per_second=-1`)
    const { response } = await ended(task)
    expect(response).toMatchObject({ total: COUNT, created: COUNT, batches: COUNT })
  })

  it('cancels its slices', async () => {
    const task = await start('POST /_reindex', '&slices=2')
    await pausing(task)
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const { response } = await ended(task)
    expect(response.canceled).toBe('by user request')
    expect(response.created).toBeLessThan(COUNT)
  })

  it('keeps the error that ended it', async () => {
    const script = { source: 'ctx._source.n = ctx._source.nothing.more' }
    const { task } = await ok('POST /_reindex?wait_for_completion=false', { ...BODY, script })
    const { json } = await rest.call(`GET /_tasks/${task}?wait_for_completion=true`)
    expect([json.completed, json.error.type]).toEqual([true, 'script_exception'])
  })

  it('keeps conflicts as failures of its outcome', async () => {
    await ok('PUT /to/_doc/0', { n: 1 })
    const body = { source: { index: 'from' }, dest: { index: 'to', op_type: 'create' } }
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body)
    const { completed, response } = await ended(task)
    expect([completed, response.version_conflicts, response.failures.length]).toEqual([true, 1, 1])
  })

  it('is refused before it begins', async () => {
    const body = { source: { index: 'from' }, dest: { index: 'from' } }
    expect((await failure('POST /_reindex?wait_for_completion=false', body))[0]).toBe(400)
  })
})

describe('updates and deletions as tasks', () => {
  it.each([
    [
      { source: 'ctx._source.n += params.by', params: { by: 2 } },
      "updated with Script{type=inline, lang='painless', idOrCode='ctx._source.n += params.by', options={}, params={\"by\":2}}",
    ],
    [{ id: 'grow' }, "updated with Script{type=stored, idOrCode='grow', options={}, params={}}"],
  ])('tell the script %j', async (script, text) => {
    await ok('PUT /_scripts/grow', { script: { lang: 'painless', source: 'ctx._source.n++' } })
    const task = await start('POST /from/_update_by_query', '&scroll_size=1', { script })
    expect((await pausing(task)).task.description).toBe(`update-by-query [from] ${text}`)
    await ok(`POST /_update_by_query/${task}/_rethrottle?requests_per_second=-1`)
    expect((await ended(task)).response.updated).toBe(COUNT)
    const copy = await start('POST /_reindex', '', { ...BODY, script })
    expect((await pausing(copy)).task.description).toBe(`reindex from [from] ${text} to [to]`)
    await ok(`POST /_reindex/${copy}/_rethrottle?requests_per_second=-1`)
    expect((await ended(copy)).response.created).toBe(COUNT)
  })

  it.each([
    ['_update_by_query', 'indices:data/write/update/byquery', 'update-by-query [from]'],
    ['_delete_by_query', 'indices:data/write/delete/byquery', 'delete-by-query [from]'],
  ])('show and end %s', async (name, action, description) => {
    const body = { query: { match_all: {} } }
    const task = await start(`POST /from/${name}`, '&scroll_size=1', body)
    const { task: shown } = await pausing(task)
    expect(shown).toMatchObject({ action, description, status: { total: COUNT } })
    await ok(`POST /${name}/${task}/_rethrottle?requests_per_second=-1`)
    expect((await ended(task)).response.total).toBe(COUNT)
  })
})

describe('a change of a rate', () => {
  it('needs a rate and a task that runs', async () => {
    const task = 'abc:12'
    expect(await failure(`POST /_reindex/${task}/_rethrottle`)).toEqual([
      400,
      'illegal_argument_exception',
      'requests_per_second is a required parameter',
    ])
    expect(await failure(`POST /_reindex/${task}/_rethrottle?requests_per_second=1`)).toEqual([
      404,
      'resource_not_found_exception',
      'task [abc:12] is not found',
    ])
    expect((await failure(`POST /_reindex/${task}/_rethrottle?requests_per_second=0`))[2]).toBe(
      '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
    )
  })
})
