/** `source.remote` of a reindex. */
import { isIP } from 'node:net'
import type { RemoteServer } from '../../../service/reindex/remote-server.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { Secret } from '../../../util/secret.ts'
import { parseDuration } from '../../../util/units.ts'

const TIMEOUT_IN_MILLIS = 30_000

const KEYS = ['host', 'username', 'password', 'headers', 'socket_timeout', 'connect_timeout']

/**
 * Reads the other server and what is asked of it.
 * @param query as the body has it; null: it has none
 * @throws {EngineError} `illegal_argument_exception`, which never shows a secret
 */
export function readRemote(node: JsonNode, query: JsonNode | null): RemoteServer {
  if (node.kind !== 'object') throw new IllegalArgumentError('Expected [remote] to be an object')
  const of = (name: string): JsonNode | null =>
    node.entries.find(({ key }) => key === name)?.value ?? null
  const username = textOf('username', of('username'))
  const password = textOf('password', of('password'))
  const host = textOf('host', of('host'))
  if (host === null)
    throw new IllegalArgumentError('[host] must be specified to reindex from a remote cluster')
  const address = readAddress(host)
  const headers = readHeaders(of('headers'))
  const socketTimeoutInMillis = readTimeout('socket_timeout', of('socket_timeout'))
  const connectTimeoutInMillis = readTimeout('connect_timeout', of('connect_timeout'))
  const unknown = node.entries.map(({ key }) => key).filter(key => !KEYS.includes(key))
  if (unknown.length > 0)
    throw new IllegalArgumentError(`Unsupported fields in [remote]: [${unknown.join(',')}]`)
  if (query !== null && query.kind !== 'object')
    throw new IllegalArgumentError('Expected [query] to be an object')
  return {
    ...address,
    username,
    password: password === null ? null : new Secret(password),
    headers,
    socketTimeoutInMillis,
    connectTimeoutInMillis,
    query,
  }
}

const HOST =
  /^(?<scheme>https?):\/\/(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+)):(?<port>\d{1,5})(?<path>\/[\w.~%!$&'()*+,;=:@/-]*)?$/i

function readAddress(text: string): Pick<RemoteServer, 'scheme' | 'host' | 'port' | 'pathPrefix'> {
  const found = HOST.exec(text)?.groups
  const port = Number(found?.['port'])
  const v6 = found?.['v6']
  if (found === undefined || port > 65_535 || (v6 !== undefined && isIP(v6) !== 6))
    throw new IllegalArgumentError(
      `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${withoutUser(text)}]`,
    )
  return {
    scheme: found['scheme']!.toLowerCase() as RemoteServer['scheme'],
    host: (v6 ?? found['name']!).toLowerCase(),
    port,
    pathPrefix: (found['path'] ?? '').replace(/\/+$/, ''),
  }
}

/** A URL may name a user with a password, which no error shows. */
function withoutUser(text: string): string {
  return text.replace(/^(.*?:\/\/)?.*@/s, '$1')
}

function readHeaders(node: JsonNode | null): ReadonlyMap<string, Secret> {
  const headers = new Map<string, Secret>()
  if (node === null || node.kind === 'null') return headers
  if (node.kind !== 'object')
    throw new IllegalArgumentError('Expected [headers] to be an object containing strings')
  for (const { key, value } of node.entries) {
    if (value.kind !== 'string')
      throw new IllegalArgumentError('Expected [headers] to be an object containing strings')
    // Characters that end a header would begin another one.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value.value))
      throw new IllegalArgumentError(
        `[headers] has a name or value that no header may have: [${key}]`,
      )
    headers.set(key, new Secret(value.value))
  }
  return headers
}

function readTimeout(name: string, node: JsonNode | null): number {
  const text = textOf(name, node)
  if (text === null) return TIMEOUT_IN_MILLIS
  const millis = parseDuration(text, name) / 1e6
  if (millis > 0) return Math.min(millis, 2 ** 31 - 1)
  throw new IllegalArgumentError(`[${name}] must be above 0 but was [${text}]`)
}

function textOf(name: string, node: JsonNode | null): string | null {
  if (node === null || node.kind === 'null') return null
  if (node.kind === 'string') return node.value
  throw new IllegalArgumentError(`Expected [${name}] to be a string`)
}
