import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import { type Asker, TRUSTED_ASKER } from '../../task/access.ts'
import { type Action, scopeOf } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { KeptCaller } from '../../task/kept-caller.ts'
import { type AuditedRequest, AuditLog } from './audit-log.ts'
import { Authenticator, internalUser, type LoginRefusal } from './authenticator.ts'
import { basicCredentials } from './basic-credentials.ts'
import { ClientCertificates } from './client-certificates.ts'
import { DocumentEdits } from './document-edits.ts'
import { type MaskSettings, maskSettings } from './field-mask.ts'
import { JwtTokens, takesTokens } from './jwt-tokens.ts'
import { rolesOf } from './map-roles.ts'
import { type Permissions, permissionsOf, tenantsOf } from './permissions.ts'
import { ProxyHeaders } from './proxy-headers.ts'
import { type AccessRules, SecurityAccess } from './security-access.ts'
import { SecurityStore } from './security-store.ts'
import type { Peer, SecurityUser } from './security-user.ts'

/** Where something comes from that no connection asks for. */
const NOWHERE: Peer = { address: '', port: 0 }

/** Addresses for which a user's permissions are kept. */
const MAX_ADDRESSES = 32

/** What is known of a request before its body is read. */
export interface RequestHead {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly peer: Peer
  readonly method?: string
  /** Without its query, still escaped. */
  readonly path?: string
}

/** Why a request is not let in. */
export type Refusal = LoginRefusal | 'not-initialized' | 'impersonation'

/** A user with what its roles allow. */
interface Rights {
  readonly roles: readonly string[]
  readonly permissions: Permissions
}

/** A caller as the account API shows him; null: the program, or anybody where security is off. */
export interface Account {
  readonly user: SecurityUser
  readonly roles: readonly string[]
  readonly tenants: ReadonlyMap<string, boolean>
  readonly peer: Peer | null
}

/** Users, their roles, and who may do what. */
export class SecurityService {
  /** Whether requests over sockets are asked for a user. */
  readonly isOn: boolean
  readonly edits: DocumentEdits
  readonly #engine: EngineApi
  readonly #store: SecurityStore
  readonly #authenticator: Authenticator
  readonly #rules: AccessRules
  readonly #audit: AuditLog
  readonly #masks: MaskSettings
  /** Whether there are users beside those that the node keeps. */
  readonly #hasOthers: boolean
  /** By user as the login found it, then by address; of one generation of the documents. */
  #rights = new WeakMap<SecurityUser, Map<string, Rights>>()
  #rightsOf = 0

  /**
   * @throws {CorruptSegmentError} the documents are damaged: nobody is let in by older ones
   */
  constructor(engine: EngineApi) {
    const { settings } = engine.cluster.nodeInfo()
    this.#engine = engine
    this.#store = new SecurityStore(engine.keptState('security'))
    const disabled = nodeSettings.text(settings, 'plugins.security.disabled')
    this.isOn = disabled === '' ? !this.#store.isEmpty : disabled === 'false'
    const takes = takesTokens(settings)
    const proxies = new ProxyHeaders(settings)
    const certificates = new ClientCertificates(settings)
    this.#hasOthers = takes || proxies.isOn || certificates.isOn
    const tokens =
      takes && this.isOn
        ? new JwtTokens(settings, path => engine.cluster.configFile(path).join('\n'))
        : null
    this.#authenticator = new Authenticator(this.#store, proxies, tokens, certificates, () =>
      performance.now(),
    )
    this.#rules = {
      administrators: new Set(
        nodeSettings.list(settings, 'plugins.security.restapi.roles_enabled'),
      ),
      emptyLifts: nodeSettings.boolean(settings, 'plugins.security.dfm_empty_overrides_all'),
      passesOver: nodeSettings.boolean(settings, 'plugins.security.do_not_fail_on_forbidden'),
      passesOverAll: nodeSettings.boolean(
        settings,
        'plugins.security.do_not_fail_on_forbidden_empty',
      ),
    }
    this.#audit = new AuditLog(engine, settings)
    this.#masks = maskSettings(settings)
    this.edits = new DocumentEdits(this.#store, this.#authenticator, settings, this.#masks)
  }

  /**
   * The sender of a request with his permissions; at once where he was known before.
   * @throws {EngineError} `rejected_execution_exception`: too many logins wait
   */
  admit(head: RequestHead): Asker | Refusal | Promise<Asker | Refusal> {
    if (!this.isOn) return TRUSTED_ASKER
    if (this.#store.isEmpty && !this.#hasOthers) return 'not-initialized'
    const found = this.#authenticator.authenticate(head.headers, head.peer)
    return found instanceof Promise
      ? found.then(login => this.#asker(login, head))
      : this.#asker(found, head)
  }

  /**
   * Whether somebody may do something, told by the first permission that it asks for. It ends there, undone.
   * @param action of the whole
   * @param attempt does it in the name that it is given
   * @returns the permission that is missing; null: he may
   * @throws what the attempt fails with before it asks for one
   */
  async missingPermission(
    { access, principal }: Asker,
    action: Action,
    attempt: (asker: Asker) => Promise<unknown>,
  ): Promise<Action | null> {
    // The account of the caller is his own; he alone is asked who he is.
    if (!(access instanceof SecurityAccess) || scopeOf(action) === 'caller') return null
    let first: { readonly action: Action; readonly isPassed: boolean } | null = null
    const probing = access.probing((asked, isPassed) => (first ??= { action: asked, isPassed }))
    try {
      await attempt({ access: probing, principal })
    } catch (error) {
      if (first === null) throw error
    }
    const { action: asked, isPassed } = first ?? { action, isPassed: true }
    return isPassed ? null : asked
  }

  /** Notes that the caller of a request has changed documents. */
  noteEdit({ access }: Pick<CallContext, 'access'>, method: string, path: string): void {
    const caller = access instanceof SecurityAccess ? access : null
    const user = caller?.user.name ?? null
    const address = caller?.peer?.address ?? ''
    this.#audit.note('COMPLIANCE_INTERNAL_CONFIG_WRITE', { user, address, method, path })
  }

  /** The caller of a request; null: the program itself, or anybody where security is off. */
  accountOf({ access }: Pick<CallContext, 'access'>): Account | null {
    if (!(access instanceof SecurityAccess)) return null
    const { user, roles, peer } = access
    return { user, roles, peer, tenants: tenantsOf(this.#store.documents, roles, user) }
  }

  /** The caller of a request as a record keeps him; null: the program itself, or anybody where security is off. */
  callerOf({ access }: Pick<CallContext, 'access'>): KeptCaller | null {
    if (!(access instanceof SecurityAccess)) return null
    const { name, backendRoles, isInternal } = access.user
    return { name, backendRoles, isInternal }
  }

  /**
   * A caller that was kept, with the permissions that he has now: none where he is a user whom the node keeps no more.
   * @param caller null: the program itself
   */
  askerOf(caller: KeptCaller | null): Asker {
    if (caller === null || !this.isOn) return TRUSTED_ASKER
    const { name, backendRoles, isInternal } = caller
    const document = isInternal ? this.#store.documents.internalusers.get(name) : undefined
    const nobody = { ownRoles: [], requestedTenant: null, attributes: new Map() }
    const user =
      document === undefined
        ? { name, isInternal, backendRoles: isInternal ? [] : backendRoles, ...nobody }
        : internalUser(name, document)
    return this.#askerFor(user, NOWHERE, { address: '', user: name, method: null, path: null })
  }

  /** Of a user whom the node keeps; null: it keeps none of that name. */
  userFlags(name: string): { readonly isReserved: boolean; readonly isHidden: boolean } | null {
    const user = this.#store.documents.internalusers.get(name)
    if (user === undefined) return null
    return { isReserved: user['reserved'] === true, isHidden: user['hidden'] === true }
  }

  #asker(login: SecurityUser | LoginRefusal, head: RequestHead): Asker | Refusal {
    const { headers, peer } = head
    const isIn = typeof login !== 'string'
    const request = this.#audited(isIn ? login.name : namedIn(headers), head)
    this.#audit.note(isIn ? 'AUTHENTICATED' : 'FAILED_LOGIN', request)
    if (!isIn) return login
    // Nobody is named who may: to be somebody else is never granted.
    if (headers['opendistro_security_impersonate_as'] !== undefined) return 'impersonation'
    const tenant = headers['securitytenant'] ?? headers['security_tenant'] ?? null
    const requestedTenant = tenant === null ? null : tenant.replace(/[^\x20-\x7e]/g, '')
    return this.#askerFor(login, peer, request, requestedTenant)
  }

  #askerFor(
    login: SecurityUser,
    peer: Peer,
    request: AuditedRequest,
    requestedTenant: string | null = null,
  ): Asker {
    const { roles, permissions } = this.#rightsFor(login, peer.address)
    const user = { ...login, requestedTenant }
    const access = new SecurityAccess(
      user,
      roles,
      peer,
      permissions,
      name => this.#engine.aliases.relations(name),
      this.#rules,
      (isAllowed, action, indices) => {
        const category = isAllowed ? 'GRANTED_PRIVILEGES' : 'MISSING_PRIVILEGES'
        if (this.#audit.isOn(category))
          this.#audit.note(category, request, { privilege: action, indices, roles })
      },
    )
    return { principal: user, access }
  }

  #audited(user: string | null, { peer, method, path }: RequestHead): AuditedRequest {
    return { user, address: peer.address, method: method ?? null, path: path ?? null }
  }

  #rightsFor(user: SecurityUser, address: string): Rights {
    const { documents, generation } = this.#store
    if (this.#rightsOf !== generation) {
      this.#rights = new WeakMap()
      this.#rightsOf = generation
    }
    const byAddress = this.#rights.get(user) ?? new Map<string, Rights>()
    this.#rights.set(user, byAddress)
    let rights = byAddress.get(address)
    if (rights === undefined) {
      const roles = rolesOf(documents, user, address)
      rights = { roles, permissions: permissionsOf(documents, roles, user, this.#masks) }
      if (byAddress.size >= MAX_ADDRESSES) byAddress.clear()
      byAddress.set(address, rights)
    }
    return rights
  }
}

/** The name that credentials are given for; null without any that can be read. */
function namedIn({ authorization }: RequestHead['headers']): string | null {
  return authorization === undefined ? null : (basicCredentials(authorization)?.name ?? null)
}
