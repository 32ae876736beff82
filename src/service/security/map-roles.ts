import { RolePattern } from './role-pattern.ts'
import { type SecurityDocuments, textsOf } from './security-document.ts'
import type { SecurityUser } from './security-user.ts'

/**
 * The roles of a user, in alphabetical order: those of its own document, and those that mappings give by
 * its name, its backend roles or its address.
 * @param address where it asks from; null: not over a socket
 */
export function rolesOf(
  documents: SecurityDocuments,
  { name, backendRoles, ownRoles }: SecurityUser,
  address: string | null,
): readonly string[] {
  const roles = new Set(ownRoles)
  for (const [role, mapping] of documents.rolesmapping) {
    const isOne = (key: string, values: readonly string[]): boolean =>
      textsOf(mapping[key]).some(text => {
        const pattern = new RolePattern(text)
        return values.some(value => pattern.matches(value))
      })
    const all = textsOf(mapping['and_backend_roles']).map(text => new RolePattern(text))
    if (
      isOne('users', [name]) ||
      isOne('backend_roles', backendRoles) ||
      (address !== null && isOne('hosts', [address])) ||
      (all.length > 0 &&
        all.every(pattern => backendRoles.some(backend => pattern.matches(backend))))
    )
      roles.add(role)
  }
  return [...roles].sort()
}
