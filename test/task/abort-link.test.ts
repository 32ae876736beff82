import { expect, it } from 'vitest'
import { linkAbort } from '../../src/task/abort-link.ts'
import { trusted } from '../../src/task/call-context.ts'

it('cancels a task that can be when the signal aborts, or has aborted', () => {
  const controller = new AbortController()
  const { task } = trusted('indices:data/read/search')
  linkAbort(controller.signal, task)
  expect(task.isCancelled).toBe(false)
  controller.abort()
  expect(task.isCancelled).toBe(true)
  const late = trusted('indices:data/read/search').task
  linkAbort(controller.signal, late)
  expect(late.isCancelled).toBe(true)
  expect(late.cancelledAtInMillis).toBeGreaterThan(0)
})

it('leaves a write alone, and a task that was parted from the signal', () => {
  const controller = new AbortController()
  const write = trusted('indices:data/write/bulk').task
  const parted = trusted('indices:data/read/search').task
  linkAbort(controller.signal, write)
  linkAbort(controller.signal, parted)()
  controller.abort()
  expect([write.isCancelled, parted.isCancelled]).toEqual([false, false])
})
