/** The step that the next run of a job takes. */
import type { Step } from './action-type.ts'
import { ACTION_TYPES, type ActionName } from './actions.ts'
import { type ActionRetry, DEFAULT_RETRY } from './policy/action-retry.ts'
import { type Action, type Policy, type State, stateOf } from './policy/policy.ts'
import type { Progress } from './progress.ts'
import { transitionStep } from './transition-step.ts'

/** A step with its action. */
export interface PlannedStep {
  readonly stateName: string
  /** Null: the transition behind the last action. */
  readonly name: ActionName | null
  /** In its state; −1: the transition. */
  readonly index: number
  readonly config: unknown
  readonly retry: ActionRetry
  readonly timeoutInMillis: number | null
  readonly step: Step<unknown>
  /** Whether the action begins with it. */
  readonly isFirst: boolean
}

/** The next step; null: the policy has no such state, or not that action there. */
export function planStep(policy: Policy, progress: Progress): PlannedStep | null {
  const name = progress.transitionTo ?? progress.state?.name ?? null
  const state = name === null ? null : stateOf(policy, name)
  if (state === null) return null
  const { action } = progress
  if (progress.transitionTo !== null || action === null) return planned(state, 0, null)
  if (action.index < 0) return planned(state, -1, progress)
  if (state.actions[action.index]?.name !== action.name) return null
  return isOver(state.actions[action.index]!, progress)
    ? planned(state, action.index + 1, null)
    : planned(state, action.index, progress)
}

function isOver({ name }: Action, { step }: Progress): boolean {
  return step?.status === 'completed' && step.name === lastStepOf(name)
}

/** The name of the step with which an action ends. */
export function lastStepOf(action: ActionName): string {
  return ACTION_TYPES[action].steps.at(-1)!.name
}

/** @param progress in this action; null: it is begun */
function planned(state: State, index: number, progress: Progress | null): PlannedStep {
  const action = index < 0 ? undefined : state.actions[index]
  if (action === undefined)
    return {
      stateName: state.name,
      name: null,
      index: -1,
      config: state.transitions,
      retry: DEFAULT_RETRY,
      timeoutInMillis: null,
      step: transitionStep,
      isFirst: true,
    }
  const { steps, restarts = false } = ACTION_TYPES[action.name]
  const last = progress?.step ?? null
  const at = last === null ? -1 : steps.findIndex(({ name }) => name === last.name)
  const isRestarted = restarts && last?.status === 'failed'
  const next = at < 0 || isRestarted ? 0 : last?.status === 'completed' ? at + 1 : at
  return {
    stateName: state.name,
    name: action.name,
    index,
    config: action.config,
    retry: action.retry,
    timeoutInMillis: action.timeout?.value ?? null,
    step: steps[next]!,
    isFirst: next === 0,
  }
}
