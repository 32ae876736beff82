import type { Cancellation } from '../util/cancellation.ts'
import { EngineError } from '../util/errors.ts'
import { type Access, type Principal, TRUSTED_ACCESS, TRUSTED_PRINCIPAL } from './access.ts'
import type { Action } from './actions.ts'
import { Task, type TaskHeaders } from './task.ts'

/** The request header that tasks carry. */
const OPAQUE_ID = 'X-Opaque-Id'

/**
 * The last parameter of engine calls: the call's task, through which it is cancelled, and in whose name
 * it is made.
 */
export interface CallContext extends Cancellation {
  readonly task: Task
  readonly principal: Principal
  readonly access: Access
  /** The client's `X-Opaque-Id`; null without. */
  readonly opaqueId: string | null
  /** How long a change of metadata may wait for its turn; Infinity: for good. */
  readonly changeTimeoutInMillis: number
  /** Aborts at the cancellation; made at the first use, because one takes 10 µs. */
  abortSignal(): AbortSignal
  /**
   * For a step that is an action of its own: its task ends with its call, and is cancelled with this one.
   * @throws {EngineError} `task_cancelled_exception`: this one is cancelled, and the step does more than
   *   free what it holds
   */
  child(action: Action): CallContext
}

/** The parts of a request's context. */
export interface ContextParts {
  readonly action: Action
  readonly principal: Principal
  readonly access: Access
  /** The client's `X-Opaque-Id`, in characters that a header may carry; null without. */
  readonly opaqueId: string | null
  /** How long a change of metadata may wait for its turn; Infinity: for good. */
  readonly changeTimeoutInMillis: number
}

/** Steps that a cancelled call may still take. */
const FREEING: ReadonlySet<Action> = new Set([
  'indices:data/read/point_in_time/delete',
  'indices:data/read/scroll/clear',
])

const NO_HEADERS: TaskHeaders = {}

/** The context of one call of the embedding program, which may do everything. */
export function trusted(action: Action): CallContext {
  const task = new Task({
    action,
    type: 'transport',
    parent: null,
    headers: NO_HEADERS,
    owner: 'call',
  })
  return new TaskContext(task, {
    principal: TRUSTED_PRINCIPAL,
    access: TRUSTED_ACCESS,
    opaqueId: null,
    changeTimeoutInMillis: Number.POSITIVE_INFINITY,
  })
}

/** The context of a request: its task lasts through all the calls that the request makes. */
export function requestContext(parts: ContextParts): CallContext {
  const { action, opaqueId } = parts
  const headers = opaqueId === null ? NO_HEADERS : { [OPAQUE_ID]: opaqueId }
  const task = new Task({ action, type: 'transport', parent: null, headers, owner: 'request' })
  return new TaskContext(task, parts)
}

class TaskContext implements CallContext {
  readonly task: Task
  readonly principal: Principal
  readonly access: Access
  readonly opaqueId: string | null
  readonly changeTimeoutInMillis: number
  #abort: AbortController | null = null

  constructor(task: Task, parts: Omit<ContextParts, 'action'>) {
    this.task = task
    this.principal = parts.principal
    this.access = parts.access
    this.opaqueId = parts.opaqueId
    this.changeTimeoutInMillis = parts.changeTimeoutInMillis
  }

  get isCancelled(): boolean {
    return this.task.isCancelled
  }

  onCancel(listener: () => void): () => void {
    return this.task.onCancel(listener)
  }

  beginExecution(): (cpuInNanos: number) => void {
    return this.task.beginExecution()
  }

  beginTurn(): ((cpuInNanos: number) => void) | null {
    return this.task.beginTurn()
  }

  abortSignal(): AbortSignal {
    if (this.#abort === null) {
      const abort = new AbortController()
      this.#abort = abort
      if (this.isCancelled) abort.abort()
      else this.task.onCancel(() => abort.abort())
    }
    return this.#abort.signal
  }

  child(action: Action): CallContext {
    const { task: parent } = this
    if (parent.isCancelled && !FREEING.has(action))
      throw new EngineError({
        type: 'task_cancelled_exception',
        reason: "The parent task was cancelled, shouldn't start any child tasks",
      })
    const { headers } = parent
    const task = new Task({ action, type: 'direct', parent, headers, owner: 'call' })
    task.list = parent.list
    return new TaskContext(task, this)
  }
}
