import { request } from 'node:http'
import bcrypt from 'bcryptjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, basicAuth, passwordOf, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const CHALLENGE = 'Basic realm="OpenSearch Security"'

beforeAll(async () => {
  await addUser(secured().rest, 'ann', { backend_roles: ['staff'], attributes: { team: 'red' } })
})

const asked = async (authorization: string | null): Promise<unknown[]> => {
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const { status, text, headers: found } = await secured().as(null, 'GET /', undefined, headers)
  return [status, text, found['www-authenticate'] ?? null]
}

describe('a request', () => {
  it('is refused without credentials, whatever it asks for, and told how to give them', async () => {
    for (const line of ['GET /', 'GET /no/such/route', 'PUT /a', 'DELETE /*', 'POST /_bulk']) {
      const { status, text, headers } = await secured().as(null, line)
      expect([line, status, text]).toEqual([line, 401, 'Unauthorized'])
      expect(headers['www-authenticate']).toBe(CHALLENGE)
    }
  })

  it('is let in with the name and password of a user', async () => {
    const { status, json } = await secured().as('admin', 'GET /')
    expect([status, json.version.number]).toEqual([200, '3.6.0'])
  })

  it('is answered alike for a wrong password and for an unknown user', async () => {
    const refused = [401, 'Unauthorized', CHALLENGE]
    expect(await asked(basicAuth('admin', 'wrong'))).toEqual(refused)
    expect(await asked(basicAuth('nobody', 'wrong'))).toEqual(refused)
  })

  it('is refused with credentials that cannot be read', async () => {
    const header = basicAuth('admin')
    for (const bad of [
      'Basic',
      'Basic !!!',
      'Basic ====',
      `Basic ${Buffer.from('admin').toString('base64')}`,
      `Basic ${Buffer.from('admin:').toString('base64')}`,
      `Basic ${Buffer.from(`:${passwordOf('admin')}`).toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x61]).toString('base64')}`,
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
      `Negotiate ${header.slice(6)}`,
      `${header}, ${header}`,
      header.slice(6),
    ])
      expect([bad, ...(await asked(bad))]).toEqual([bad, 401, 'Unauthorized', CHALLENGE])
  })

  it('is refused when it gives credentials twice', async () => {
    const status = await new Promise(resolve => {
      const sent = request({
        port: secured().port,
        path: '/',
        headers: ['Host', 'localhost', 'Authorization', basicAuth('admin'), 'Authorization', 'x'],
      })
      sent.on('response', response => resolve(response.statusCode))
      sent.end()
    })
    expect(status).toBe(401)
  })

  it('is refused before its body is read', async () => {
    const { status, text } = await secured().as(null, 'POST /_bulk', 'no lines of a bulk')
    expect([status, text]).toEqual([401, 'Unauthorized'])
  })

  it('may not be made in the name of another', async () => {
    const { status, json } = await secured().as('admin', 'GET /', undefined, {
      opendistro_security_impersonate_as: 'ann',
    })
    expect([status, json.error.type]).toEqual([403, 'security_exception'])
  })

  it('is let in with a hash of bcrypt that a user brought along', async () => {
    for (const version of ['a', 'b', 'y']) {
      const name = `brought-${version}`
      const hash = bcrypt.hashSync(passwordOf(name), 6).replace(/^\$2./, `$2${version}`)
      const path = `/_plugins/_security/api/internalusers/${name}`
      expect((await secured().rest.call(`PUT ${path}`, { hash })).status).toBe(201)
      expect(await asked(basicAuth(name, `${passwordOf(name)}x`))).toContain(401)
      const { status, json } = await secured().as(name, 'GET /_plugins/_security/authinfo')
      expect([status, json.user_name]).toEqual([200, name])
    }
  })
})

describe('a login', () => {
  it('ends with a change of the password, at once', async () => {
    await addUser(secured().rest, 'bob')
    expect((await secured().as('bob', 'GET /_plugins/_security/authinfo')).status).toBe(200)
    await addUser(secured().rest, 'bob', { password: 'Another-Staple-77!' })
    expect((await secured().as('bob', 'GET /_plugins/_security/authinfo')).status).toBe(401)
    expect(await asked(basicAuth('bob', 'Another-Staple-77!'))).toContain(403)
  })

  it('ends with the user', async () => {
    await addUser(secured().rest, 'eve')
    expect((await secured().as('eve', 'GET /_plugins/_security/authinfo')).status).toBe(200)
    await secured().rest.call('DELETE /_plugins/_security/api/internalusers/eve')
    expect((await secured().as('eve', 'GET /_plugins/_security/authinfo')).status).toBe(401)
  })

  it('waits after failures, by user and address, and says so in no way that tells of the user', async () => {
    await addUser(secured().rest, 'slow')
    for (const name of ['slow', 'ghost']) {
      for (let i = 0; i < 5; i++)
        expect(await asked(basicAuth(name, `wrong${i}`))).toEqual([401, 'Unauthorized', CHALLENGE])
      const blocked = [401, 'Authentication finally failed', null]
      expect(await asked(basicAuth(name, 'wrong'))).toEqual(blocked)
      expect(await asked(basicAuth(name))).toEqual(blocked)
    }
    // Others from there are let in.
    expect((await secured().as('ann', 'GET /_plugins/_security/authinfo')).status).toBe(200)
  })
})

describe('authinfo', () => {
  it('shows the caller in the documented order', async () => {
    const { json, headers } = await secured().as('ann', 'GET /_plugins/_security/authinfo')
    expect(Object.entries(json)).toEqual([
      ['user', 'User [name=ann, backend_roles=[staff], requestedTenant=null]'],
      ['user_name', 'ann'],
      ['user_requested_tenant', null],
      ['remote_address', expect.stringMatching(/^127\.0\.0\.1:\d+$/)],
      ['backend_roles', ['staff']],
      ['custom_attribute_names', ['attr.internal.team']],
      ['roles', []],
      ['tenants', { ann: true }],
      ['principal', null],
      ['peer_certificates', '0'],
      ['sso_logout_url', null],
    ])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows sizes when it is verbose, and takes a type of authentication', async () => {
    const path = '/_plugins/_security/authinfo?verbose=true&auth_type=basic'
    const { json } = await secured().as('ann', `POST ${path}`)
    expect(Object.keys(json).slice(-3)).toEqual([
      'size_of_user',
      'size_of_custom_attributes',
      'size_of_backendroles',
    ])
    expect(json.size_of_backendroles).toBe('7 bytes')
    const quiet = await secured().as('ann', 'GET /_plugins/_security/authinfo?verbose=false')
    expect(quiet.json).not.toHaveProperty('size_of_user')
  })

  it('names the tenant that was asked for, and answers on the older path', async () => {
    const path = 'GET /_opendistro/_security/authinfo'
    const { json } = await secured().as('ann', path, undefined, { securitytenant: 'red' })
    expect(json.user_requested_tenant).toBe('red')
    expect(json.user).toBe('User [name=ann, backend_roles=[staff], requestedTenant=red]')
  })

  it('answers the program itself without a user', async () => {
    const { json } = await secured().rest.call('GET /_plugins/_security/authinfo')
    expect([json.user, json.user_name, json.roles]).toEqual([null, null, []])
  })
})

it('keeps no password in what it answers', async () => {
  const secret = passwordOf('ann')
  const answers = [
    await secured().as('ann', 'GET /_plugins/_security/authinfo?verbose=true'),
    await secured().as('admin', 'GET /_plugins/_security/api/internalusers'),
    await secured().as('admin', 'GET /_tasks?detailed'),
    await secured().as('ann', 'GET /_cluster/settings'),
  ]
  for (const { text } of answers) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('scrypt')
  }
})
