/** The pool of search threads: launch, queue, dispatch over command slots, and replacement. */
import { deserialize, serialize } from 'node:v8'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { Arena } from '../store/arena.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { cancelledError } from '../util/cancelled-error.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { WordReader, WordWriter } from '../util/word-record.ts'
import { CommandSlot } from './command-slot.ts'
import { FairQueue } from './fair-queue.ts'
import type { LoopNotice, LoopStart } from './messages.ts'
import { OneThread } from './one-thread.ts'
import type { PoolThread } from './pool-thread.ts'
import type { PoolUse } from './pool-use.ts'
import { RestartLimit } from './restart-limit.ts'
import { NEW_ONES_WAIT, NOBODY_WAITS, OTHERS_WAIT, ThreadBoard } from './thread-board.ts'

/** A worker died while it ran a request; the request may be retried. */
export class WorkerLostError extends Error {
  constructor(reason: string) {
    super(`a search worker was lost: ${reason}`)
    this.name = 'WorkerLostError'
  }
}

/** Options of the search threads. */
export interface SearchThreadsOptions {
  readonly threads: number
  /** Module of the worker; its default export gives a `LoopStart` to `startLoop`. */
  readonly worker: URL
  /** Max requests in the queue. */
  readonly maxQueue: number
  /** Given to every thread at its start. */
  readonly control: SharedArrayBuffer
  /**
   * Called when a thread is gone with its state; `thread` is the identity that requests were
   * written for.
   */
  readonly onThreadEnd?: (thread: object) => void
}

/** A request written as a word record once a thread is free for it. */
export interface RecordRequest {
  /**
   * Writes it for one thread.
   * @param thread identity of the thread and its state; a replacement has another one
   * @returns false when nothing is left to request
   */
  write(thread: object, into: WordWriter): boolean
  /** Reads the answer; the reader is valid only during the call. */
  read(answer: WordReader, worker: number): void
  /** For whom it runs, who is told of it; absent: nobody is. */
  readonly signal?: Cancellation | null
}

/** An answer, with its thread and its hand-over time. */
export interface Answer {
  readonly value: unknown
  /** Number of the thread, from 0. */
  readonly worker: number
}

interface Waiting {
  /** Serialised, or written on dispatch. */
  readonly request: Uint8Array | RecordRequest
  /** Time to spin on this thread for the answer, nanoseconds. */
  readonly soon: number
  /** For whom it runs. */
  readonly signal: Cancellation | null
  /** Ends the execution that its signal counts; null before it is handed on. */
  endExecution: ((cpuInNanos: number) => void) | null
  /** When it began to wait for a thread; 0: there was one. */
  since: number
  /** Its signal no longer takes it out of the queue; null: it does not wait there. */
  unlisten: (() => void) | null
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly number: number
  /** Null before the first; a thread that died is replaced. */
  worker: OneThread | null
  slot: CommandSlot
  port: MessagePort
  current: Waiting | null
  isUp: boolean
  /** Its modules are loaded. Requests wait in the queue until then, where they may be withdrawn. */
  isReady: boolean
  /** It is to load what was posted to it, and takes no other request before. */
  mustLoad: boolean
}

/** A request for nothing but to take what was posted before it. */
const LOAD: RecordRequest = { write: () => true, read: () => {} }

/**
 * The threads that run slices. Piscina owns their life cycle, each thread in a pool of its own; its
 * first task starts a loop over a command slot, through which all requests go. Threads start with
 * the first request. They do not keep the process alive; a request under way does.
 */
export class SearchThreads {
  readonly #options: SearchThreadsOptions
  readonly #threads: Thread[] = []
  readonly #queue = new FairQueue<Waiting>()
  readonly #board: ThreadBoard
  readonly #writer = new WordWriter()
  readonly #arenas: Arena[] = []
  readonly #restarts = new RestartLimit()
  #keepAlive: NodeJS.Timeout | null = null
  /** Whether threads are to load what scripted requests need. */
  #prepares = false
  #busy = 0
  #rejected = 0
  #completed = 0
  #waitedInMillis = 0
  #isClosed = false

  constructor(options: SearchThreadsOptions) {
    this.#options = options
    this.#board = new ThreadBoard(options.threads)
  }

  get size(): number {
    return this.#options.threads
  }

  /** Requests that wait for a thread. */
  get queued(): number {
    return this.#queue.length
  }

  /** The threads that run now. */
  running(): PoolThread[] {
    return this.#threads.flatMap(({ worker, number }) => {
      const threadId = worker?.id ?? null
      return threadId === null ? [] : [{ pool: 'search', number, threadId }]
    })
  }

  /** Counters of the threads and their requests. */
  use(): PoolUse {
    return {
      threads: this.#threads.length,
      largest: this.#threads.length,
      active: this.#busy,
      queued: this.#queue.length,
      rejected: this.#rejected,
      completed: this.#completed,
      waitedInMillis: this.#waitedInMillis,
    }
  }

  /** Sends an arena to every thread before its next request. */
  addArena(arena: Arena): void {
    this.#arenas.push(arena)
    for (const thread of this.#threads) this.#tell(thread, arena)
  }

  /** Has every thread load what further requests need (`LoopHandler.prepare`), before its next one. */
  prepare(): void {
    if (this.#prepares) return
    this.#prepares = true
    for (const thread of this.#threads) {
      this.#notify(thread, { kind: 'prepare' })
      thread.mustLoad = true
    }
    this.#dispatch()
  }

  /**
   * Runs a request on the next free thread. A cancellation withdraws it while it waits for one.
   * @param request plain data; it is serialized at once
   * @param signal  for whom it runs, who is told of it
   * @throws {EngineError} the request's own error, `rejected_execution_exception` when the queue is full,
   *   or `task_cancelled_exception`
   * @throws {WorkerLostError} when its thread died
   */
  run(request: unknown, signal: Cancellation | null = null): Promise<Answer> {
    return this.#ask(serialize(request), signal, false, 0)
  }

  /**
   * Runs a request that is written on dispatch; resolves once its answer is read, or at once when
   * there was nothing to request, or it was withdrawn.
   * @param hasRun whether it continues a preempted request
   * @param soon   time to spin for the answer before yielding to this thread's other work,
   *               nanoseconds: for very short requests
   * @throws as `run` does, and any error of `write`
   */
  async runRecord(request: RecordRequest, hasRun = false, soon = 0): Promise<void> {
    await this.#ask(request, request.signal ?? null, hasRun, soon)
  }

  #ask(
    request: Waiting['request'],
    signal: Cancellation | null,
    hasRun: boolean,
    soon: number,
  ): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new WorkerLostError('the pool is closed'))
    // A preempted request was admitted already.
    if (!hasRun && this.#queue.length >= this.#options.maxQueue) {
      this.#rejected++
      return Promise.reject(
        new EngineError({
          type: 'rejected_execution_exception',
          reason: `rejected execution of a slice: ${this.#queue.length} wait already, the limit is ${this.#options.maxQueue}`,
        }),
      )
    }
    this.#start()
    return new Promise((resolve, reject) => {
      const endExecution = null
      const waiting: Waiting = {
        request,
        signal,
        endExecution,
        soon,
        since: 0,
        unlisten: null,
        resolve,
        reject,
      }
      this.#queue.push(waiting, hasRun)
      this.#dispatch()
      // The rest of the queue waits; most requests are handed on at once.
      if (this.#queue.length === 0) return
      waiting.since = performance.now()
      waiting.unlisten = signal?.onCancel(() => this.#withdraw(waiting)) ?? null
      this.#setKeepAlive(true)
    })
  }

  /** Answers a request that waits for a thread. */
  #withdraw(waiting: Waiting): void {
    if (!this.#queue.remove(waiting)) return
    if (waiting.request instanceof Uint8Array) waiting.reject(cancelledError())
    else waiting.resolve({ value: null, worker: -1 })
    if (this.#busy === 0 && this.#queue.length === 0) this.#setKeepAlive(false)
  }

  /** Ends all threads; requests under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiting of this.#queue.drain())
      waiting.reject(new WorkerLostError('the pool is closed'))
    for (const { current, slot } of this.#threads) if (current === null) slot.stop()
    await Promise.all(this.#threads.map(({ worker }) => worker?.end()))
    for (const thread of this.#threads) this.#onEnd(thread, 'the pool is closed')
    if (this.#keepAlive !== null) clearInterval(this.#keepAlive)
  }

  #start(): void {
    if (this.#threads.length > 0) return
    for (let number = 0; number < this.#options.threads; number++) {
      const thread: Thread = {
        number,
        worker: null,
        slot: new CommandSlot(),
        port: new MessageChannel().port1,
        current: null,
        isUp: false,
        isReady: false,
        mustLoad: false,
      }
      this.#threads.push(thread)
      this.#launch(thread)
    }
  }

  /** Starts a thread's loop with a new slot; called again whenever the thread dies. */
  #launch(thread: Thread): void {
    const { port1, port2 } = new MessageChannel()
    thread.slot = new CommandSlot()
    thread.port = port1
    port1.unref()
    for (const arena of this.#arenas) this.#tell(thread, arena)
    if (this.#prepares) this.#notify(thread, { kind: 'prepare' })
    const { slot } = thread
    const onEnd = (reason: string): void => {
      // A relaunched thread has another slot: the end of the old one was handled.
      if (thread.slot === slot) this.#onEnd(thread, reason)
    }
    const worker = new OneThread(this.#options.worker, onEnd)
    void thread.worker?.end()
    thread.worker = worker
    const start: LoopStart = {
      slot: slot.shared,
      control: this.#options.control,
      board: this.#board.shared,
      worker: thread.number,
      port: port2,
    }
    thread.isUp = true
    thread.isReady = false
    thread.mustLoad = this.#prepares
    worker.run(start, [port2]).then(
      threadId => {
        worker.whenEnded(threadId as number, onEnd)
        if (thread.slot !== slot || !thread.isUp) return
        thread.isReady = true
        this.#dispatch()
      },
      (error: unknown) => onEnd(error instanceof Error ? error.message : String(error)),
    )
  }

  #onEnd(thread: Thread, reason: string): void {
    if (!thread.isUp) return
    const lost = thread.current
    this.#board.setAwake(thread.number, false)
    this.#options.onThreadEnd?.(thread.slot)
    thread.isUp = false
    thread.current = null
    thread.port.close()
    if (lost !== null) {
      lost.endExecution?.(0)
      this.#release()
      lost.reject(new WorkerLostError(reason))
    }
    if (this.#isClosed) return
    if (!thread.isReady) {
      // One that cannot start takes a request with it, or requests would wait for good.
      const first = this.#queue.take()
      first?.unlisten?.()
      first?.reject(new WorkerLostError(reason))
    }
    const wait = this.#restarts.next()
    const relaunch = (): void => {
      if (this.#isClosed) return
      this.#launch(thread)
      this.#dispatch()
    }
    if (wait === 0) relaunch()
    else setTimeout(relaunch, wait)
  }

  #dispatch(): void {
    for (const thread of this.#threads)
      while (thread.isUp && thread.isReady && thread.current === null) {
        if (thread.mustLoad) {
          this.#load(thread)
          break
        }
        const waiting = this.#queue.take()
        if (waiting === undefined) break
        this.#hand(thread, waiting)
      }
    const { length, hasNew } = this.#queue
    this.#board.setWaiting(hasNew ? NEW_ONES_WAIT : length > 0 ? OTHERS_WAIT : NOBODY_WAITS)
  }

  #load(thread: Thread): void {
    thread.mustLoad = false
    const done = (): void => {}
    const waiting = { request: LOAD, signal: null, endExecution: null, soon: 0, since: 0 }
    this.#hand(thread, { ...waiting, unlisten: null, resolve: done, reject: done })
  }

  /** Dispatches a request, unless nothing is left to request. */
  #hand(thread: Thread, waiting: Waiting): void {
    if (waiting.since > 0) this.#waitedInMillis += performance.now() - waiting.since
    waiting.unlisten?.()
    const { slot } = thread
    const { request } = waiting
    if (request instanceof Uint8Array) {
      if (!slot.putRequest(request)) this.#post(thread, request)
    } else {
      this.#writer.reset()
      try {
        if (!request.write(slot, this.#writer)) {
          waiting.resolve({ value: null, worker: thread.number })
          return
        }
      } catch (error) {
        waiting.reject(error)
        return
      }
      const { written } = this.#writer
      // A copy: the writer is reused for the next request.
      if (!slot.putRecord(written)) this.#post(thread, new Uint8Array(written.slice().buffer))
    }
    slot.wake()
    waiting.endExecution = waiting.signal?.beginExecution?.() ?? null
    thread.current = waiting
    this.#busy++
    this.#setKeepAlive(true)
    void this.#answered(thread, slot, waiting)
  }

  /** Posts a request that exceeds its slot. */
  #post(thread: Thread, bytes: Uint8Array): void {
    this.#notify(thread, { kind: 'large', bytes })
  }

  async #answered(thread: Thread, slot: CommandSlot, waiting: Waiting): Promise<void> {
    // Requests of the same turn are dispatched first.
    if (waiting.soon > 0) await null
    if (waiting.soon === 0 || !slot.isAnsweredWithin(waiting.soon)) await slot.answered()
    // A thread that died was relaunched with another slot: drop its late answer.
    if (thread.slot !== slot || thread.current !== waiting) return
    thread.current = null
    waiting.endExecution?.(slot.cpuInNanos)
    if (waiting.request !== LOAD) this.#completed++
    try {
      this.#take(thread, waiting)
    } catch (error) {
      waiting.reject(error)
    }
    this.#release()
    this.#dispatch()
  }

  #take(thread: Thread, { request, resolve, reject }: Waiting): void {
    const { slot, port, number } = thread
    const posted = (): Uint8Array => receiveMessageOnPort(port)!.message as Uint8Array
    if (slot.hasFailed) {
      reject(new EngineError(deserialize(slot.takeAnswer() ?? posted()) as ErrorRecord))
      return
    }
    let value: unknown = null
    if (request instanceof Uint8Array) value = deserialize(slot.takeAnswer() ?? posted())
    else request.read(new WordReader(slot.takeAnswerRecord() ?? wordsOf(posted())), number)
    resolve({ value, worker: number })
  }

  #release(): void {
    this.#busy--
    if (this.#busy === 0 && this.#queue.length === 0) this.#setKeepAlive(false)
  }

  #setKeepAlive(on: boolean): void {
    // One timer, unref'd and ref'd again: creating one costs more than the rest of a dispatch.
    if (on) (this.#keepAlive ??= setInterval(() => {}, 1 << 30)).ref()
    else this.#keepAlive?.unref()
  }

  #tell(thread: Thread, arena: Arena): void {
    this.#notify(thread, { kind: 'arena', index: arena.index, memory: arena.memory })
  }

  #notify({ port, slot }: Thread, notice: LoopNotice): void {
    port.postMessage(notice)
    slot.countPosted()
  }
}

/** The words of a posted record. */
function wordsOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
}
