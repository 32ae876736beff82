import type { Cancellation } from '../../util/cancellation.ts'

const MAX_PAUSE_IN_MILLIS = 3_600_000

/** Keeps batches apart, so that so many documents are written in a second. */
export class Throttle {
  #rate: number
  #throttledMillis = 0
  /** Of the wait under way: when it began and ends, on the clock of `performance.now()`. */
  #began = 0
  #until = 0
  #wake: (() => void) | null = null

  /** @param rate documents a second, above 0; Infinity: as many as there are */
  constructor(rate: number) {
    this.#rate = rate
  }

  get rate(): number {
    return this.#rate
  }

  /** Milliseconds that have been waited in all; of a wait that was made shorter, what was left then. */
  get throttledMillis(): number {
    return Math.round(this.#throttledMillis)
  }

  /** Milliseconds until the wait under way ends; 0 without. */
  get untilMillis(): number {
    return this.#wake === null ? 0 : Math.max(0, Math.round(this.#until - performance.now()))
  }

  get isOn(): boolean {
    return this.#rate !== Number.POSITIVE_INFINITY
  }

  /** Milliseconds to wait behind a batch, which itself took some; never more than an hour. */
  delayAfter(documents: number, tookInMillis: number): number {
    const millis = (documents / this.#rate) * 1000 - tookInMillis
    return Math.min(MAX_PAUSE_IN_MILLIS, Math.max(0, millis))
  }

  /** Waits; a faster rate makes the wait under way shorter, a cancellation ends it. */
  async wait(delayInMillis: number, cancellation: Cancellation): Promise<void> {
    if (delayInMillis <= 0 || cancellation.isCancelled) return
    this.#began = performance.now()
    this.#until = this.#began + delayInMillis
    await new Promise<void>(resolve => {
      let timer: NodeJS.Timeout
      const look = (): void => {
        clearTimeout(timer)
        const left = cancellation.isCancelled ? 0 : this.#until - performance.now()
        if (left > 0) timer = setTimeout(look, Math.ceil(left))
        else {
          stopListening()
          resolve()
        }
      }
      const stopListening = cancellation.onCancel(look)
      this.#wake = look
      timer = setTimeout(look, Math.ceil(delayInMillis))
    })
    // Not what the timer or this turn came late by: that is no wait for the sake of the rate.
    this.#throttledMillis += Math.min(performance.now(), this.#until) - this.#began
    this.#wake = null
  }

  /** Changes the rate: a faster one at once, a slower one behind the next batch. */
  rethrottle(rate: number): void {
    const before = this.#rate
    this.#rate = rate
    if (this.#wake === null || rate <= before) return
    const now = performance.now()
    const left = this.#until - now
    this.#began = now
    this.#until = now + (rate === Number.POSITIVE_INFINITY ? 0 : (left * before) / rate)
    this.#wake()
  }
}
