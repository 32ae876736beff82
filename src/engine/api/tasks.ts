/** Tasks that run on the node: listed, waited for and cancelled. */
import type { Action } from '../../task/actions.ts'
import type { CallContext, ContextParts } from '../../task/call-context.ts'
import type { Task } from '../../task/task.ts'
import type { EngineError } from '../../util/errors.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../util/json/json-value.ts'

/** Which tasks a call means: those that pass every filter. */
export interface TaskFilter {
  /** Patterns of actions; empty means all. */
  readonly actions: readonly string[]
  /** Whether the node is among those that are meant. */
  readonly isNodeMeant: boolean
  /** `node:number` of the task that started them; null: of any. */
  readonly parentTaskId: string | null
}

/** Asks for the tasks that run. */
export interface ListTasks {
  readonly filter: TaskFilter
  /** Milliseconds that their end is waited for; null does not wait. */
  readonly waitInMillis: number | null
}

/** Asks for one task, that runs or has left a result. */
export interface GetTask {
  /** `node:number`. */
  readonly taskId: string
  /** Milliseconds that its end is waited for; null does not wait. */
  readonly waitInMillis: number | null
}

/** Cancels tasks. */
export interface CancelTasks {
  /** `node:number` of one of them; null means all that pass the filter. */
  readonly taskId: string | null
  readonly filter: TaskFilter
  /** Whether to resolve when they have ended. */
  readonly waitsForCompletion: boolean
}

/** Tasks as they were found; a wait for them that timed out is a failure of the node. */
export interface TaskListing {
  readonly tasks: readonly Task[]
  readonly nodeFailures: readonly EngineError[]
}

/**
 * A task that runs, or ended while it was waited for; or the stored document of one that nobody waited for:
 * `completed`, `task`, and `response` or `error`.
 */
export type FoundTask =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'document'; readonly document: JsonMap | JsonRecord }

/** Calls on tasks. */
export interface TasksApi {
  /**
   * Runs a request under a task of its own, from the handler's first wait to its end. The context is
   * for every call that the request makes.
   */
  serve<T>(parts: ContextParts, handle: (context: CallContext) => T | Promise<T>): T | Promise<T>
  /** Runs a part of a task as a task of its own, listed below the one that it belongs to. */
  step<T>(from: CallContext, action: Action, step: (context: CallContext) => Promise<T>): Promise<T>
  /**
   * Runs a step as a task that no request waits for; its answer, or its error, is kept for `get`.
   * @returns the task's id, `node:number`
   */
  detach(from: CallContext, step: (context: CallContext) => Promise<JsonValue>): string
  /** Runs a step as a task that no request waits for; its result is dropped, as its error is. */
  runBeside(from: CallContext, step: (context: CallContext) => Promise<unknown>): void
  /** Tasks that run, the listing itself among them, in the order in which they began to wait. */
  list(call: ListTasks, context: CallContext): Promise<TaskListing>
  /**
   * @throws {EngineError} `illegal_argument_exception`: no id of a task; `resource_not_found_exception`;
   *   `timeout_exception`: it has not ended in time
   */
  get(call: GetTask, context: CallContext): Promise<FoundTask>
  /**
   * Cancels tasks with their children.
   * @returns those that were cancelled, without their children
   * @throws {EngineError} `resource_not_found_exception`: no such task; `illegal_argument_exception`:
   *   no id of a task, or of one that cannot be cancelled
   */
  cancel(call: CancelTasks, context: CallContext): Promise<TaskListing>
}
