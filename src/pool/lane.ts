/** A lane: one stateful thread with a FIFO of requests, for writes and merges. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Transferable } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { ARENA_KEY, type Arena, createArena, recycleArena } from '../store/arena.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { oneThread } from './one-thread.ts'
import { threadIdOf } from './pool-thread.ts'
import type { PoolUse } from './pool-use.ts'
import { RestartLimit } from './restart-limit.ts'

/** The thread of a lane died; its in-memory state is lost. */
export class LaneLostError extends Error {
  /** Whether `stop` ended it. */
  readonly isStopped: boolean

  constructor(reason: string, isStopped = false) {
    super(`a worker was lost: ${reason}`)
    this.name = 'LaneLostError'
    this.isStopped = isStopped
  }
}

/** Max retries of a request whose thread died. */
const MAX_LOSSES = 20

/**
 * Runs an idempotent request, and retries it when its thread dies.
 * @throws {LaneLostError} after too many deaths
 */
export async function outlivingThreads<T>(request: () => Promise<T>): Promise<T> {
  for (let losses = 0; ; losses++)
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof LaneLostError) || losses === MAX_LOSSES) throw error
    }
}

/** Max wait of `close` for the request under way. */
const PATIENCE_IN_MILLIS = 2000

/** The answer of a lane's worker: its result, or its error as plain data. */
export type LaneAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }

/**
 * One thread that runs its requests in order and keeps state between them: the buffers of a write
 * worker, the memory of a merge worker. Piscina owns its life cycle; the thread starts with the
 * first request and is replaced when it dies.
 */
export class Lane {
  readonly #worker: URL
  #pool: Piscina | null = null
  /** Memory of that pool's thread, reused by the next thread once it has ended. */
  #arena: Arena | null = null
  /** Rejects the request under way when the thread ends for another reason. */
  #onLost: ((error: LaneLostError) => void) | null = null
  readonly #restarts = new RestartLimit()
  #hasStarted = false
  #hasLostOne = false
  readonly #closing = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  /** Requests that are not answered yet, the one under way included. */
  #waiting = 0
  #completed = 0

  /** @param worker module whose default export takes a request and answers a `LaneAnswer` */
  constructor(worker: URL) {
    this.#worker = worker
  }

  /** Starts the thread ahead of the first request. */
  start(): void {
    if (!this.#closing.signal.aborted) this.#pooled()
  }

  /** The id of the thread; null when there is none. */
  get threadId(): number | null {
    return threadIdOf(this.#pool)
  }

  /** Counters of the thread and its requests. */
  use(): PoolUse {
    const active = Math.min(1, this.#waiting)
    return {
      threads: this.#pool === null ? 0 : 1,
      largest: this.#hasStarted ? 1 : 0,
      active,
      queued: this.#waiting - active,
      // Its queue has no limit.
      rejected: 0,
      completed: this.#completed,
      waitedInMillis: 0,
    }
  }

  /**
   * Runs a request after all earlier ones.
   * @param request plain data
   * @param transfer buffers whose ownership moves to the thread
   * @param signal   for whom it runs, who is told how long the thread took
   * @throws {EngineError} the request's own error
   * @throws {LaneLostError} when the thread died, or the lane was closed
   */
  run(
    request: unknown,
    transfer: readonly Transferable[] = [],
    signal: Cancellation | null = null,
  ): Promise<unknown> {
    // Piscina's own queue is not FIFO, so it gets one request at a time.
    this.#waiting++
    const turn = this.#last.then(() => this.#run(request, transfer, signal))
    const ended = (): void => {
      this.#waiting--
      this.#completed++
    }
    this.#last = turn.then(ended, ended)
    return turn
  }

  /**
   * Ends the thread at once, whatever it does: the request under way fails with a `LaneLostError`, those
   * behind it run on another thread.
   */
  stop(): void {
    this.#onLost?.(new LaneLostError('it was stopped', true))
  }

  async #run(
    request: unknown,
    transfer: readonly Transferable[],
    signal: Cancellation | null,
  ): Promise<unknown> {
    if (this.#pool === null && this.#hasLostOne)
      await delay(this.#restarts.next(), null, { signal: this.#closing.signal }).catch(() => {})
    if (this.#closing.signal.aborted) throw new LaneLostError('it is closed')
    const pool = this.#pooled()
    const endExecution = signal?.beginExecution?.() ?? null
    const started = nowInNanos()
    let answer: LaneAnswer
    try {
      answer = await new Promise<LaneAnswer>((resolve, reject) => {
        this.#onLost = reject
        pool.run(request, { transferList: [...transfer] }).then(resolve, reject)
      })
    } catch (error) {
      this.#giveUp(pool)
      if (error instanceof LaneLostError) throw error
      throw new LaneLostError(error instanceof Error ? error.message : String(error))
    } finally {
      // The thread does nothing else meanwhile.
      endExecution?.(nowInNanos() - started)
      this.#onLost = null
    }
    if (answer.kind === 'failed') throw new EngineError(answer.error)
    return answer.value
  }

  /** The pool with the thread, started if there is none. */
  #pooled(): Piscina {
    if (this.#pool !== null) return this.#pool
    const arena = createArena(0)
    this.#arena = arena
    const onLost = (reason: string): void => {
      if (this.#pool !== pool) return
      this.#onLost?.(new LaneLostError(reason))
      this.#giveUp(pool)
    }
    const pool = oneThread(this.#worker, onLost, { [ARENA_KEY]: arena.memory })
    this.#pool = pool
    this.#hasStarted = true
    return pool
  }

  /** Discards the pool: the next request starts another thread. */
  #giveUp(pool: Piscina): void {
    if (this.#pool !== pool) return
    this.#hasLostOne = true
    void this.#end(pool)
  }

  async #end(pool: Piscina): Promise<void> {
    const arena = this.#arena
    this.#pool = null
    this.#arena = null
    await pool.destroy()
    if (arena !== null) recycleArena(arena)
  }

  /**
   * Waits a bounded time for the request under way: a thread is best ended between two requests.
   */
  async close(): Promise<void> {
    this.#closing.abort()
    const patience = new AbortController()
    await Promise.race([
      this.#last,
      delay(PATIENCE_IN_MILLIS, null, { signal: patience.signal }).catch(() => {}),
    ])
    patience.abort()
    if (this.#pool !== null) await this.#end(this.#pool)
  }
}
