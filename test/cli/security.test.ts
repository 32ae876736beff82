import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { open } from '../../src/embed/open.ts'
import { isPasswordHash, matchesPassword } from '../../src/service/security/password-hash.ts'
import { runCli } from '../support/cli-process.ts'
import { httpReceiver } from '../support/http-receiver.ts'
import { verifySigned } from '../support/signed-request.ts'
import { tempFolder } from '../support/temp-folder.ts'

const data = join(tempFolder('cli-security'), 'data')
const PASSWORD = 'Correct-Horse-1234!'
const run = (input: string, ...args: string[]): ReturnType<typeof runCli> =>
  runCli(['security', ...args, '--data', data], input)

it('makes the first user and others, whom requests are then asked for', async () => {
  const first = await run(`${PASSWORD}\n`, 'init')
  expect([first.code, first.stdout, first.stderr]).toEqual([0, 'made the user admin\n', ''])
  const again = await run(`${PASSWORD}\n`, 'init')
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('the folder has users already: admin'),
  ])
  const roles = ['--role', 'readall', '--backend-role', 'staff']
  const made = await run('', 'user', 'add', 'ann', ...roles, '--generate', '--json')
  const { user, password } = JSON.parse(made.stdout)
  expect([user, password.length]).toEqual(['ann', 24])
  const twice = await run(`${PASSWORD}\n`, 'user', 'add', 'ann')
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('[ann] already')])

  await using db = await open(data)
  await using server = await db.serve({ port: 0 })
  const info = async (name: string, secret: string): Promise<[number, string]> => {
    const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
    const path = `${server.url}/_plugins/_security/authinfo`
    const answer = await fetch(path, { headers: { authorization } })
    return [answer.status, await answer.text()]
  }
  expect((await fetch(server.url)).status).toBe(401)
  expect(await info('admin', PASSWORD)).toEqual([200, expect.stringContaining('"all_access"')])
  const [status, text] = await info('ann', password)
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    { roles: ['readall'], backend_roles: ['staff'] },
  ])
})

it('hashes a password, and prints nothing else', async () => {
  const { code, stdout, stderr } = await runCli(['security', 'hash'], `${PASSWORD}\nmore\n`)
  expect([code, stderr, isPasswordHash(stdout.trim())]).toEqual([0, '', true])
  expect(await matchesPassword(PASSWORD, stdout.trim())).toBe(true)
})

it('seals a file of keys under the key of the folder, whose node reads it so', async () => {
  const config = join(data, 'config')
  mkdirSync(config, { recursive: true, mode: 0o700 })
  const file = join(config, 'cloud')
  writeFileSync(file, 'access_key: OWN\n\nsecret_key = canary-cloud\n', { mode: 0o644 })
  for (const _ of ['once', 'again']) {
    const { code, stdout, stderr } = await run('', 'seal', file)
    expect([code, stdout, stderr]).toEqual([0, `sealed the values of ${file}\n`, ''])
  }
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^access_key: sealed:\S+\n\nsecret_key = sealed:\S+\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(config)).toEqual(['cloud'])

  const receiver = await httpReceiver(() => ({ body: '{"MessageId":"1"}' }))
  const settings = {
    'lamella.outbound.allowlist': '127.0.0.1',
    'lamella.notifications.cloud.endpoint': receiver.url,
    'lamella.notifications.cloud.credentials': 'cloud',
  }
  const delivery = async (folder: string): Promise<string> => {
    await using db = await open(folder, { settings })
    const topic_a = { topic_arn: 'arn:aws:sns:us-east-2:123456789012:events' }
    await db.request({
      method: 'POST',
      path: '/_plugins/_notifications/configs',
      body: { config_id: 'topic', config: { name: 'topic', config_type: 'topic_a', topic_a } },
    })
    const path = '/_plugins/_notifications/feature/test/topic'
    return JSON.stringify((await db.request({ method: 'POST', path })).json())
  }
  expect(await delivery(data)).toContain('"status_code":"200"')
  const own = { isValid: true, accessKey: 'OWN', service: 'sns' }
  expect(verifySigned(receiver.received[0]!, 'canary-cloud')).toMatchObject(own)

  // Under the key of another folder it is nothing.
  const other = join(tempFolder('cli-security-other'), 'data')
  mkdirSync(join(other, 'config'), { recursive: true, mode: 0o700 })
  copyFileSync(file, join(other, 'config/cloud'))
  expect(await delivery(other)).toContain(
    'the value of [access_key] was sealed under another key than [notifications.key]',
  )
  expect(receiver.received).toHaveLength(1)

  writeFileSync(file, 'access_key: OWN\ncanary-line\n')
  const refused = await run('', 'seal', file)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('line [2] is not of the form [name: value]'),
  ])
  expect(readFileSync(file, 'utf8')).toBe('access_key: OWN\ncanary-line\n')
})

it('tells what makes no sense, and which password will not do', async () => {
  for (const [input, args, code, text] of [
    ['', [], 2, 'ACTION is missing: init [NAME], hash, user add NAME, or seal FILE'],
    [
      '',
      ['x'],
      2,
      'security x makes no sense: it takes init [NAME], hash, user add NAME, seal FILE',
    ],
    ['', ['user', 'add'], 2, 'security user add makes no sense'],
    ['', ['init', 'a', 'b'], 2, 'security init a b makes no sense'],
    ['', ['user', 'add', 'bob'], 2, 'no password was given'],
    ['short\n', ['user', 'add', 'bob'], 1, 'Password is too short'],
    [`${PASSWORD}\n`, ['user', 'add', 'b:b'], 1, 'restricted character'],
    [`${PASSWORD}\n`, ['user', 'add', 'bob', '--role', 'none'], 1, "role 'none' not found."],
  ] as const) {
    const { code: found, stderr } = await run(input, ...args)
    expect([args, found]).toEqual([args, code])
    expect(stderr).toContain(text)
    expect(stderr).not.toContain(PASSWORD)
  }
})
