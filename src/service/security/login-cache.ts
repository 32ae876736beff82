import { createHmac, randomBytes } from 'node:crypto'

/** Logins kept; past so many the one used longest ago goes. */
const MAX_LOGINS = 1_000
/** A login is checked anew after so long. */
const LIFE_IN_MILLIS = 60 * 60_000

/**
 * Logins that were checked, so that a request costs no hashing of its password. Keeps no password: the
 * key is a digest of the header under a key that dies with the process.
 */
export class LoginCache<T> {
  readonly #now: () => number
  readonly #secret = randomBytes(32)
  /** By digest, the one used last at the end. */
  readonly #logins = new Map<string, { readonly value: T; readonly until: number }>()

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The key of a header. */
  keyOf(header: string): string {
    return createHmac('sha256', this.#secret).update(header).digest('base64')
  }

  /** The login of a key; null: none is kept. */
  get(key: string): T | null {
    const found = this.#logins.get(key)
    if (found === undefined) return null
    this.#logins.delete(key)
    if (found.until <= this.#now()) return null
    this.#logins.set(key, found)
    return found.value
  }

  /** Keeps a login, for no longer than it lasts. */
  put(key: string, value: T, lifeInMillis: number = LIFE_IN_MILLIS): void {
    const until = this.#now() + Math.min(LIFE_IN_MILLIS, lifeInMillis)
    this.#logins.set(key, { value, until })
    if (this.#logins.size > MAX_LOGINS) this.#logins.delete(this.#logins.keys().next().value!)
  }

  /** Forgets logins: all, or those that a condition holds of. */
  forget(isMeant: (value: T) => boolean = () => true): void {
    for (const [key, { value }] of this.#logins) if (isMeant(value)) this.#logins.delete(key)
  }
}
