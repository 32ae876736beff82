import { type ErrorType, IllegalArgumentError } from '../util/errors.ts'
import { underSignal } from './abort-error.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import { LamellaError, rethrown } from './lamella-error.ts'
import { readError, readState, readTask, type TaskInfo, type TaskState } from './task-record.ts'

/** The tasks that a call means: those that pass every filter. */
export interface TaskFilter {
  /** Names of actions, with `*` for any part. */
  readonly actions?: readonly string[]
  /** The id of the task that started them. */
  readonly parentId?: string
}

/** Options of a listing. */
export interface ListTasksOptions extends TaskFilter {
  readonly signal?: AbortSignal
}

/** Options of a wait. */
export interface WaitOptions {
  /** Ends the wait, not the task. */
  readonly signal?: AbortSignal
  /** Max time to wait; default: for good. */
  readonly timeoutInMillis?: number
}

/** Options of watching a task. */
export interface WatchOptions {
  /** Ends the watch, not the task. */
  readonly signal?: AbortSignal
  /** From one state to the next; default 500. */
  readonly everyInMillis?: number
}

const FILTER: OptionKeys<TaskFilter> = { actions: true, parentId: true }
const LIST_OPTIONS: OptionKeys<ListTasksOptions> = { ...FILTER, signal: true }
const WAIT_OPTIONS: OptionKeys<WaitOptions> = { signal: true, timeoutInMillis: true }
const WATCH_OPTIONS: OptionKeys<WatchOptions> = { signal: true, everyInMillis: true }

/** Of timers; longer waits are not told from waits for good. */
const MAX_MILLIS = 2 ** 31 - 1
const USUAL_EVERY = 500
/** The listing itself, and its step. */
const LISTING = 'cluster:monitor/tasks/lists'

/**
 * The tasks of a database: what runs, and the results of what nobody waited for. A call that ends in the turn
 * in which it began is never among them.
 */
export class Tasks {
  readonly #backend: Backend

  /** Made by `Database`. */
  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Tasks that run, in the order in which they began to wait; the listing is left out. */
  list(options: ListTasksOptions = {}): Promise<readonly TaskInfo[]> {
    return rethrown(async () => {
      checkOptions('option of a listing', options, LIST_OPTIONS)
      const query = { group_by: 'none', detailed: 'true', ...filterQuery(options) }
      const json = await this.#ask('GET', '/_tasks', query, options.signal)
      const { tasks } = json as { readonly tasks: readonly unknown[] }
      return tasks.map(readTask).filter(({ action }) => !action.startsWith(LISTING))
    })
  }

  /**
   * One task, that runs or has left a result.
   * @throws {LamellaError} `resource_not_found_exception`: there is neither
   */
  get(id: string): Promise<TaskState> {
    return rethrown(async () => {
      checkText('id', id)
      return readState(await this.#ask('GET', pathOf(id), {}))
    })
  }

  /**
   * Waits for the end of a task.
   * @throws {LamellaError} `resource_not_found_exception`; `timeout_exception`: it has not ended in time
   * @throws {AbortError} the signal aborted
   */
  wait(id: string, options: WaitOptions = {}): Promise<TaskState> {
    return rethrown(async () => {
      checkText('id', id)
      checkOptions('option of a wait', options, WAIT_OPTIONS)
      const { signal, timeoutInMillis = MAX_MILLIS } = options
      return await this.#wait(id, checkedMillis('timeoutInMillis', timeoutInMillis), signal)
    })
  }

  /**
   * The states of a task from now to its end, the last of which has its result.
   * @throws {LamellaError} `resource_not_found_exception`: there is no such task, and no result
   * @throws {AbortError} the signal aborted
   */
  async *watch(id: string, options: WatchOptions = {}): AsyncGenerator<TaskState, void, undefined> {
    const every = await rethrown(() => {
      checkText('id', id)
      checkOptions('option of a watch', options, WATCH_OPTIONS)
      return checkedMillis('everyInMillis', options.everyInMillis ?? USUAL_EVERY)
    })
    const { signal } = options
    let state = await rethrown(() => underSignal(signal, () => this.get(id)))
    yield state
    while (!state.isCompleted) {
      state = await rethrown(() => this.#next(state, every, signal))
      yield state
    }
  }

  /** The state of a task after a time, or at its end; one that has left nothing has its last state then. */
  async #next(
    before: TaskState,
    millis: number,
    signal: AbortSignal | undefined,
  ): Promise<TaskState> {
    const { id } = before.task
    try {
      return await this.#wait(id, millis, signal).catch((error: unknown) => {
        if (isOfType(error, 'timeout_exception')) return this.get(id)
        throw error
      })
    } catch (error) {
      if (!isOfType(error, 'resource_not_found_exception')) throw error
      return { ...before, isCompleted: true }
    }
  }

  /**
   * Cancels a task with its children; it may go on for a moment.
   * @throws {LamellaError} `resource_not_found_exception`: it does not run; `illegal_argument_exception`: it
   *   cannot be cancelled
   */
  cancel(id: string): Promise<void> {
    return rethrown(async () => {
      checkText('id', id)
      await this.#ask('POST', `${pathOf(id)}/_cancel`, {})
    })
  }

  /**
   * Cancels all tasks that can be, or those that pass a filter, with their children.
   * @returns the ids of those that were cancelled, without their children
   */
  cancelAll(filter: TaskFilter = {}): Promise<readonly string[]> {
    return rethrown(async () => {
      checkOptions('key of a filter', filter, FILTER)
      const json = await this.#ask('POST', '/_tasks/_cancel', filterQuery(filter))
      const { nodes } = json as {
        readonly nodes: Readonly<Record<string, { readonly tasks: object }>>
      }
      return Object.values(nodes).flatMap(({ tasks }) => Object.keys(tasks))
    })
  }

  async #wait(id: string, millis: number, signal: AbortSignal | undefined): Promise<TaskState> {
    const query = { wait_for_completion: 'true', timeout: `${Math.ceil(millis)}ms` }
    return readState(await this.#ask('GET', pathOf(id), query, signal))
  }

  #ask(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return underSignal(signal, async () => {
      const { status, body } = await this.#backend.request({
        method,
        path,
        query,
        ...(signal === undefined ? {} : { signal }),
      })
      const json = JSON.parse(Buffer.from(body).toString()) as { readonly error?: unknown }
      if (status >= 400) throw readError(json.error, status)
      return json
    })
  }
}

function isOfType(error: unknown, type: ErrorType): boolean {
  return error instanceof LamellaError && error.type === type
}

function pathOf(id: string): string {
  if (id === '') throw new IllegalArgumentError('[id] must not be empty')
  return `/_tasks/${encodeURIComponent(id)}`
}

function filterQuery({ actions = [], parentId }: TaskFilter): Record<string, string> {
  return {
    ...(actions.length === 0 ? {} : { actions: actions.join(',') }),
    ...(parentId === undefined ? {} : { parent_task_id: parentId }),
  }
}

function checkedMillis(name: string, value: number): number {
  if (value >= 0) return Math.min(value, MAX_MILLIS)
  throw new IllegalArgumentError(`[${name}] must be a number from 0, found [${value}]`)
}
