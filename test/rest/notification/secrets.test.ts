import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import { sealKeys } from '../../../src/service/notification/sealed-keys.ts'
import { httpReceiver } from '../../support/http-receiver.ts'
import { openRest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CONFIGS = '/_plugins/_notifications/configs'

/** Where each secret of a notification is put. */
const CANARIES = {
  header: 'canary-header-5d1f',
  password: 'canary-password-77aa',
  cloud: 'canary-cloud-key-91be',
}

it('tells no secret in an answer, a log line, a task, an error or a file of its own', async () => {
  const folder = tempFolder('secrets')
  const config = join(folder, 'config')
  mkdirSync(config, { mode: 0o700 })
  const keys = (name: string, text: string): void =>
    writeFileSync(join(config, name), sealKeys(folder, text))
  keys('mail', `username: u\npassword: ${CANARIES.password}\n`)
  keys('cloud', `access_key: A\nsecret_key: ${CANARIES.cloud}\n`)
  // Echoes what it is sent, with a status that is a failure.
  const receiver = await httpReceiver(({ headers, body }) => ({
    status: 500,
    body: JSON.stringify({ headers, body }),
  }))
  const lines: LogLine[] = []
  const seen: string[] = []
  const rest = await openRest(
    {
      'lamella.outbound.allowlist': '127.0.0.1',
      'lamella.notifications.backoff': '1ms',
      'lamella.notifications.cloud.credentials': 'cloud',
      'lamella.notifications.cloud.endpoint': receiver.url,
      'opensearch.notifications.core.email.server.credentials': 'mail',
    },
    folder,
    { onLog: line => lines.push(line) },
  )
  const call = async (line: string, body?: object): Promise<void> => {
    const { text, headers } = await rest.call(line, body)
    seen.push(text, JSON.stringify(headers))
  }
  const create = (id: string, type: string, object: object): Promise<void> =>
    call(`POST ${CONFIGS}`, {
      config_id: id,
      config: { name: id, config_type: type, [type]: object },
    })
  const header_params = { Authorization: `Bearer ${CANARIES.header}` }
  await create('hook', 'webhook', { url: receiver.url, header_params })
  await create('topic', 'topic_a', { topic_arn: 'arn:aws:sns:r-1:123456789012:n' })
  const server = {
    host: '127.0.0.1',
    port: receiver.port,
    method: 'none',
    from_address: 'a@b.example',
  }
  await create('server', 'smtp_account', server)
  await create('mail', 'email', { email_account_id: 'server', recipient_list: ['c@d.example'] })
  // A body that is refused is not told either.
  await create('bad', 'webhook', {
    url: receiver.url,
    header_params: { ...header_params, 'a b': CANARIES.header },
  })
  const channels = ['hook', 'topic', 'mail'].map(id => ({ id }))
  await call('POST /_plugins/_im/lron', {
    lron_config: { action_name: 'indices:admin/forcemerge', channels },
  })
  await call('PUT /books')
  await call('POST /books/_forcemerge?wait_for_completion=false')
  for (const id of ['hook', 'topic', 'mail'])
    await call(`POST /_plugins/_notifications/feature/test/${id}`)
  for (const path of [
    CONFIGS,
    `${CONFIGS}/hook`,
    '/_plugins/_notifications/channels',
    '/_tasks?detailed',
    '/_nodes',
    '/_nodes/stats',
    '/_cluster/settings?include_defaults',
    '/_cluster/state',
    '/.opensearch-notifications-config/_search',
    '/.opensearch-notifications-queue/_search',
    '/.opensearch-control-center/_search',
    '/.tasks/_search',
  ])
    await call(`GET ${path}`)
  const end = Date.now() + 20_000
  while (lines.length < 3 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 10))
  expect(lines.length).toBeGreaterThanOrEqual(3)
  await rest.close()
  // The header arrived, so that it was not lost on its way.
  const bearers = receiver.received.map(({ headers }) => headers.authorization)
  expect(bearers).toContain(`Bearer ${CANARIES.header}`)
  const told = [...seen, ...lines.map(line => JSON.stringify(line))].join('\n')
  for (const [name, canary] of Object.entries(CANARIES))
    expect(told.includes(canary), name).toBe(false)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
  expect(files.length).toBeGreaterThan(10)
  for (const path of files) {
    const bytes = readFileSync(path)
    for (const canary of Object.values(CANARIES)) expect(bytes.includes(canary), path).toBe(false)
  }
}, 40_000)
