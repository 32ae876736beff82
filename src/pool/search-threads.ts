import { deserialize, serialize } from 'node:v8'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import type { Arena } from '../store/arena.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { CommandSlot } from './command-slot.ts'
import type { LoopNotice, LoopStart } from './messages.ts'
import { oneThread } from './one-thread.ts'
import { RestartLimit } from './restart-limit.ts'

/** A worker died while it ran a request; another one may be asked. */
export class WorkerLostError extends Error {
  constructor(reason: string) {
    super(`a search worker was lost: ${reason}`)
    this.name = 'WorkerLostError'
  }
}

export interface SearchThreadsOptions {
  readonly threads: number
  /** Module of the worker; its default export gives a `LoopStart` to `startLoop`. */
  readonly worker: URL
  /** Requests that may wait for a thread. */
  readonly maxQueue: number
  /** Handed to every thread at its start. */
  readonly control: SharedArrayBuffer
}

/** An answer, with who gave it and when it was handed over. */
export interface Answer {
  readonly value: unknown
  /** Number of the thread, from 0. */
  readonly worker: number
}

interface Waiting {
  readonly bytes: Uint8Array
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly number: number
  /** Of this one thread, and of its successor another; null before the first. */
  pool: Piscina | null
  slot: CommandSlot
  port: MessagePort
  current: Waiting | null
  isUp: boolean
}

/**
 * The threads that run slices. Piscina owns their life cycle, each thread in a pool of its own; a
 * first task has it loop on a command slot, through which all requests go. Threads start with the
 * first request. They do not keep the process alive; a request under way does.
 */
export class SearchThreads {
  readonly #options: SearchThreadsOptions
  readonly #threads: Thread[] = []
  readonly #queue: Waiting[] = []
  readonly #arenas: Arena[] = []
  readonly #restarts = new RestartLimit()
  #keepAlive: NodeJS.Timeout | null = null
  #busy = 0
  #isClosed = false

  constructor(options: SearchThreadsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#options.threads
  }

  /** Requests that wait for a thread. */
  get queued(): number {
    return this.#queue.length
  }

  /** Makes an arena known to every thread before its next request. */
  addArena(arena: Arena): void {
    this.#arenas.push(arena)
    for (const thread of this.#threads) this.#tell(thread, arena)
  }

  /**
   * Runs a request on the next free thread.
   * @param request plain data; it is serialized at once
   * @throws {EngineError} the request's own error, or `rejected_execution_exception` when the queue
   *   is full
   * @throws {WorkerLostError} when its thread died
   */
  run(request: unknown): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new WorkerLostError('the pool is closed'))
    if (this.#queue.length >= this.#options.maxQueue)
      return Promise.reject(
        new EngineError({
          type: 'rejected_execution_exception',
          reason: `rejected execution of a slice: ${this.#queue.length} wait already, the limit is ${this.#options.maxQueue}`,
        }),
      )
    this.#start()
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes: serialize(request), resolve, reject })
      this.#dispatch()
    })
  }

  /** Ends all threads; requests under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiting of this.#queue.splice(0))
      waiting.reject(new WorkerLostError('the pool is closed'))
    for (const { current, slot } of this.#threads) if (current === null) slot.stop()
    await Promise.all(this.#threads.map(thread => thread.pool?.destroy()))
    for (const thread of this.#threads) this.#onEnd(thread, 'the pool is closed')
    this.#setKeepAlive(false)
  }

  #start(): void {
    if (this.#threads.length > 0) return
    for (let number = 0; number < this.#options.threads; number++) {
      const thread: Thread = {
        number,
        pool: null,
        slot: new CommandSlot(),
        port: new MessageChannel().port1,
        current: null,
        isUp: false,
      }
      this.#threads.push(thread)
      this.#launch(thread)
    }
  }

  /** Starts the loop of a thread over a slot of its own, and again whenever it dies. */
  #launch(thread: Thread): void {
    const { port1, port2 } = new MessageChannel()
    thread.slot = new CommandSlot()
    thread.port = port1
    port1.unref()
    for (const arena of this.#arenas) this.#tell(thread, arena)
    const { slot } = thread
    const onEnd = (reason: string): void => {
      // A thread that was launched again has another slot: its old one's end is known.
      if (thread.slot === slot) this.#onEnd(thread, reason)
    }
    const pool = oneThread(this.#options.worker, onEnd)
    void thread.pool?.destroy()
    thread.pool = pool
    const start: LoopStart = {
      slot: slot.shared,
      control: this.#options.control,
      worker: thread.number,
      port: port2,
    }
    thread.isUp = true
    pool.run(start, { transferList: [port2] }).then(
      (threadId: number) => {
        const worker = pool.threads.find(each => each.threadId === threadId)
        if (worker === undefined) onEnd('it ended at its start')
        else worker.once('exit', code => onEnd(`it ended with code ${code}`))
      },
      (error: unknown) => onEnd(error instanceof Error ? error.message : String(error)),
    )
  }

  #onEnd(thread: Thread, reason: string): void {
    if (!thread.isUp) return
    const lost = thread.current
    thread.isUp = false
    thread.current = null
    thread.port.close()
    if (lost !== null) {
      this.#release()
      lost.reject(new WorkerLostError(reason))
    }
    if (this.#isClosed) return
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
    for (const thread of this.#threads) {
      if (this.#queue.length === 0) return
      if (thread.isUp && thread.current === null) this.#hand(thread, this.#queue.shift()!)
    }
  }

  #hand(thread: Thread, waiting: Waiting): void {
    thread.current = waiting
    this.#busy++
    this.#setKeepAlive(true)
    if (!thread.slot.putRequest(waiting.bytes)) {
      const notice: LoopNotice = { kind: 'large', bytes: waiting.bytes }
      thread.port.postMessage(notice)
    }
    const { slot, port } = thread
    slot.wake()
    void slot.answered().then(() => {
      // A thread that died was relaunched with another slot: its late answer is nobody's.
      if (thread.slot !== slot || thread.current !== waiting) return
      const { failed, bytes } = slot.takeAnswer()
      const answer = bytes ?? (receiveMessageOnPort(port)!.message as Uint8Array)
      thread.current = null
      this.#release()
      const value = deserialize(answer)
      if (failed) waiting.reject(new EngineError(value as ErrorRecord))
      else waiting.resolve({ value, worker: thread.number })
      this.#dispatch()
    })
  }

  #release(): void {
    this.#busy--
    if (this.#busy === 0 && this.#queue.length === 0) this.#setKeepAlive(false)
  }

  #setKeepAlive(on: boolean): void {
    if (on) this.#keepAlive ??= setInterval(() => {}, 1 << 30)
    else if (this.#keepAlive !== null) {
      clearInterval(this.#keepAlive)
      this.#keepAlive = null
    }
  }

  #tell(thread: Thread, arena: Arena): void {
    const notice: LoopNotice = { kind: 'arena', index: arena.index, memory: arena.memory }
    thread.port.postMessage(notice)
  }
}
