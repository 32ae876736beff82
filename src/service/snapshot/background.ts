/** Work that goes on when the request that asked for it has its answer, or is gone. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'

/**
 * Runs work as a task that no request waits for. It is cancelled when the engine closes, which waits for it,
 * and with the task of a request that does wait for it.
 * @returns the result; that it may fail is nobody's concern unless somebody waits
 */
export function inBackground<T>(
  engine: EngineApi,
  context: CallContext,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const result = new Promise<T>((resolve, reject) => {
    engine.tasks.runBeside(context, async own => {
      const forget = engine.beforeClose(async () => {
        own.task.cancel()
        await result.catch(() => {})
      })
      const unlisten = context.onCancel(() => own.task.cancel())
      if (context.isCancelled) own.task.cancel()
      try {
        resolve(await work(own))
      } catch (error) {
        reject(error)
        throw error
      } finally {
        unlisten()
        forget()
      }
    })
  })
  // A caller that waits gets the error from the promise itself.
  result.catch(() => {})
  return result
}
