import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, it, vi } from 'vitest'
import { sealKeys } from '../../../src/service/notification/sealed-keys.ts'
import { newAuthority } from '../../support/certificates.ts'
import { httpReceiver } from '../../support/http-receiver.ts'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'
import { verifySigned } from '../../support/signed-request.ts'
import { tellCount } from '../../support/tell-count.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { whenOver } from '../../support/when-over.ts'

const LOOPBACK = { 'lamella.outbound.allowlist': '127.0.0.1,localhost' }

async function open(
  settings: Record<string, string> = LOOPBACK,
  folder: string | null = null,
): Promise<Rest> {
  const rest = await openRest(settings, folder)
  whenOver(() => rest.close())
  return rest
}

async function create(rest: Rest, id: string, type: string, object: object, more: object = {}) {
  const config = { name: id, config_type: type, [type]: object, ...more }
  const { status, text } = await rest.call('POST /_plugins/_notifications/configs', {
    config_id: id,
    config,
  })
  expect(status, text).toBe(200)
}

function test(rest: Rest, id: string, method = 'POST'): Promise<Answered> {
  return rest.call(`${method} /_plugins/_notifications/feature/test/${id}`)
}

/** Status and text of a delivery that failed. */
async function failure(rest: Rest, id: string): Promise<readonly [number, string, string]> {
  const { status, json } = await test(rest, id)
  expect(json.error.type).toBe('status_exception')
  expect(json.status).toBe(status)
  const [{ delivery_status: found }] = JSON.parse(json.error.reason).event_status_list
  return [status, found.status_code, found.status_text]
}

it('sends webhooks: the text alone, with the method and headers of the configuration', async () => {
  const receiver = await httpReceiver(() => ({ status: 202, body: 'taken' }))
  const rest = await open()
  const object = { url: `${receiver.url}/in?x=1`, method: 'PUT', header_params: { 'X-Key': 'k-1' } }
  await create(rest, 'hook', 'webhook', object)
  for (const method of ['GET', 'POST']) {
    const { status, json } = await test(rest, 'hook', method)
    expect(status).toBe(200)
    expect(json).toEqual({
      event_source: {
        title: 'Test Message Title-hook',
        reference_id: 'hook',
        severity: 'info',
        tags: [],
      },
      status_list: [
        {
          config_id: 'hook',
          config_type: 'webhook',
          config_name: 'hook',
          email_recipient_status: [],
          delivery_status: { status_code: '200', status_text: 'taken' },
        },
      ],
    })
  }
  expect(receiver.received).toHaveLength(2)
  const [{ method, path, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect([method, path, headers['x-key']]).toEqual(['PUT', '/in?x=1', 'k-1'])
  expect(body).toBe('Test message for the notification channel [hook].')
  expect(headers['content-type']).toBeUndefined()
})

it('sends a webhook without headers as JSON, and shows an empty answer as {}', async () => {
  const receiver = await httpReceiver(() => ({ status: 204 }))
  const rest = await open()
  await create(rest, 'hook', 'webhook', { url: receiver.url })
  const { json } = await test(rest, 'hook')
  expect(json.status_list[0].delivery_status).toEqual({ status_code: '200', status_text: '{}' })
  expect(receiver.received[0]?.method).toBe('POST')
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json')
})

it('sends chats title and text under the key of each', async () => {
  const receiver = await httpReceiver()
  const rest = await open()
  await create(rest, 'a', 'chat_a', { url: `${receiver.url}/a` })
  await create(rest, 'b', 'chat_b', { url: `${receiver.url}/b` })
  expect((await test(rest, 'a')).status).toBe(200)
  expect((await test(rest, 'b')).status).toBe(200)
  const text = (id: string): string =>
    `Test Message Title-${id}\n\nTest message for the notification channel [${id}].`
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    { text: text('a') },
    { Content: text('b') },
  ])
})

it('tells how deliveries fail', async () => {
  const receiver = await httpReceiver(({ path }) =>
    path === '/move' ? { status: 302, headers: { location: '/' } } : { status: 503 },
  )
  const rest = await open({
    ...LOOPBACK,
    'opensearch.notifications.core.http.host_deny_list': 'denied.example',
    'opensearch.notifications.core.http.socket_timeout': '200',
  })
  await create(rest, 'busy', 'webhook', { url: receiver.url })
  expect(await failure(rest, 'busy')).toEqual([
    500,
    '500',
    'Failed to send webhook message Failed: Service Unavailable',
  ])
  // A redirect is an answer, and not followed.
  await create(rest, 'move', 'webhook', { url: `${receiver.url}/move` })
  expect((await failure(rest, 'move'))[2]).toBe('Failed to send webhook message Failed: Found')
  expect(receiver.received).toHaveLength(2)
  const closed = await httpReceiver()
  const silent = await httpReceiver(() => ({ delayInMillis: 60_000 }))
  await create(rest, 'silent', 'webhook', { url: silent.url })
  expect(await failure(rest, 'silent')).toEqual([
    500,
    '500',
    'Failed to send webhook message Read timed out after 200 milliseconds',
  ])
  expect(closed.connections).toBe(0)
  await create(rest, 'denied', 'chat_a', { url: 'http://denied.example/' })
  await create(rest, 'DENIED', 'chat_a', { url: 'http://DENIED.example./' })
  for (const [id, name] of [
    ['denied', 'denied.example'],
    ['DENIED', 'denied.example.'],
  ] as const)
    expect(await failure(rest, id)).toEqual([400, '400', `[${name}:80] is a denied host`])
  await create(rest, 'off', 'chat_a', { url: receiver.url }, { is_enabled: false })
  expect(await failure(rest, 'off')).toEqual([423, '423', 'The channel is muted'])
  await create(rest, 'group', 'email_group', { recipient_list: ['a@b.example'] })
  expect(await failure(rest, 'group')).toEqual([404, '404', 'Channel not found'])
  const { json } = await test(rest, 'gone')
  expect(JSON.parse(json.error.reason).event_status_list[0]).toMatchObject({
    config_id: 'gone',
    config_type: 'none',
    config_name: 'invalid-config',
    delivery_status: { status_code: '404' },
  })
})

it('opens no connection to a denied address, however it is written', async () => {
  const receiver = await httpReceiver()
  const rest = await open({ 'opensearch.notifications.core.http.socket_timeout': '2000' })
  const { port } = receiver
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    '127.0.0.2',
    '127.255.255.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '224.0.0.1',
  ]
  const kinds: readonly (readonly [string, (host: string) => object])[] = [
    ['chat_a', host => ({ url: `http://${host}:${port}/` })],
    ['chat_b', host => ({ url: `http://user:pass@${host}:${port}/` })],
    ['webhook', host => ({ url: `http://${host}:${port}/`, method: 'PATCH' })],
    ['webhook', host => ({ url: `https://${host}:${port}/` })],
    ['webhook', host => ({ url: `http://public.example@${host}:${port}/` })],
    ['chat_a', host => ({ url: `http://${host}:${port}/?redirect=http://public.example` })],
    ['webhook', host => ({ url: `HTTP://${host}:${port}`, method: 'PUT' })],
    [
      'webhook',
      host => ({
        url: `http://${host}:${port}/`,
        header_params: { forwarded: 'host=public.example' },
      }),
    ],
  ]
  let attempts = 0
  for (const host of hosts) {
    for (const [type, object] of kinds) {
      const id = `try-${attempts++}`
      await create(rest, id, type, object(host))
      const [status, code, text] = await failure(rest, id)
      expect([status, code], `${host} as ${type}: ${text}`).toEqual([400, '400'])
      expect(text).toContain('which is not a public address')
    }
    if (host.startsWith('[')) continue
    await create(rest, `server-${attempts}`, 'smtp_account', {
      host,
      port,
      method: 'none',
      from_address: 'a@b.example',
    })
    const id = `mail-${attempts++}`
    const email = { email_account_id: `server-${attempts - 1}`, recipient_list: ['c@d.example'] }
    await create(rest, id, 'email', email)
    const [status, , text] = await failure(rest, id)
    expect(status, `${host} by mail: ${text}`).not.toBe(200)
  }
  expect(attempts).toBeGreaterThanOrEqual(200)
  expect(receiver.connections).toBe(0)
  tellCount('attempts to reach denied addresses by channels', attempts)
  expect(receiver.received).toEqual([])
}, 60_000)

interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  readonly isSecure: boolean
  readonly user: string | undefined
}

async function mailServer(options: SMTPServerOptions): Promise<{ port: number; mails: Mail[] }> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    logger: false,
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  whenOver(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, mails }
}

it('sends mails one by one to recipients and groups, in each manner of encryption', async () => {
  const authority = newAuthority()
  const certificate = authority.issue('localhost')
  const folder = tempFolder('mail')
  mkdirSync(join(folder, 'config'), { mode: 0o700 })
  writeFileSync(join(folder, 'config/ca.pem'), authority.cert)
  const keys = sealKeys(folder, 'username: sender\npassword: canary-77 word\n')
  writeFileSync(join(folder, 'config/keys'), keys)
  const rest = await open(
    {
      ...LOOPBACK,
      'lamella.notifications.certificate_authorities': 'ca.pem',
      'opensearch.notifications.core.email.sent-ssl.credentials': 'keys',
    },
    folder,
  )
  await create(rest, 'group', 'email_group', { recipient_list: ['b@m.example', 'a@m.example'] })
  const passwords: string[] = []
  const servers: Readonly<Record<string, SMTPServerOptions>> = {
    none: { authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] },
    start_tls: { authOptional: true, ...certificate },
    ssl: {
      secure: true,
      ...certificate,
      onAuth(auth, _session, done) {
        passwords.push(`${auth.username}/${auth.password}`)
        done(null, { user: auth.username ?? '' })
      },
    },
  }
  for (const [method, options] of Object.entries(servers)) {
    const { port, mails } = await mailServer(options)
    const account = { host: 'localhost', port, method, from_address: 'from@m.example' }
    await create(rest, `sent-${method}`, 'smtp_account', account)
    const email = {
      email_account_id: `sent-${method}`,
      recipient_list: ['a@m.example'],
      email_group_id_list: ['group'],
    }
    await create(rest, `mail-${method}`, 'email', email)
    const { status, json, text } = await test(rest, `mail-${method}`)
    expect(status, text).toBe(200)
    expect(json.status_list[0].email_recipient_status).toEqual(
      ['a@m.example', 'b@m.example'].map(recipient => ({
        recipient,
        delivery_status: { status_code: '200', status_text: 'Success' },
      })),
    )
    expect(mails.map(({ to }) => to).sort()).toEqual([['a@m.example'], ['b@m.example']])
    for (const mail of mails) {
      expect([mail.from, mail.isSecure]).toEqual(['from@m.example', method !== 'none'])
      expect(mail.text).toContain(`Subject: Test Message Title-mail-${method}`)
      expect(mail.text).toContain('Content-Type: multipart/alternative')
      expect(mail.text).toContain(`notification channel [mail-${method}]`)
      expect(mail.user).toBe(method === 'ssl' ? 'sender' : undefined)
    }
  }
  expect(passwords).toEqual(['sender/canary-77 word', 'sender/canary-77 word'])
}, 30_000)

it('does not fall back to plain text, and tells mixed outcomes as 207', async () => {
  const rest = await open()
  const plain = await mailServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] })
  const account = { host: '127.0.0.1', port: plain.port, from_address: 'from@m.example' }
  await create(rest, 'tls', 'smtp_account', { ...account, method: 'start_tls' })
  await create(rest, 'to-tls', 'email', {
    email_account_id: 'tls',
    recipient_list: ['a@m.example'],
  })
  const [status, , text] = await failure(rest, 'to-tls')
  expect([status, plain.mails]).toEqual([500, []])
  expect(text).toMatch(/^sendEmail Error, status:/)
  const picky = await mailServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('bad') ? new Error('canary-reply') : null),
  })
  await create(rest, 'p', 'smtp_account', { ...account, port: picky.port, method: 'none' })
  const recipients = ['good@m.example', 'bad@m.example']
  await create(rest, 'to-p', 'email', { email_account_id: 'p', recipient_list: recipients })
  const answer = await test(rest, 'to-p')
  expect(answer.status).toBe(207)
  expect(answer.text).not.toContain('canary-reply')
  const [found] = JSON.parse(answer.json.error.reason).event_status_list
  expect(found.delivery_status).toEqual({ status_code: '207', status_text: 'Errors' })
  expect(
    found.email_recipient_status.map((one: { delivery_status: { status_code: string } }) => [
      one.delivery_status.status_code,
    ]),
  ).toEqual([['200'], ['500']])
  await rest.call('DELETE /_plugins/_notifications/configs/p')
  expect(await failure(rest, 'to-p')).toEqual([404, '404', 'Sender p not found'])
}, 30_000)

/** A node with keys of a cloud that is at a place of the test's. */
function openForCloud(endpoint: string, accessKey: string, secretKey: string): Promise<Rest> {
  const folder = tempFolder('cloud')
  mkdirSync(join(folder, 'config'), { mode: 0o700 })
  const keys = `access_key: ${accessKey}\nsecret_key: ${secretKey}\n`
  writeFileSync(join(folder, 'config/cloud'), keys)
  const settings = {
    ...LOOPBACK,
    'lamella.notifications.cloud.endpoint': endpoint,
    'lamella.notifications.cloud.credentials': 'cloud',
  }
  return open(settings, folder)
}

it('signs requests to topics and to the mail of the cloud', async () => {
  const secret = 'canary/Secret+Key0123456789'
  const receiver = await httpReceiver(() => ({ body: '{"MessageId":"1"}' }))
  const rest = await openForCloud(receiver.url, 'AKIDEXAMPLE', secret)
  const topic_arn = 'arn:aws:sns:us-east-2:123456789012:events'
  await create(rest, 'topic', 'topic_a', { topic_arn })
  await create(rest, 'account', 'mail_a_account', {
    region: 'eu-west-1',
    from_address: 'from@m.example',
  })
  await create(rest, 'mail', 'email', {
    email_account_id: 'account',
    recipient_list: ['to@m.example'],
  })
  const answer = await test(rest, 'topic')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json.status_list[0].delivery_status).toEqual({
    status_code: '200',
    status_text: '{"MessageId":"1"}',
  })
  expect((await test(rest, 'mail')).status).toBe(200)
  const [topic, mail] = receiver.received
  if (topic === undefined || mail === undefined) throw new Error('nothing was received')
  expect(Object.fromEntries(new URLSearchParams(topic.body))).toEqual({
    Action: 'Publish',
    Version: '2010-03-31',
    TopicArn: topic_arn,
    Subject: 'Test Message Title-topic',
    Message: 'Test message for the notification channel [topic].',
  })
  expect(mail.path).toBe('/v2/email/outbound-emails')
  expect(JSON.parse(mail.body)).toMatchObject({
    FromEmailAddress: 'from@m.example',
    Destination: { ToAddresses: ['to@m.example'] },
  })
  const place = { accessKey: 'AKIDEXAMPLE', isValid: true }
  expect(verifySigned(topic, secret)).toMatchObject({
    ...place,
    region: 'us-east-2',
    service: 'sns',
  })
  expect(verifySigned(mail, secret)).toMatchObject({
    ...place,
    region: 'eu-west-1',
    service: 'ses',
  })
  // The verifier is one: a body, a header or a key that differs is found.
  expect(verifySigned({ ...topic, body: `${topic.body}x` }, secret).isValid).toBe(false)
  expect(verifySigned(topic, `${secret}x`).isValid).toBe(false)
})

it('signs with keys that are lent for a role, and asks for them once', async () => {
  const expiration = new Date(Date.now() + 3_600_000).toISOString()
  const lent =
    '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>LENT</AccessKeyId>' +
    '<SecretAccessKey>lent-secret</SecretAccessKey><SessionToken>lent-token</SessionToken>' +
    `<Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`
  const receiver = await httpReceiver(({ body }) =>
    body.includes('role%2Fnone')
      ? { body: '<Empty/>' }
      : { body: body.includes('AssumeRole') ? lent : '' },
  )
  const rest = await openForCloud(receiver.url, 'OWN', 'own-secret')
  const topic_arn = 'arn:aws:sns:us-east-2:123456789012:events'
  const role_arn = 'arn:aws:iam::123456789012:role/sender'
  await create(rest, 'topic', 'topic_a', { topic_arn, role_arn })
  for (let i = 0; i < 2; i++) {
    const { status, text } = await test(rest, 'topic')
    expect(status, text).toBe(200)
    expect(text).not.toContain('lent-')
  }
  expect(receiver.received).toHaveLength(3)
  const [role, first, second] = receiver.received
  expect(Object.fromEntries(new URLSearchParams(role!.body))).toEqual({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role_arn,
    RoleSessionName: 'lamella-notifications',
  })
  const own = { isValid: true, accessKey: 'OWN', service: 'sts', region: 'us-east-2' }
  expect(verifySigned(role!, 'own-secret')).toMatchObject(own)
  for (const message of [first!, second!]) {
    expect(message.headers['x-amz-security-token']).toBe('lent-token')
    const verified = verifySigned(message, 'lent-secret')
    expect(verified).toMatchObject({ isValid: true, accessKey: 'LENT', service: 'sns' })
    expect(verified.signedHeaders).toContain('x-amz-security-token')
  }
  const none = 'arn:aws:iam::123456789012:role/none'
  await create(rest, 'none', 'topic_a', { topic_arn, role_arn: none })
  expect(await failure(rest, 'none')).toEqual([
    400,
    '400',
    `no keys were lent for the role [${none}]`,
  ])
})

it('hides values of headers that an answer repeats', async () => {
  const receiver = await httpReceiver(({ headers }) => ({ body: JSON.stringify(headers) }))
  const rest = await open()
  const header_params = { 'X-Key': 'canary-echo-1' }
  await create(rest, 'echo', 'webhook', { url: receiver.url, header_params })
  const { status, text, json } = await test(rest, 'echo')
  expect(status).toBe(200)
  expect(text).not.toContain('canary-echo-1')
  expect(json.status_list[0].delivery_status.status_text).toContain('"x-key":"***"')
})

it('says where the keys are missing', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
  const rest = await open()
  await create(rest, 'topic', 'topic_a', { topic_arn: 'arn:aws:sns:r-1:123456789012:n' })
  const [status, , text] = await failure(rest, 'topic')
  expect(status).toBe(400)
  expect(text).toContain('set [lamella.notifications.cloud.credentials] to a file')
  vi.unstubAllEnvs()
})
