import { distinguishedName } from '../../../service/security/client-certificates.ts'
import { TRUSTED_PRINCIPAL, userText } from '../../../task/access.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag, text } from '../../params.ts'
import { editBody, securityAnswer } from './edit-call.ts'

const NO_STORE = { 'cache-control': 'no-store' }
/** Bytes of a user beside those of its texts. */
const USER_BYTES = 64

/** `GET|POST /_plugins/_security/authinfo`: the caller, as the node sees him. */
export const authInfo: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_security/authinfo'],
    ['POST', '/_plugins/_security/authinfo'],
    ['GET', '/_opendistro/_security/authinfo'],
    ['POST', '/_opendistro/_security/authinfo'],
  ],
  action: 'restapi:own/authinfo',
  params: { auth_type: text, verbose: flag },
  body: 'none',
  handle({ services, context, params }): Answer {
    const account = services.security.accountOf(context)
    const user = account?.user ?? null
    const principal = user ?? TRUSTED_PRINCIPAL
    const subject = account?.peer?.subject
    const attributes = user === null ? [] : [...user.attributes.keys()]
    const shown: JsonRecord = {
      user: user === null ? null : userText(user),
      user_name: principal.name,
      user_requested_tenant: principal.requestedTenant,
      remote_address:
        account?.peer === null || account === null
          ? null
          : `${account.peer.address}:${account.peer.port}`,
      backend_roles: principal.backendRoles,
      custom_attribute_names: attributes,
      roles: account?.roles ?? [],
      tenants: account?.tenants ?? new Map(),
      principal: subject === undefined ? null : distinguishedName(subject),
      peer_certificates: subject === undefined ? '0' : '1',
      sso_logout_url: null,
    }
    if (params.verbose !== true || user === null) return { json: shown, headers: NO_STORE }
    const sizeOf = (texts: readonly string[]): number => texts.join('').length + texts.length * 2
    const values = [...user.attributes].flat()
    return {
      json: {
        ...shown,
        size_of_user: bytesText(
          USER_BYTES + sizeOf([user.name, ...user.backendRoles, ...user.ownRoles, ...values]),
        ),
        size_of_custom_attributes: bytesText(sizeOf(values)),
        size_of_backendroles: bytesText(sizeOf(user.backendRoles)),
      },
      headers: NO_STORE,
    }
  },
})

/** `GET /_plugins/_security/api/account`: the caller's own user. */
export const showAccount: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_security/api/account'],
    ['GET', '/_opendistro/_security/api/account'],
  ],
  action: 'restapi:own/account',
  params: {},
  body: 'none',
  handle({ services, context }): Answer {
    const { security } = services
    const account = security.accountOf(context)
    if (account === null) return noAccount()
    const { user, roles, tenants } = account
    const own = security.userFlags(user.name)
    return {
      json: {
        user_name: user.name,
        is_reserved: own?.isReserved ?? false,
        is_hidden: own?.isHidden ?? false,
        is_internal_user: own !== null,
        user_requested_tenant: user.requestedTenant,
        backend_roles: user.backendRoles,
        custom_attribute_names: [...user.attributes.keys()],
        tenants,
        roles,
      },
      headers: NO_STORE,
    }
  },
})

/** `PUT /_plugins/_security/api/account`: another password for the caller. */
export const changePassword: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_plugins/_security/api/account'],
    ['PUT', '/_opendistro/_security/api/account'],
  ],
  action: 'restapi:own/account',
  params: {},
  body: 'json-unread',
  async handle({ services, context, bytes, method, path }): Promise<Answer> {
    const { security } = services
    const account = security.accountOf(context)
    if (account === null) return noAccount()
    const answer = await security.edits.changePassword(account.user.name, editBody(bytes))
    if (answer.status < 300) security.noteEdit(context, method, path)
    return securityAnswer(answer)
  },
})

/** The program itself, and everybody where security is off, has no user of its own. */
function noAccount(): Answer {
  return securityAnswer({ status: 401, body: { status: 'UNAUTHORIZED', message: 'Unauthorized' } })
}

/** As the real server writes sizes. */
function bytesText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`
}
