/** Tasks: what runs, and its end. */
import type { CallContext, ContextParts } from '../../task/call-context.ts'

/** What is done with tasks. */
export interface TasksApi {
  /**
   * Runs a request under a task of its own, from the handler's first wait to its end. The context is
   * for every call that the request makes.
   */
  serve<T>(parts: ContextParts, handle: (context: CallContext) => T | Promise<T>): T | Promise<T>
}
