/**
 * How long requests of one class take each, measured while there are any: the time in which at least
 * one ran, divided by how many ended. By Little's law the requests under way times that is how long a
 * new one would wait, however many of them run side by side.
 */

/** Time with requests under way after which the estimate takes up what was measured. */
const WINDOW_IN_MILLIS = 100
/** Weight of the newest window; the others weigh half as much, one by one. */
const NEWEST_WEIGHT = 0.5

/** Measures one class of requests. */
export class LoadMeter {
  #running = 0
  #ended = 0
  /** Time in this window with requests under way, up to `#since`. */
  #busyInMillis = 0
  #since = 0
  #serviceInMillis: number

  /** @param serviceInMillis estimate before anything was measured */
  constructor(serviceInMillis: number) {
    this.#serviceInMillis = serviceInMillis
  }

  /** Requests under way. */
  get running(): number {
    return this.#running
  }

  /**
   * How long a request that came now would take, behind all that are under way.
   * @param now in milliseconds, of a clock that never goes back
   */
  expectedWait(now: number): number {
    this.#measure(now)
    return (this.#running + 1) * this.#serviceInMillis
  }

  /** A request begins. */
  begin(now: number): void {
    this.#measure(now)
    this.#running++
  }

  /** A request that began has ended, however it did. */
  end(now: number): void {
    this.#measure(now)
    this.#running--
    this.#ended++
  }

  #measure(now: number): void {
    if (this.#running > 0) this.#busyInMillis += now - this.#since
    this.#since = now
    if (this.#busyInMillis < WINDOW_IN_MILLIS) return
    if (this.#ended === 0) {
      // Nothing has ended yet: each takes at least as long as this.
      this.#serviceInMillis = Math.max(this.#serviceInMillis, this.#busyInMillis / this.#running)
      return
    }
    const measured = this.#busyInMillis / this.#ended
    this.#serviceInMillis += NEWEST_WEIGHT * (measured - this.#serviceInMillis)
    this.#busyInMillis = 0
    this.#ended = 0
  }
}
