/**
 * Requests on the connections of a server, from their heads to their sent answers: admission, body,
 * dispatch, compression. A refusal comes in the same envelope as any other answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Charge } from '../engine/api/memory-charge.ts'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { nowInMillis } from '../util/clock.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { LinkedList } from '../util/linked-list.ts'
import type { StartQueue } from '../util/start-queue.ts'
import { Admission } from './admission.ts'
import type { AdmissionClass } from './admission-class.ts'
import type { ConnectionTable } from './connection-table.ts'
import { contentTooLong, decodeBody, encodeResponse } from './content-coding.ts'
import type { Dispatcher } from './dispatch.ts'
import { askedBy, headersOf, peerOf, readBytes, splitUrl } from './http-request.ts'
import type { OriginGate } from './origin-gate.ts'
import { noConnectionLeft, overloaded } from './overload-refusal.ts'
import { RequestEnd } from './request-end.ts'
import { errorResponse, type RestResponse } from './response.ts'

/**
 * How often refusals for the load are sent. A client that asks again at once, whatever the answer says,
 * would else be refused thousands of times a second, in time that searches need.
 */
const REFUSALS_IN_MILLIS = 50

/** The interface of a server to its requests. */
export interface RequestedServer {
  readonly dispatcher: Dispatcher
  /** The node's. */
  readonly settings: Settings
  readonly gate: OriginGate
  readonly connections: ConnectionTable
  /** Bytes of a request line that are taken, at most. */
  readonly maxLine: number
  /** Connections that are served, at most. */
  readonly maxConnections: number
  /** Begins work in turn with connections that wait to be accepted. */
  readonly starts: StartQueue
  /** Whether it takes no more requests: connections end with the answers that are on their way. */
  isClosing(): boolean
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

/** The requests of one server that are being answered. */
export class HttpExchanges {
  readonly #server: RequestedServer
  readonly #dispatcher: Dispatcher
  readonly #connections: ConnectionTable
  readonly #maxBody: number
  readonly #compresses: boolean
  readonly #admission: Admission
  /** One for each request that is being answered. */
  readonly #running = new LinkedList<RequestEnd>()
  /** Sockets on which an answer has begun and not ended. */
  readonly #answering = new WeakSet<Duplex>()
  /** Refusals that have not been sent. */
  readonly #refused: (() => void)[] = []

  constructor(server: RequestedServer) {
    const { settings } = server
    this.#server = server
    this.#dispatcher = server.dispatcher
    this.#connections = server.connections
    this.#maxBody = nodeSettings.bytes(settings, 'http.max_content_length') ?? 0
    this.#compresses = nodeSettings.boolean(settings, 'http.compression')
    this.#admission = new Admission(settings)
  }

  /** Whether an answer has begun on a socket and not ended: nothing else may be written there. */
  isAnswering(socket: Duplex): boolean {
    return this.#answering.has(socket)
  }

  /** Cancels all that run. */
  cancelAll(): void {
    for (const end of this.#running) end.reach()
  }

  /** Answers one request; never rejects. */
  async serve(
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
      this.#send(request, response, noConnectionLeft(askedBy(request), this.#server.maxConnections))
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
    this.#server.gate.check(headers)
    const preflight = this.#server.gate.preflightHeaders(method, headers)
    if (preflight !== null) return { status: 200, headers: preflight, body: new Uint8Array() }
    if (url.length > this.#server.maxLine)
      throw new IllegalArgumentError(`An HTTP line is larger than ${this.#server.maxLine} bytes.`)
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
    const starting = kind === 'free' ? dispatch() : this.#server.starts.run(dispatch)
    const answer = await starting.finally(leave)
    if (answer === null) return null
    const encoded = this.#compresses
      ? await encodeResponse(answer, headers['accept-encoding'])
      : answer
    const cors = this.#server.gate.corsHeaders(headers)
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
      !this.#server.isClosing() && !this.#connections.isSurplus(socket)
        ? headers
        : { ...headers, connection: 'close' },
    )
    response.end(answer.body)
    // A body that was refused unread is read and thrown away, so that a client which is still
    // sending gets to see its answer; the request timeout bounds how long.
    if (!request.complete) request.resume()
  }

  /** Refuses a request that expects what HTTP does not know. */
  refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const error = new IllegalArgumentError(
      `Expect header [${request.headers.expect ?? ''}] is not supported, only [100-continue] is`,
      { status: 417 },
    )
    this.#send(request, response, errorResponse({ method: request.method ?? 'GET' }, error))
  }
}
