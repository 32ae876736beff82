import { afterAll, describe, expect, it, vi } from 'vitest'
import { ControlBuffer } from '../../src/pool/control-buffer.ts'
import { Lane, LaneLostError } from '../../src/pool/lane.ts'
import { SearchThreads, WorkerLostError } from '../../src/pool/search-threads.ts'
import { createArena } from '../../src/store/arena.ts'
import { EngineError } from '../../src/util/errors.ts'
import type { WordWriter } from '../../src/util/word-record.ts'
import { cancellation } from '../support/cancellation.ts'
import { PATIENCE_IN_MILLIS } from '../support/patience.ts'

const worker = new URL('./fixtures/loop-worker.mjs', import.meta.url)
const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const pool of open) await pool.close()
})

function threads(count: number, maxQueue = 100): SearchThreads {
  const control = new ControlBuffer().shared
  const pool = new SearchThreads({ threads: count, worker, maxQueue, control })
  open.push(pool)
  return pool
}

/** Waits until all threads of a pool answer: on a busy machine one is up long before another. */
async function allUp(pool: SearchThreads): Promise<void> {
  const isUp = async (): Promise<boolean> => {
    const asked = Array.from({ length: pool.size }, () => pool.run({ do: 'echo' }))
    const answers = await Promise.all(asked)
    return new Set(answers.map(answer => answer.worker)).size === pool.size
  }
  await vi.waitUntil(isUp, { timeout: PATIENCE_IN_MILLIS })
}

describe('search threads', () => {
  it('answer many requests at once, small and large, each its own', async () => {
    const pool = threads(2)
    await allUp(pool)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        pool.run({ do: 'echo', i, bytes: new Uint8Array(i % 7 === 0 ? 600_000 : 10).fill(i) }),
      ),
    )
    answers.forEach(({ value, worker: number }, i) => {
      const echo = value as { i: number; worker: number; bytes: Uint8Array }
      expect(echo.i).toBe(i)
      expect(echo.worker).toBe(number)
      expect(echo.bytes.at(-1)).toBe(i)
    })
    expect(new Set(answers.map(answer => answer.worker)).size).toBe(2)
  })

  it('answer word records too, in their slot or past it, each its own', async () => {
    const pool = threads(2)
    const echo = async (length: number, value: number): Promise<Uint8Array> => {
      const sent = new Uint8Array(length).fill(value)
      let got: Uint8Array = new Uint8Array(0)
      await pool.runRecord({
        write: (_, into) => {
          into.bytes(sent)
          return true
        },
        read: from => {
          got = from.bytes()
        },
      })
      return got
    }
    const lengths = [0, 1, 900, 262_128, 262_136, 262_137, 600_000, 5]
    const answers = await Promise.all(lengths.map((length, i) => echo(length, i)))
    answers.forEach((answer, i) => {
      expect(answer).toEqual(new Uint8Array(lengths[i]!).fill(i))
    })
    await expect(echo(13, 0)).rejects.toThrow('TypeError: asked to fail')
    expect(await echo(3, 7)).toEqual(Uint8Array.of(7, 7, 7))
    // Nothing to ask: the thread is not bothered.
    const read = (): never => {
      throw new Error('nothing was asked')
    }
    await pool.runRecord({ write: () => false, read })
  })

  it('know every arena before the request that may name it', async () => {
    const pool = threads(1)
    pool.addArena(createArena(0))
    expect((await pool.run({ do: 'arenas' })).value).toEqual([0])
    pool.addArena(createArena(1))
    expect((await pool.run({ do: 'arenas' })).value).toEqual([0, 1])
  })

  it('tell for whom they run of each run and the processor time that it took', async () => {
    const pool = threads(1)
    const runs: (number | null)[] = []
    const signal = {
      isCancelled: false,
      onCancel: () => () => {},
      beginExecution: () => {
        const at = runs.push(null) - 1
        return (cpuInNanos: number) => {
          runs[at] = cpuInNanos
        }
      },
    }
    await pool.run({ do: 'echo' }, signal)
    await expect(pool.run({ do: 'fail' }, signal)).rejects.toThrow('asked to fail')
    await pool.runRecord({
      signal,
      write: (_, into) => {
        into.bytes(new Uint8Array(3))
        return true
      },
      read: () => {},
    })
    await pool.runRecord({ signal, write: () => false, read: () => {} })
    await expect(pool.run({ do: 'die' }, signal)).rejects.toBeInstanceOf(WorkerLostError)
    expect(runs).toHaveLength(4)
    for (const nanos of runs.slice(0, 3)) expect(nanos).toBeGreaterThan(0)
    expect(runs[3]).toBe(0)
  })

  it('withdraw what waits for them where its caller gives up, a start of theirs included', async () => {
    const pool = threads(1)
    const [early, late] = [cancellation(), cancellation()]
    // Threads start with the first request: it waits until one has.
    const unborn = pool.run({ do: 'echo' }, early)
    early.cancel()
    await expect(unborn).rejects.toMatchObject({ type: 'task_cancelled_exception' })
    let hasRead = false
    const write = (_: object, into: WordWriter): boolean => {
      into.bytes(new Uint8Array(3))
      return true
    }
    const read = (): void => {
      hasRead = true
    }
    const running = pool.run({ do: 'echo' })
    const waiting = pool.runRecord({ signal: late, write, read })
    expect(pool.queued).toBe(2)
    late.cancel()
    await waiting
    expect(hasRead).toBe(false)
    expect(pool.queued).toBe(1)
    await running
    await pool.runRecord({ signal: cancellation(), write, read })
    expect(hasRead).toBe(true)
  })

  it('load what is asked of them before their next request, once', async () => {
    const pool = threads(2)
    await pool.run({ do: 'echo' })
    pool.prepare()
    pool.prepare()
    const counts = await Promise.all(Array.from({ length: 20 }, () => pool.run({ do: 'prepared' })))
    for (const { value } of counts) expect(value).toBe(1)
    expect(pool.use().completed).toBe(21)
  })

  it('reject a request where none can start', async () => {
    const control = new ControlBuffer().shared
    const missing = new URL('./fixtures/missing-worker.mjs', import.meta.url)
    const pool = new SearchThreads({ threads: 1, worker: missing, maxQueue: 10, control })
    open.push(pool)
    await expect(pool.run({ do: 'echo' })).rejects.toBeInstanceOf(WorkerLostError)
  })

  it('hand an error over as plain data', async () => {
    const pool = threads(1)
    await expect(pool.run({ do: 'fail' })).rejects.toThrow('TypeError: asked to fail')
    await expect(pool.run({ do: 'fail' })).rejects.toBeInstanceOf(EngineError)
  })

  it('reject the request whose thread dies, and it alone; the pool is whole again', async () => {
    const pool = threads(2)
    pool.addArena(createArena(0))
    await pool.run({ do: 'echo' })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => pool.run({ do: i === 5 ? 'die' : 'echo', i })),
    )
    results.forEach((result, i) => {
      if (i === 5) {
        expect(result.status).toBe('rejected')
        expect((result as PromiseRejectedResult).reason).toBeInstanceOf(WorkerLostError)
      } else expect(result.status).toBe('fulfilled')
    })
    const again = await Promise.all(Array.from({ length: 30 }, () => pool.run({ do: 'arenas' })))
    expect(again.every(({ value }) => (value as number[]).length === 1)).toBe(true)
  })

  it('refuse what would wait past the limit of the queue', async () => {
    const pool = threads(1, 3)
    const runs = Array.from({ length: 10 }, () => pool.run({ do: 'echo' }))
    const results = await Promise.allSettled(runs)
    const refused = results.filter(result => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused as PromiseRejectedResult[])
      expect((reason as EngineError).type).toBe('rejected_execution_exception')
  })

  it('reject what runs or waits when the pool is closed', async () => {
    const pool = threads(1)
    await pool.run({ do: 'echo' })
    const waiting = Array.from({ length: 5 }, () => pool.run({ do: 'echo' }))
    const settled = Promise.allSettled(waiting)
    await pool.close()
    for (const result of await settled)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(WorkerLostError)
    await expect(pool.run({ do: 'echo' })).rejects.toBeInstanceOf(WorkerLostError)
  })
})

describe('threads whose module does not load', () => {
  const broken = new URL('./fixtures/broken-worker.mjs', import.meta.url)

  it('reject what they are asked instead of leaving it open', async () => {
    const control = new ControlBuffer().shared
    const pool = new SearchThreads({ threads: 1, worker: broken, maxQueue: 5, control })
    const lane = new Lane(broken)
    await expect(pool.run({ do: 'echo' })).rejects.toBeInstanceOf(WorkerLostError)
    await expect(lane.run({ do: 'echo' })).rejects.toBeInstanceOf(LaneLostError)
    await Promise.all([pool.close(), lane.close()])
  })
})

describe('a lane', () => {
  it('keeps order and state, and starts over in a new thread when its own dies', async () => {
    const lane = new Lane(new URL('./fixtures/lane-worker.mjs', import.meta.url))
    open.push(lane)
    const counts = await Promise.all(Array.from({ length: 5 }, () => lane.run({ do: 'count' })))
    expect(counts.map(answer => (answer as { count: number }).count)).toEqual([1, 2, 3, 4, 5])
    await expect(lane.run({ do: 'fail' })).rejects.toThrow('asked to fail')
    await expect(lane.run({ do: 'die' })).rejects.toBeInstanceOf(LaneLostError)
    expect(await lane.run({ do: 'count' })).toEqual({ count: 1, do: 'count' })
  })

  it('stops the request under way, though it never ends, and runs those behind it', async () => {
    const lane = new Lane(new URL('./fixtures/lane-worker.mjs', import.meta.url))
    open.push(lane)
    const begun = new SharedArrayBuffer(4)
    const spinning = lane.run({ do: 'spin', begun }).catch((error: unknown) => error)
    const next = lane.run({ do: 'count' })
    await vi.waitUntil(() => Atomics.load(new Int32Array(begun), 0) === 1, {
      timeout: PATIENCE_IN_MILLIS,
    })
    lane.stop()
    const error = await spinning
    expect(error).toBeInstanceOf(LaneLostError)
    expect((error as LaneLostError).isStopped).toBe(true)
    expect(await next).toEqual({ count: 1, do: 'count' })
  })
})
