import { linkAbort } from '../task/abort-link.ts'
import type { Action } from '../task/actions.ts'
import { type CallContext, trusted } from '../task/call-context.ts'

/**
 * Makes one call of the engine in the name of the embedding program.
 * @param signal the caller's; cancels the call if its action can be
 */
export function embeddedCall<T>(
  action: Action,
  signal: AbortSignal | undefined,
  call: (context: CallContext) => Promise<T>,
): Promise<T> {
  const context = trusted(action)
  if (signal === undefined) return call(context)
  const unlink = linkAbort(signal, context.task)
  return call(context).finally(unlink)
}
