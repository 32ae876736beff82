import type { DocumentKind } from '../../../service/security/security-document.ts'
import { defineEndpoint, type Endpoint, type Method, type Route } from '../../endpoint.ts'
import { actionOf, administered, editBody } from './edit-call.ts'

/** The plugin's own path and that of before it had the name. */
const PREFIXES = ['/_plugins/_security/api', '/_opendistro/_security/api']

/** Kinds with the names that paths have for them. */
const PATHS: Readonly<Record<DocumentKind, readonly string[]>> = {
  internalusers: ['internalusers', 'user'],
  roles: ['roles'],
  rolesmapping: ['rolesmapping'],
  actiongroups: ['actiongroups', 'actiongroup'],
  tenants: ['tenants'],
}

/** Users, roles, mappings, groups of actions and tenants: shown, made, changed and deleted. */
export const DOCUMENT_ENDPOINTS: readonly Endpoint[] = (
  Object.keys(PATHS) as DocumentKind[]
).flatMap(kind => [
  defineEndpoint({
    routes: [...routes(kind, 'GET', ''), ...routes(kind, 'GET', '/{name}')],
    action: actionOf(kind),
    params: {},
    body: 'none',
    handle: call =>
      administered(call, actionOf(kind), (edits, isAdmin) =>
        edits.show(kind, call.part('name'), isAdmin),
      ),
  }),
  defineEndpoint({
    routes: routes(kind, 'PUT', '/{name}'),
    action: actionOf(kind),
    params: {},
    body: 'json-unread',
    handle: call =>
      administered(call, actionOf(kind), (edits, isAdmin) =>
        edits.put(kind, call.part('name'), editBody(call.bytes), isAdmin),
      ),
  }),
  defineEndpoint({
    routes: routes(kind, 'DELETE', '/{name}'),
    action: actionOf(kind),
    params: {},
    body: 'none',
    handle: call =>
      administered(call, actionOf(kind), (edits, isAdmin) =>
        edits.delete(kind, call.part('name'), isAdmin),
      ),
  }),
  defineEndpoint({
    routes: [...patchRoutes(kind, ''), ...patchRoutes(kind, '/{name}')],
    action: actionOf(kind),
    params: {},
    body: 'json-unread',
    handle: call =>
      administered(call, actionOf(kind), (edits, isAdmin) =>
        edits.patch(kind, call.part('name'), editBody(call.bytes), isAdmin),
      ),
  }),
])

function routes(kind: DocumentKind, method: Method, rest: string): Route[] {
  return PREFIXES.flatMap(prefix =>
    PATHS[kind].map((path): Route => [method, `${prefix}/${path}${rest}`]),
  )
}

/** The older names of kinds have no patches. */
function patchRoutes(kind: DocumentKind, rest: string): Route[] {
  return PREFIXES.map((prefix): Route => ['PATCH', `${prefix}/${kind}${rest}`])
}
