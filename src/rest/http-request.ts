/** A request as node's HTTP server gives it, read into what the dispatcher takes. */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Peer } from '../service/security/security-user.ts'
import { contentTooLong } from './content-coding.ts'
import type { Asked } from './response.ts'

/**
 * The bytes of a request; null when the client left. Keeps no more than the limit.
 * @param onBytes told how many more have come; what it throws ends the reading
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  onBytes: (count: number) => void,
): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const onData = (chunk: Uint8Array): void => {
      length += chunk.length
      try {
        if (length > limit) throw contentTooLong(limit, `more than ${limit}`)
        onBytes(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        request.off('data', onData)
        chunks.length = 0
        reject(error)
      }
    }
    request.on('data', onData)
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.once('close', () => resolve(null))
    request.once('error', () => resolve(null))
  })
}

/**
 * The headers that have one value; repeated ones come joined from the parser, but for some of which it
 * takes the first: credentials that are given twice are joined too, and so nobody's.
 */
export function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: [string, string][] = []
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.push([name, value])
  const credentials = request.headersDistinct['authorization'] ?? []
  if (credentials.length > 1) headers.push(['authorization', credentials.join(', ')])
  return Object.fromEntries(headers)
}

/** Where a request comes from; an IPv4 address is in its own form, without a zone. */
export function peerOf({ socket }: IncomingMessage): Peer {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  const peer = { address, port: socket.remotePort ?? 0 }
  const subject = subjectOf(socket)
  return subject === null ? peer : { ...peer, subject }
}

/** Read once for each connection. */
const subjects = new WeakMap<object, string | null>()

/** The subject of a connection's certificate; null: it showed none, or none that the server trusts. */
function subjectOf(socket: IncomingMessage['socket']): string | null {
  if (!(socket instanceof TLSSocket)) return null
  let subject = subjects.get(socket)
  if (subject === undefined) {
    const certificate = socket.authorized ? socket.getPeerX509Certificate() : undefined
    subject = certificate?.subject ?? null
    subjects.set(socket, subject)
  }
  return subject
}

/** Path and query of a request target; an absolute one loses its scheme and host. */
export function splitUrl(url: string): { path: string; query: string } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  if (at < 0) return { path: target === '' ? '/' : target, query: '' }
  return { path: at === 0 ? '/' : target.slice(0, at), query: target.slice(at + 1) }
}

/** The parts of a request that shape any response to it, refusals included. */
export function askedBy(request: IncomingMessage): Asked {
  const opaqueId = request.headers['x-opaque-id']
  const headers = typeof opaqueId === 'string' ? { 'x-opaque-id': opaqueId } : {}
  return { method: request.method ?? 'GET', headers }
}
