import type { DocumentEdits, EditAnswer } from '../../../service/security/document-edits.ts'
import type { DocumentKind, PlainJson } from '../../../service/security/security-document.ts'
import type { Action } from '../../../task/actions.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { EngineError } from '../../../util/errors.ts'
import type { Answer, Call } from '../../endpoint.ts'
import type { ParamTable } from '../../params.ts'

/** No answer of these may stay in a store on its way. */
const NO_STORE = { 'cache-control': 'no-store' }

/** The action that covers a kind of documents. */
export function actionOf(kind: DocumentKind): Action {
  return `restapi:admin/${kind}`
}

/** An answer of the security API. */
export function securityAnswer({ status, body }: EditAnswer): Answer {
  return { status, json: body, headers: NO_STORE }
}

/**
 * Runs a step for an administrator; anybody else gets the API's own refusal.
 * @param step told whether the caller may touch what is reserved
 */
export async function administered(
  {
    context,
    services,
    method,
    path,
  }: Pick<Call<ParamTable>, 'context' | 'services' | 'method' | 'path'>,
  action: Action,
  step: (edits: DocumentEdits, isAdmin: boolean) => EditAnswer | Promise<EditAnswer>,
): Promise<Answer> {
  const { security } = services
  if (!context.access.decide(action, []).isAllowed) return refusal(context, services)
  const isAdmin = security.accountOf(context) === null
  const answer = await step(security.edits, isAdmin)
  if (method !== 'GET' && answer.status < 300) security.noteEdit(context, method, path)
  return securityAnswer(answer)
}

function refusal(context: CallContext, { security }: Call<ParamTable>['services']): Answer {
  const account = security.accountOf(context)
  const roles = account?.roles.join(', ') ?? ''
  const message =
    `No permission to access REST API: User ${account?.user.name ?? ''} with Security roles ` +
    `[${roles}] does not have any role privileged for admin access`
  return securityAnswer({ status: 403, body: { status: 'FORBIDDEN', message } })
}

/**
 * The body of an edit.
 * @throws {EngineError} it is no JSON
 */
export function editBody(bytes: Uint8Array): PlainJson {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(decodeUtf8(bytes)) as PlainJson
  } catch {
    throw new EngineError({
      type: 'parse_exception',
      reason: 'Could not parse content of request.',
    })
  }
}
