/** The settings of a node that concern deliveries. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { Secret } from '../../util/secret.ts'
import { type OutboundGuard, outboundGuard } from '../outbound-guard.ts'
import { settingList } from '../setting-list.ts'
import type { ConfigType } from './config.ts'
import { CONFIG_TYPE_NAMES, configTypeOf } from './config-types.ts'
import { readKeyLine } from './sealed-keys.ts'

const PREFIX = 'opensearch.notifications.core.'

/** Settings of deliveries. */
export interface DeliverySettings {
  readonly guard: OutboundGuard
  readonly connectTimeoutInMillis: number
  readonly socketTimeoutInMillis: number
  readonly maxConnections: number
  readonly maxConnectionsPerRoute: number
  /** Wait before the second of three tries; twice as long before the third. */
  readonly backoffInMillis: number
  /** Authorities trusted beside no others, in PEM; null: those of the system. */
  readonly authorities: string | null
  /** Of the cloud's interface, in place of that of a region; null: that. */
  readonly cloudEndpoint: string | null
}

/** Keys out of a file below `path.conf`, by name. */
export type Keys = ReadonlyMap<string, Secret>

/** Reads them from a node's settings. */
export function deliverySettings({ cluster }: EngineApi): DeliverySettings {
  const { settings } = cluster.nodeInfo()
  const number = (key: string): number => nodeSettings.number(settings, PREFIX + key) ?? 0
  const authorities = settingList(settings.get('lamella.notifications.certificate_authorities'))
  return {
    guard: outboundGuard({
      allowed: [],
      trusted: settingList(settings.get('lamella.outbound.allowlist')),
      denied: settingList(settings.get(`${PREFIX}http.host_deny_list`)),
      trustsLocalhost: false,
    }),
    connectTimeoutInMillis: number('http.connection_timeout'),
    socketTimeoutInMillis: number('http.socket_timeout'),
    maxConnections: number('http.max_connections'),
    maxConnectionsPerRoute: number('http.max_connection_per_route'),
    backoffInMillis: (nodeSettings.nanos(settings, 'lamella.notifications.backoff') ?? 0) / 1e6,
    authorities:
      authorities.length === 0
        ? null
        : authorities.map(path => cluster.configFile(path).join('\n')).join('\n'),
    cloudEndpoint: textOf(settings, 'lamella.notifications.cloud.endpoint'),
  }
}

/** The types that a node takes, in the order of the features. */
export function allowedTypes({ cluster }: EngineApi): readonly ConfigType[] {
  const value = cluster.nodeInfo().settings.get(`${PREFIX}allowed_config_types`)
  if (value === null) return CONFIG_TYPE_NAMES
  const allowed = settingList(value).map(configTypeOf)
  return CONFIG_TYPE_NAMES.filter(type => allowed.includes(type))
}

/**
 * Name and password of an account of mail: the file of `…email.⟨name of the account⟩.credentials`; null: it has none.
 * @throws {EngineError} `illegal_argument_exception`: no such file, or no keys in it
 */
export function mailKeys(engine: EngineApi, account: string): Keys | null {
  return keysOf(engine, `${PREFIX}email.${account}.credentials`, ['username', 'password'])
}

/**
 * The keys with which requests to the cloud are signed: the file of `lamella.notifications.cloud.credentials`, else the
 * environment; null: there are none.
 * @throws {EngineError} `illegal_argument_exception`: no such file, or no keys in it
 */
export function cloudKeys(engine: EngineApi): Keys | null {
  const names = ['access_key', 'secret_key', 'session_token']
  const given = keysOf(engine, 'lamella.notifications.cloud.credentials', names)
  if (given !== null) return given
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = process.env
  if (access === undefined || secret === undefined) return null
  const token = process.env['AWS_SESSION_TOKEN']
  return new Map([
    ['access_key', new Secret(access)],
    ['secret_key', new Secret(secret)],
    ...(token === undefined ? [] : [['session_token', new Secret(token)] as const]),
  ])
}

/** Lines of `key: value`, sealed ones too. No line is shown in an error: each may hold a key. */
function keysOf({ cluster }: EngineApi, setting: string, names: readonly string[]): Keys | null {
  const { settings, folder } = cluster.nodeInfo()
  const path = textOf(settings, setting)
  if (path === null) return null
  const keys = new Map<string, Secret>()
  for (const [i, line] of cluster.configFile(path).entries()) {
    if (line.trim() === '') continue
    const found = readKeyLine(folder, line)
    if (found === null || !names.includes(found.name))
      throw new IllegalArgumentError(
        `line [${i + 1}] of the file of [${setting}] is none of [${names.join(': …], [')}: …]`,
      )
    keys.set(found.name, found.value)
  }
  return keys
}

function textOf(settings: Settings, key: string): string | null {
  const value = settings.get(key)
  return value === null || value === undefined || value === '' ? null : String(value)
}
