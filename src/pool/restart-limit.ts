/** Restarts allowed within the window; further ones are delayed. */
const RESTARTS = 10
const WINDOW_IN_MILLIS = 10_000

/** Rate limit for restarting threads that die repeatedly: a start costs tens of milliseconds. */
export class RestartLimit {
  /** Due times of the last restarts, ascending, milliseconds. */
  readonly #restarts: number[] = []

  /** Records a restart. @returns its delay in milliseconds */
  next(): number {
    const now = performance.now()
    const restarts = this.#restarts
    while (restarts.length > 0 && restarts[0]! < now - WINDOW_IN_MILLIS) restarts.shift()
    const before = restarts[restarts.length - RESTARTS]
    const wait = before === undefined ? 0 : Math.max(0, before + WINDOW_IN_MILLIS - now)
    restarts.push(now + wait)
    return wait
  }
}
