import { LamellaError } from '../embed/lamella-error.ts'
import { textOfError } from './error-text.ts'
import { CliError } from './exit-code.ts'
import { jsonOf, noServerAt } from './server-call.ts'

/** Types of errors of a connection that was not made, or gave no answer. */
const UNREACHED: readonly string[] = [
  'connect_exception',
  'unknown_host_exception',
  'socket_timeout_exception',
  's_s_l_handshake_exception',
]

/**
 * The failure of a reindex from another server, told as one of that server where it is one.
 * @param base the server's URL
 */
export function remoteFailure(error: unknown, base: string): unknown {
  if (!(error instanceof LamellaError)) return error
  const { type, message } = error
  if (UNREACHED.includes(type)) return noServerAt(base, message, error)
  if (type !== 'status_exception') return error
  const answer = jsonOf(message.replace(/^body=/, ''))
  const reason = textOfError((answer as { readonly error?: string } | null)?.error)
  return reason === null ? error : new CliError(`[${base}] refused: ${reason}`, { cause: error })
}
