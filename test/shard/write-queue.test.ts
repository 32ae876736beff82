import { describe, expect, it } from 'vitest'
import type { WriteOperation } from '../../src/shard/write-operation.ts'
import { finishedBatches, WriteQueue } from '../../src/shard/write-queue.ts'
import { EngineError } from '../../src/util/errors.ts'
import { cancellation } from '../support/cancellation.ts'

/** Larger than half a chunk, so that each is a chunk of its own. */
const SOURCE_BYTES = 400_000

function documents(ids: string): WriteOperation[] {
  return [...ids].map(id => ({
    kind: 'index',
    id,
    routing: null,
    ifSeqNo: null,
    ifPrimaryTerm: null,
    version: null,
    versionType: 'internal',
    isCreate: false,
    isNewId: false,
    source: new Uint8Array(SOURCE_BYTES),
  }))
}

/** A queue whose writer notes what it is asked, and may have others wait for their turn. */
function rig(mayGoOn: () => boolean, makeRoom = async (): Promise<void> => {}) {
  const events: string[] = []
  const hooks = { onEvent: (_: string): void => {} }
  const note = (event: string): void => {
    events.push(event)
    hooks.onEvent(event)
  }
  let chain: Promise<unknown> = Promise.resolve()
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const turn = chain.then(step)
    chain = turn
    return turn
  }
  const queue = new WriteQueue<string>(inTurn, {
    makeRoom,
    invert: async chunk => {
      const ids = chunk
        .flatMap(({ batch, start, end }) => batch.operations.slice(start, end))
        .map(operation => operation.id)
        .join('')
      note(`invert ${ids}`)
      await new Promise(resolve => setTimeout(resolve, 1))
      return ids
    },
    mayGoOn,
    accept: async (chunk, inverted) => {
      note(`accept ${inverted}`)
      for (const { batch, start, end } of chunk)
        for (let i = start; i < end && !batch.isWithdrawn; i++)
          batch.outcomes[i] = {
            result: 'created',
            seqNo: 0,
            primaryTerm: 1,
            version: batch.operations[i]!.id.charCodeAt(0),
          }
      for (const batch of finishedBatches(chunk)) batch.done()
    },
    settle: async () => {
      note('settle')
    },
  })
  return { queue, events, inTurn, hooks }
}

describe('the write queue', () => {
  it('has the next chunk inverted while it accepts one, in order', async () => {
    const { queue, events } = rig(() => true)
    const [first, second] = await Promise.all([
      queue.add(documents('abc'), () => null),
      queue.add(documents('d'), () => null),
    ])
    expect(events).toEqual([
      'invert a',
      'invert b',
      'accept a',
      'invert c',
      'accept b',
      'invert d',
      'accept c',
      'accept d',
    ])
    expect([...first, ...second].map(outcome => 'version' in outcome && outcome.version)).toEqual([
      97, 98, 99, 100,
    ])
  })

  it('lets whatever waits for its turn come between two chunks', async () => {
    const { queue, events, inTurn } = rig(() => false)
    const written = queue.add(documents('ab'), () => null)
    await new Promise(resolve => setImmediate(resolve))
    const other = inTurn(async () => {
      events.push('other')
    })
    await Promise.all([written, other])
    expect(events).toEqual(['invert a', 'accept a', 'other', 'invert b', 'accept b'])
  })

  it('writes all that waits when it is drained', async () => {
    const { queue, events } = rig(() => false)
    const written = queue.add(documents('abc'), () => null)
    await queue.drain()
    expect(events).toHaveLength(6)
    expect(await written).toHaveLength(3)
  })

  it('puts small batches together and takes large ones apart', async () => {
    const { queue, events } = rig(() => true)
    const small = [...'ab'].map(id => ({ ...documents(id)[0]!, source: new Uint8Array(10) }))
    const outcomes = await Promise.all([
      ...small.map(operation => queue.add([operation as WriteOperation], () => null)),
      queue.add(documents('cde'), () => null),
      queue.add([{ ...small[0]!, id: 'f' } as WriteOperation], () => null),
    ])
    expect(events.filter(event => event.startsWith('invert'))).toEqual([
      'invert abc',
      'invert d',
      'invert ef',
    ])
    expect(outcomes.map(batch => batch.length)).toEqual([1, 1, 3, 1])
    for (const outcome of outcomes.flat()) expect(outcome).toHaveProperty('result', 'created')
  })

  it('refuses all that waits', async () => {
    const { queue, events, inTurn } = rig(() => true)
    const refusal = new EngineError({ type: 'index_closed_exception', reason: 'closed' })
    void inTurn(async () => queue.refuse(refusal))
    const outcomes = await Promise.all([
      queue.add(documents('abc'), () => null),
      queue.add(documents('d'), () => null),
    ])
    expect(outcomes.flat()).toEqual([refusal, refusal, refusal, refusal])
    expect(events).toEqual([])
  })

  it('withdraws what is not accepted yet where its caller gives up', async () => {
    const { queue, events, hooks } = rig(() => true)
    const caller = cancellation()
    hooks.onEvent = event => {
      if (event === 'accept a') queueMicrotask(caller.cancel)
    }
    const given = queue.add(documents('abcd'), () => null, caller)
    const other = queue.add(documents('e'), () => null)
    const outcomes = await given
    expect(outcomes.map(outcome => 'seqNo' in outcome)).toEqual([true, false, false, false])
    for (const outcome of outcomes.slice(1))
      expect((outcome as EngineError).type).toBe('task_cancelled_exception')
    expect(await other).toHaveLength(1)
    // What was accepted is durable before it is told.
    expect(events).toEqual([
      'invert a',
      'invert b',
      'accept a',
      'settle',
      'invert e',
      'accept b',
      'accept e',
    ])
  })

  it('does not let a caller that gives up wait for the write thread', async () => {
    const { queue, events, hooks } = rig(() => true)
    const caller = cancellation()
    hooks.onEvent = event => {
      if (event === 'invert ab') setImmediate(caller.cancel)
    }
    const small = [...'abc'].map(id => ({ ...documents(id)[0]!, source: new Uint8Array(10) }))
    const given = queue.add([small[0]] as WriteOperation[], () => null, caller)
    const other = queue.add([small[1]] as WriteOperation[], () => null)
    const outcomes = await given
    expect(outcomes[0]).toHaveProperty('type', 'task_cancelled_exception')
    expect(events).toEqual(['invert ab'])
    // Those that share its chunk are written, and nothing of it follows.
    expect((await other)[0]).toHaveProperty('result', 'created')
    expect((await queue.add([small[2]] as WriteOperation[], () => null))[0]).toHaveProperty(
      'result',
      'created',
    )
    expect(outcomes[0]).toHaveProperty('type', 'task_cancelled_exception')
    expect(events).toEqual(['invert ab', 'accept ab', 'invert c', 'accept c'])
  })

  it('withdraws all while room is made, and nothing that others wait for', async () => {
    let isMade = (): void => {}
    const { queue, events } = rig(
      () => true,
      () =>
        new Promise(resolve => {
          isMade = resolve
        }),
    )
    const caller = cancellation()
    const before = queue.add(documents('a'), () => null, caller)
    const other = queue.add(documents('b'), () => null)
    const after = queue.add(documents('c'), () => null, caller)
    await new Promise(resolve => setTimeout(resolve, 5))
    caller.cancel()
    for (const outcome of [...(await before), ...(await after)])
      expect((outcome as EngineError).type).toBe('task_cancelled_exception')
    const late = queue.add(documents('d'), () => null, caller)
    expect((await late)[0]).toHaveProperty('type', 'task_cancelled_exception')
    isMade()
    expect(await other).toHaveLength(1)
    expect(events).toEqual(['invert b', 'accept b'])
  })

  it('has nothing to write where all was withdrawn while room was made', async () => {
    let isMade = (): void => {}
    const { queue, events } = rig(
      () => true,
      () =>
        new Promise(resolve => {
          isMade = resolve
        }),
    )
    const caller = cancellation()
    const given = queue.add(documents('ab'), () => null, caller)
    await new Promise(resolve => setTimeout(resolve, 5))
    caller.cancel()
    expect(await given).toHaveLength(2)
    isMade()
    const later = queue.add(documents('c'), () => null)
    await new Promise(resolve => setTimeout(resolve, 5))
    isMade()
    await later
    expect(events).toEqual(['invert c', 'accept c'])
  })

  it('answers with the failure where there is one', async () => {
    const { queue } = rig(() => true)
    const failure = new Error('the disk is full')
    await expect(queue.add(documents('ab'), () => failure)).rejects.toBe(failure)
  })
})
