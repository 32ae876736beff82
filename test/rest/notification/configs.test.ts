import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CONFIGS = '/_plugins/_notifications/configs'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})

afterAll(() => rest.close())

/** Creates a configuration whose object is that of its type. */
async function create(
  id: string,
  type: string,
  object: object,
  more: object = {},
  to: Rest = rest,
): Promise<void> {
  const config = { name: id, config_type: type, [type]: object, ...more }
  const answer = await to.call(`POST ${CONFIGS}/`, { config_id: id, config })
  expect(answer.json).toEqual({ config_id: id })
  expect(answer.status).toBe(200)
}

async function refused(body: object, line = `POST ${CONFIGS}`): Promise<[number, string, string]> {
  const { status, json } = await rest.call(line, body)
  return [status, json.error.type, json.error.reason]
}

const ARGUMENT = 'illegal_argument_exception'

describe('creating', () => {
  it('takes each type and shows it in the documented order', async () => {
    const objects: Record<string, object> = {
      topic_a: {
        topic_arn: 'arn:aws:sns:us-east-1:123456789012:events',
        role_arn: 'arn:aws:iam::123456789012:role/sender',
      },
      chat_a: { url: 'https://chat.example/hooks/1' },
      chat_b: { url: 'https://meet.example/hooks/2?token=a' },
      webhook: { url: 'http://hook.example:8080/x', header_params: {}, method: 'PUT' },
      smtp_account: {
        host: 'mail.example',
        port: 25,
        method: 'start_tls',
        from_address: 'a@mail.example',
      },
      mail_a_account: {
        region: 'eu-west-1',
        role_arn: 'arn:aws:iam::123456789012:role/sender',
        from_address: 'a@mail.example',
      },
      email_group: { recipient_list: [{ recipient: 'b@mail.example' }] },
    }
    for (const [type, object] of Object.entries(objects)) await create(`kind-${type}`, type, object)
    await create('kind-email', 'email', {
      email_account_id: 'kind-smtp_account',
      recipient_list: [{ recipient: 'c@mail.example' }],
      email_group_id_list: ['kind-email_group'],
    })
    for (const [type, object] of Object.entries(objects)) {
      const { json, text } = await rest.call(`GET ${CONFIGS}/kind-${type}`)
      const { config_list: list, ...envelope } = json
      expect(envelope).toEqual({ start_index: 0, total_hits: 1, total_hit_relation: 'eq' })
      const [{ config_id, created_time_ms, last_updated_time_ms, config }] = list
      expect(config_id).toBe(`kind-${type}`)
      expect(created_time_ms).toBe(last_updated_time_ms)
      expect(Math.abs(Date.now() - created_time_ms)).toBeLessThan(60_000)
      expect(JSON.stringify(config)).toBe(
        JSON.stringify({
          name: `kind-${type}`,
          description: '',
          config_type: type,
          is_enabled: true,
          [type]: object,
        }),
      )
      expect(text.indexOf('"config_id"')).toBeLessThan(text.indexOf('"last_updated_time_ms"'))
    }
  })

  it('makes ids, takes an id in place of config_id, and passes over unknown keys', async () => {
    const config = { name: 'n', config_type: 'chat_a', chat_a: { url: 'http://a.example' }, x: 1 }
    const made = await rest.call(`POST ${CONFIGS}`, { name: 'stray', config })
    expect(made.json.config_id).toMatch(/^[A-Za-z0-9_-]{20}$/)
    const given = await rest.call(`POST ${CONFIGS}`, { id: 'own-id', config })
    expect(given.json).toEqual({ config_id: 'own-id' })
  })

  it('takes the names of the reference server, plain recipients and default methods', async () => {
    await create('slack-1', 'slack', { url: 'http://a.example' })
    const shown = await rest.call(`GET ${CONFIGS}/slack-1`)
    expect(shown.json.config_list[0].config.config_type).toBe('chat_a')
    expect(shown.json.config_list[0].config.chat_a).toEqual({ url: 'http://a.example' })
    await create('group-1', 'email_group', { recipient_list: ['x@mail.example'] })
    const group = await rest.call(`GET ${CONFIGS}/group-1`)
    expect(group.json.config_list[0].config.email_group).toEqual({
      recipient_list: [{ recipient: 'x@mail.example' }],
    })
    await create('hook-1', 'webhook', { url: 'http://a.example' })
    const hook = await rest.call(`GET ${CONFIGS}/hook-1`)
    expect(hook.json.config_list[0].config.webhook).toEqual({
      url: 'http://a.example',
      header_params: {},
      method: 'POST',
    })
  })

  const chat = { name: 'n', config_type: 'chat_a', chat_a: { url: 'http://a.example' } }
  const smtp = { host: 'm.example', port: 25, method: 'none', from_address: 'a@b.example' }
  const webhook = (object: object): object => ({
    config: { name: 'n', config_type: 'webhook', webhook: { url: 'http://a.example', ...object } },
  })
  const ofType = (type: string, object: object): object => ({
    config: { name: 'n', config_type: type, [type]: object },
  })
  const REFUSED: readonly (readonly [
    body: object,
    reason: string,
    status?: number,
    type?: string,
  ])[] = [
    [{}, 'config field absent'],
    [{ config: { config_type: 'chat_a' } }, 'name field absent'],
    [{ config: { name: 'n' } }, 'config_type field absent'],
    [{ config: { ...chat, name: '' } }, 'name is null or empty'],
    [{ config: { ...chat, chat_a: undefined } }, "ConfigType: chat_a and data doesn't match"],
    [{ config: { ...chat, config_type: 'chat_b' } }, "ConfigType: chat_b and data doesn't match"],
    [{ config_id: 'a b!', config: chat }, 'Invalid characters in id :  !'],
    [ofType('chat_a', { url: 'ftp://a.example' }), 'Invalid URL or unsupported'],
    [ofType('chat_a', { url: '' }), 'URL is null or empty'],
    [ofType('chat_a', {}), 'url field absent'],
    [
      ofType('chat_a', { url: 'nothing' }),
      'no protocol: nothing',
      400,
      'malformed_u_r_l_exception',
    ],
    [ofType('email_group', { recipient_list: ['no'] }), 'Invalid email address'],
    [ofType('email_group', { recipient_list: ['a@b.example\r\nx: y'] }), 'Invalid email address'],
    [ofType('email_group', {}), 'recipient_list field absent'],
    [ofType('smtp_account', { ...smtp, port: 0 }), 'port should be positive value'],
    [ofType('smtp_account', { ...smtp, port: 'x' }), 'For input string: "x"'],
    [ofType('smtp_account', { ...smtp, from_address: 'x' }), 'Invalid email address'],
    [
      ofType('smtp_account', { ...smtp, method: 'tls' }),
      'Invalid method [tls], must be one of [none, ssl, start_tls]',
    ],
    [ofType('topic_a', { topic_arn: 'arn:x' }), 'Invalid AWS SNS topic ARN: arn:x'],
    [
      ofType('topic_a', { topic_arn: 'arn:aws:sns:r:123456789012:n', role_arn: 'r' }),
      'Invalid AWS role ARN: r',
    ],
    [webhook({ method: 'GET' }), 'Invalid method [GET], must be one of [POST, PUT, PATCH]'],
    [webhook({ header_params: { Host: 'x' } }), 'Invalid header name [Host]'],
    [webhook({ header_params: { 'a\r\nb': 'x' } }), 'Invalid header name [a\r\nb]'],
    [webhook({ header_params: { a: 'x\r\ny' } }), 'Invalid value of the header [a]'],
    [
      ofType('teams', { url: 'http://a.example' }),
      'NotificationConfig with type NONE is not acceptable',
      406,
      'status_exception',
    ],
    [
      ofType('email', { email_account_id: 'no', recipient_list: [] }),
      'Config IDs not found:[no]',
      404,
      'status_exception',
    ],
  ]
  it.each(REFUSED.map(row => [JSON.stringify(row[0]), row] as const))(
    'refuses %s',
    async (_name, row) => {
      const [body, reason, status = 400, type = ARGUMENT] = row
      expect(await refused(body)).toEqual([status, type, reason])
    },
  )

  it('refuses an id that is taken', async () => {
    await create('taken', 'chat_a', { url: 'http://a.example' })
    const [status, type] = await refused({ config_id: 'taken', config: chat })
    expect([status, type]).toEqual([409, 'version_conflict_engine_exception'])
  })

  it('checks the parts of mail channels', async () => {
    await create('account', 'smtp_account', smtp)
    await create('group', 'email_group', { recipient_list: ['x@mail.example'] })
    await create('chat', 'chat_a', { url: 'http://a.example' })
    const email = (account: string, groups: string[]): object =>
      ofType('email', { email_account_id: account, email_group_id_list: groups })
    expect(await refused(email('account', ['account']))).toEqual([
      400,
      ARGUMENT,
      'Config IDs account is in both emailAccountID and emailGroupIds',
    ])
    const status = 'status_exception'
    expect(await refused(email('account', ['gone', 'away']))).toEqual([
      404,
      status,
      'Config IDs not found:[gone,away]',
    ])
    expect(await refused(email('group', []))).toEqual([
      406,
      status,
      'configId group is not a valid email account ID',
    ])
    await create('account-2', 'smtp_account', smtp)
    expect(await refused(email('account', ['account-2']))).toEqual([
      406,
      status,
      'configId account-2 is not a valid email group ID',
    ])
    expect(await refused(email('account', ['chat']))).toEqual([
      406,
      status,
      'configId chat is not a valid email group ID or email account ID',
    ])
  })
})

describe('changing and deleting', () => {
  it('changes all but the type and the time of creation', async () => {
    await create('change', 'chat_a', { url: 'http://a.example' })
    const before = (await rest.call(`GET ${CONFIGS}/change`)).json.config_list[0]
    await new Promise(resolve => setTimeout(resolve, 5))
    const config = {
      name: 'new',
      description: 'd',
      config_type: 'chat_a',
      is_enabled: false,
      chat_a: { url: 'http://b.example' },
    }
    const answer = await rest.call(`PUT ${CONFIGS}/change`, { config })
    expect(answer.json).toEqual({ config_id: 'change' })
    const after = (await rest.call(`GET ${CONFIGS}/change`)).json.config_list[0]
    expect(after.config).toEqual(config)
    expect(after.created_time_ms).toBe(before.created_time_ms)
    expect(after.last_updated_time_ms).toBeGreaterThan(before.last_updated_time_ms)
    const other = { ...config, config_type: 'chat_b', chat_b: { url: 'http://b.example' } }
    expect(await refused({ config: other }, `PUT ${CONFIGS}/change`)).toEqual([
      409,
      'status_exception',
      'Config type cannot be changed after creation',
    ])
    expect(await refused({ config }, `PUT ${CONFIGS}/gone`)).toEqual([
      404,
      'status_exception',
      'NotificationConfig gone not found',
    ])
  })

  it('deletes one or several, or none', async () => {
    for (const id of ['d1', 'd2', 'd3']) await create(id, 'chat_a', { url: 'http://a.example' })
    expect((await rest.call(`DELETE ${CONFIGS}/d1`)).json).toEqual({
      delete_response_list: { d1: 'OK' },
    })
    const some = await rest.call(`DELETE ${CONFIGS}/?config_id_list=d2,gone`)
    expect([some.status, some.json.error.reason]).toEqual([
      404,
      'NotificationConfig [d2, gone] not found',
    ])
    expect((await rest.call(`DELETE ${CONFIGS}/?config_id_list=d2,d3`)).json).toEqual({
      delete_response_list: { d2: 'OK', d3: 'OK' },
    })
    const gone = await rest.call(`DELETE ${CONFIGS}/d1`)
    expect([gone.status, gone.json.error.type, gone.json.error.reason]).toEqual([
      404,
      'status_exception',
      'NotificationConfig d1 not found',
    ])
    const none = await rest.call(`DELETE ${CONFIGS}`)
    expect([none.status, none.text]).toEqual([
      400,
      'either config_id or config_id_list is required',
    ])
    const missing = await rest.call(`GET ${CONFIGS}?config_id_list=d1,d2`)
    expect(missing.json.error.reason).toBe('NotificationConfig [d1, d2] not found')
  })
})

describe('lists', () => {
  let other: Rest
  beforeAll(async () => {
    other = await openRest({
      'opensearch.notifications.core.allowed_config_types':
        'chat_a,slack,webhook,smtp_account,email_group,email,topic_a,mail_a_account',
    })
    const smtp = { host: 'mail.example', port: 25, method: 'ssl', from_address: 'from@m.example' }
    await create('s', 'smtp_account', smtp, { name: 'Mail server' }, other)
    const group = { recipient_list: ['one@m.example', 'two@m.example'] }
    await create('g', 'email_group', group, { name: 'Everybody here' }, other)
    const mail = {
      email_account_id: 's',
      recipient_list: ['boss@m.example'],
      email_group_id_list: ['g'],
    }
    await create('e', 'email', mail, { name: 'Mail channel', is_enabled: false }, other)
    await create(
      'c',
      'chat_a',
      { url: 'https://chat.example/hook' },
      { name: 'Chat channel', description: 'loud room' },
      other,
    )
    await create('w', 'webhook', { url: 'https://hook.example/in' }, { name: 'Hook' }, other)
    await create(
      't',
      'topic_a',
      { topic_arn: 'arn:aws:sns:us-east-1:123456789012:events' },
      {},
      other,
    )
    await create(
      'm',
      'mail_a_account',
      { region: 'eu-west-1', from_address: 'from@cloud.example' },
      {},
      other,
    )
  })
  afterAll(() => other.close())

  async function ids(query: string): Promise<string[]> {
    const { status, json } = await other.call(`GET ${CONFIGS}?${query}`)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(json.total_hits).toBeGreaterThanOrEqual(json.config_list.length)
    return json.config_list.map((item: { config_id: string }) => item.config_id)
  }

  const FOUND: readonly (readonly [string, readonly string[]])[] = [
    ['', ['s', 'g', 'e', 'c', 'w', 't', 'm']],
    ['config_type=chat_a,webhook', ['c', 'w']],
    ['config_type=slack', ['c']],
    ['config_type.keyword=email', ['e']],
    ['is_enabled=false', ['e']],
    ['is_enabled=true&config_type=email', []],
    ['name=channel', ['e', 'c']],
    ['name.keyword=Hook', ['w']],
    ['name.keyword=hook', []],
    ['description=room', ['c']],
    ['email.email_account_id=s', ['e']],
    ['email.email_group_id_list=x,g', ['e']],
    ['email.recipient_list=boss', ['e']],
    ['email.recipient_list.recipient.keyword=boss@m.example', ['e']],
    ['email_group.recipient_list=two', ['g']],
    ['smtp_account.method=ssl', ['s']],
    ['smtp_account.method=none', []],
    ['smtp_account.host=mail.example', ['s']],
    ['smtp_account.from_address=from', ['s']],
    ['chat_a.url=hook', ['c']],
    ['slack.url=chat.example', ['c']],
    ['webhook.url=hook.example', ['w']],
    ['topic_a.topic_arn=events', ['t']],
    ['sns.topic_arn.keyword=arn:aws:sns:us-east-1:123456789012:events', ['t']],
    ['mail_a_account.region=eu-west-1', ['m']],
    ['mail_a_account.from_address=cloud.example', ['m']],
    ['query=loud', ['c']],
    ['text_query=everybody', ['g']],
    ['config_id=w', ['w']],
    ['config_id_list=w,c', ['w', 'c']],
    ['max_items=2', ['s', 'g']],
    ['from_index=5&max_items=2', ['t', 'm']],
    ['from_index=x&max_items=y', ['s', 'g', 'e', 'c', 'w', 't', 'm']],
    ['sort_field=name&sort_order=desc&max_items=3', ['t', 'm', 's']],
    ['sort_field=config_type&max_items=2', ['c', 'e']],
    ['sort_order=desc&max_items=1', ['m']],
    [`created_time_ms=0..${Date.now() + 1e9}&name=hook`, ['w']],
    ['last_updated_time_ms=1', []],
  ]
  it.each(FOUND)('finds by %s', async (query, expected) => {
    const found = await ids(query)
    if (query.includes('sort') || query === '') expect(found).toEqual(expected)
    else expect(found.sort()).toEqual([...expected].sort())
  })

  it('pages with the totals of all', async () => {
    const { json } = await other.call(`GET ${CONFIGS}?from_index=2&max_items=1`)
    expect([json.start_index, json.total_hits, json.total_hit_relation]).toEqual([2, 7, 'eq'])
    expect(json.config_list).toHaveLength(1)
  })

  it.each([
    ['sort_field=webhook', 406, 'status_exception', 'Sort on webhook not acceptable'],
    ['sort_order=up', 400, ARGUMENT, 'No enum constant org.opensearch.search.sort.SortOrder.UP'],
    [
      'created_time_ms=today',
      406,
      'status_exception',
      "Invalid Range format today, allowed format 'exact' or 'from..to'",
    ],
    [
      'names=x',
      400,
      ARGUMENT,
      'request [/_plugins/_notifications/configs] contains unrecognized parameter: [names] -> did you mean [name]?',
    ],
  ])('refuses %s', async (query, status, type, reason) => {
    const answer = await other.call(`GET ${CONFIGS}?${query}`)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      status,
      type,
      reason,
    ])
  })

  it('lists channels, disabled ones too, and features', async () => {
    const { json } = await other.call('GET /_plugins/_notifications/channels')
    expect([json.start_index, json.total_hits, json.total_hit_relation]).toEqual([0, 4, 'eq'])
    expect(json.channel_list[0]).toEqual({
      config_id: 'e',
      name: 'Mail channel',
      description: '',
      config_type: 'email',
      is_enabled: false,
    })
    const all = await rest.call('GET /_plugins/_notifications/features')
    expect(all.json).toEqual({
      allowed_config_type_list: [
        'topic_a',
        'chat_a',
        'chat_b',
        'webhook',
        'smtp_account',
        'mail_a_account',
        'email_group',
        'email',
      ],
      plugin_features: { tooltip_support: 'true' },
    })
    const some = await other.call('GET /_plugins/_notifications/features')
    expect(some.json.allowed_config_type_list).not.toContain('chat_b')
    const config = { name: 'n', config_type: 'chime', chime: { url: 'http://a.example' } }
    const answer = await other.call(`POST ${CONFIGS}`, { config })
    expect([answer.status, answer.json.error.reason]).toEqual([
      406,
      'NotificationConfig with type chat_b is not acceptable',
    ])
  })
})

it('answers lists before there is any configuration', async () => {
  const fresh = await openRest()
  for (const [path, list] of [
    [CONFIGS, 'config_list'],
    ['/_plugins/_notifications/channels', 'channel_list'],
  ]) {
    const { json } = await fresh.call(`GET ${path}`)
    expect(json).toEqual({
      start_index: 0,
      total_hits: 0,
      total_hit_relation: 'eq',
      [list as string]: [],
    })
  }
  await fresh.close()
})

it('seals header values on disk, never shows them, and keeps them over a restart', async () => {
  const folder = tempFolder('notifications')
  const secret = 'canary-3f9c1b7e'
  const url = 'http://hook.example/'
  const first = await openRest({}, folder)
  await create('w', 'webhook', { url, header_params: { 'X-Key': secret } }, {}, first)
  const shown = await first.call(`GET ${CONFIGS}/w`)
  expect(shown.json.config_list[0].config.webhook.header_params).toEqual({ 'X-Key': '***' })
  const found = await first.call('GET /.opensearch-notifications-config/_search')
  expect(found.text).not.toContain(secret)
  // Given back as it was shown, the secret stays.
  const config = shown.json.config_list[0].config
  await first.call(`PUT ${CONFIGS}/w`, { config: { ...config, name: 'renamed' } })
  await first.close()
  const second = await openRest({}, folder)
  const again = await second.call(`GET ${CONFIGS}/w`)
  expect(again.json.config_list[0].config.name).toBe('renamed')
  await second.close()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter(entry => entry.isFile())) {
    const path = join(file.parentPath ?? file.path, file.name)
    expect(readFileSync(path).includes(secret), path).toBe(false)
  }
  expect(statSync(join(folder, 'notifications.key')).mode & 0o777).toBe(0o600)
})
