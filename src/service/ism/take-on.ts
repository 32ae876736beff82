/** Indices that come under a policy. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { KeptCaller } from '../../task/kept-caller.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'
import { type IndexView, isManagedByTemplates } from './index-view.ts'
import { ismSettings } from './ism-settings.ts'
import type { StoredPolicy } from './ism-store.ts'
import type { ManagedIndex } from './managed-index.ts'
import { takesOn } from './policy/policy.ts'

/**
 * An index that a policy takes on now.
 * @param caller in whose name its steps are taken; null: the program itself
 */
export function newlyManaged(
  { name, uuid }: IndexView,
  { policy, seqNo, primaryTerm }: StoredPolicy,
  caller: KeptCaller | null,
  now: number,
): ManagedIndex {
  return {
    index: name,
    uuid,
    isEnabled: true,
    startTime: now,
    policyId: policy.id,
    policy,
    policySeqNo: seqNo,
    policyPrimaryTerm: primaryTerm,
    caller,
    changePolicy: null,
    progress: null,
  }
}

/** Whether no policy may have an index of that name. */
export function isRestricted(engine: EngineApi, name: string): boolean {
  return restriction(engine)(name)
}

/** The same for many names. */
export function restriction(engine: EngineApi): (name: string) => boolean {
  const { restrictedPattern } = ismSettings(engine)
  const matcher = new Matcher(compilePattern(restrictedPattern, '', 'whole'))
  return name => {
    matcher.reset(name)
    return matcher.find(0)
  }
}

/** Whether templates are held against an index at all. */
export function isOpenToTemplates(
  view: IndexView,
  isRestrictedName: (name: string) => boolean,
): boolean {
  return isManagedByTemplates(view) && !isRestrictedName(view.dataStream ?? view.name)
}

/** A policy whose template takes an index on. */
export interface Choice {
  readonly stored: StoredPolicy
  readonly priority: number
}

/**
 * Holds one more policy against a new index: of all whose templates match, that with the highest priority takes it
 * on. A template takes on what was made after it.
 * @param best of the policies before; null: none matched
 */
export function betterChoice(
  best: Choice | null,
  stored: StoredPolicy,
  { name, dataStream, createdAtInMillis }: IndexView,
): Choice | null {
  let better = best
  for (const template of stored.policy.templates ?? [])
    if (
      template.priority > (better?.priority ?? -1) &&
      template.lastUpdatedTime <= createdAtInMillis &&
      takesOn(template, dataStream ?? name)
    )
      better = { stored, priority: template.priority }
  return better
}
