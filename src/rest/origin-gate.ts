/**
 * The gate of a server that asks nobody for a password. Loopback is no wall: every web page that
 * a browser on this machine shows can reach it. So the `Host` header must be an address or a name
 * that is ours (a page whose name was rebound to 127.0.0.1 sends its own name), and an `Origin` must
 * be our own or one that the settings name.
 */
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { EngineError } from '../util/errors.ts'

/** Headers of a request, names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Checks `Host` and `Origin` of requests to one server. */
export class OriginGate {
  readonly #scheme: 'http' | 'https'
  readonly #names: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>

  /**
   * @param host what the server was told to listen on
   * @param scheme of the URLs that lead to it
   */
  constructor(host: string, settings: Settings, scheme: 'http' | 'https' = 'http') {
    this.#scheme = scheme
    const names = [host, 'localhost', ...nodeSettings.list(settings, 'http.allowed_hosts')]
    // A name that the network gives out is ours only where the network reaches us.
    if (host !== 'localhost' && host !== '::1' && !host.startsWith('127.')) names.push(hostname())
    this.#names = new Set(names.map(name => name.toLowerCase()))
    const origins = nodeSettings.list(settings, 'http.cors.allow-origin')
    this.#origins = new Set(origins.map(origin => origin.toLowerCase()))
  }

  /**
   * Passes a request or refuses it.
   * @throws {EngineError} 403 `security_exception`
   */
  check(headers: RequestHeaders): void {
    const { host, origin } = headers
    // Every browser sends one: a request without it comes from no page.
    if (host !== undefined) this.#checkHost(host)
    const own = host === undefined ? null : `${this.#scheme}://${host.toLowerCase()}`
    if (origin === undefined || origin.toLowerCase() === own) return
    if (!isNamed(this.#origins, origin.toLowerCase()))
      throw refused(
        `Origin header [${origin}] is not allowed: name the origin in [http.cors.allow-origin]`,
      )
  }

  #checkHost(host: string): void {
    const name = hostName(host)
    if (isIP(name) !== 0 || name.endsWith('.localhost') || isNamed(this.#names, name)) return
    throw refused(
      `Host header [${host}] is not allowed: use an address or [localhost], ` +
        'or name the host in [http.allowed_hosts]',
    )
  }

  /** Headers that let a page of an allowed origin read the answer; none for other requests. */
  corsHeaders({ origin }: RequestHeaders): Readonly<Record<string, string>> {
    if (origin === undefined || !isNamed(this.#origins, origin.toLowerCase())) return {}
    return { 'access-control-allow-origin': origin, vary: 'origin' }
  }

  /** The further headers of the answer to a preflight; null when the request is none. */
  preflightHeaders(method: string, headers: RequestHeaders): Record<string, string> | null {
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return null
    const cors = this.corsHeaders(headers)
    if (cors['access-control-allow-origin'] === undefined) return null
    return {
      ...cors,
      'access-control-allow-methods': 'OPTIONS, HEAD, GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'X-Requested-With, Content-Type, Content-Length, X-Opaque-Id, Authorization',
      'access-control-max-age': '1728000',
    }
  }
}

/** The name or address of a `Host` header: no port, no brackets, lower case. */
function hostName(header: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(header)
  return (bracketed?.[1] ?? header.replace(/:\d*$/, '')).toLowerCase()
}

function isNamed(names: ReadonlySet<string>, name: string): boolean {
  return names.has('*') || names.has(name)
}

function refused(reason: string): EngineError {
  return new EngineError({ type: 'security_exception', reason })
}
