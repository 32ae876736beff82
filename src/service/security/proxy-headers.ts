import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Peer, SecurityUser } from './security-user.ts'

const PREFIX = 'plugins.security.authc.proxy'
/** Users kept, so that the rights of each are found once. */
const MAX_USERS = 1_000

/** Believes proxies of configured addresses who is asking; nobody else's headers count. */
export class ProxyHeaders {
  readonly #proxies: ReadonlySet<string>
  readonly #userHeader: string
  readonly #rolesHeader: string
  /** By name and roles as they came. */
  readonly #users = new Map<string, SecurityUser>()

  constructor(settings: Settings) {
    this.#proxies = new Set(nodeSettings.list(settings, `${PREFIX}.internal_proxies`))
    this.#userHeader = nodeSettings.text(settings, `${PREFIX}.user_header`).toLowerCase()
    this.#rolesHeader = nodeSettings.text(settings, `${PREFIX}.roles_header`).toLowerCase()
  }

  /** The user whom a proxy names; null: none does. */
  userOf(headers: Readonly<Record<string, string | undefined>>, peer: Peer): SecurityUser | null {
    const name = this.#proxies.has(peer.address) ? (headers[this.#userHeader]?.trim() ?? '') : ''
    if (name === '') return null
    const roles = headers[this.#rolesHeader] ?? ''
    // No header holds a line break.
    const key = `${name}\n${roles}`
    const known = this.#users.get(key)
    if (known !== undefined) return known
    const user: SecurityUser = {
      name,
      backendRoles: roles
        .split(',')
        .map(role => role.trim())
        .filter(role => role !== ''),
      requestedTenant: null,
      ownRoles: [],
      attributes: new Map(),
      isInternal: false,
    }
    if (this.#users.size >= MAX_USERS) this.#users.clear()
    this.#users.set(key, user)
    return user
  }

  /** Whether any proxy is believed. */
  get isOn(): boolean {
    return this.#proxies.size > 0
  }
}
