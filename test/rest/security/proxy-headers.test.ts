import { expect, it } from 'vitest'
import { basicAuth, openSecured } from '../../support/secured-rest.ts'

const PREFIX = 'plugins.security.authc.proxy'
const INFO = 'GET /_plugins/_security/authinfo'

it('believes proxies of the named addresses, and nobody else', async () => {
  const near = await openSecured({ [`${PREFIX}.internal_proxies`]: '10.0.0.1,127.0.0.1' })
  const far = await openSecured({ [`${PREFIX}.internal_proxies`]: '10.0.0.1' })
  const none = await openSecured()
  const named = { 'x-proxy-user': 'pam', 'x-proxy-roles': 'staff, cooks,' }
  const { status, json } = await near.as(null, INFO, undefined, named)
  expect([status, json.user_name, json.backend_roles]).toEqual([200, 'pam', ['staff', 'cooks']])
  // A header that names the proxy does not make a request come from it.
  const forged = { ...named, 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1' }
  for (const node of [far, none])
    expect((await node.as(null, INFO, undefined, forged)).status).toBe(401)
  await Promise.all([near, far, none].map(node => node.close()))
})

it('gives the roles that mappings have for whom a proxy names, until they change', async () => {
  const node = await openSecured({
    [`${PREFIX}.internal_proxies`]: '127.0.0.1',
    [`${PREFIX}.user_header`]: 'X-User',
    [`${PREFIX}.roles_header`]: 'X-Roles',
  })
  const path = '/_plugins/_security/api/rolesmapping/all_access'
  const sent = { 'x-user': 'pam', 'x-roles': 'chiefs' }
  expect((await node.as(null, 'GET /', undefined, sent)).status).toBe(403)
  await node.rest.call(`PUT ${path}`, { backend_roles: ['chiefs'] })
  expect((await node.as(null, 'GET /', undefined, sent)).status).toBe(200)
  expect((await node.as(null, 'GET /', undefined, { ...sent, 'x-roles': 'staff' })).status).toBe(
    403,
  )
  await node.rest.call(`DELETE ${path}`)
  expect((await node.as(null, 'GET /', undefined, sent)).status).toBe(403)
  // Without a name, or with an empty one, passwords are asked for.
  expect((await node.as(null, 'GET /', undefined, { 'x-user': ' ' })).status).toBe(401)
  const password = { authorization: basicAuth('admin') }
  expect((await node.as(null, 'GET /', undefined, password)).status).toBe(200)
  await node.close()
})
