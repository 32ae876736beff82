import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { get, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import { type Authority, newAuthority } from '../support/certificates.ts'
import { basicAuth, passwordOf } from '../support/secured-rest.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PREFIX = 'plugins.security.ssl.http'
const SECURE = {
  [`${PREFIX}.enabled`]: true,
  [`${PREFIX}.pemcert_filepath`]: 'node.pem',
  [`${PREFIX}.pemkey_filepath`]: 'node-key.pem',
}
const folder = tempFolder('guarded')
let authority: Authority

/** Writes a file as a whole, as whoever renews certificates does. */
function put(name: string, text: string): void {
  const path = join(folder, 'config', name)
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

beforeAll(() => {
  authority = newAuthority('authority')
  mkdirSync(join(folder, 'config'), { recursive: true })
  const { cert, key } = authority.issue('localhost')
  put('node.pem', cert)
  put('node-key.pem', key)
  put('ca.pem', authority.cert)
})

interface Got {
  readonly status: number
  readonly protocol: string | null
  /** Of the server's certificate. */
  readonly serial: string
  readonly text: string
}

const ask = (port: number, options: RequestOptions = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const asked = get(
      {
        port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: authority.cert,
        agent: false,
        headers: { authorization: basicAuth('admin') },
        ...options,
      },
      response => {
        const socket = response.socket as TLSSocket
        const protocol = socket.getProtocol()
        const serial = socket.getPeerCertificate().fingerprint256
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        const status = response.statusCode ?? 0
        response.on('end', () => resolve({ status, protocol, serial, text }))
      },
    )
    asked.on('error', reject)
  })

const code = (error: Error): string => (error as NodeJS.ErrnoException).code ?? ''

async function openGuarded(
  settings: Record<string, string | boolean | readonly string[]> = {},
): Promise<Awaited<ReturnType<typeof open>>> {
  const db = await open(folder, { settings: { 'plugins.security.disabled': false, ...settings } })
  const path = '/_plugins/_security/api/internalusers/admin'
  const body = { password: passwordOf('admin'), opendistro_security_roles: ['all_access'] }
  expect((await db.request({ method: 'PUT', path, body })).status).toBeOneOf([200, 201])
  return db
}

describe('a host that other machines reach', () => {
  const host = '0.0.0.0'

  it('is refused without users', async () => {
    await using db = await open()
    await expect(db.serve({ host, port: 0 })).rejects.toThrow(
      `host [${host}] can be reached from other machines, and nobody is asked for a password: make ` +
        'a user (`lamella security init`), listen on 127.0.0.1, or allow it explicitly (--insecure;',
    )
  })

  it('is refused without TLS', async () => {
    await using db = await openGuarded()
    await expect(db.serve({ host, port: 0 })).rejects.toThrow(
      'passwords would be sent unencrypted: set [plugins.security.ssl.http.*], listen on 127.0.0.1',
    )
    await using server = await db.serve({ host, port: 0, insecure: true })
    expect(server.url).toMatch(/^http:/)
  })

  it('is served with both', async () => {
    await using db = await openGuarded(SECURE)
    await using server = await db.serve({ host, port: 0 })
    expect(server.url).toBe(`https://0.0.0.0:${server.port}`)
    expect(await ask(server.port)).toMatchObject({ status: 200, protocol: 'TLSv1.3' })
    expect((await ask(server.port, { headers: {} })).status).toBe(401)
    // A client without TLS gets no answer and harms no other.
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed')
    expect((await ask(server.port)).status).toBe(200)
  })
})

describe('a server over TLS', () => {
  it('speaks the versions that it is told', async () => {
    const settings = { ...SECURE, [`${PREFIX}.enabled_protocols`]: ['TLSv1.2'] }
    await using db = await openGuarded(settings)
    await using server = await db.serve({ port: 0 })
    expect((await ask(server.port)).protocol).toBe('TLSv1.2')
    const refused = await ask(server.port, { minVersion: 'TLSv1.3' }).catch(code)
    expect(refused).toMatch(/^ERR_SSL_|ECONNRESET|EPROTO/)
  })

  it('lets in whoever shows a certificate of an authority that it trusts', async () => {
    const settings = {
      ...SECURE,
      [`${PREFIX}.clientauth_mode`]: 'REQUIRE',
      [`${PREFIX}.pemtrustedcas_filepath`]: 'ca.pem',
    }
    await using db = await openGuarded(settings)
    await using server = await db.serve({ port: 0 })
    const stranger = newAuthority('stranger').issue('client')
    for (const shown of [{}, { cert: stranger.cert, key: stranger.key }])
      expect(await ask(server.port, shown).catch(code)).toMatch(/^ERR_SSL_|ECONNRESET|EPIPE|EPROTO/)
    const { cert, key } = authority.issue('client')
    expect((await ask(server.port, { cert, key })).status).toBe(200)
    // A certificate is no user.
    expect((await ask(server.port, { cert, key, headers: {} })).status).toBe(401)
  })

  it('takes the subject of a certificate for a user where it is told to', async () => {
    const clients = 'plugins.security.authc.clientcert'
    await using db = await openGuarded({
      ...SECURE,
      [`${PREFIX}.clientauth_mode`]: 'OPTIONAL',
      [`${PREFIX}.pemtrustedcas_filepath`]: 'ca.pem',
      [`${clients}.enabled`]: true,
      [`${clients}.username_attribute`]: 'cn',
      [`${clients}.roles_attribute`]: 'OU',
    })
    const path = '/_plugins/_security/api/rolesmapping/all_access'
    await db.request({ method: 'PUT', path, body: { backend_roles: ['crew, "1"'] } })
    await using server = await db.serve({ port: 0 })
    const info = async (certificate: object, headers: object = {}): Promise<unknown> => {
      const line = { path: '/_plugins/_security/authinfo', headers: { ...headers } }
      const { status, text } = await ask(server.port, { ...certificate, ...line })
      if (status !== 200) return status
      const { user_name, backend_roles, roles, principal, peer_certificates } = JSON.parse(text)
      return { user_name, backend_roles, roles, principal, peer_certificates }
    }
    const known = authority.issue('spock', ['crew, "1"', 'a+b'])
    const shown = {
      principal: 'CN=spock,OU=a\\+b,OU=crew\\, \\"1\\"',
      peer_certificates: '1',
    }
    expect(await info(known)).toEqual({
      user_name: 'spock',
      backend_roles: ['crew, "1"', 'a+b'],
      roles: ['all_access'],
      ...shown,
    })
    // Credentials of a request win over the connection's.
    const basic = { authorization: basicAuth('admin') }
    expect(await info(known, basic)).toMatchObject({ user_name: 'admin', ...shown })
    expect(await info(known, { authorization: basicAuth('admin', 'wrong') })).toBe(401)
    expect(await info({})).toBe(401)
    // What no authority that is trusted has signed names nobody.
    expect(await info(newAuthority('authority').issue('spock', ['crew']))).toBe(401)
  })

  it('takes the whole subject where no attribute is named', async () => {
    await using db = await openGuarded({
      ...SECURE,
      [`${PREFIX}.clientauth_mode`]: 'REQUIRE',
      [`${PREFIX}.pemtrustedcas_filepath`]: 'ca.pem',
      'plugins.security.authc.clientcert.enabled': true,
    })
    await using server = await db.serve({ port: 0 })
    const line = { path: '/_plugins/_security/authinfo', headers: {} }
    const got = await ask(server.port, { ...authority.issue('kirk', ['bridge']), ...line })
    expect(JSON.parse(got.text)).toMatchObject({
      user_name: 'CN=kirk,OU=bridge',
      backend_roles: [],
      principal: 'CN=kirk,OU=bridge',
    })
  })

  it('takes another certificate without a restart, and no broken one', async () => {
    await using db = await openGuarded(SECURE)
    await using server = await db.serve({ port: 0 })
    const { serial: first } = await ask(server.port)
    const { cert, key } = authority.issue('localhost')
    put('node.pem', 'nothing that is a certificate')
    put('node-key.pem', key)
    await new Promise(resolve => setTimeout(resolve, 2_500))
    expect((await ask(server.port)).serial).toBe(first)
    put('node.pem', cert)
    await expect
      .poll(async () => (await ask(server.port)).serial, { timeout: 10_000 })
      .not.toBe(first)
  }, 20_000)

  it.each([
    [{ [`${PREFIX}.pemcert_filepath`]: null }, 'pemcert_filepath] must be set if'],
    [{ [`${PREFIX}.pemkey_filepath`]: null }, 'pemkey_filepath] must be set if'],
    [{ [`${PREFIX}.pemcert_filepath`]: 'none.pem' }, 'no such file in path.conf'],
    [{ [`${PREFIX}.pemcert_filepath`]: '../lamella.json' }, 'no such file in path.conf'],
    [{ [`${PREFIX}.pemkey_filepath`]: 'ca.pem' }, 'are no certificate with its key in PEM'],
    [{ [`${PREFIX}.clientauth_mode`]: 'REQUIRE' }, 'pemtrustedcas_filepath] must be set if'],
    [{ [`${PREFIX}.enabled_protocols`]: ['SSLv3'] }, 'takes [TLSv1.2, TLSv1.3], found [SSLv3]'],
  ])('does not start with %j', async (settings, text) => {
    await using db = await open(folder, { settings: { ...SECURE, ...settings } })
    await expect(db.serve({ port: 0 })).rejects.toThrow(text)
  })
})
