/**
 * The dispatcher on a socket: node's HTTP server with our limits and timeouts. Refusals by
 * the parser or a limit, before a request exists, come in the same envelope as everything else.
 */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket, type TlsOptions } from 'node:tls'
import type { Charge } from '../engine/api/memory-charge.ts'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import type { Peer } from '../service/security/security-user.ts'
import { nowInMillis } from '../util/clock.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { LinkedList } from '../util/linked-list.ts'
import { StartQueue } from '../util/start-queue.ts'
import { Admission } from './admission.ts'
import type { AdmissionClass } from './admission-class.ts'
import { ConnectionTable } from './connection-table.ts'
import { contentTooLong, decodeBody, encodeResponse } from './content-coding.ts'
import type { Dispatcher } from './dispatch.ts'
import { OriginGate } from './origin-gate.ts'
import { RequestEnd } from './request-end.ts'
import { type Asked, errorResponse, type RestResponse } from './response.ts'
import { speaksTls, tlsOptions } from './tls-options.ts'

/** How often the server looks for requests that take too long. */
const CHECK_INTERVAL_IN_MILLIS = 5_000
/** How often the files of a certificate are looked at. */
const CERTIFICATE_INTERVAL_IN_MILLIS = 2_000
/** Time that cancelled requests get to answer before their sockets are closed. */
const LAST_WORDS_IN_MILLIS = 1_000
/**
 * Connections that the system keeps until they are accepted. Of a burst beyond it, clients are kept
 * waiting by their own system, which tries again after 1, 3, 7, … seconds.
 */
const BACKLOG = 4_096
/** Connections beyond the limit of those that are served, handshakes under way included. */
const MAX_SHAKING = 512
/** After how many seconds a client that found no place may come again. */
const CONNECTION_RETRY_IN_SECONDS = 1
/** The same of one that was refused for the load, at most. */
const MAX_RETRY_IN_SECONDS = 60
/**
 * How often refusals for the load are sent. A client that asks again at once, whatever the answer says,
 * would else be refused thousands of times a second, in time that searches need.
 */
const REFUSALS_IN_MILLIS = 50
const OVERLOADED =
  'the node is overloaded: requests of this kind would wait for longer than [lamella.admission.deadline]'

/** Where a server listens, and its limits. */
export interface HttpServerOptions {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** The node's: `http.*` and `memory.limit`. */
  readonly settings: Settings
}

/** A server that listens. */
export interface HttpServer {
  readonly host: string
  readonly port: number
  /** Whether it speaks TLS. */
  readonly isSecure: boolean
  /** Accepts nothing more, finishes what runs for so long, then cancels it. Idempotent. */
  close(graceInMillis: number): Promise<void>
}

/**
 * Puts a dispatcher on a socket.
 * @returns the server, once it listens
 * @throws what listening fails with: an error with `code` `EADDRINUSE`, `EACCES`, …;
 *   {IllegalArgumentError} a certificate or its key that cannot be used
 */
export async function startHttpServer(
  dispatcher: Dispatcher,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = new SocketServer(dispatcher, options)
  await server.listen()
  return server
}

/** One request and what belongs to it until it is answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: Readonly<Record<string, string>>
  readonly kind: AdmissionClass
  /** The client sends its body only when it is told to. */
  readonly waitsForContinue: boolean
  readonly reservation: Charge
  readonly end: RequestEnd
}

class SocketServer implements HttpServer {
  readonly host: string
  readonly isSecure: boolean
  /** Looks for another certificate; null without one. */
  #watch: NodeJS.Timeout | null = null
  readonly #dispatcher: Dispatcher
  readonly #options: HttpServerOptions
  readonly #server: Server
  readonly #gate: OriginGate
  readonly #maxBody: number
  readonly #maxLine: number
  readonly #compresses: boolean
  readonly #maxConnections: number
  /** One for each request that is being answered. */
  readonly #running = new LinkedList<RequestEnd>()
  /** Sockets on which an answer has begun and not ended: nothing else may be written there. */
  readonly #answering = new WeakSet<Duplex>()
  readonly #admission: Admission
  readonly #connections: ConnectionTable
  readonly #starts = new StartQueue()
  /** Refusals that have not been sent. */
  readonly #refused: (() => void)[] = []
  #closing: Promise<void> | null = null

  constructor(dispatcher: Dispatcher, options: HttpServerOptions) {
    const { host, settings } = options
    this.host = host
    this.#dispatcher = dispatcher
    this.#options = options
    this.isSecure = speaksTls(settings)
    this.#gate = new OriginGate(host, settings, this.isSecure ? 'https' : 'http')
    this.#maxBody = nodeSettings.bytes(settings, 'http.max_content_length') ?? 0
    this.#maxLine = nodeSettings.bytes(settings, 'http.max_initial_line_length') ?? 0
    this.#compresses = nodeSettings.boolean(settings, 'http.compression')
    this.#admission = new Admission(settings)
    const limit = nodeSettings.number(settings, 'http.max_connections') ?? 0
    this.#maxConnections = limit
    this.#connections = new ConnectionTable(limit, () => {
      this.#dispatcher.refusals.surplus++
      return socketBytes(noConnectionLeft({ method: 'GET' }, limit))
    })
    this.#server = this.#createServer(settings)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port, backlog: BACKLOG }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    const { address, family } = this.#server.address() as AddressInfo
    this.#dispatcher.httpAddress = `${family === 'IPv6' ? `[${address}]` : address}:${this.port}`
  }

  close(graceInMillis: number): Promise<void> {
    this.#closing ??= this.#close(graceInMillis)
    return this.#closing
  }

  async #close(graceInMillis: number): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch)
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    // Node counts a connection that never sent a byte as busy.
    for (const socket of this.#connections.all) if (socket.bytesRead === 0) socket.destroy()
    const timers = [
      setTimeout(() => {
        for (const end of this.#running) end.reach()
      }, graceInMillis),
      setTimeout(() => this.#server.closeAllConnections(), graceInMillis + LAST_WORDS_IN_MILLIS),
    ]
    await closed
    for (const timer of timers) clearTimeout(timer)
    this.#dispatcher.httpAddress = null
  }

  #createServer(settings: Settings): Server {
    const millis = (key: string): number =>
      Math.ceil((nodeSettings.nanos(settings, key) ?? 0) / 1e6)
    const maxHeader = nodeSettings.bytes(settings, 'http.max_header_size') ?? 0
    const requestTimeout = millis('http.request_timeout')
    const limits = {
      // Node counts the request line with the headers.
      maxHeaderSize: maxHeader + this.#maxLine,
      requestTimeout,
      headersTimeout: Math.min(millis('http.headers_timeout'), requestTimeout),
      keepAliveTimeout: millis('http.idle_timeout'),
      connectionsCheckingInterval: CHECK_INTERVAL_IN_MILLIS,
      // Checked by the gate, which answers in the envelope.
      requireHostHeader: false,
    }
    const server = this.isSecure
      ? this.#secured(settings, { ...limits, handshakeTimeout: limits.headersTimeout })
      : createServer(limits)
    // Connections whose handshake is not over are in no table; beyond so many they are reset.
    if (this.isSecure) server.maxConnections = this.#maxConnections + MAX_SHAKING
    // Before node's own listener, which begins to read.
    const event = this.isSecure ? 'secureConnection' : 'connection'
    server.prependListener(event, (socket: Socket) => {
      this.#starts.accepted()
      this.#connections.take(socket)
      const { connections } = this.#dispatcher
      connections.open++
      connections.opened++
      socket.once('close', () => {
        connections.open--
      })
    })
    server.on('request', (request, response) => void this.#serve(request, response, false))
    server.on('checkContinue', (request, response) => void this.#serve(request, response, true))
    server.on('checkExpectation', (request, response) => this.#refuseExpectation(request, response))
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Before the handshake is over nothing could be said that is understood.
      const isUnheard = socket instanceof TLSSocket && socket.getProtocol() === null
      const isOver = error.code === 'ECONNRESET' || !socket.writable || isUnheard
      if (isOver || this.#answering.has(socket)) socket.destroy()
      else endSocket(socket, errorResponse({ method: 'GET' }, parserError(error)))
    })
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      const error = new IllegalArgumentError('this server is no proxy: CONNECT is not answered')
      endSocket(socket, errorResponse({ method: 'CONNECT' }, error))
    })
    // No listener for `upgrade`: node then answers such a request as if it had not asked for one,
    // which is what a client that offers HTTP/2 expects.
    return server
  }

  /** A server with a certificate, which it takes anew when its files have changed. */
  #secured(settings: Settings, limits: ServerOptions & { handshakeTimeout: number }): SecureServer {
    const read = (): TlsOptions => tlsOptions(settings, path => this.#dispatcher.configText(path))
    let current = read()
    const server = createSecureServer({ ...limits, ...current })
    const timer = setInterval(() => {
      try {
        const next = read()
        const isSame = (['cert', 'key', 'ca'] as const).every(key => next[key] === current[key])
        if (isSame) return
        current = next
        server.setSecureContext(next)
      } catch {
        // Half of a change, or none that can be used: the certificate that is there goes on.
      }
    }, CERTIFICATE_INTERVAL_IN_MILLIS)
    timer.unref()
    this.#watch = timer
    return server
  }

  /** Answers one request; never rejects. */
  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    waitsForContinue: boolean,
  ): Promise<void> {
    const { socket } = request
    const place = this.#connections.beginRequest(socket)
    // The body of a refused request is read too, and thrown away.
    if (place === 'leaving') return void request.resume()
    const kind = this.#dispatcher.admissionClass(request.method ?? 'GET', request.url ?? '/')
    const { refusals } = this.#dispatcher
    if (place === 'surplus' && kind !== 'free') {
      refusals.surplus++
      this.#send(request, response, noConnectionLeft(askedBy(request), this.#maxConnections))
      return
    }
    const wait = this.#admission.refusal(kind, nowInMillis())
    if (wait !== null && kind !== 'free') {
      refusals[kind]++
      return this.#refuse(request, response, overloaded(askedBy(request), wait))
    }
    const end = new RequestEnd()
    const reservation = this.#dispatcher.openBody()
    const leave = this.#running.add(end)
    response.once('close', () => {
      leave()
      reservation.release()
      // The client is gone: nobody waits for what still runs.
      if (!response.writableFinished) end.reach()
    })
    const headers = headersOf(request)
    let answer: RestResponse | null
    try {
      const exchange = { request, response, headers, kind, waitsForContinue, reservation, end }
      answer = await this.#answer(exchange)
    } catch (error) {
      answer = errorResponse({ method: request.method ?? 'GET', headers }, error)
    }
    if (answer !== null && !response.destroyed) this.#send(request, response, answer)
  }

  /** The answer to a request; null when the client left before it was sent whole, or has been refused. */
  async #answer(exchange: Exchange): Promise<RestResponse | null> {
    const { request, response, headers, kind, end } = exchange
    const { method = 'GET', url = '/' } = request
    this.#gate.check(headers)
    const preflight = this.#gate.preflightHeaders(method, headers)
    if (preflight !== null) return { status: 200, headers: preflight, body: new Uint8Array() }
    if (url.length > this.#maxLine)
      throw new IllegalArgumentError(`An HTTP line is larger than ${this.#maxLine} bytes.`)
    const { path, query } = splitUrl(url)
    const head = { headers, peer: peerOf(request), method, path }
    const asker = await this.#dispatcher.admit(method, head)
    if ('refusal' in asker) return asker.refusal
    const body = await this.#readBody(exchange)
    if (body === null) return null
    // Others have begun while the body came.
    const wait = this.#admission.refusal(kind, nowInMillis())
    if (wait !== null && kind !== 'free') {
      this.#dispatcher.refusals[kind]++
      this.#refuse(request, response, overloaded({ method, headers }, wait))
      return null
    }
    const dispatch = async (): Promise<RestResponse | null> => {
      // A search that nobody waits for any more is not begun; a write that has arrived is.
      if (end.aborted && kind === 'search') return null
      return await this.#dispatcher.dispatch(
        { method, path, query, headers, body, signal: end },
        asker,
      )
    }
    const leave = this.#admission.enter(kind)
    const starting = kind === 'free' ? dispatch() : this.#starts.run(dispatch)
    const answer = await starting.finally(leave)
    if (answer === null) return null
    const encoded = this.#compresses
      ? await encodeResponse(answer, headers['accept-encoding'])
      : answer
    const cors = this.#gate.corsHeaders(headers)
    const vary = [encoded.headers['vary'], cors['vary']].filter(name => name !== undefined)
    return {
      ...encoded,
      headers: {
        ...encoded.headers,
        ...cors,
        ...(vary.length > 0 ? { vary: vary.join(', ') } : {}),
      },
    }
  }

  /** The body of a request, as it was before it was compressed; null when the client left. */
  async #readBody(exchange: Exchange): Promise<Uint8Array | null> {
    const { request, response, headers, waitsForContinue, reservation } = exchange
    const length = headers['content-length']
    const declared = Number(length ?? 0)
    if (declared > this.#maxBody) throw contentTooLong(this.#maxBody, declared)
    reservation.add(declared)
    if (waitsForContinue) response.writeContinue()
    const sent = await readBytes(request, this.#maxBody, bytes => {
      if (length === undefined) reservation.add(bytes)
    })
    if (sent === null) return null
    const body = await decodeBody(sent, headers['content-encoding'], this.#maxBody)
    if (body !== sent) reservation.add(body.length)
    return body
  }

  /** Sends a refusal with the next batch of them. */
  #refuse(request: IncomingMessage, response: ServerResponse, answer: RestResponse): void {
    if (this.#refused.length === 0) setTimeout(this.#sendRefused, REFUSALS_IN_MILLIS)
    this.#refused.push(() => {
      if (!response.destroyed) this.#send(request, response, answer)
    })
  }

  readonly #sendRefused = (): void => {
    for (const send of this.#refused.splice(0)) send()
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: RestResponse): void {
    const { socket } = request
    this.#answering.add(socket)
    response.once('close', () => {
      this.#answering.delete(socket)
      this.#connections.endRequest(socket)
    })
    // A HEAD has been told the length of the body that a GET would get.
    const headers = { 'content-length': String(answer.body.length), ...answer.headers }
    response.writeHead(
      answer.status,
      this.#closing === null && !this.#connections.isSurplus(socket)
        ? headers
        : { ...headers, connection: 'close' },
    )
    response.end(answer.body)
    // A body that was refused unread is read and thrown away, so that a client which is still
    // sending gets to see its answer; the request timeout bounds how long.
    if (!request.complete) request.resume()
  }

  #refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const error = new IllegalArgumentError(
      `Expect header [${request.headers.expect ?? ''}] is not supported, only [100-continue] is`,
      { status: 417 },
    )
    this.#send(request, response, errorResponse({ method: request.method ?? 'GET' }, error))
  }
}

/**
 * The bytes of a request; null when the client left. Keeps no more than the limit.
 * @param onBytes told how many more have come; what it throws ends the reading
 */
function readBytes(
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
function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: [string, string][] = []
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.push([name, value])
  const credentials = request.headersDistinct['authorization'] ?? []
  if (credentials.length > 1) headers.push(['authorization', credentials.join(', ')])
  return Object.fromEntries(headers)
}

/** Where a request comes from; an IPv4 address is in its own form, without a zone. */
function peerOf({ socket }: IncomingMessage): Peer {
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
function splitUrl(url: string): { path: string; query: string } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  if (at < 0) return { path: target === '' ? '/' : target, query: '' }
  return { path: at === 0 ? '/' : target.slice(0, at), query: target.slice(at + 1) }
}

/** A refusal of node's parser as an error of ours. */
function parserError(error: NodeJS.ErrnoException): EngineError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new IllegalArgumentError('the request line and headers are too long', { status: 431 })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new EngineError({
        type: 'timeout_exception',
        reason: 'the request did not arrive in time',
        status: 408,
      })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new IllegalArgumentError('the chunk extensions are too long', { status: 413 })
    default:
      return new IllegalArgumentError(`not an HTTP request: ${error.code ?? 'unknown'}`)
  }
}

/** The parts of a request that shape any response to it, refusals included. */
function askedBy(request: IncomingMessage): Asked {
  const opaqueId = request.headers['x-opaque-id']
  const headers = typeof opaqueId === 'string' ? { 'x-opaque-id': opaqueId } : {}
  return { method: request.method ?? 'GET', headers }
}

/** 429: the request would wait for longer than it may. */
function overloaded(asked: Asked, waitInMillis: number): RestResponse {
  return withRetry(
    errorResponse(
      asked,
      new EngineError({
        type: 'rejected_execution_exception',
        reason: OVERLOADED,
      }),
    ),
    Math.min(Math.max(1, Math.ceil(waitInMillis / 1000)), MAX_RETRY_IN_SECONDS),
  )
}

/** 503: every connection that is served is busy. */
function noConnectionLeft(asked: Asked, limit: number): RestResponse {
  return withRetry(
    errorResponse(
      asked,
      new EngineError({
        type: 'rejected_execution_exception',
        reason: `all of the [${limit}] connections that [http.max_connections] allows are busy`,
        status: 503,
      }),
    ),
    CONNECTION_RETRY_IN_SECONDS,
  )
}

function withRetry(response: RestResponse, seconds: number): RestResponse {
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } }
}

/** Writes a whole answer to a socket that has no response object, and closes it. */
function endSocket(socket: Duplex, response: RestResponse): void {
  socket.on('error', () => socket.destroy())
  socket.end(socketBytes(response))
}

/** A whole answer, after which the connection is closed. */
function socketBytes({ status, headers, body }: RestResponse): Uint8Array {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}
