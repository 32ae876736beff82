import type { Principal } from '../../task/access.ts'

/** Whoever is asking, once it is known. */
export interface SecurityUser extends Principal {
  readonly name: string
  /** Given by documents or tokens; roles are mapped from them. */
  readonly backendRoles: readonly string[]
  /** Roles that the user's own document names. */
  readonly ownRoles: readonly string[]
  /** By name, as patterns of roles refer to them: `attr.internal.⟨name⟩` and so on. */
  readonly attributes: ReadonlyMap<string, string>
  /** Whether the node itself keeps the user. */
  readonly isInternal: boolean
}

/** Where a request comes from. */
export interface Peer {
  /** Without a port or a zone. */
  readonly address: string
  readonly port: number
  /**
   * The subject of its certificate, a part on each line, once an authority that the server trusts is found to have signed
   * it; absent: it showed none.
   */
  readonly subject?: string
}
