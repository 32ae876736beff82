import { createSecureContext, type SecureVersion, type TlsOptions } from 'node:tls'
import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { IllegalArgumentError } from '../util/errors.ts'

const PREFIX = 'plugins.security.ssl.http'

/** By name, the oldest first; older ones are not spoken. */
const PROTOCOLS: readonly (readonly [name: string, version: SecureVersion])[] = [
  ['TLSv1.2', 'TLSv1.2'],
  ['TLSv1.3', 'TLSv1.3'],
]

/** Whether a server of these settings speaks TLS. */
export function speaksTls(settings: Settings): boolean {
  return nodeSettings.boolean(settings, `${PREFIX}.enabled`)
}

/**
 * The certificate of a server, its key, whom it trusts, and the versions that it speaks; the files are read
 * anew each time.
 * @param read the text of a file in the configuration folder
 * @throws {IllegalArgumentError} a setting that is missing, a file that cannot be read, or that is no
 *   certificate or key, or of another pair
 */
export function tlsOptions(settings: Settings, read: (path: string) => string): TlsOptions {
  const mode = nodeSettings.text(settings, `${PREFIX}.clientauth_mode`)
  const authorities = nodeSettings.text(settings, `${PREFIX}.pemtrustedcas_filepath`)
  if (mode !== 'NONE' && authorities === '')
    throw new IllegalArgumentError(
      `[${PREFIX}.pemtrustedcas_filepath] must be set if [${PREFIX}.clientauth_mode] is [${mode}]`,
    )
  const options: TlsOptions = {
    cert: fileOf(settings, 'pemcert_filepath', read),
    key: fileOf(settings, 'pemkey_filepath', read),
    ...(authorities === '' ? {} : { ca: read(authorities) }),
    ...versionsOf(settings),
    requestCert: mode !== 'NONE',
    rejectUnauthorized: mode === 'REQUIRE',
  }
  try {
    createSecureContext(options)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new IllegalArgumentError(
      `the files of [${PREFIX}.*] are no certificate with its key in PEM: ${code ?? 'unreadable'}`,
    )
  }
  return options
}

function fileOf(settings: Settings, key: string, read: (path: string) => string): string {
  const path = nodeSettings.text(settings, `${PREFIX}.${key}`)
  if (path === '')
    throw new IllegalArgumentError(
      `[${PREFIX}.${key}] must be set if [${PREFIX}.enabled] is [true]`,
    )
  return read(path)
}

function versionsOf(settings: Settings): Pick<TlsOptions, 'minVersion' | 'maxVersion'> {
  const names = nodeSettings.list(settings, `${PREFIX}.enabled_protocols`)
  const unknown = names.find(name => PROTOCOLS.every(([known]) => known !== name))
  const spoken = PROTOCOLS.filter(([name]) => names.includes(name))
  const [oldest, newest] = [spoken[0], spoken.at(-1)]
  if (unknown !== undefined || oldest === undefined || newest === undefined)
    throw new IllegalArgumentError(
      `[${PREFIX}.enabled_protocols] takes [${PROTOCOLS.map(([name]) => name).join(', ')}], found [${names.join(', ')}]`,
    )
  return { minVersion: oldest[1], maxVersion: newest[1] }
}
