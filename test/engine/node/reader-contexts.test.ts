import { describe, expect, it, vi } from 'vitest'
import { decodeContextId, encodeContextId } from '../../../src/engine/node/context-id.ts'
import {
  type HeldReaders,
  type ReaderContext,
  ReaderContexts,
} from '../../../src/engine/node/reader-contexts.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'

const ANN = { name: 'ann' }
const BEN = { name: 'ben' }

/** Readers of some shards of one index, which tell what has become of them. */
class Readers implements HeldReaders {
  shardCount: number
  releases = 0

  constructor(shardCount = 1) {
    this.shardCount = shardCount
  }

  dropIndex(uuid: string): void {
    if (uuid === 'gone') this.shardCount = 0
  }

  release(): void {
    this.releases++
  }
}

/** Contexts over a clock that stands until it is moved. */
function contextsAt(start = 1000): { contexts: ReaderContexts; clock: { now: number } } {
  const clock = { now: start }
  return { contexts: new ReaderContexts('scroll', () => clock.now), clock }
}

function open(contexts: ReaderContexts, held = new Readers(), keepAlive = 60_000): ReaderContext {
  const context = contexts.begin(held, ANN, keepAlive)
  contexts.end(context)
  return context
}

describe('contexts', () => {
  it('are found by their ids until they are freed', () => {
    const { contexts } = contextsAt()
    const held = new Readers(3)
    const { id, number } = open(contexts, held)
    const found = contexts.use(id, ANN) as ReaderContext
    expect([found.held, found.number, contexts.shardCount]).toEqual([held, number, 3])
    contexts.end(found)
    expect(contexts.free(id, ANN)).toBe(3)
    expect(contexts.use(id, ANN)).toEqual({ missing: number })
    expect([contexts.free(id, ANN), held.releases, contexts.shardCount]).toEqual([0, 1, 0])
  })

  it('end when nobody has used them for their keep-alive', () => {
    const { contexts, clock } = contextsAt()
    const held = new Readers()
    const { id, number } = open(contexts, held, 100)
    clock.now += 99
    contexts.end(contexts.use(id, ANN) as ReaderContext)
    clock.now += 99
    expect(contexts.list(ANN)).toHaveLength(1)
    clock.now += 1
    expect(contexts.use(id, ANN)).toEqual({ missing: number })
    expect(held.releases).toBe(1)
  })

  it('are released by a timer where nobody asks for them', async () => {
    const contexts = new ReaderContexts('pit')
    const held = new Readers()
    open(contexts, held, 1)
    await vi.waitFor(() => expect(held.releases).toBe(1), { timeout: PATIENCE_IN_MILLIS })
    expect(contexts.shardCount).toBe(0)
  })

  it('do not end while they are used', () => {
    const { contexts, clock } = contextsAt()
    const held = new Readers()
    const { id } = open(contexts, held, 100)
    const used = contexts.use(id, ANN) as ReaderContext
    clock.now += 1000
    expect(contexts.list(ANN)).toHaveLength(1)
    expect(contexts.free(id, ANN)).toBe(1)
    expect(held.releases).toBe(0)
    contexts.end(used)
    expect(held.releases).toBe(1)
  })

  it('end with the last of their indices, and with the node', () => {
    const { contexts } = contextsAt()
    const [first, second] = [new Readers(), new Readers()]
    const { id } = open(contexts, first)
    contexts.dropIndex('other')
    expect(contexts.shardCount).toBe(1)
    contexts.dropIndex('gone')
    expect([first.releases, contexts.use(id, ANN)]).toEqual([1, { missing: 1 }])
    open(contexts, second)
    contexts.close()
    expect(second.releases).toBe(1)
  })

  it('keep the snapshots of an index that goes while they are used', () => {
    const { contexts } = contextsAt()
    const held = new Readers(2)
    const { id } = open(contexts, held)
    const used = contexts.use(id, ANN) as ReaderContext
    contexts.dropIndex('gone')
    expect([held.shardCount, held.releases]).toEqual([2, 0])
    contexts.end(used)
    expect([held.shardCount, held.releases, contexts.list(ANN)]).toEqual([0, 1, []])
  })

  it('are those of the caller alone', () => {
    const { contexts } = contextsAt()
    const { id } = open(contexts)
    expect(contexts.list(BEN)).toEqual([])
    expect(contexts.use(id, BEN)).toEqual({ missing: 1 })
    expect(contexts.free(id, BEN)).toBe(0)
    expect(contexts.list(ANN)).toHaveLength(1)
  })
})

describe('the id of a context', () => {
  it('is that of the example', () => {
    expect(encodeContextId('scroll', new Uint8Array(8), 5)).toBe('AQAAAAAAAAAAAAAAAAAF')
  })

  it('is none of another kind, length or alphabet', () => {
    const id = encodeContextId('scroll', new Uint8Array(8).fill(7), 2 ** 40 + 3)
    expect(decodeContextId('scroll', id)?.number).toBe(2 ** 40 + 3)
    for (const text of [
      '',
      'x',
      `${id}A`,
      id.slice(1),
      `${id}=`,
      ` ${id}`,
      '!!!!',
      'AAAA'.repeat(5),
    ])
      expect(decodeContextId('scroll', text)).toBe(null)
    expect(decodeContextId('pit', id)).toBe(null)
  })

  it('of another node is missing, and of none is no id', () => {
    const { contexts } = contextsAt()
    open(contexts)
    const other = encodeContextId('scroll', new Uint8Array(8), 1)
    expect(contexts.use(other, ANN)).toEqual({ missing: 1 })
    expect(contexts.use('made up', ANN)).toBe(null)
    expect([contexts.free('made up', ANN), contexts.isId(other)]).toEqual([null, true])
  })
})
