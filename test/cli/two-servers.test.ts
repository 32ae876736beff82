import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newAuthority } from '../support/certificates.ts'
import { type CliProcess, runCli, startCli } from '../support/cli-process.ts'
import { ndjson } from '../support/rest-calls.ts'
import { basicAuth } from '../support/secured-rest.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('two-servers')
const authority = newAuthority()
const TLS = 'plugins.security.ssl.http'
const COUNT = 120

interface Server {
  readonly data: string
  readonly password: string
  readonly process: CliProcess
  readonly port: number
  /** All that it has answered. */
  readonly answers: string[]
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by the test
  readonly json: any
}

/** Starts a process with users and TLS of its own, which trusts the other's certificate. */
async function start(name: string): Promise<Server> {
  const data = join(folder, name)
  const password = `Correct-Horse-${name}-1234!`
  const init = await runCli(['security', 'init', '--data', data], `${password}\n`)
  expect([init.code, init.stderr]).toEqual([0, ''])
  const { cert, key } = authority.issue('localhost')
  mkdirSync(join(data, 'config'), { recursive: true })
  for (const [file, text] of Object.entries({
    'node.pem': cert,
    'node-key.pem': key,
    'ca.pem': authority.cert,
  }))
    writeFileSync(join(data, 'config', file), text)
  const settings = {
    [`${TLS}.enabled`]: 'true',
    [`${TLS}.pemcert_filepath`]: 'node.pem',
    [`${TLS}.pemkey_filepath`]: 'node-key.pem',
    'reindex.ssl.certificate_authorities': 'ca.pem',
    'reindex.remote.allowlist': 'localhost:*',
  }
  const given = Object.entries(settings).flatMap(([setting, value]) => [
    '-E',
    `${setting}=${value}`,
  ])
  const process = startCli(['serve', '--data', data, '--port', '0', '--threads', '1', ...given])
  const [, port] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(await process.saysOnStdout(/:\d+/)) ?? []
  return { data, password, process, port: Number(port), answers: [] }
}

function call(server: Server, line: string, body?: object | string): Promise<Answer> {
  const [method, path] = line.split(' ')
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        method,
        path,
        host: '127.0.0.1',
        servername: 'localhost',
        port: server.port,
        ca: authority.cert,
        agent: false,
        headers: {
          authorization: basicAuth('admin', server.password),
          'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
        },
      },
      response => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          server.answers.push(text)
          resolve({ status: response.statusCode ?? 0, json: text === '' ? null : JSON.parse(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(typeof body === 'string' ? body : body && JSON.stringify(body))
  })
}

const copy = (from: Server, index: string, dest: string, password = from.password): object => ({
  source: {
    index,
    size: 50,
    remote: { host: `https://localhost:${from.port}`, username: 'admin', password },
  },
  dest: { index: dest },
})

const idsIn = async (server: Server, index: string): Promise<[string, unknown][]> => {
  const line = `GET /${index}/_search?size=1000&sort=n`
  const { json } = await call(server, line)
  return json.hits.hits.map((hit: { _id: string; _source: unknown }) => [hit._id, hit._source])
}

let east: Server
let west: Server
beforeAll(async () => {
  east = await start('east')
  west = await start('west')
  const lines = Array.from({ length: COUNT }, (_, n) => [
    { index: { _id: `id-${n}` } },
    { n, text: `passage ${n}` },
  ])
  const { json } = await call(east, 'POST /books/_bulk?refresh=true', ndjson(...lines.flat()))
  expect(json.errors).toBe(false)
}, 60_000)

describe('two servers with TLS and passwords', () => {
  it('copy from one another, there and back', async () => {
    const there = await call(west, 'POST /_reindex?refresh=true', copy(east, 'books', 'copies'))
    expect(there).toMatchObject({ status: 200, json: { created: COUNT, batches: 3, failures: [] } })
    const back = await call(east, 'POST /_reindex?refresh=true', copy(west, 'copies', 'returned'))
    expect(back).toMatchObject({ status: 200, json: { created: COUNT, failures: [] } })
    const books = await idsIn(east, 'books')
    expect(books).toHaveLength(COUNT)
    expect(await idsIn(west, 'copies')).toEqual(books)
    expect(await idsIn(east, 'returned')).toEqual(books)
  })

  it('refuse a password that is none, and a server that is not secured so', async () => {
    const wrong = await call(west, 'POST /_reindex', copy(east, 'books', 'no', 'Wrong-Horse-1!'))
    expect([wrong.status, wrong.json.error.type]).toEqual([401, 'status_exception'])
    expect(JSON.stringify(wrong.json)).not.toContain('Wrong-Horse')
    const plain = JSON.parse(JSON.stringify(copy(east, 'books', 'no')).replace('https:', 'http:'))
    expect((await call(west, 'POST /_reindex', plain)).status).toBeGreaterThanOrEqual(400)
    expect((await call(west, 'GET /no')).status).toBe(404)
  })

  it('tell no password in tasks, their results, answers, logs and files', async () => {
    const line = 'POST /_reindex?wait_for_completion=false&requests_per_second=50'
    const { json } = await call(west, line, copy(east, 'books', 'slowly'))
    const listed = await call(west, 'GET /_tasks?detailed=true&actions=*reindex')
    const texts = JSON.stringify(listed.json)
    expect(texts).toContain(`reindex from [scheme=https host=localhost port=${east.port}`)
    await call(west, `POST /_reindex/${json.task}/_rethrottle?requests_per_second=-1`)
    const done = await call(west, `GET /_tasks/${json.task}?wait_for_completion=true&timeout=30s`)
    expect(done.json).toMatchObject({ completed: true, response: { created: COUNT } })
    await call(west, 'POST /.tasks/_refresh')
    const stored = await call(west, 'GET /.tasks/_search')
    expect(stored.json.hits.total.value).toBe(1)

    for (const { process } of [east, west]) process.child.kill('SIGTERM')
    for (const server of [east, west]) {
      const { code, stdout, stderr } = await server.process.ended
      expect(code).toBe(0)
      const told = [...server.answers, stdout, stderr, ...filesOf(server.data)]
      for (const { password } of [east, west]) {
        const secrets = [password, Buffer.from(`admin:${password}`).toString('base64')]
        expect(told.filter(text => secrets.some(secret => text.includes(secret)))).toEqual([])
      }
    }
  }, 60_000)
})

/** All files of a folder, as texts. */
function filesOf(path: string): readonly string[] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
  return files
    .filter(file => file.isFile())
    .map(file => readFileSync(join(file.parentPath, file.name), 'latin1'))
}
