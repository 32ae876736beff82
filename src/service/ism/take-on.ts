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

/**
 * The policy that takes a new index on: that of the template with the highest priority of those that match.
 * A template takes on what was made after it.
 * @returns null: none does
 */
export function policyFor(
  view: IndexView,
  policies: Iterable<StoredPolicy>,
  isRestrictedName: (name: string) => boolean,
): StoredPolicy | null {
  if (!isManagedByTemplates(view)) return null
  const name = view.dataStream ?? view.name
  if (isRestrictedName(name)) return null
  let best: StoredPolicy | null = null
  let highest = -1
  for (const stored of policies)
    for (const template of stored.policy.templates ?? [])
      if (
        template.priority > highest &&
        template.lastUpdatedTime <= view.createdAtInMillis &&
        takesOn(template, name)
      ) {
        best = stored
        highest = template.priority
      }
  return best
}
