/** The other server that a reindex reads from. */
import type { Settings } from '../../schema/settings.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { Secret } from '../../util/secret.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { TlsOptions } from '../outbound.ts'
import { type OutboundGuard, outboundGuard, placeOf } from '../outbound-guard.ts'
import { settingList } from '../setting-list.ts'

/** `source.remote` of a reindex. */
export interface RemoteServer {
  readonly scheme: 'http' | 'https'
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** '' or a path with its leading slash. */
  readonly pathPrefix: string
  readonly username: string | null
  readonly password: Secret | null
  /** Sent with each request. */
  readonly headers: ReadonlyMap<string, Secret>
  readonly socketTimeoutInMillis: number
  readonly connectTimeoutInMillis: number
  /** Sent as it is; null: all documents. */
  readonly query: JsonNode | null
}

/** Settings of the node that concern such servers. */
export interface RemoteSettings {
  readonly allowed: readonly string[]
  readonly guard: OutboundGuard
  readonly tls: TlsOptions
}

const ALLOWLIST = 'reindex.remote.allowlist'

/**
 * Reads the settings of the node.
 * @param readFile reads a file in `path.conf`
 * @throws {EngineError} `illegal_argument_exception`: a list that lets every server pass, a file that
 *   cannot be read
 */
export function remoteSettings(
  settings: Settings,
  readFile: (path: string) => readonly string[],
): RemoteSettings {
  const allowed = settingList(settings.get(ALLOWLIST))
  if (allowed.some(pattern => /^[*:]*$/.test(pattern)))
    throw new IllegalArgumentError(
      `Refusing to start because allowlist [${allowed.join(', ')}] accepts all addresses. This would allow ` +
        'users to reindex-from-remote any URL they like effectively having Lamella make HTTP GETs for them.',
    )
  const trusted = settingList(settings.get('lamella.outbound.allowlist'))
  const textOf = (key: string): string | undefined => {
    const value = settings.get(`reindex.ssl.${key}`)
    return value === undefined || value === null || value === '' ? undefined : String(value)
  }
  const pem = (path: string): string => readFile(path).join('\n')
  const authorities = settingList(settings.get('reindex.ssl.certificate_authorities'))
  const certificate = textOf('certificate')
  const key = textOf('key')
  return {
    allowed,
    guard: outboundGuard({ allowed, trusted, trustsLocalhost: true }),
    tls: {
      ...(authorities.length === 0 ? {} : { ca: authorities.map(pem).join('\n') }),
      ...(certificate === undefined ? {} : { cert: pem(certificate) }),
      ...(key === undefined ? {} : { key: pem(key) }),
      verification: (textOf('verification_mode') ?? 'full') as TlsOptions['verification'],
    },
  }
}

/**
 * Checks that a server may be read from.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkAllowed(server: RemoteServer, { allowed }: RemoteSettings): void {
  const place = placeOf(server)
  if (allowed.some(pattern => matchesWildcard(pattern, place))) return
  throw new IllegalArgumentError(`[${place}] not allowlisted in ${ALLOWLIST}`)
}
