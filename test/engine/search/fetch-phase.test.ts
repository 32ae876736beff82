import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import type { SearchOutcome } from '../../../src/engine/api/searches.ts'
import { type CallContext, trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { bulk, createIndex, engineWith, targetOf } from '../../support/engine-calls.ts'

/** More hits than one turn can read and explain. */
const MANY = 3000
const LONG = { query: { match: { text: 'common' } }, size: MANY, explain: true }

let engine: EngineApi

async function filledEngine(): Promise<EngineApi> {
  const filled = await engineWith(null)
  await createIndex(filled, 'i', { 'index.number_of_shards': '2' })
  const lines = Array.from({ length: MANY }, (_, i) => [
    { index: { _id: `${i}` } },
    { text: `common w${i % 7}` },
  ])
  await bulk(filled, 'i', lines.flat(), 'true')
  return filled
}

beforeAll(async () => {
  engine = await filledEngine()
})

afterAll(() => engine.close())

function start(
  from: EngineApi,
  body: unknown,
  context: CallContext = trusted('indices:data/read/search'),
): Promise<SearchOutcome> {
  const tree = parseJsonTree(encodeUtf8(JSON.stringify(body)))
  const call = { target: targetOf('i'), body: tree, options: {}, human: false }
  return from.searches.search(call, context)
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function heldBytes(): number {
  return engine.memory.breakers().find(({ name }) => name === 'request')!.usedInBytes
}

describe('the fetch phase', () => {
  it('reads a few hits in the turn that asked for them, however long that is', async () => {
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await start(engine, { query: { term: { text: 'w3' } }, version: true, size: 7 })
    expect(hasTurned).toBe(false)
  })

  it('lets the event loop turn while it reads many, and gives them in order', async () => {
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const { body } = await start(engine, LONG)
    isOver = true
    expect(turns).toBeGreaterThan(2)
    const { hits } = body['hits'] as unknown as { hits: { _score: { value: number } }[] }
    const scores = hits.map(hit => hit._score.value)
    expect(scores.length).toBe(MANY)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(heldBytes()).toBe(0)
  })

  it('stops between two turns when it is cancelled, and lets go of what it holds', async () => {
    const context = trusted('indices:data/read/search')
    let isOver = false
    const search = start(engine, LONG, context).finally(() => {
      isOver = true
    })
    search.catch(() => {})
    // A task is listed from its first wait on.
    while (context.task.number === 0 && !isOver) await nextTurn()
    context.task.cancel()
    await expect(search).rejects.toMatchObject({ type: 'task_cancelled_exception' })
    expect(heldBytes()).toBe(0)
  })

  it('ends with an error when the engine closes meanwhile', async () => {
    const closing = await filledEngine()
    const search = start(closing, LONG)
    search.catch(() => {})
    await nextTurn()
    await closing.close()
    await expect(search).rejects.toThrow('the engine is closed')
  })
})
