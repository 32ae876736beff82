/** Requests to other servers: the one place that opens connections to the outside. */

import { lookup } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { cancelledError } from '../util/cancelled-error.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import type { OutboundGuard, OutboundTarget } from './outbound-guard.ts'

/** Certificates of a connection over TLS, in PEM. */
export interface TlsOptions {
  /** Authorities that are trusted in place of the system's; undefined: those. */
  readonly ca?: string
  /** Of the client. */
  readonly cert?: string
  readonly key?: string
  /** `certificate` does not look at the name of the host, `none` at nothing. */
  readonly verification: 'full' | 'certificate' | 'none'
}

/** A server. */
export interface OutboundServer extends OutboundTarget {
  readonly scheme: 'http' | 'https'
  readonly tls: TlsOptions
  readonly connectTimeoutInMillis: number
  /** How long it may be silent. */
  readonly socketTimeoutInMillis: number
  /** Bytes of an answer. */
  readonly maxBytes: number
}

/** A request. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** An answer, of any status; redirects are answers too, and are not followed. */
export interface OutboundAnswer {
  readonly status: number
  /** The text beside it; '' without. */
  readonly reason: string
  /** '' without. */
  readonly contentType: string
  readonly body: Uint8Array
}

/** An answer that is read as it comes. */
export interface OutboundStream {
  readonly status: number
  /** '' without. */
  readonly contentRange: string
  readonly body: AsyncIterable<Uint8Array>
  /** Gives up what has not been read. */
  close(): void
}

/** An answer that is longer than allowed. */
export class AnswerTooLongError extends Error {}

/** Connections to one server. */
export class OutboundClient {
  readonly #server: OutboundServer
  readonly #guard: OutboundGuard
  readonly #agent: http.Agent

  constructor(server: OutboundServer, guard: OutboundGuard) {
    this.#server = server
    this.#guard = guard
    const options = { keepAlive: true, maxSockets: 2 }
    this.#agent = server.scheme === 'https' ? new https.Agent(options) : new http.Agent(options)
  }

  /**
   * Sends a request.
   * @param signal ends it
   * @throws {EngineError} `illegal_argument_exception`: the address may not be reached;
   *   `connect_exception`, `unknown_host_exception`, `socket_timeout_exception`,
   *   `s_s_l_handshake_exception`, `exception`: no answer came
   * @throws {AnswerTooLongError}
   */
  async send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    try {
      this.#check()
      return await this.#exchange(request, signal)
    } catch (error) {
      if (error instanceof EngineError || error instanceof AnswerTooLongError) throw error
      throw outboundError(this.#server.host, error as NodeJS.ErrnoException)
    }
  }

  /**
   * Sends a request whose answer is read as it comes, to its end or until it is closed. Redirects are
   * answers here too.
   * @param signal ends it, the answer too
   * @throws {EngineError} as `send`
   */
  async open(request: OutboundRequest, signal: AbortSignal): Promise<OutboundStream> {
    try {
      this.#check()
      return await new Promise((resolve, reject) => {
        const answered = (response: http.IncomingMessage): void => {
          // One that is given up fails once more, when nobody reads it any longer.
          response.on('error', () => {})
          resolve({
            status: response.statusCode ?? 0,
            contentRange: response.headers['content-range'] ?? '',
            body: response,
            close: () => response.destroy(),
          })
        }
        this.#ask(request, signal, answered, reject)
      })
    } catch (error) {
      if (error instanceof EngineError) throw error
      throw outboundError(this.#server.host, error as NodeJS.ErrnoException)
    }
  }

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy()
  }

  #check(): void {
    const { host } = this.#server
    this.#guard.checkName(this.#server)
    // An address is not looked up, so it is checked here.
    if (isIP(host) !== 0) this.#guard.check(this.#server, host)
  }

  #ask(
    { method, path, headers, body }: OutboundRequest,
    signal: AbortSignal,
    answered: (response: http.IncomingMessage, request: http.ClientRequest) => void,
    failed: (error: Error) => void,
  ): void {
    const { scheme, host, port, tls, connectTimeoutInMillis, socketTimeoutInMillis } = this.#server
    const request = (scheme === 'https' ? https : http).request({
      method,
      path,
      host,
      port,
      signal,
      headers: { ...headers, ...(body === null ? {} : { 'content-length': body.length }) },
      agent: this.#agent,
      lookup: guardedLookup(this.#server, this.#guard),
      timeout: socketTimeoutInMillis,
      ...(scheme === 'https' ? tlsOptions(tls, host) : {}),
    })
    const connecting = setTimeout(
      () => request.destroy(timedOut('Connect', connectTimeoutInMillis)),
      connectTimeoutInMillis,
    )
    const connected = (): void => clearTimeout(connecting)
    request.on('socket', (socket: Socket) => {
      if (!socket.connecting) connected()
      else socket.once(scheme === 'https' ? 'secureConnect' : 'connect', connected)
    })
    request.on('timeout', () => request.destroy(timedOut('Read', socketTimeoutInMillis)))
    request.on('error', error => {
      connected()
      failed(error)
    })
    request.on('response', response => {
      connected()
      answered(response, request)
    })
    request.end(body ?? undefined)
  }

  #exchange(asked: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const { maxBytes } = this.#server
    return new Promise((resolve, reject) => {
      const answered = (response: http.IncomingMessage, request: http.ClientRequest): void => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxBytes) chunks.push(chunk)
          else {
            reject(new AnswerTooLongError())
            // Without the error: where the whole answer has come, its socket is the agent's again, and nobody
            // would catch it there.
            request.destroy()
          }
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks),
          }),
        )
      }
      this.#ask(asked, signal, answered, reject)
    })
  }
}

/** Looks a name up once; the connection goes to just the addresses that were checked. */
function guardedLookup(target: OutboundTarget, guard: OutboundGuard): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '')
      try {
        for (const { address } of found) guard.check(target, address)
      } catch (refused) {
        return done(refused as Error, '')
      }
      if (options.all === true) return done(null, found)
      const [first] = found
      done(null, first?.address ?? '', first?.family)
    })
  }
}

/**
 * Opens a connection for a protocol that is spoken elsewhere.
 * @throws {EngineError} as `OutboundClient.send`
 */
export async function openOutboundSocket(
  target: OutboundTarget,
  guard: OutboundGuard,
  timeoutInMillis: number,
): Promise<Socket> {
  const { host, port } = target
  try {
    guard.checkName(target)
    if (isIP(host) !== 0) guard.check(target, host)
    return await new Promise((resolve, reject) => {
      const socket = connect({ host, port, lookup: guardedLookup(target, guard) })
      const timer = setTimeout(
        () => socket.destroy(timedOut('Connect', timeoutInMillis)),
        timeoutInMillis,
      )
      socket.once('close', () => clearTimeout(timer))
      socket.once('error', reject)
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.off('error', reject)
        resolve(socket)
      })
    })
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw outboundError(host, error as NodeJS.ErrnoException)
  }
}

/** An error of the system in the API's words; none of them tells what was sent. */
function outboundError(host: string, error: NodeJS.ErrnoException): EngineError {
  const code = error.code ?? ''
  const known = SYSTEM_ERRORS[code]
  if (known !== undefined) return new EngineError(known)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new EngineError({
      type: 'unknown_host_exception',
      reason: `${host}: Name or service not known`,
    })
  if (code === 'ABORT_ERR') return cancelledError()
  if (error.syscall === 'connect')
    return new EngineError({ type: 'connect_exception', reason: `cannot connect: ${code}` })
  if (/^(ERR_(TLS|SSL|OSSL)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_)/.test(code))
    return new EngineError({ type: 's_s_l_handshake_exception', reason: error.message })
  return new EngineError({ type: 'exception', reason: `no answer: ${code || error.name}` })
}

const SYSTEM_ERRORS: Readonly<Record<string, ErrorRecord>> = {
  ECONNREFUSED: { type: 'connect_exception', reason: 'Connection refused' },
  EADDRNOTAVAIL: { type: 'connect_exception', reason: 'Connection refused' },
  EHOSTUNREACH: { type: 'connect_exception', reason: 'No route to host' },
  ENETUNREACH: { type: 'connect_exception', reason: 'Network is unreachable' },
  ETIMEDOUT: { type: 'connect_exception', reason: 'Connection timed out' },
  ECONNRESET: { type: 'exception', reason: 'Connection closed by peer' },
  EPIPE: { type: 'exception', reason: 'Connection closed by peer' },
}

function timedOut(step: 'Connect' | 'Read', millis: number): EngineError {
  return new EngineError({
    type: 'socket_timeout_exception',
    reason: `${step} timed out after ${millis} milliseconds`,
  })
}

function tlsOptions(tls: TlsOptions, host: string): https.RequestOptions {
  const { ca, cert, key, verification } = tls
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: verification !== 'none',
    ...(verification === 'certificate' ? { checkServerIdentity: () => undefined } : {}),
  }
}
