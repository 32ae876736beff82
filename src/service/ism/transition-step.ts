import {
  completed,
  failed,
  notYet,
  type Step,
  type StepContext,
  type StepOutcome,
} from './action-type.ts'
import { asksForStats, hangsOnTime, isMet } from './policy/conditions.ts'
import type { Transition } from './policy/policy.ts'
import type { Progress } from './progress.ts'
import { sizesOf } from './shard-stats.ts'

/** The last step in a state: the first transition whose condition holds leads on; without any the policy is done. */
export const transitionStep: Step<unknown> = {
  name: 'attempt_transition_step',
  async run(context) {
    const message = `Failed to transition index [index=${context.index.name}]`
    try {
      return await attempt(context as StepContext<readonly Transition[]>)
    } catch (error) {
      return failed(message, error)
    }
  },
}

/**
 * Whether the step would find again what it found last: that no transition leads on yet. Told without the index,
 * of transitions whose conditions hang on the time alone.
 */
export function stillWaits(
  transitions: readonly Transition[],
  { step, state, indexCreationDate }: Progress,
  now: number,
): boolean {
  if (step === null || step.name !== transitionStep.name || step.status !== 'condition_not_met')
    return false
  for (const { condition } of transitions)
    if (condition === null || !hangsOnTime(condition)) return false
  const facts = {
    now,
    createdAt: indexCreationDate,
    docCount: null,
    sizeInBytes: null,
    rolledOverAt: null,
    aliasCount: 0,
    stateStartedAt: state?.startTime ?? now,
    transitionStartedAt: step.startTime,
  }
  for (const { condition } of transitions) if (isMet(condition!, facts)) return false
  return true
}

async function attempt(context: StepContext<readonly Transition[]>): Promise<StepOutcome> {
  const { engine, index, config: transitions, progress, now } = context
  const { name } = index
  if (transitions.length === 0) return { status: 'completed', info: null, policyCompleted: true }
  const conditions = transitions.flatMap(({ condition }) => condition ?? [])
  const rollovers = index.rollovers.map(({ timeInMillis }) => timeInMillis)
  if (conditions.some(({ kind }) => kind === 'min_rollover_age') && rollovers.length === 0)
    return failed(
      `Failed to transition index as min_rollover_age condition was used, but the index has never been rolled over [index=${name}]`,
    )
  const sizes = conditions.some(asksForStats) ? await sizesOf(engine, name) : null
  const facts = {
    now,
    createdAt: progress.indexCreationDate,
    docCount: sizes?.docCount ?? null,
    sizeInBytes: sizes?.sizeInBytes ?? null,
    rolledOverAt: rollovers.length === 0 ? null : Math.min(...rollovers),
    aliasCount: index.aliases.length,
    stateStartedAt: progress.state?.startTime ?? now,
    transitionStartedAt: progress.step?.startTime ?? now,
  }
  const next = transitions.find(({ condition }) => condition === null || isMet(condition, facts))
  if (next === undefined) return notYet(`Evaluating transition conditions [index=${name}]`)
  return completed(`Transitioning to ${next.stateName} [index=${name}]`, {
    transitionTo: next.stateName,
  })
}
