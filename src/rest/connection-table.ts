/**
 * The connections of a server, and what happens beyond their limit: idle ones are closed for new ones,
 * the longest idle first. Where all are busy a few more are kept for one request each, so that a health
 * check and a cancellation are answered and everything else is refused with a body.
 */
import type { Socket } from 'node:net'

/** Connections beyond the limit whose one request is read. Any more are told off unread. */
const SURPLUS = 64
/** Connections that were told off unread and have not gone yet; any more are just closed. */
const MAX_LEAVING = 256
/** How long a connection that was told off may take to read it. */
const LEAVING_IN_MILLIS = 1_000

/** Sees connections come, begin requests, and go. */
export class ConnectionTable {
  readonly #limit: number
  readonly #refusal: () => Uint8Array
  /** All that may send requests. */
  readonly #open = new Set<Socket>()
  /** Those without a request under way, longest idle first; with the bytes read when it began. */
  readonly #idle = new Map<Socket, number>()
  readonly #surplus = new Set<Socket>()
  #leaving = 0

  /**
   * @param limit   of connections that are served
   * @param refusal bytes of the answer for a connection that is not even read
   */
  constructor(limit: number, refusal: () => Uint8Array) {
    this.#limit = limit
    this.#refusal = refusal
  }

  /** Those that are open, told off ones apart. */
  get all(): Iterable<Socket> {
    return this.#open
  }

  /**
   * Takes in a new connection; beyond all limits it is answered at once, and leaves. Its further bytes have
   * to be read and thrown away.
   */
  take(socket: Socket): void {
    if (this.#open.size >= this.#limit && !this.#closeIdle()) {
      if (this.#surplus.size >= SURPLUS) {
        this.#tellOff(socket)
        return
      }
      this.#surplus.add(socket)
    }
    this.#open.add(socket)
    this.#idle.set(socket, 0)
    socket.once('close', () => this.#forget(socket))
  }

  /**
   * A request has arrived on a connection.
   * @returns served: as usual; surplus: beyond the limit; leaving: it has its answer already
   */
  beginRequest(socket: Socket): 'served' | 'surplus' | 'leaving' {
    this.#idle.delete(socket)
    if (this.#surplus.has(socket)) return 'surplus'
    return this.#open.has(socket) ? 'served' : 'leaving'
  }

  /** Whether a connection is beyond the limit: it is closed after its first answer. */
  isSurplus(socket: Socket): boolean {
    return this.#surplus.has(socket)
  }

  /** The answer to a request has been sent whole. */
  endRequest(socket: Socket): void {
    if (this.#open.has(socket)) this.#idle.set(socket, socket.bytesRead)
  }

  /** Closes the connection that has been idle for the longest time; false where none is idle. */
  #closeIdle(): boolean {
    for (const [socket, bytesRead] of this.#idle) {
      // Bytes that came since begin a request.
      if (socket.bytesRead !== bytesRead || this.#surplus.has(socket)) continue
      // At once, and not with its `close` event: many may come in one turn.
      this.#forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    this.#idle.delete(socket)
    this.#surplus.delete(socket)
  }

  #tellOff(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    if (this.#leaving >= MAX_LEAVING) {
      socket.destroy()
      return
    }
    this.#leaving++
    const timer = setTimeout(() => socket.destroy(), LEAVING_IN_MILLIS)
    socket.once('close', () => {
      clearTimeout(timer)
      this.#leaving--
    })
    socket.end(this.#refusal())
  }
}
