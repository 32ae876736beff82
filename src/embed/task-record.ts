/** Tasks as the API prints them, read into records of the library. */
import type { ErrorRecord, ErrorType } from '../util/errors.ts'
import { LamellaError } from './lamella-error.ts'

/** A task. */
export interface TaskInfo {
  /** `node:number`. */
  readonly id: string
  /** `indices:data/read/search` and the like. */
  readonly action: string
  readonly description: string
  readonly startedAt: Date
  readonly runningInMillis: number
  readonly isCancellable: boolean
  readonly isCancelled: boolean
  /** The task that it is a step of; null: it is none. */
  readonly parentId: string | null
  /** `X-Opaque-Id` of the request; null without. */
  readonly opaqueId: string | null
  /** The state of its work, in wire form: `total`, `created`, …; null: it has none to show. */
  readonly status: Readonly<Record<string, unknown>> | null
  readonly resources: TaskResources
}

/** Use of threads by a task. */
export interface TaskResources {
  readonly cpuInNanos: number
  readonly threadExecutions: number
  readonly activeThreads: number
}

/** A task with its result. */
export interface TaskState {
  readonly task: TaskInfo
  readonly isCompleted: boolean
  /** In wire form; null before the end, and where nobody asked for the result to be kept. */
  readonly response: unknown
  /** The error that ended it; null: none did. */
  readonly error: LamellaError | null
}

interface WireTask {
  readonly node: string
  readonly id: number
  readonly action: string
  readonly status?: Readonly<Record<string, unknown>>
  readonly description?: string
  readonly start_time_in_millis: number
  readonly running_time_in_nanos: number
  readonly cancellable: boolean
  readonly cancelled?: boolean
  readonly parent_task_id?: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource_stats?: {
    readonly total: { readonly cpu_time_in_nanos: number }
    readonly thread_info: {
      readonly thread_executions: number
      readonly active_threads: number
    }
  }
}

interface WireState {
  readonly completed: boolean
  readonly task: WireTask
  readonly response?: unknown
  readonly error?: WireError
}

interface WireError {
  readonly type: string
  readonly reason: string
  readonly caused_by?: WireError
}

/** Reads a listed task. */
export function readTask(json: unknown): TaskInfo {
  const wire = json as WireTask
  const stats = wire.resource_stats
  return {
    id: `${wire.node}:${wire.id}`,
    action: wire.action,
    description: wire.description ?? '',
    startedAt: new Date(wire.start_time_in_millis),
    runningInMillis: wire.running_time_in_nanos / 1e6,
    isCancellable: wire.cancellable,
    isCancelled: wire.cancelled ?? false,
    parentId: wire.parent_task_id ?? null,
    opaqueId: wire.headers['X-Opaque-Id'] ?? null,
    status: wire.status ?? null,
    resources: {
      cpuInNanos: stats?.total.cpu_time_in_nanos ?? 0,
      threadExecutions: stats?.thread_info.thread_executions ?? 0,
      activeThreads: stats?.thread_info.active_threads ?? 0,
    },
  }
}

/** Reads a task with its result. */
export function readState(json: unknown): TaskState {
  const { completed, task, response = null, error } = json as WireState
  return {
    task: readTask(task),
    isCompleted: completed,
    response,
    error: error === undefined ? null : readError(error),
  }
}

/**
 * Reads an error as the API prints it.
 * @param status that it was answered with; absent: that of its type
 */
export function readError(json: unknown, status?: number): LamellaError {
  return new LamellaError({ ...recordOf(json as WireError), ...(status && { status }) })
}

function recordOf({ type, reason, caused_by: cause }: WireError): ErrorRecord {
  return {
    // The types of answers are those of the table.
    type: type as ErrorType,
    reason,
    ...(cause === undefined ? {} : { causedBy: recordOf(cause) }),
  }
}
