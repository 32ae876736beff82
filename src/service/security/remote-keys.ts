import { setTimeout as wait } from 'node:timers/promises'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { OutboundClient } from '../outbound.ts'
import { outboundGuard } from '../outbound-guard.ts'

const PREFIX = 'plugins.security.authc.jwt'

/**
 * Fetches the keys of an issuer from the URL of `jwks_uri`. Redirects are not followed.
 *
 * Fetches that fail count as those that succeed do: `refresh_rate_limit_count` of them are spread over
 * `refresh_rate_limit_time_window_ms`, so that tokens of made-up keys cannot drive them.
 */
export class RemoteKeys {
  readonly url: URL
  readonly #settings: Settings
  readonly #now: () => number
  #lastFetch = Number.NEGATIVE_INFINITY
  #underWay = 0

  /**
   * @param now a clock in milliseconds
   * @throws {IllegalArgumentError} the URL is none of `http` or `https`, or holds a name and a password
   */
  constructor(settings: Settings, now: () => number = () => performance.now()) {
    const text = nodeSettings.text(settings, `${PREFIX}.jwks_uri`)
    const url = URL.canParse(text) ? new URL(text) : null
    const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol)
    if (url === null || !isHttp || url.username !== '' || url.password !== '')
      throw new IllegalArgumentError(
        `[${PREFIX}.jwks_uri] must be an http or https URL without a name and a password`,
      )
    this.url = url
    this.#settings = settings
    this.#now = now
  }

  /** Whether a node of these settings fetches keys. */
  static areAsked(settings: Settings): boolean {
    return nodeSettings.text(settings, `${PREFIX}.jwks_uri`) !== ''
  }

  /** Of a whole fetch. */
  get timeoutInMillis(): number {
    return this.#number('jwks_request_timeout_ms')
  }

  /** The least time between two fetches. */
  get pauseInMillis(): number {
    const window = this.#number('refresh_rate_limit_time_window_ms')
    return window / this.#number('refresh_rate_limit_count')
  }

  /**
   * The set of keys as the issuer sends it.
   * @param signal ends the fetch
   * @throws {KeysUnavailableError} it does not come, is none, or was asked for a moment ago
   */
  async fetch(signal: AbortSignal): Promise<Response> {
    const now = this.#now()
    if (now < this.#lastFetch + this.pauseInMillis) throw new KeysUnavailableError()
    this.#lastFetch = now
    this.#underWay++
    try {
      const body = await this.#get(signal)
      checkCount(body, this.#number('max_jwks_keys'))
      return new Response(body)
    } catch (error) {
      throw new KeysUnavailableError({ cause: error })
    } finally {
      this.#underWay--
    }
  }

  /**
   * Waits for a key: whoever comes while another one's fetch is under way waits for that no longer than for
   * `jwks_queued_thread_timeout_ms`.
   * @param find looks among the keys that are known, and fetches others where it must
   * @throws {KeysUnavailableError} that took too long; else as `find`
   */
  async waitFor<T>(find: () => Promise<T>): Promise<T> {
    if (this.#underWay === 0) return await find()
    const ending = new AbortController()
    const late = wait(this.#number('jwks_queued_thread_timeout_ms'), undefined, {
      signal: ending.signal,
      ref: false,
    }).then(() => {
      throw new KeysUnavailableError()
    })
    // Nobody listens to the one that comes second.
    late.catch(() => {})
    try {
      return await Promise.race([find(), late])
    } finally {
      ending.abort()
    }
  }

  #number(name: string): number {
    return nodeSettings.number(this.#settings, `${PREFIX}.${name}`)!
  }

  async #get(signal: AbortSignal): Promise<string> {
    const { protocol, hostname, port, pathname, search, host } = this.url
    const isSecure = protocol === 'https:'
    const name = hostname.replace(/^\[|\]$/g, '')
    const client = new OutboundClient(
      {
        scheme: isSecure ? 'https' : 'http',
        host: name,
        port: port === '' ? (isSecure ? 443 : 80) : Number(port),
        tls: { verification: 'full' },
        connectTimeoutInMillis: this.timeoutInMillis,
        socketTimeoutInMillis: this.timeoutInMillis,
        maxBytes: this.#number('max_jwks_response_size_bytes'),
      },
      // Whoever starts the node names the host, wherever that is.
      outboundGuard({ allowed: [], trusted: [name], trustsLocalhost: true }),
    )
    try {
      const headers = { host, accept: 'application/jwk-set+json, application/json' }
      const request = { method: 'GET' as const, path: pathname + search, headers, body: null }
      const { status, body } = await client.send(request, signal)
      if (status !== 200) throw new Error(`status ${status}`)
      return Buffer.from(body).toString('utf8')
    } finally {
      client.close()
    }
  }
}

/** That nobody can be told apart for now, which is no fault of the token. */
export class KeysUnavailableError extends EngineError {
  constructor(options?: ErrorOptions) {
    super({
      type: 'security_exception',
      reason: 'Authentication backend is unavailable: the keys of tokens cannot be fetched',
      status: 503,
    })
    if (options !== undefined) this.cause = options.cause
  }
}

/** @param most −1: no limit but that of bytes */
function checkCount(text: string, most: number): void {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('no set of keys')
  if (most >= 0 && keys.length > most) throw new Error('too many keys')
}
