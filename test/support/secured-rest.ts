import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, expect } from 'vitest'
import type { EngineOptions } from '../../src/engine/api/engine-api.ts'
import type { LogLine } from '../../src/engine/api/log-line.ts'
import { startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openRest, type Rest } from './rest-calls.ts'
import { noteCredentials, noteSecret, SecretWatch } from './secret-watch.ts'
import { tellCount } from './tell-count.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** An answer over the socket. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Json
}

/** A node with security on, behind a socket. */
export interface SecuredRest {
  /** The program that holds the node: it may do everything. */
  readonly rest: Rest
  readonly port: number
  /** Sends a request in the name of a user; null: of nobody. The password of each is `passwordOf` his name. */
  as(
    user: string | null,
    line: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<Reply>
  close(): Promise<void>
}

/** The password of every user of the tests. */
export function passwordOf(user: string): string {
  const password = `Correct-Horse-${[...user].reverse().join('')}-42!`
  noteSecret(password)
  return password
}

/** The header of a name and a password. */
export function basicAuth(user: string, password: string = passwordOf(user)): string {
  const header = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  noteCredentials(header)
  return header
}

/**
 * Opens a node with security on and an administrator `admin`. All that it answers, logs and writes is looked through for the
 * secrets that tests use.
 */
export async function openSecured(
  settings: Record<string, string> = {},
  folder: string | null = null,
  log: Pick<EngineOptions, 'onLog'> = {},
  ports: Parameters<typeof openRest>[3] = {},
): Promise<SecuredRest> {
  const all = { 'plugins.security.disabled': 'false', ...settings }
  const watch = new SecretWatch()
  const onLog = (line: LogLine): void => {
    watch.look('a line of the log', JSON.stringify(line))
    log.onLog?.(line)
  }
  const rest = await openRest(all, folder, { onLog }, ports)
  watchAnswers(rest, watch)
  const server = await startHttpServer(rest.dispatcher, {
    host: '127.0.0.1',
    port: 0,
    settings: Settings.EMPTY,
  })
  await addUser(rest, 'admin', { opendistro_security_roles: ['all_access'] })
  return {
    rest,
    port: server.port,
    as: (user, line, body, headers = {}) =>
      send(server.port, line, body, {
        ...(user === null ? {} : { authorization: basicAuth(user) }),
        ...headers,
      }),
    async close() {
      await server.close(0)
      await rest.close()
      if (folder !== null) watch.lookIntoFiles(folder)
      expect(watch.leaks.join('\n')).toBe('')
      tellCount('answers, lines and files without a secret', watch.lookedThrough)
    },
  }
}

/** Looks through every answer on its way to whoever asked, by a socket or without. */
function watchAnswers({ dispatcher }: Rest, watch: SecretWatch): void {
  const dispatch = dispatcher.dispatch.bind(dispatcher)
  dispatcher.dispatch = async (request, asker) => {
    const { authorization } = request.headers ?? {}
    if (typeof authorization === 'string') noteCredentials(authorization)
    const answer = await dispatch(request, asker)
    const text = `${JSON.stringify(answer.headers)} ${Buffer.from(answer.body).toString('latin1')}`
    watch.look(`the answer to ${request.method} ${request.path}`, text)
    return answer
  }
}

/** Sends a request over a socket, a GET with a body too. */
function send(
  port: number,
  line: string,
  body: object | string | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  const [method = '', path = ''] = line.split(/ (.*)/)
  const bytes = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      port,
      method,
      path,
      headers: {
        ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson && text !== '' ? JSON.parse(text) : null,
        })
      })
    })
    sent.end(bytes)
  })
}

/** Makes a user in the name of the program. */
export async function addUser(rest: Rest, name: string, document: object = {}): Promise<void> {
  const line = `PUT /_plugins/_security/api/internalusers/${encodeURIComponent(name)}`
  const { status, json } = await rest.call(line, { password: passwordOf(name), ...document })
  expect([json, status]).toEqual([json, expect.toBeOneOf([200, 201])])
}

/** Makes a role in the name of the program. */
export async function addRole(rest: Rest, name: string, document: object): Promise<void> {
  const { status, json } = await rest.call(`PUT /_plugins/_security/api/roles/${name}`, document)
  expect([json, status]).toEqual([json, expect.toBeOneOf([200, 201])])
}

/** A node for the tests of a file. */
export function securedForFile(settings: Record<string, string> = {}): () => SecuredRest {
  let secured: SecuredRest
  beforeAll(async () => {
    secured = await openSecured(settings)
  })
  afterAll(() => secured.close())
  return () => secured
}
