import type { FieldRestrictions, Restrictions } from '../../task/access.ts'
import type { Action } from '../../task/actions.ts'
import { MaskRule, type MaskSettings } from './field-mask.ts'
import { FieldRule } from './field-rule.ts'
import { fillVariables } from './query-variables.ts'
import { RestrictedFields } from './restricted-fields.ts'
import { RolePattern } from './role-pattern.ts'
import {
  objectsOf,
  type SecurityDocument,
  type SecurityDocuments,
  textOf,
  textsOf,
} from './security-document.ts'
import type { SecurityUser } from './security-user.ts'

/** A query about something that the user does not have. */
const NO_DOCUMENT = '{"match_none":{}}'

/** Rules that are kept for a user, of combinations of his roles. */
const MOST_RULES = 256

/** What a role allows on some indices. */
export interface IndexPermission {
  readonly indices: readonly RolePattern[]
  readonly actions: readonly RolePattern[]
  /** A query in JSON, of this user; null: every document may be seen. */
  readonly documents: string | null
  /** Patterns of fields that are seen, or hidden; none: every field may be seen. */
  readonly fields: readonly string[]
  /** Expressions of masks; none: every field is shown as it is. */
  readonly masks: readonly string[]
}

/** The permissions of some roles, for one user, whose name patterns may hold. */
export class Permissions {
  readonly #cluster: readonly RolePattern[]
  readonly #index: readonly IndexPermission[]
  readonly #restricts: boolean
  /** By action: the patterns of indices on which it is allowed. */
  readonly #byAction = new Map<string, readonly RolePattern[]>()
  readonly #maskSettings: MaskSettings
  /** By the patterns of fields and the masks: what they hide and mask. */
  readonly #fields = new Map<string, FieldRestrictions | null>()

  constructor(
    cluster: readonly RolePattern[],
    index: readonly IndexPermission[],
    maskSettings: MaskSettings,
  ) {
    this.#maskSettings = maskSettings
    this.#cluster = cluster
    this.#index = index
    this.#restricts = index.some(
      ({ documents, fields, masks }) => documents !== null || fields.length + masks.length > 0,
    )
  }

  /** Whether an action is allowed on the cluster. */
  allowsOnCluster(action: string): boolean {
    return this.#cluster.some(pattern => pattern.matches(action))
  }

  /** Whether an action is allowed on any index at all. */
  allowsSomewhere(action: Action): boolean {
    return this.#patterns(action).length > 0
  }

  /** Whether an action is allowed on indices of a name. */
  allowsOn(action: Action, name: string): boolean {
    return this.#patterns(action).some(pattern => pattern.matches(name))
  }

  /**
   * The restrictions of an index: of several roles with queries a document passes one; patterns of fields of several
   * roles count as those of one.
   * @param names of the index itself and of what leads to it
   * @param emptyLifts whether a role without restrictions on it lifts those of others
   */
  restrictionsOn(names: readonly string[], emptyLifts: boolean): Restrictions | null {
    if (!this.#restricts) return null
    const found = this.#index.filter(({ indices }) =>
      indices.some(pattern => names.some(name => pattern.matches(name))),
    )
    const restricting = <T>(of: (each: IndexPermission) => readonly T[]): readonly T[] => {
      const isLifted = emptyLifts && found.some(each => of(each).length === 0)
      return isLifted ? [] : found.flatMap(of)
    }
    const queries = restricting(({ documents }) => (documents === null ? [] : [documents]))
    const documents = queries.length === 0 ? null : queries
    const fields = this.#fieldsBy(
      restricting(each => each.fields),
      restricting(each => each.masks),
    )
    return documents === null && fields === null ? null : { documents, fields }
  }

  #fieldsBy(patterns: readonly string[], masks: readonly string[]): FieldRestrictions | null {
    if (patterns.length + masks.length === 0) return null
    const key = JSON.stringify([patterns, masks])
    let fields = this.#fields.get(key)
    if (fields === undefined) {
      const rule = patterns.length === 0 ? null : new FieldRule(patterns)
      const hides = rule === null || rule.seesAll ? null : rule
      const masking = masks.length === 0 ? null : new MaskRule(masks, this.#maskSettings)
      fields = hides === null && masking === null ? null : new RestrictedFields(hides, masking)
      if (this.#fields.size >= MOST_RULES) this.#fields.clear()
      this.#fields.set(key, fields)
    }
    return fields
  }

  #patterns(action: Action): readonly RolePattern[] {
    let found = this.#byAction.get(action)
    if (found === undefined) {
      found = this.#index
        .filter(({ actions }) => actions.some(pattern => pattern.matches(action)))
        .flatMap(({ indices }) => indices)
      this.#byAction.set(action, found)
    }
    return found
  }
}

/** The permissions that roles give a user; a role that is missing gives none. */
export function permissionsOf(
  documents: SecurityDocuments,
  roles: readonly string[],
  user: SecurityUser,
  maskSettings: MaskSettings,
): Permissions {
  const value = (name: string): string | null => valueFor(user, name)
  const cluster: RolePattern[] = []
  const index: IndexPermission[] = []
  for (const name of roles) {
    const role = documents.roles.get(name)
    if (role === undefined) continue
    cluster.push(...actionsOf(documents, role['cluster_permissions']))
    for (const permission of objectsOf(role['index_permissions']))
      index.push({
        indices: textsOf(permission['index_patterns']).map(one => new RolePattern(one, value)),
        actions: actionsOf(documents, permission['allowed_actions']),
        documents: documentsOf(textOf(permission['dls']) ?? '', roles, user),
        fields: textsOf(permission['fls']),
        masks: textsOf(permission['masked_fields']),
      })
  }
  return new Permissions(cluster, index, maskSettings)
}

/**
 * The tenants of a user by name: whether they may be written to.
 */
export function tenantsOf(
  documents: SecurityDocuments,
  roles: readonly string[],
  user: SecurityUser,
): ReadonlyMap<string, boolean> {
  const tenants = new Map([[user.name, true]])
  for (const name of roles)
    for (const permission of objectsOf(documents.roles.get(name)?.['tenant_permissions'])) {
      const patterns = textsOf(permission['tenant_patterns']).map(
        one => new RolePattern(one, variable => valueFor(user, variable)),
      )
      const actions = textsOf(permission['allowed_actions'])
      const writes = actions.some(action => action === 'kibana_all_write' || action === '*')
      if (!writes && !actions.includes('kibana_all_read')) continue
      for (const tenant of documents.tenants.keys())
        if (patterns.some(pattern => pattern.matches(tenant)))
          tenants.set(tenant, writes || tenants.get(tenant) === true)
    }
  return tenants
}

/** Patterns of actions, with those of groups, and of groups within them. */
function actionsOf(
  documents: SecurityDocuments,
  value: SecurityDocument[string] | undefined,
): RolePattern[] {
  const found = new Set<string>()
  const add = (names: readonly string[]): void => {
    for (const name of names) {
      if (found.has(name)) continue
      found.add(name)
      add(textsOf(documents.actiongroups.get(name)?.['allowed_actions']))
    }
  }
  add(textsOf(value))
  return Array.from(found, pattern => new RolePattern(pattern))
}

/** A query of a role with the texts of the user put in; null without one. */
function documentsOf(query: string, roles: readonly string[], user: SecurityUser): string | null {
  if (query.trim() === '') return null
  const filled = fillVariables(query, name => {
    if (name === 'user.roles' || name === 'user_roles') return quoted(user.backendRoles)
    if (name === 'user.securityRoles' || name === 'user_securityRoles') return quoted(roles)
    return valueFor(user, name)
  })
  return filled ?? NO_DOCUMENT
}

/** Names as a query lists them: `"a","b"`. */
function quoted(names: readonly string[]): string {
  return names.map(name => JSON.stringify(name)).join(',')
}

/** A value that patterns and queries of roles refer to; null without one. */
export function valueFor(user: SecurityUser, name: string): string | null {
  if (name === 'user.name' || name === 'user_name') return user.name
  const value = user.attributes.get(name)
  if (value !== undefined) return value
  for (const [key, other] of user.attributes) if (key.replaceAll('.', '_') === name) return other
  return null
}
