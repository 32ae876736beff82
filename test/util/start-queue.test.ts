import { expect, it } from 'vitest'
import { StartQueue } from '../../src/util/start-queue.ts'

/** Keeps the thread busy. */
function spin(millis: number): void {
  const end = performance.now() + millis
  while (performance.now() < end);
}

it('starts calls in their order, and lets timers run in between', async () => {
  const queue = new StartQueue()
  const started: number[] = []
  let isOver = false
  let turns = 0
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const calls = Array.from({ length: 40 }, (_, i) =>
    queue.run(async () => {
      started.push(i)
      spin(3)
      return i
    }),
  )
  // Only what the first turn has time for has begun.
  expect(started.length).toBeLessThan(3)
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  isOver = true
  expect(started).toEqual(Array.from({ length: 40 }, (_, i) => i))
  expect(turns).toBeGreaterThanOrEqual(19)
})

it('starts short calls together', async () => {
  const queue = new StartQueue()
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 1000 }, () => queue.run(async () => null)))
  isOver = true
  expect(turns).toBeLessThan(50)
})

it('hands on what calls fail with, and starts the next', async () => {
  const queue = new StartQueue()
  const results = await Promise.allSettled(
    Array.from({ length: 600 }, (_, i) =>
      queue.run(async () => {
        spin(0.1)
        if (i % 2 === 1) throw new Error(`call ${i}`)
        return i
      }),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(300)
  expect(String((results[599] as PromiseRejectedResult).reason)).toBe('Error: call 599')
})

it('lets connections be accepted first, but not for long', async () => {
  const queue = new StartQueue()
  queue.accepted()
  const began = performance.now()
  let turns = 0
  let hasStarted = false
  const call = queue.run(async () => {
    hasStarted = true
  })
  expect(hasStarted).toBe(false)
  // A connection in every turn, for good.
  const accept = (): void => {
    turns++
    queue.accepted()
    if (!hasStarted) setImmediate(accept)
  }
  setImmediate(accept)
  await call
  expect(performance.now() - began).toBeGreaterThanOrEqual(19)
  expect(turns).toBeGreaterThan(3)
  // Without one it starts in the next turn.
  queue.accepted()
  await queue.run(async () => null)
})
