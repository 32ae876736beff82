import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { basicAuth, openSecured, type SecuredRest } from '../../support/secured-rest.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const PREFIX = 'plugins.security.authc.jwt'
const folder = tempFolder('tokens')
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const settings = {
  'path.conf': folder,
  [`${PREFIX}.signing_key_filepath`]: 'jwt.pem',
  [`${PREFIX}.roles_key`]: 'roles',
  [`${PREFIX}.required_issuer`]: 'https://issuer.example',
  [`${PREFIX}.required_audience`]: 'lamella',
}

let secured: SecuredRest
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'jwt.pem'), publicPem)
  secured = await openSecured(settings)
  await secured.rest.call('PUT /_plugins/_security/api/rolesmapping/all_access', {
    backend_roles: ['chiefs'],
  })
})
afterAll(() => secured.close())

const now = (): number => Math.floor(Date.now() / 1000)
const claims = (more: object = {}): object => ({
  sub: 'tom',
  iss: 'https://issuer.example',
  aud: 'lamella',
  exp: now() + 600,
  roles: 'chiefs,staff',
  team: 'red',
  ...more,
})
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
function signed(payload: object, key = ours.privateKey, head: object = { alg: 'RS256' }): string {
  const text = `${part(head)}.${part(payload)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
}
function shared(payload: object, secret: string): string {
  const text = `${part({ alg: 'HS256' })}.${part(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const ask = (authorization: string): ReturnType<SecuredRest['as']> =>
  secured.as(null, 'GET /_plugins/_security/authinfo', undefined, { authorization })

it('lets in whoever shows a token, with the roles that it names', async () => {
  const token = signed(claims())
  for (const header of [`Bearer ${token}`, `bearer  ${token}`]) {
    const { status, json } = await ask(header)
    expect([status, json.user_name, json.backend_roles, json.roles]).toEqual([
      200,
      'tom',
      ['chiefs', 'staff'],
      ['all_access'],
    ])
    expect(json.custom_attribute_names).toContain('attr.jwt.team')
  }
  const listed = signed(claims({ roles: ['staff', 7, ''] }))
  expect((await ask(`Bearer ${listed}`)).json.backend_roles).toEqual(['staff'])
  // Passwords go on.
  expect((await ask(basicAuth('admin'))).status).toBe(200)
})

it('refuses every other token, and says nothing about it', async () => {
  const good = signed(claims())
  const [head, payload, signature] = good.split('.')
  const bad: Record<string, string> = {
    'no signature': `${part({ alg: 'none' })}.${payload}.`,
    'none in another case': `${part({ alg: 'NoNe' })}.${payload}.${signature}`,
    'another key': signed(claims(), other.privateKey),
    'the public key as a shared one': shared(claims(), publicPem),
    'a trimmed public key as a shared one': shared(claims(), publicPem.trim()),
    'another algorithm of the key': signed(claims(), ours.privateKey, { alg: 'PS256' }),
    'a key of its own': signed(claims(), other.privateKey, {
      alg: 'RS256',
      jwk: other.publicKey.export({ format: 'jwk' }),
    }),
    'an extension that is not known': signed(claims(), ours.privateKey, {
      alg: 'RS256',
      crit: ['x'],
      x: 1,
    }),
    'changed claims': `${head}.${part(claims({ sub: 'eve' }))}.${signature}`,
    'a changed signature': `${head}.${payload}.${signature!.slice(0, -4)}AAAA`,
    'past its time': signed(claims({ exp: now() - 60 })),
    'ahead of its time': signed(claims({ nbf: now() + 600 })),
    'without an end': signed(claims({ exp: undefined })),
    'an end that is a text': signed(claims({ exp: '4000000000' })),
    'another issuer': signed(claims({ iss: 'https://other.example' })),
    'no issuer': signed(claims({ iss: undefined })),
    'another audience': signed(claims({ aud: ['other'] })),
    'no subject': signed(claims({ sub: undefined })),
    'a subject that is no text': signed(claims({ sub: { name: 'tom' } })),
    'an empty subject': signed(claims({ sub: '' })),
    'a subject with a line break': signed(claims({ sub: 'tom\nadmin' })),
    'too long': signed(claims({ note: 'x'.repeat(12_000) })).padEnd(17_000, 'A'),
    'two parts': `${head}.${payload}`,
    'five parts': `${good}.${payload}.${signature}`,
    nothing: '',
  }
  for (const [name, token] of Object.entries(bad)) {
    const { status, text, headers } = await ask(`Bearer ${token}`)
    expect([name, status, text, headers['www-authenticate']]).toEqual([
      name,
      401,
      '',
      'Bearer realm="OpenSearch Security"',
    ])
  }
})

it('lets a token go on for no longer than it lasts', async () => {
  const token = signed(claims({ exp: now() - 28 }))
  // Clocks may differ by half a minute; nothing is kept of one that is past its time by ours.
  expect((await ask(`Bearer ${token}`)).status).toBe(200)
  await expect
    .poll(async () => (await ask(`Bearer ${token}`)).status, { timeout: 10_000 })
    .toBe(401)
}, 15_000)

it('takes sets of keys, in a header of their own', async () => {
  const jwk = { ...ours.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [jwk] }))
  const set = await openSecured({
    'path.conf': folder,
    [`${PREFIX}.signing_key_filepath`]: 'keys.json',
    [`${PREFIX}.jwt_header`]: 'X-Token',
    [`${PREFIX}.subject_key`]: 'mail',
  })
  const status = async (token: string): Promise<unknown[]> => {
    const path = 'GET /_plugins/_security/authinfo'
    const { status, json } = await set.as(null, path, undefined, { 'x-token': token })
    return [status, json?.user_name]
  }
  const head = { alg: 'RS256', kid: 'a' }
  const mail = { mail: 'tom@mail.example' }
  expect(await status(signed(claims(mail), ours.privateKey, head))).toEqual([200, mail.mail])
  expect(await status(signed(claims(mail), other.privateKey, head))).toEqual([401, undefined])
  expect(await status(signed(claims(), ours.privateKey, head))).toEqual([401, undefined])
  expect(await status(shared(claims(mail), JSON.stringify(jwk)))).toEqual([401, undefined])
  await set.close()
})

it('does not start with a file that holds no key', async () => {
  writeFileSync(join(folder, 'none.pem'), 'no key')
  const on = { 'path.conf': folder, 'plugins.security.disabled': 'false' }
  const opened = openRest({ ...on, [`${PREFIX}.signing_key_filepath`]: 'none.pem' })
  await expect(opened).rejects.toThrow('holds neither a public key in PEM nor a set of keys (JWKS)')
})
