import type { NameRelations } from '../../engine/api/aliases.ts'
import {
  type Access,
  type Decision,
  type Restrictions,
  restrictedError,
} from '../../task/access.ts'
import { type Action, scopeOf } from '../../task/actions.ts'
import type { Permissions } from './permissions.ts'
import { RolePattern } from './role-pattern.ts'
import type { Peer, SecurityUser } from './security-user.ts'

const ALLOWED: Decision = { isAllowed: true, denied: [], passesOthers: false }

/** Actions that can pass over indices. */
const NARROWED = [
  'indices:data/read/*',
  'indices:admin/mappings/fields/get*',
  'indices:admin/shards/search_shards',
  'indices:admin/resolve/index',
  'indices:monitor/settings/get',
  'indices:monitor/stats',
  'indices:admin/aliases/get',
].map(pattern => new RolePattern(pattern))

/** Settings that hold for every user. */
export interface AccessRules {
  /** Roles that may use the whole security API. */
  readonly administrators: ReadonlySet<string>
  /** Whether a role without restrictions on an index lifts those of others. */
  readonly emptyLifts: boolean
  /** Whether actions that read pass over indices that are denied, and go on with the others. */
  readonly passesOver: boolean
  /** Whether they do so, too, where no index is left. */
  readonly passesOverAll: boolean
}

/** Told of each decision, and of the indices that it is about. */
type NoteDecision = (isAllowed: boolean, action: Action, indices: readonly string[]) => void

/** The permissions of one request. An action that no role allows is denied. */
export class SecurityAccess implements Access {
  readonly user: SecurityUser
  readonly roles: readonly string[]
  /** Where the request comes from; null: not over a socket. */
  readonly peer: Peer | null
  readonly #permissions: Permissions
  readonly #relations: (name: string) => NameRelations
  readonly #rules: AccessRules
  readonly #note: NoteDecision
  #hasDecided = false
  /** Told of the first decision in place of what it is about, which is not done; null: it is done. */
  #probe: ((action: Action, isPassed: boolean) => void) | null = null

  constructor(
    user: SecurityUser,
    roles: readonly string[],
    peer: Peer | null,
    permissions: Permissions,
    relations: (name: string) => NameRelations,
    rules: AccessRules,
    note: NoteDecision,
  ) {
    this.user = user
    this.roles = roles
    this.peer = peer
    this.#permissions = permissions
    this.#relations = relations
    this.#rules = rules
    this.#note = note
  }

  get hasDecided(): boolean {
    return this.#hasDecided
  }

  decide(action: Action, targets: readonly string[]): Decision {
    this.#hasDecided = true
    const denied = this.#allows(action) ? this.#deniedOf(action, targets) : targets
    const isAllowed = denied.length === 0 && (targets.length > 0 || this.#allows(action))
    const passesOthers = !isAllowed && this.#passesOthers(action, denied.length < targets.length)
    const isPassed = isAllowed || passesOthers
    if (this.#probe !== null) {
      this.#probe(action, isPassed)
      throw restrictedError('it was asked whether it may be done, and it is not')
    }
    this.#note(isPassed, action, isAllowed ? targets : denied)
    return isAllowed ? ALLOWED : { isAllowed: false, denied, passesOthers }
  }

  /**
   * The same permissions for a request that is not done: each decision ends it.
   * @param told of decisions
   */
  probing(told: (action: Action, isPassed: boolean) => void): SecurityAccess {
    const probing = new SecurityAccess(
      this.user,
      this.roles,
      this.peer,
      this.#permissions,
      this.#relations,
      this.#rules,
      this.#note,
    )
    probing.#probe = told
    return probing
  }

  restrictionsOf(index: string): Restrictions | null {
    const { others } = this.#relations(index)
    return this.#permissions.restrictionsOn([index, ...others], this.#rules.emptyLifts)
  }

  #passesOthers(action: Action, areSomeLeft: boolean): boolean {
    const { passesOver, passesOverAll } = this.#rules
    if (!passesOver || !(areSomeLeft || passesOverAll)) return false
    return NARROWED.some(pattern => pattern.matches(action))
  }

  /** Whether an action is allowed as far as no target matters. */
  #allows(action: Action): boolean {
    switch (scopeOf(action)) {
      case 'caller':
        return true
      case 'administration':
        return (
          this.roles.some(role => this.#rules.administrators.has(role)) ||
          this.#permissions.allowsOnCluster(action)
        )
      case 'cluster':
        return this.#permissions.allowsOnCluster(action)
      case 'somewhere':
      case 'index':
        return this.#permissions.allowsSomewhere(action)
    }
  }

  /** Those of the targets that an action is not allowed on. */
  #deniedOf(action: Action, targets: readonly string[]): readonly string[] {
    // The permission for an action on the cluster covers what it is about; the parts of a request of
    // several parts are each on indices.
    if (scopeOf(action) === 'cluster' && !action.startsWith('indices:data/')) return []
    return targets.filter(name => !this.#isGranted(action, name))
  }

  /** A name is granted by itself, as an index by one of its aliases, and as an alias by all of its indices. */
  #isGranted(action: Action, name: string): boolean {
    if (this.#permissions.allowsOn(action, name)) return true
    const { others, indices } = this.#relations(name)
    if (others.some(other => this.#permissions.allowsOn(action, other))) return true
    return indices.length > 0 && indices.every(index => this.#isGranted(action, index))
  }
}
