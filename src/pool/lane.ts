/** A lane: one stateful thread with a FIFO of requests, for writes and merges. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Transferable } from 'node:worker_threads'
import { ARENA_KEY, type Arena, createArena, recycleArena } from '../store/arena.ts'
import type { ExecutionCounter } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { OneThread } from './one-thread.ts'
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
  #thread: OneThread | null = null
  /** Memory of that thread, reused by the next thread once it has ended. */
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
    if (!this.#closing.signal.aborted) this.#started()
  }

  /** The id of the thread; null when there is none. */
  get threadId(): number | null {
    return this.#thread?.id ?? null
  }

  /** Counters of the thread and its requests. */
  use(): PoolUse {
    const active = Math.min(1, this.#waiting)
    return {
      threads: this.#thread === null ? 0 : 1,
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
    signal: ExecutionCounter | null = null,
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
    signal: ExecutionCounter | null,
  ): Promise<unknown> {
    if (this.#thread === null && this.#hasLostOne)
      await delay(this.#restarts.next(), null, { signal: this.#closing.signal }).catch(() => {})
    if (this.#closing.signal.aborted) throw new LaneLostError('it is closed')
    const thread = this.#started()
    const endExecution = signal?.beginExecution?.() ?? null
    const started = nowInNanos()
    let answer: LaneAnswer
    try {
      answer = await new Promise<LaneAnswer>((resolve, reject) => {
        this.#onLost = reject
        void thread.run(request, transfer).then(answer => resolve(answer as LaneAnswer), reject)
      })
    } catch (error) {
      this.#giveUp(thread)
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

  /** The thread, started if there is none. */
  #started(): OneThread {
    if (this.#thread !== null) return this.#thread
    const arena = createArena(0)
    this.#arena = arena
    const onLost = (reason: string): void => {
      if (this.#thread !== thread) return
      this.#onLost?.(new LaneLostError(reason))
      this.#giveUp(thread)
    }
    const thread = new OneThread(this.#worker, onLost, { [ARENA_KEY]: arena.memory })
    this.#thread = thread
    this.#hasStarted = true
    return thread
  }

  /** Discards the thread: the next request starts another one. */
  #giveUp(thread: OneThread): void {
    if (this.#thread !== thread) return
    this.#hasLostOne = true
    void this.#end(thread)
  }

  async #end(thread: OneThread): Promise<void> {
    const arena = this.#arena
    this.#thread = null
    this.#arena = null
    await thread.end()
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
    if (this.#thread !== null) await this.#end(this.#thread)
  }
}
