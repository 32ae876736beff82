import { refuseCancelled } from '../util/cancelled-error.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError, type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { LinkedList } from '../util/linked-list.ts'
import { type CallContext, type ContextParts, requestContext } from './call-context.ts'
import type { Task, TaskList } from './task.ts'

/** Results of detached tasks that could not be stored; past so many the oldest goes. */
const KEPT_RESULTS = 1000

/** The outcome of a detached task: an answer, or the error that ended it. */
export type TaskOutcome = { readonly response: JsonValue } | { readonly error: ErrorRecord }

/** The result of a detached task that could not be stored. */
export interface TaskResult {
  readonly task: Task
  readonly outcome: TaskOutcome
}

/** Stores the outcome of a task for good; rejects where that fails. */
export type StoreResult = (task: Task, outcome: TaskOutcome) => Promise<void>

/**
 * The tasks of one node that wait for something. A task is listed from its first wait on: a call that
 * ends in the turn in which it began could not be seen in any list, and is spared the cost.
 */
export class TaskRegistry implements TaskList {
  readonly #nodeId: string
  /** Null: results stay in memory. */
  store: StoreResult | null = null
  readonly #tasks = new LinkedList<Task>()
  readonly #results = new Map<number, TaskResult>()
  /** Task → callbacks of the callers that wait for its end. */
  readonly #waiters = new Map<Task, Set<() => void>>()
  #last: number

  /** @param last number before that of the first task */
  constructor(nodeId: string, last = 0) {
    this.#nodeId = nodeId
    this.#last = last
  }

  /** Tasks that run, in the order in which they were listed. */
  running(): Task[] {
    return [...this.#tasks]
  }

  /** A task that runs, by its number; null when none does. */
  task(number: number): Task | null {
    return this.running().find(task => task.number === number) ?? null
  }

  /** The result of a task that could not be stored, by its number; null for any other. */
  result(number: number): TaskResult | null {
    return this.#results.get(number) ?? null
  }

  enter(task: Task): void {
    if (task.number !== 0 || task.endInNanos !== null) return
    // A listed task names its parent, which so has to have an id.
    if (task.parent !== null) this.enter(task.parent)
    task.number = ++this.#last
    task.nodeId = this.#nodeId
    task.unlist = this.#tasks.add(task)
    this.#leaveWithCall(task)
  }

  /**
   * Runs a call that may well end in this turn: it is listed once it asks to be told of cancellation.
   * A request's context is not touched: the request listed it.
   */
  run<T>(context: CallContext, call: () => Promise<T>): Promise<T> {
    const { task } = context
    if (task.owner === 'request') return call()
    task.list = this
    const promise = call()
    // From here on it waits, which takes no processor.
    task.firstTurnEndInNanos ??= nowInNanos()
    task.call = promise
    this.#leaveWithCall(task)
    return promise
  }

  /** Runs a call that waits: it is listed when it does. */
  runWaiting<T>(context: CallContext, call: () => Promise<T>): Promise<T> {
    const promise = this.run(context, call)
    if (context.task.owner === 'call') this.enter(context.task)
    return promise
  }

  /** Runs a request under a task of its own, listed from the handler's first wait to its end. */
  serve<T>(parts: ContextParts, handle: (context: CallContext) => T | Promise<T>): T | Promise<T> {
    const context = requestContext(parts)
    const { task } = context
    task.list = this
    let result: T | Promise<T>
    try {
      result = handle(context)
    } catch (error) {
      this.#leave(task)
      throw error
    }
    if (!(result instanceof Promise)) {
      this.#leave(task)
      return result
    }
    task.firstTurnEndInNanos = nowInNanos()
    this.enter(task)
    return result.finally(() => this.#leave(task))
  }

  /**
   * Runs a step as a task that no request waits for, and has its result stored before it leaves the list.
   * @returns the task's id
   */
  detach(from: CallContext, step: (context: CallContext) => Promise<JsonValue>): string {
    const { task, running } = this.#beside(from, step)
    running.then(
      response => this.#keep(task, { response }),
      (error: unknown) => this.#keep(task, { error: toErrorRecord(error) }),
    )
    return task.id
  }

  /** Runs a step as a task that no request waits for and whose result nobody asks for. */
  runBeside(from: CallContext, step: (context: CallContext) => Promise<unknown>): void {
    const { task, running } = this.#beside(from, step)
    const leave = (): void => this.#leave(task)
    running.then(leave, leave)
  }

  #beside<T>(
    from: CallContext,
    step: (context: CallContext) => Promise<T>,
  ): { readonly task: Task; readonly running: Promise<T> } {
    const { task: asked, principal, access, opaqueId, changeTimeoutInMillis } = from
    const { action } = asked
    const parts = { action, principal, access, opaqueId, changeTimeoutInMillis }
    const context = requestContext(parts)
    const { task } = context
    task.list = this
    this.enter(task)
    const running = step(context)
    task.firstTurnEndInNanos = nowInNanos()
    return { task, running }
  }

  async #keep(task: Task, outcome: TaskOutcome): Promise<void> {
    if (this.store === null) this.#remember({ task, outcome })
    else
      try {
        await this.store(task, outcome)
      } catch {
        // The store has noted why; until the end of the process it can be asked for here.
        this.#remember({ task, outcome })
      }
    this.#leave(task)
  }

  #remember(result: TaskResult): void {
    this.#results.set(result.task.number, result)
    if (this.#results.size > KEPT_RESULTS) this.#results.delete(this.#results.keys().next().value!)
  }

  /** Cancels a task and its children. */
  cancel(task: Task): void {
    task.cancel()
    for (const other of this.#tasks) if (other.parent === task) this.cancel(other)
  }

  /**
   * Waits for the end of tasks.
   * @param waiting the call that waits; its cancellation ends the waiting
   * @throws {EngineError} 500 `timeout_exception` after the time; `task_cancelled_exception`
   */
  async completion(
    tasks: readonly Task[],
    timeoutInMillis: number,
    waiting: CallContext,
  ): Promise<void> {
    const deadline = performance.now() + timeoutInMillis
    for (const task of tasks) {
      const isOver = await this.#ended(task, deadline - performance.now(), waiting)
      refuseCancelled(waiting)
      if (!isOver)
        throw new EngineError({
          type: 'timeout_exception',
          reason: `Timed out waiting for completion of [${task.id}]`,
          status: 500,
        })
    }
  }

  /** Resolves when a task has ended, or with false when the time is up or the waiting is cancelled. */
  #ended(task: Task, millis: number, waiting: CallContext): Promise<boolean> {
    if (task.endInNanos !== null) return Promise.resolve(true)
    return new Promise(resolve => {
      const done = (): void => {
        clearTimeout(timer)
        stopListening()
        this.#waiters.get(task)?.delete(done)
        resolve(task.endInNanos !== null)
      }
      const timer = setTimeout(done, Math.min(Math.max(0, millis), 0x7fffffff))
      const stopListening = waiting.onCancel(done)
      const waiters = this.#waiters.get(task) ?? new Set()
      this.#waiters.set(task, waiters.add(done))
      if (waiting.isCancelled) done()
    })
  }

  /** A task that a call owns and that is listed leaves when that call settles. */
  #leaveWithCall(task: Task): void {
    if (task.number === 0 || task.call === null) return
    const leave = (): void => this.#leave(task)
    task.call.then(leave, leave)
  }

  #leave(task: Task): void {
    task.endInNanos ??= nowInNanos()
    task.unlist?.()
    const waiters = this.#waiters.get(task)
    this.#waiters.delete(task)
    for (const waiter of waiters ?? []) waiter()
  }
}
