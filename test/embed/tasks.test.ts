import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/embed/database.ts'
import { open } from '../../src/embed/open.ts'

const HEALTH = 'cluster:monitor/health'

let db: Database
let nodeId: string
beforeAll(async () => {
  db = await open()
  nodeId = db.identity.nodeId
  await (await db.index('books')).put('1', { n: 1 }, { refresh: true })
})
afterAll(() => db.close())

/** A request that waits until somebody ends it, and its task's id. */
async function waiting(): Promise<{ readonly id: string; readonly answer: Promise<unknown> }> {
  const answer = db.request({
    method: 'GET',
    path: '/_cluster/health/absent?timeout=60s',
    headers: { 'x-opaque-id': 'me' },
  })
  for (;;) {
    const [task] = await db.tasks.list({ actions: [HEALTH] })
    if (task !== undefined) return { id: task.id, answer }
  }
}

/** The id of a task that merges. */
async function merging(index = 'books'): Promise<string> {
  const path = `/${index}/_forcemerge?wait_for_completion=false`
  return ((await db.request({ method: 'POST', path })).json() as { task: string }).task
}

describe('the tasks of a database', () => {
  it('are listed with what is known of them', async () => {
    expect(await db.tasks.list()).toEqual([])
    const { id, answer } = await waiting()
    const [task] = await db.tasks.list()
    expect(task).toEqual({
      id,
      action: HEALTH,
      description: '',
      startedAt: expect.any(Date),
      runningInMillis: expect.any(Number),
      isCancellable: true,
      isCancelled: false,
      parentId: null,
      opaqueId: 'me',
      status: null,
      resources: { cpuInNanos: expect.any(Number), threadExecutions: 1, activeThreads: 0 },
    })
    expect(await db.tasks.list({ actions: ['indices:*'] })).toEqual([])
    expect(await db.tasks.list({ parentId: id })).toEqual([])
    expect(await db.tasks.get(id)).toMatchObject({
      isCompleted: false,
      response: null,
      error: null,
    })
    await db.tasks.cancel(id)
    await answer
    expect(await db.tasks.list()).toEqual([])
  })

  it('are cancelled by a filter', async () => {
    const { id, answer } = await waiting()
    expect(await db.tasks.cancelAll({ actions: ['indices:*'] })).toEqual([])
    expect(await db.tasks.cancelAll({ actions: ['cluster:monitor/h*'] })).toEqual([id])
    await answer
  })

  it('leave results', async () => {
    const state = await db.tasks.wait(await merging())
    expect(state).toMatchObject({
      task: { action: 'indices:admin/forcemerge' },
      isCompleted: true,
      response: { _shards: { failed: 0 } },
      error: null,
    })
    expect(await db.tasks.get(state.task.id)).toEqual(state)
    const failed = await db.tasks.wait(await merging('absent'))
    expect(failed.error).toMatchObject({
      name: 'LamellaError',
      type: 'index_not_found_exception',
      message: 'no such index [absent]',
      status: 404,
    })
  })

  it('are waited for so long, or until a signal', async () => {
    const { id, answer } = await waiting()
    await expect(db.tasks.wait(id, { timeoutInMillis: 1 })).rejects.toMatchObject({
      type: 'timeout_exception',
      status: 500,
      message: `Timed out waiting for completion of [${id}]`,
    })
    const abort = new AbortController()
    const wait = db.tasks.wait(id, { signal: abort.signal })
    abort.abort('enough')
    await expect(wait).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    await db.tasks.cancel(id)
    await answer
  })

  it('are watched to their end', async () => {
    const { id, answer } = await waiting()
    const seen: boolean[] = []
    for await (const { isCompleted, task } of db.tasks.watch(id, { everyInMillis: 1 })) {
      expect(task.id).toBe(id)
      seen.push(isCompleted)
      if (seen.length === 3) await db.tasks.cancel(id)
    }
    await answer
    expect(seen.slice(0, 3)).toEqual([false, false, false])
    expect(seen.at(-1)).toBe(true)
    const states: unknown[] = []
    for await (const state of db.tasks.watch(await merging())) states.push(state)
    expect(states.at(-1)).toMatchObject({ isCompleted: true, response: { _shards: {} } })
  })

  it('are watched until a signal', async () => {
    const { id, answer } = await waiting()
    const abort = new AbortController()
    const watch = async (): Promise<void> => {
      for await (const { isCompleted } of db.tasks.watch(id, { signal: abort.signal }))
        if (!isCompleted) abort.abort()
    }
    await expect(watch()).rejects.toMatchObject({ name: 'AbortError' })
    await db.tasks.cancel(id)
    await answer
  })

  it('refuse what makes no sense', async () => {
    const { tasks } = db
    const first = (watch: AsyncIterable<unknown>) => watch[Symbol.asyncIterator]().next()
    for (const [call, message] of [
      [() => tasks.get('x'), 'malformed task id x'],
      [() => tasks.get(''), '[id] must not be empty'],
      [() => tasks.get(7 as never), '[id] must be a string, found the number [7]'],
      [
        () => tasks.get(`${nodeId}:999999`),
        `task [${nodeId}:999999] isn't running and hasn't stored its results`,
      ],
      [() => tasks.cancel('a:1'), 'task [a:1] is not found'],
      [
        () => tasks.wait('a:1', { timeoutInMillis: -1 }),
        '[timeoutInMillis] must be a number from 0',
      ],
      [() => tasks.wait('a:1', { timeout: 1 } as never), 'unknown option of a wait [timeout]'],
      [() => tasks.list({ action: [] } as never), 'unknown option of a listing [action]'],
      [() => tasks.cancelAll({ action: [] } as never), 'unknown key of a filter [action]'],
      [
        () => first(tasks.watch('a:1', { everyInMillis: Number.NaN })),
        '[everyInMillis] must be a number from 0',
      ],
    ] as const)
      await expect(call()).rejects.toThrow(message)
  })
})
