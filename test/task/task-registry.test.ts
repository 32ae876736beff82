import { expect, it } from 'vitest'
import { TRUSTED_ACCESS, TRUSTED_PRINCIPAL } from '../../src/task/access.ts'
import type { Action } from '../../src/task/actions.ts'
import { type CallContext, trusted } from '../../src/task/call-context.ts'
import { TaskRegistry } from '../../src/task/task-registry.ts'
import { EngineError } from '../../src/util/errors.ts'
import { counted } from '../../src/util/turns.ts'

const SEARCH = 'indices:data/read/search'
const request = (action: Action, opaqueId: string | null = null) => ({
  action,
  principal: TRUSTED_PRINCIPAL,
  access: TRUSTED_ACCESS,
  opaqueId,
  changeTimeoutInMillis: Number.POSITIVE_INFINITY,
})

/** A promise that is settled from outside. */
function deferred<T = void>(): {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
} {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

it('never lists a call that asks nobody to be told of its cancellation', async () => {
  const registry = new TaskRegistry('n')
  const context = trusted(SEARCH)
  const result = registry.run(context, async () => 7)
  expect(registry.running()).toEqual([])
  expect(await result).toBe(7)
  expect(context.task.number).toBe(0)
})

it('lists a call from its first wait until it settles', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const context = trusted(SEARCH)
  const result = registry.run(context, async () => {
    context.onCancel(() => {})
    await wait.promise
  })
  expect(registry.running()).toEqual([context.task])
  expect(context.task.id).toBe('n:1')
  wait.resolve()
  await result
  expect(registry.running()).toEqual([])
  expect(context.task.endInNanos).toBeGreaterThanOrEqual(context.task.startInNanos)
})

it('lists a call that begins to wait later, and one that fails until it does', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const context = trusted(SEARCH)
  const result = registry.run(context, async () => {
    await null
    context.onCancel(() => {})
    await wait.promise
  })
  expect(registry.running()).toEqual([])
  await null
  expect(registry.running()).toEqual([context.task])
  wait.reject(new Error('late'))
  await expect(result).rejects.toThrow('late')
  expect(registry.running()).toEqual([])
})

it('lists what waits whether it can be cancelled or not', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const context = trusted('indices:data/write/bulk')
  const result = registry.runWaiting(context, () => wait.promise)
  expect(registry.running()).toEqual([context.task])
  registry.cancel(context.task)
  expect(context.isCancelled).toBe(false)
  wait.resolve()
  await result
})

it('holds a request through all of its calls', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const answer = registry.serve(request(SEARCH, 'me'), async context => {
    await registry.run(context, async () => null)
    await wait.promise
    return context.task
  })
  const [task] = registry.running()
  expect(task!.headers).toEqual({ 'X-Opaque-Id': 'me' })
  wait.resolve()
  expect(await answer).toBe(task)
  expect(registry.running()).toEqual([])
  expect(registry.serve(request(SEARCH), () => 1)).toBe(1)
  expect(() =>
    registry.serve(request(SEARCH), () => {
      throw new Error('at once')
    }),
  ).toThrow('at once')
  expect(registry.running()).toEqual([])
})

it('cancels a task with its children, which hear of it once', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const heard: string[] = []
  const listen = (name: string, context: CallContext): Promise<void> =>
    registry.run(context, async () => {
      context.onCancel(() => heard.push(name))
      await wait.promise
    })
  const parent = trusted(SEARCH)
  const child = parent.child(SEARCH)
  const unlisted = parent.child(SEARCH)
  const running = [listen('parent', parent), listen('child', child)]
  const signal = child.abortSignal()
  expect(child.abortSignal()).toBe(signal)
  const off = parent.onCancel(() => heard.push('gone'))
  off()
  registry.cancel(parent.task)
  registry.cancel(parent.task)
  expect(heard).toEqual(['parent', 'child'])
  expect([child.isCancelled, unlisted.isCancelled, signal.aborted]).toEqual([true, true, true])
  expect(unlisted.abortSignal().aborted).toBe(true)
  expect(child.task.parent).toBe(parent.task)
  wait.resolve()
  await Promise.all(running)
})

it('gives a parent an id before its child', () => {
  const registry = new TaskRegistry('n')
  const parent = trusted(SEARCH)
  parent.task.list = registry
  const child = parent.child(SEARCH)
  child.onCancel(() => {})
  expect(registry.running().map(({ id }) => id)).toEqual(['n:1', 'n:2'])
})

it('waits for the end of a task, for so long, or until the waiting is cancelled', async () => {
  const registry = new TaskRegistry('n')
  const wait = deferred()
  const slow = trusted(SEARCH)
  const result = registry.runWaiting(slow, () => wait.promise)
  await expect(registry.completion([slow.task], 0, trusted(SEARCH))).rejects.toMatchObject({
    record: {
      type: 'timeout_exception',
      reason: 'Timed out waiting for completion of [n:1]',
      status: 500,
    },
  })
  const waiting = trusted(SEARCH)
  const given = registry.completion([slow.task], 60_000, waiting)
  waiting.task.cancel()
  await expect(given).rejects.toMatchObject({ type: 'task_cancelled_exception' })
  const ended = registry.completion([slow.task], 60_000, trusted(SEARCH))
  wait.resolve()
  await Promise.all([result, ended])
  await registry.completion([slow.task], 60_000, trusted(SEARCH))
})

it('keeps what detached tasks leave, an answer or an error, of the last ones only', async () => {
  const registry = new TaskRegistry('n')
  const from = trusted('indices:admin/forcemerge')
  const wait = deferred<number>()
  expect(registry.detach(from, () => wait.promise)).toBe('n:1')
  const [task] = registry.running()
  expect(registry.result(1)).toBeNull()
  wait.resolve(5)
  await wait.promise
  expect(registry.result(1)).toEqual({ task, outcome: { response: 5 } })
  const failing = async (): Promise<never> => {
    throw new EngineError({ type: 'exception', reason: 'no' })
  }
  registry.detach(from, failing)
  await registry.completion(registry.running(), 60_000, trusted(SEARCH))
  expect(registry.result(2)).toMatchObject({ outcome: { error: { reason: 'no' } } })
  for (let i = 0; i < 1000; i++) registry.detach(from, async () => i)
  await registry.completion(registry.running(), 60_000, trusted(SEARCH))
  expect([1, 2, 3, 1002].map(number => registry.result(number) !== null)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('stores the result of a detached task before the task leaves', async () => {
  const registry = new TaskRegistry('n')
  const storing = deferred()
  const stored: unknown[] = []
  registry.store = async ({ id }, outcome) => {
    await storing.promise
    stored.push([id, outcome])
  }
  registry.detach(trusted('indices:admin/forcemerge'), async () => 5)
  const [task] = registry.running()
  await Promise.resolve()
  expect(registry.running()).toEqual([task])
  const ended = registry.completion([task!], 60_000, trusted(SEARCH))
  storing.resolve()
  await ended
  expect(stored).toEqual([['n:1', { response: 5 }]])
  expect(registry.running()).toEqual([])
  expect(registry.result(1)).toBeNull()
})

it('refuses steps of a cancelled task, but those that free what it holds', () => {
  const parent = trusted(SEARCH)
  const step = parent.child(SEARCH)
  parent.task.cancel()
  for (const context of [parent, step])
    expect(() => context.child('indices:data/read/get')).toThrow(
      "The parent task was cancelled, shouldn't start any child tasks",
    )
  expect(parent.child('indices:data/read/scroll/clear').isCancelled).toBe(false)
  expect(parent.child('indices:data/read/point_in_time/delete').task.parent).toBe(parent.task)
  const write = trusted('indices:data/write/bulk')
  write.task.cancel()
  expect(write.child('indices:data/write/index').isCancelled).toBe(false)
})

it('adds up what threads run for a task', () => {
  const { task } = trusted(SEARCH)
  task.firstTurnEndInNanos = task.startInNanos + 10
  const first = task.beginExecution()
  const second = task.beginExecution()
  first(30)
  expect(task.resources).toEqual({
    count: 3,
    active: 1,
    totalInNanos: 40,
    minInNanos: 10,
    maxInNanos: 30,
  })
  second(5)
  expect(task.resources).toMatchObject({ active: 0, totalInNanos: 45, minInNanos: 5 })
})

it('counts the turns of the calling thread that a task works in, and no time that it waits', async () => {
  const tasks = new TaskRegistry('node')
  const { promise, resolve } = deferred()
  const context = trusted(SEARCH).child('indices:data/read/scroll')
  const { task } = context
  expect(counted(context, () => task.resources)).toMatchObject({ count: 1, active: 1 })
  const call = tasks.runWaiting(context, () => promise)
  const waiting = task.resources
  expect(waiting).toMatchObject({ count: 1, active: 0 })
  const until = performance.now() + 2
  while (performance.now() < until);
  expect(task.resources).toEqual(waiting)
  expect(counted(context, () => task.resources)).toMatchObject({ count: 2, active: 1 })
  const failing = (): never => {
    while (performance.now() < until + 2);
    throw new Error('it failed')
  }
  expect(() => counted(context, failing)).toThrow('it failed')
  const { active, count, totalInNanos } = task.resources
  expect([active, count]).toEqual([0, 3])
  expect(totalInNanos).toBeGreaterThan(waiting.totalInNanos)
  resolve()
  await call
})
