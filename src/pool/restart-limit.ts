/** At most so many restarts in so many milliseconds before they wait. */
const RESTARTS = 10
const WINDOW_IN_MILLIS = 10_000

/** Keeps threads that die over and over from being started as often: a start costs tens of milliseconds. */
export class RestartLimit {
  /** When the last restarts were due, ascending. */
  readonly #restarts: number[] = []

  /** Notes a restart. @returns how many milliseconds it has to wait */
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
