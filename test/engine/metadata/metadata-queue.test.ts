import { expect, it } from 'vitest'
import { MetadataQueue } from '../../../src/engine/metadata/metadata-queue.ts'
import { requestContext, trusted } from '../../../src/task/call-context.ts'

/** A change that runs until it is let go. */
function held(queue: MetadataQueue): () => void {
  let release = (): void => {}
  const wait = new Promise<void>(resolve => {
    release = resolve
  })
  void queue.submit('long', 'NORMAL', () => wait, null)
  return release
}

const waiting = (changeTimeoutInMillis: number) => {
  const { principal, access } = trusted('indices:admin/create')
  return requestContext({
    action: 'indices:admin/create',
    principal,
    access,
    opaqueId: null,
    changeTimeoutInMillis,
  })
}

it('gives a change up that has waited too long for its turn, and never runs it', async () => {
  const queue = new MetadataQueue()
  const release = held(queue)
  let hasRun = false
  const change = (): void => {
    hasRun = true
  }
  await expect(
    queue.submit('create-index [i]', 'URGENT', change, waiting(20)),
  ).rejects.toMatchObject({
    type: 'process_cluster_event_timeout_exception',
    message: 'failed to process cluster event (create-index [i]) within 20ms',
  })
  expect(queue.pending().map(({ source }) => source)).toEqual(['long'])
  release()
  await queue.submit('last', 'LANGUID', () => {}, waiting(60_000))
  expect(hasRun).toBe(false)
})

it('runs the most urgent change first, and of equal ones the oldest', async () => {
  const queue = new MetadataQueue()
  const release = held(queue)
  const order: string[] = []
  const submit = (name: string, priority: 'LOW' | 'URGENT') =>
    queue.submit(name, priority, () => void order.push(name), trusted('indices:admin/create'))
  const all = [submit('a', 'LOW'), submit('b', 'URGENT'), submit('c', 'URGENT')]
  expect(queue.pending().map(({ source }) => source)).toEqual(['long', 'b', 'c', 'a'])
  release()
  await Promise.all(all)
  expect(order).toEqual(['b', 'c', 'a'])
})
