/** In whose name a call is made, and the permissions of that name. */
import { EngineError } from '../util/errors.ts'
import type { TextMask } from '../util/text-mask.ts'
import type { Action } from './actions.ts'

/** In whose name a call is made. */
export interface Principal {
  /** Null: the program that embeds the engine, and every client of a server without users. */
  readonly name: string | null
  readonly backendRoles: readonly string[]
  /** The tenant that the request asks for; null: none. */
  readonly requestedTenant: string | null
}

/** The decision of an access on an action. */
export interface Decision {
  /** False when any of the targets is denied, or the action itself. */
  readonly isAllowed: boolean
  /** Those of the asked names that are denied. */
  readonly denied: readonly string[]
  /** Whether the action may go on with the others, however few. */
  readonly passesOthers: boolean
}

/** The permissions of a principal. */
export interface Access {
  /**
   * @param action in whose course the targets were found
   * @param targets names of indices, existing or about to be created; none for `cluster:` actions
   */
  decide(action: Action, targets: readonly string[]): Decision
  /** What the principal may not see of an index that he may read; null: he may see all of it. */
  restrictionsOf(index: string): Restrictions | null
  /** Whether anything was decided yet: no answer about indices may leave before. */
  readonly hasDecided: boolean
}

/** What a principal may not see of an index. */
export interface Restrictions {
  /** Queries in JSON, of which a document meets one to be seen; null: every document is. */
  readonly documents: readonly string[] | null
  /** Null: every field is seen as it is. */
  readonly fields: FieldRestrictions | null
}

/** The fields that a principal may not see of an index; paths are full ones, joined by dots. */
export interface FieldRestrictions {
  /** Restrictions of one key are the same. */
  readonly key: string
  /** Whether a field or an object is seen; what is in an object that is not seen is not either. */
  sees(path: string): boolean
  /** Whether an object that is not seen itself is shown for what is seen in it. */
  showsAround(path: string): boolean
  /** Whether something within a field that is seen may be hidden. */
  mayHideWithin(path: string): boolean
  /** Whether any field is masked. */
  readonly masks: boolean
  /** The text that the text of a visible field is shown as; null: as it is. */
  maskOf(path: string): Mask | null
}

/** The text that is shown in place of another. */
export interface Mask {
  /** The same as plain data, for other threads. */
  readonly plan: TextMask
  apply(text: string): string
}

/** The embedding program itself. */
export const TRUSTED_PRINCIPAL: Principal = {
  name: null,
  backendRoles: [],
  requestedTenant: null,
}

const ALLOWED: Decision = { isAllowed: true, denied: [], passesOthers: false }

/** Allows everything. */
export const TRUSTED_ACCESS: Access = {
  decide: () => ALLOWED,
  restrictionsOf: () => null,
  hasDecided: true,
}

/** The program itself with its permissions. */
export const TRUSTED_ASKER: Asker = { principal: TRUSTED_PRINCIPAL, access: TRUSTED_ACCESS }

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
  throw notPermitted(action, principal)
}

/**
 * Those of some targets that an action may go on with: all, unless the server passes over what is denied.
 * @throws {EngineError} 403 `security_exception`
 */
export function passedBy(
  { principal, access }: Asker,
  action: Action,
  targets: readonly string[],
): readonly string[] {
  const { isAllowed, passesOthers, denied } = access.decide(action, targets)
  if (isAllowed) return targets
  if (!passesOthers) throw notPermitted(action, principal)
  return targets.filter(target => !denied.includes(target))
}

/**
 * Refuses what would get around the restrictions of a principal on any of some indices.
 * @param reason of the error
 * @throws {EngineError} 403 `security_exception`
 */
export function refuseRestricted(
  { access }: Pick<Asker, 'access'>,
  indices: readonly string[],
  reason: string,
): void {
  if (access === TRUSTED_ACCESS) return
  if (indices.some(index => access.restrictionsOf(index) !== null)) throw restrictedError(reason)
}

/** 403: what is asked for would get around the restrictions of a principal. */
export function restrictedError(reason: string): EngineError {
  return new EngineError({ type: 'security_exception', reason })
}

/** The error of an action that a principal may not do. */
export function notPermitted(action: Action, principal: Principal): EngineError {
  return new EngineError({
    type: 'security_exception',
    reason: `no permissions for [${action}] and ${userText(principal)}`,
  })
}

/** A principal as answers and errors write it. */
export function userText({ name, backendRoles, requestedTenant }: Principal): string {
  const roles = backendRoles.join(', ')
  return `User [name=${name ?? ''}, backend_roles=[${roles}], requestedTenant=${requestedTenant}]`
}
