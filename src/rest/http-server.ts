/**
 * The dispatcher on a socket: node's HTTP server with our limits and timeouts, its certificate and its
 * connections. Refusals by the parser, before a request exists, come in the same envelope as everything
 * else.
 */

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket, type TlsOptions } from 'node:tls'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { StartQueue } from '../util/start-queue.ts'
import { ConnectionTable } from './connection-table.ts'
import type { Dispatcher } from './dispatch.ts'
import { HttpExchanges } from './http-exchanges.ts'
import { OriginGate } from './origin-gate.ts'
import { noConnectionLeft } from './overload-refusal.ts'
import { errorResponse, type RestResponse } from './response.ts'
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

class SocketServer implements HttpServer {
  readonly host: string
  readonly isSecure: boolean
  /** Looks for another certificate; null without one. */
  #watch: NodeJS.Timeout | null = null
  readonly #dispatcher: Dispatcher
  readonly #options: HttpServerOptions
  readonly #server: Server
  readonly #maxLine: number
  readonly #maxConnections: number
  readonly #connections: ConnectionTable
  readonly #starts = new StartQueue()
  readonly #exchanges: HttpExchanges
  #closing: Promise<void> | null = null

  constructor(dispatcher: Dispatcher, options: HttpServerOptions) {
    const { host, settings } = options
    this.host = host
    this.#dispatcher = dispatcher
    this.#options = options
    this.isSecure = speaksTls(settings)
    this.#maxLine = nodeSettings.bytes(settings, 'http.max_initial_line_length') ?? 0
    const limit = nodeSettings.number(settings, 'http.max_connections') ?? 0
    this.#maxConnections = limit
    this.#connections = new ConnectionTable(limit, () => {
      this.#dispatcher.refusals.surplus++
      return socketBytes(noConnectionLeft({ method: 'GET' }, limit))
    })
    this.#exchanges = new HttpExchanges({
      dispatcher,
      settings,
      gate: new OriginGate(host, settings, this.isSecure ? 'https' : 'http'),
      connections: this.#connections,
      maxLine: this.#maxLine,
      maxConnections: limit,
      starts: this.#starts,
      isClosing: () => this.#closing !== null,
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
      setTimeout(() => this.#exchanges.cancelAll(), graceInMillis),
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
    const exchanges = this.#exchanges
    server.on('request', (request, response) => void exchanges.serve(request, response, false))
    server.on('checkContinue', (request, response) => void exchanges.serve(request, response, true))
    server.on('checkExpectation', (request, response) =>
      exchanges.refuseExpectation(request, response),
    )
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Before the handshake is over nothing could be said that is understood.
      const isUnheard = socket instanceof TLSSocket && socket.getProtocol() === null
      const isOver = error.code === 'ECONNRESET' || !socket.writable || isUnheard
      if (isOver || exchanges.isAnswering(socket)) socket.destroy()
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
