/** Keeps a copy below so many bytes a second. */
import type { Cancellation } from '../../util/cancellation.ts'

/** Bytes that may come at once, in seconds of the rate. */
const BURST_IN_SECONDS = 0.1

/** Shared by all copies of one direction of a repository. */
export class Throttle {
  /** Infinity: no limit. */
  readonly #bytesPerMilli: number
  /** When the bytes so far are within the rate, on the clock of `performance`. */
  #freeAt = 0

  /** @param bytesPerSecond 0 is no limit */
  constructor(bytesPerSecond: number) {
    this.#bytesPerMilli = bytesPerSecond <= 0 ? Number.POSITIVE_INFINITY : bytesPerSecond / 1000
  }

  /** Longest piece that should be copied at once, so that the rate is even. */
  get pieceBytes(): number {
    return Math.max(4096, Math.ceil(this.#bytesPerMilli * 1000 * BURST_IN_SECONDS))
  }

  /** Resolves when so many more bytes may be copied, or at the cancellation. */
  async take(bytes: number, signal: Cancellation): Promise<void> {
    if (this.#bytesPerMilli === Number.POSITIVE_INFINITY) return
    const now = performance.now()
    const start = Math.max(this.#freeAt, now)
    this.#freeAt = start + bytes / this.#bytesPerMilli
    const wait = start - now
    if (wait <= 0 || signal.isCancelled) return
    await new Promise<void>(resolve => {
      const done = (): void => {
        clearTimeout(timer)
        unlisten()
        resolve()
      }
      const timer = setTimeout(done, wait)
      const unlisten = signal.onCancel(done)
    })
  }
}
