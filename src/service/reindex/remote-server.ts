/** The other server that a reindex reads from. */
import { createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
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
 *   cannot be read, bytes that are no key, the key of another certificate, a wrong passphrase
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
  return {
    allowed,
    guard: outboundGuard({ allowed, trusted, trustsLocalhost: true }),
    tls: tlsSettings(settings, path => readFile(path).join('\n')),
  }
}

function tlsSettings(settings: Settings, read: (path: string) => string): TlsOptions {
  const textOf = (key: string): string | undefined => {
    const value = settings.get(`reindex.ssl.${key}`)
    return value === undefined || value === null || value === '' ? undefined : String(value)
  }
  const authorities = settingList(settings.get('reindex.ssl.certificate_authorities'))
  const certificate = textOf('certificate')
  const key = textOf('key')
  const pair = {
    ...(certificate === undefined ? {} : { cert: read(certificate) }),
    ...(key === undefined ? {} : { key: openKey(read(key), textOf('key_passphrase')) }),
  }
  try {
    createSecureContext(pair)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new IllegalArgumentError(
      `[reindex.ssl.certificate] and [reindex.ssl.key] are no certificate with its key in PEM: ${code ?? 'unreadable'}`,
    )
  }
  return {
    ...pair,
    ...(authorities.length === 0 ? {} : { ca: authorities.map(read).join('\n') }),
    verification: (textOf('verification_mode') ?? 'full') as TlsOptions['verification'],
  }
}

/**
 * A private key without its passphrase, which is used here alone: deriving a key from it takes long,
 * and a connection would do so each time.
 */
function openKey(pem: string, passphrase: string | undefined): string {
  const isLocked = /^(-----BEGIN ENCRYPTED|Proc-Type:.*ENCRYPTED)/m.test(pem)
  if (isLocked && passphrase === undefined)
    throw new IllegalArgumentError(
      'the key of [reindex.ssl.key] has a passphrase: set [reindex.ssl.key_passphrase]',
    )
  try {
    const key = createPrivateKey({ key: pem, ...(isLocked ? { passphrase } : {}) })
    return String(key.export({ type: 'pkcs8', format: 'pem' }))
  } catch {
    // What the library says of a wrong passphrase depends on what the bytes happen to become.
    throw new IllegalArgumentError(
      isLocked
        ? 'the key of [reindex.ssl.key] does not open with [reindex.ssl.key_passphrase]'
        : '[reindex.ssl.key] is no private key in PEM',
    )
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
