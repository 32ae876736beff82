import { defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { administered } from './edit-call.ts'

/** `DELETE /_plugins/_security/api/cache[/user/{username}]`: logins are checked anew. */
export const clearLogins: Endpoint = defineEndpoint({
  routes: [
    ['DELETE', '/_plugins/_security/api/cache'],
    ['DELETE', '/_plugins/_security/api/cache/user/{username}'],
    ['DELETE', '/_opendistro/_security/api/cache'],
  ],
  action: 'restapi:admin/cache',
  params: {},
  body: 'none',
  handle: call =>
    administered(call, 'restapi:admin/cache', edits =>
      edits.forgetLogins(call.part('username') || undefined),
    ),
})
