import { createHmac, randomBytes } from 'node:crypto'
import { type BasicCredentials, basicCredentials } from './basic-credentials.ts'
import type { ClientCertificates } from './client-certificates.ts'
import { FailedLogins } from './failed-logins.ts'
import { HashingQueue } from './hashing-queue.ts'
import type { JwtTokens } from './jwt-tokens.ts'
import { LoginCache } from './login-cache.ts'
import { matchesPassword, NO_USERS_HASH } from './password-hash.ts'
import type { ProxyHeaders } from './proxy-headers.ts'
import { isObject, type SecurityDocument, textOf, textsOf } from './security-document.ts'
import type { SecurityStore } from './security-store.ts'
import type { Peer, SecurityUser } from './security-user.ts'

/** Why nobody was let in. */
export type LoginRefusal = 'unauthorized' | 'blocked' | 'no-token'

/** Finds out who is asking: by a proxy's word, by a token, by name and password, or by a certificate. */
export class Authenticator {
  readonly #store: SecurityStore
  readonly #cache: LoginCache<SecurityUser>
  readonly #failed: FailedLogins
  readonly #queue = new HashingQueue()
  /** Checks under way by key: clients open many connections at once, all with one password. */
  readonly #running = new Map<string, Promise<SecurityUser | LoginRefusal>>()
  readonly #secret = randomBytes(32)
  /** Generation of the documents that the cache holds logins of. */
  #cached = 0

  readonly #proxies: ProxyHeaders
  readonly #tokens: JwtTokens | null
  readonly #certificates: ClientCertificates

  /**
   * @param tokens null: none are taken
   * @param now a clock in milliseconds
   */
  constructor(
    store: SecurityStore,
    proxies: ProxyHeaders,
    tokens: JwtTokens | null,
    certificates: ClientCertificates,
    now: () => number,
  ) {
    this.#store = store
    this.#certificates = certificates
    this.#proxies = proxies
    this.#tokens = tokens
    this.#cache = new LoginCache(now)
    this.#failed = new FailedLogins(now)
  }

  /**
   * The user of a request's headers, at once where they were checked before.
   * @throws {EngineError} `rejected_execution_exception`: too many checks wait
   */
  authenticate(
    headers: Readonly<Record<string, string | undefined>>,
    peer: Peer,
  ): SecurityUser | LoginRefusal | Promise<SecurityUser | LoginRefusal> {
    if (this.#cached !== this.#store.generation) this.forget()
    const proxied = this.#proxies.userOf(headers, peer)
    if (proxied !== null) return proxied
    const token = this.#tokens === null ? undefined : headers[this.#tokens.header]
    if (token !== undefined && this.#tokens?.isToken(token) === true)
      return this.#byToken(this.#tokens, token)
    const header = headers['authorization']
    // A machine may have the certificate, and somebody at it a password.
    if (header === undefined) return this.#certificates.userOf(peer) ?? 'unauthorized'
    const key = this.#cache.keyOf(header)
    const known = this.#cache.get(key)
    if (known !== null) return known
    const given = basicCredentials(header)
    if (given === null) return 'unauthorized'
    if (this.#failed.isBlocked(peer.address, given.name)) return 'blocked'
    // An attempt from elsewhere is one of its own, whose failure is counted there.
    const run = `${peer.address} ${key}`
    let check = this.#running.get(run)
    if (check === undefined) {
      check = this.#check(key, given, peer.address).finally(() => this.#running.delete(run))
      this.#running.set(run, check)
    }
    return check
  }

  #byToken(
    tokens: JwtTokens,
    token: string,
  ): SecurityUser | LoginRefusal | Promise<SecurityUser | LoginRefusal> {
    // No header of a password begins so.
    const key = this.#cache.keyOf(`token ${token}`)
    const known = this.#cache.get(key)
    if (known !== null) return known
    return tokens.userOf(token).then(found => {
      if (found === null) return 'no-token'
      this.#cache.put(key, found.user, found.lifeInMillis)
      return found.user
    })
  }

  /** Has logins checked anew: all, or those of a user. */
  forget(name?: string): void {
    this.#cached = this.#store.generation
    this.#cache.forget(user => name === undefined || user.name === name)
  }

  /** Whether a password is that of a user whom the node keeps. */
  async isPasswordOf(name: string, password: string): Promise<boolean> {
    const hash = this.#hashOf(name)
    return await this.#queue.run(() => matchesPassword(password, hash ?? NO_USERS_HASH))
  }

  async #check(
    key: string,
    { name, password }: BasicCredentials,
    address: string,
  ): Promise<SecurityUser | LoginRefusal> {
    const { generation } = this.#store
    const document = this.#store.documents.internalusers.get(name)
    const hash = this.#hashOf(name)
    const matches = await this.#queue.run(() =>
      matchesPassword(password.reveal(), hash ?? this.#likeOthers(name)),
    )
    // The user may have been changed while the check ran: what it found does not hold.
    if (generation !== this.#store.generation)
      return await this.#check(key, { name, password }, address)
    if (!matches || hash === null || document === undefined) {
      this.#failed.note(address, name)
      return 'unauthorized'
    }
    this.#failed.forget(address, name)
    const user = internalUser(name, document)
    this.#cache.put(key, user)
    return user
  }

  #hashOf(name: string): string | null {
    return textOf(this.#store.documents.internalusers.get(name)?.['hash'])
  }

  /**
   * The hash that stands for that of an unknown user: one of those that are there, always the same one
   * for a name, so that no duration tells whether there is such a user.
   */
  #likeOthers(name: string): string {
    const users = [...this.#store.documents.internalusers.keys()]
    const digest = createHmac('sha256', this.#secret).update(name).digest()
    const other = users[digest.readUInt32LE(0) % Math.max(1, users.length)]
    return (other === undefined ? null : this.#hashOf(other)) ?? NO_USERS_HASH
  }
}

/** A user whom the node keeps. */
export function internalUser(name: string, document: SecurityDocument): SecurityUser {
  const { attributes } = document
  const own = isObject(attributes) ? Object.entries(attributes) : []
  return {
    name,
    backendRoles: textsOf(document['backend_roles']),
    requestedTenant: null,
    ownRoles: textsOf(document['opendistro_security_roles']),
    attributes: new Map(own.map(([key, value]) => [`attr.internal.${key}`, String(value)])),
    isInternal: true,
  }
}
