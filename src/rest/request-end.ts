/**
 * The early end of a request on a socket: the client has gone, or the server closes. It stands in the place of an
 * `AbortSignal`, which V8 keeps until the next major collection and of which nearly all requests have no use.
 */
import type { AbortSource } from '../task/abort-link.ts'

/** The early end of one request. */
export class RequestEnd implements AbortSource {
  #isReached = false
  #listeners: readonly (() => void)[] = []

  get aborted(): boolean {
    return this.#isReached
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener]
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter(other => other !== listener)
  }

  /** Tells all that listen, once. */
  reach(): void {
    if (this.#isReached) return
    this.#isReached = true
    for (const listener of this.#listeners) listener()
  }
}
