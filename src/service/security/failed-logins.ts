/** Failures of a source that cost it nothing. */
const FREE_FAILURES = 5
/** The first pause; each further failure doubles it. */
const FIRST_PAUSE_IN_MILLIS = 1_000
const MAX_PAUSE_IN_MILLIS = 5 * 60_000
/** An address may fail so often in all, whatever the names. */
const FREE_FAILURES_OF_ADDRESS = 50
/** So long after its last failure a source is forgotten. */
const MEMORY_IN_MILLIS = 10 * 60_000
/** Sources kept: past so many the one that failed longest ago goes. */
const MAX_SOURCES = 10_000

/** Failures of one source. */
interface Failures {
  readonly count: number
  readonly lastAt: number
}

/**
 * Makes whoever fails to log in wait: by address, and by address and user together, so that nobody locks
 * a user out from elsewhere.
 */
export class FailedLogins {
  readonly #now: () => number
  /** By source, that which failed last at the end. */
  readonly #sources = new Map<string, Failures>()

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether an attempt is refused unlooked at. */
  isBlocked(address: string, user: string): boolean {
    return (
      this.#pauses(ofBoth(address, user), FREE_FAILURES) ||
      this.#pauses(address, FREE_FAILURES_OF_ADDRESS)
    )
  }

  /** Notes a failure. */
  note(address: string, user: string): void {
    for (const source of [ofBoth(address, user), address]) {
      const before = this.#known(source)
      this.#sources.delete(source)
      this.#sources.set(source, { count: (before?.count ?? 0) + 1, lastAt: this.#now() })
    }
    while (this.#sources.size > MAX_SOURCES)
      this.#sources.delete(this.#sources.keys().next().value!)
  }

  /** Notes a success: what failed before was a typing error. */
  forget(address: string, user: string): void {
    this.#sources.delete(ofBoth(address, user))
  }

  #pauses(source: string, free: number): boolean {
    const found = this.#known(source)
    if (found === null || found.count < free) return false
    const pause = Math.min(MAX_PAUSE_IN_MILLIS, FIRST_PAUSE_IN_MILLIS * 2 ** (found.count - free))
    return this.#now() - found.lastAt < pause
  }

  #known(source: string): Failures | null {
    const found = this.#sources.get(source)
    if (found === undefined) return null
    return this.#now() - found.lastAt < MEMORY_IN_MILLIS ? found : null
  }
}

/** No address holds a blank. */
function ofBoth(address: string, user: string): string {
  return `${address} ${user}`
}
