/** In whose name a call is made, and the permissions of that name. */
import { EngineError } from '../util/errors.ts'
import type { Action } from './actions.ts'

/** In whose name a call is made. */
export interface Principal {
  /** Null: the program that embeds the engine, and every client of a server without users. */
  readonly name: string | null
}

/** The decision of an access on an action. */
export interface Decision {
  /** False when any of the targets is denied, or the action itself. */
  readonly isAllowed: boolean
  /** Those of the asked names that are denied. */
  readonly denied: readonly string[]
}

/** The permissions of a principal. */
export interface Access {
  /**
   * @param action in whose course the targets were found
   * @param targets names of indices, existing or about to be created; none for `cluster:` actions
   */
  decide(action: Action, targets: readonly string[]): Decision
}

/** The embedding program itself. */
export const TRUSTED_PRINCIPAL: Principal = { name: null }

const ALLOWED: Decision = { isAllowed: true, denied: [] }

/** Allows everything. */
export const TRUSTED_ACCESS: Access = { decide: () => ALLOWED }

/** A caller with its permissions. */
export interface Asker {
  readonly principal: Principal
  readonly access: Access
}

/**
 * Passes an action on targets, or refuses it whole.
 * @throws {EngineError} 403 `security_exception`
 */
export function checkAccess(
  { principal, access }: Asker,
  action: Action,
  targets: readonly string[],
): void {
  // Trusted access, which most calls have, costs a comparison.
  if (access === TRUSTED_ACCESS || access.decide(action, targets).isAllowed) return
  const user = `User [name=${principal.name ?? ''}, backend_roles=[], requestedTenant=null]`
  throw new EngineError({
    type: 'security_exception',
    reason: `no permissions for [${action}] and ${user}`,
  })
}
