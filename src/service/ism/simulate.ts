/** Tells what a policy would do with indices as they are now, and changes nothing. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { Target } from '../../engine/api/target.ts'
import { readText } from '../../engine/dsl/json-scalars.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { durationText, sizeText } from '../../util/units.ts'
import { type IndexView, namedIndices, viewsOf } from './index-view.ts'
import type { IsmStore } from './ism-store.ts'
import { lastStepOf } from './plan-step.ts'
import { asksForStats, type Condition, isMet } from './policy/conditions.ts'
import { nextExecution } from './policy/cron.ts'
import { type Policy, parsePolicy, type State, stateOf, type Transition } from './policy/policy.ts'
import { entriesOf, itemsOf } from './policy/read-fields.ts'
import type { Progress } from './progress.ts'
import { type IndexSizes, sizesOf } from './shard-stats.ts'

const NANOS_PER_MILLI = 1e6

/** Asks for a policy and indices. */
export interface SimulateCall {
  /** Names, and patterns in which `*` matches any characters. */
  readonly indices: readonly string[]
  /** A stored policy by its id, or one of the request. */
  readonly policy: string | Policy
}

/** A transition and how its condition stands. */
interface TriedTransition {
  readonly stateName: string
  readonly isMet: boolean
  readonly conditionType: string
  /** Null: it has no condition. */
  readonly current: string | null
  readonly required: string | null
}

/** What the policy would do with one index. */
export type SimulatedIndex = {
  readonly name: string
  /** Null: there is no such index. */
  readonly uuid: string | null
  readonly policyId: string
  readonly isManaged: boolean
} & (
  | { readonly error: string }
  | {
      readonly error: null
      readonly state: string
      /** Null: the policy does not have the action that the index is in. */
      readonly action: string | null
      /** Null: an action comes first. */
      readonly transitions: readonly TriedTransition[] | null
    }
)

/**
 * Reads `{"policy_id": …, "policy": {…}, "indices": […]}`; unknown keys are passed over, as the reference server does.
 * @throws {EngineError} `parsing_exception`; `illegal_argument_exception`; `action_request_validation_exception`
 */
export function parseSimulation(body: JsonNode, now: number): SimulateCall {
  let policyId: string | null = null
  let policy: Policy | null = null
  let indices: readonly string[] = []
  for (const { key, value } of entriesOf(body)) {
    if (key === 'policy_id') policyId = readText(value)
    else if (key === 'policy') policy = parsePolicy(value, '', now)
    else if (key === 'indices') indices = itemsOf(value).map(readText)
  }
  const faults: string[] = []
  if (indices.length === 0) faults.push('indices cannot be empty')
  if (policyId === null && policy === null)
    faults.push('either policy_id or policy must be provided')
  if (policyId !== null && policy !== null)
    faults.push('only one of policy_id or policy can be provided, not both')
  if (faults.length > 0) throw validationFailed(faults)
  return { indices, policy: (policyId ?? policy)! }
}

/** Simulates. */
export class Simulator {
  readonly #engine: EngineApi
  readonly #store: IsmStore

  constructor(engine: EngineApi, store: IsmStore) {
    this.#engine = engine
    this.#store = store
  }

  /**
   * @param now milliseconds since 1970
   * @throws {EngineError} 404 `status_exception`: no such policy; 403 `security_exception`: an index that the caller
   *   may not see
   */
  async simulate(
    { indices, policy: asked }: SimulateCall,
    now: number,
    context: CallContext,
  ): Promise<readonly SimulatedIndex[]> {
    const policy = typeof asked === 'string' ? this.#policy(asked) : asked
    const found: SimulatedIndex[] = []
    for (const [name, view] of this.#expand(indices, context))
      found.push(
        view === null
          ? {
              name,
              uuid: null,
              policyId: policy.id,
              isManaged: false,
              error: `Index '${name}' not found in cluster`,
            }
          : await this.#simulateOne(policy, view, now),
      )
    return found
  }

  #policy(id: string): Policy {
    const found = this.#store.policies.get(id)
    if (found !== undefined) return found.policy
    throw new EngineError({
      type: 'status_exception',
      reason: `Policy '${id}' not found`,
      status: 404,
    })
  }

  /** Each index once; unknown names are kept, patterns without a match are not. */
  #expand(indices: readonly string[], context: CallContext): Map<string, IndexView | null> {
    const call = context.child('indices:admin/opensearch/ism/managedindex')
    const expanded = new Map<string, IndexView | null>()
    for (const index of indices)
      if (index.includes('*')) {
        for (const view of viewsOf(this.#engine, matching(index), call))
          expanded.set(view.name, view)
      } else if (!index.includes('?')) {
        const [view = null] = viewsOf(this.#engine, namedIndices([index], true), call)
        expanded.set(index, view)
      }
    return expanded
  }

  async #simulateOne(policy: Policy, view: IndexView, now: number): Promise<SimulatedIndex> {
    const { name, uuid } = view
    const progress = this.#store.managed.get(uuid)?.progress ?? null
    const about = { name, uuid, policyId: policy.id, isManaged: progress !== null }
    const stateName = progress?.state?.name ?? policy.defaultState
    const state = stateOf(policy, stateName)
    if (state === null)
      return {
        ...about,
        error: `State '${stateName}' referenced in metadata not found in policy`,
      }
    const action = actionAhead(state, progress)
    const isAtEnd = action === 'transition' || (progress !== null && state.actions.length === 0)
    if (!isAtEnd) return { ...about, error: null, state: stateName, action, transitions: null }
    const asksStats = state.transitions.some(
      ({ condition }) => condition !== null && asksForStats(condition),
    )
    const sizes = asksStats ? await sizesOf(this.#engine, name) : null
    const transitions = state.transitions.map(each => tried(each, { view, progress, sizes, now }))
    return { ...about, error: null, state: stateName, action: 'transition', transitions }
  }
}

function matching(pattern: string): Target {
  return {
    names: [pattern],
    ignoreUnavailable: true,
    allowNoIndices: true,
    expandOpen: true,
    expandClosed: true,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: false,
  }
}

/** The action that the next run takes in a state, `transition` behind the last one; null: it is not in the policy. */
function actionAhead({ actions }: State, progress: Progress | null): string | null {
  const behind = (index: number): string => actions[index]?.name ?? 'transition'
  const action = progress?.action ?? null
  if (progress === null || progress.transitionTo !== null || action === null) return behind(0)
  if (action.index < 0) return 'transition'
  const current = actions[action.index]
  if (current === undefined) return null
  const { step } = progress
  const isOver = step?.status === 'completed' && step.name === lastStepOf(current.name)
  return isOver ? behind(action.index + 1) : current.name
}

/** The index that conditions are held against. */
interface Facts {
  readonly view: IndexView
  readonly progress: Progress | null
  /** Null: no condition asks for them. */
  readonly sizes: IndexSizes | null
  readonly now: number
}

function tried({ stateName, condition }: Transition, facts: Facts): TriedTransition {
  if (condition === null)
    return {
      stateName,
      isMet: true,
      conditionType: 'unconditional',
      current: null,
      required: null,
    }
  const { view, progress, sizes, now } = facts
  const rolledOverAt = oldestRollover(view)
  const stateStartedAt = progress?.state?.startTime ?? null
  const transitionStartedAt = progress?.step?.startTime ?? now
  const holds = isMet(condition, {
    now,
    createdAt: view.createdAtInMillis,
    docCount: sizes?.docCount ?? null,
    sizeInBytes: sizes?.sizeInBytes ?? null,
    rolledOverAt,
    aliasCount: view.aliases.length,
    // In no state it has no age there.
    stateStartedAt: stateStartedAt ?? Number.POSITIVE_INFINITY,
    transitionStartedAt,
  })
  const since = (moment: number): string => durationOf(now - moment)
  const current = (): string => {
    switch (condition.kind) {
      case 'min_index_age':
        return since(view.createdAtInMillis)
      case 'min_doc_count':
        return String(sizes!.docCount)
      case 'min_size':
        return sizeText(sizes!.sizeInBytes)
      case 'cron':
        return momentOf(now)
      case 'min_rollover_age':
        return rolledOverAt === null ? 'index has never been rolled over' : since(rolledOverAt)
      case 'min_state_age':
        return stateStartedAt === null
          ? 'state start time unknown (index not yet managed)'
          : since(stateStartedAt)
      case 'no_alias':
        return view.aliases.length === 0 ? 'no aliases' : `${view.aliases.length} alias(es)`
    }
  }
  return {
    stateName,
    isMet: holds,
    conditionType: condition.kind,
    current: current(),
    required: requiredBy(condition, transitionStartedAt),
  }
}

function requiredBy(condition: Condition, transitionStartedAt: number): string {
  switch (condition.kind) {
    case 'min_index_age':
    case 'min_rollover_age':
    case 'min_state_age':
      return durationOf(condition.age.value)
    case 'min_doc_count':
      return String(condition.count)
    case 'min_size':
      return sizeText(condition.size.value)
    case 'cron': {
      const next = nextExecution(condition.cron, transitionStartedAt)
      return `next fire at ${Number.isFinite(next) ? momentOf(next) : 'null'}`
    }
    case 'no_alias':
      return condition.hasNone
        ? 'no aliases (no_alias=true)'
        : 'at least one alias (no_alias=false)'
  }
}

function oldestRollover({ rollovers }: IndexView): number | null {
  return rollovers.length === 0
    ? null
    : Math.min(...rollovers.map(({ timeInMillis }) => timeInMillis))
}

function durationOf(millis: number): string {
  // Clocks may be set back.
  return durationText(Math.max(0, millis) * NANOS_PER_MILLI)
}

/** ISO 8601, without a fraction that is zero. */
function momentOf(millis: number): string {
  return new Date(millis).toISOString().replace('.000Z', 'Z')
}

/** An index of the answer as it is printed. */
export function printSimulated(index: SimulatedIndex): JsonRecord {
  const head = {
    index_name: index.name,
    index_uuid: index.uuid,
    policy_id: index.policyId,
    is_managed: index.isManaged,
  }
  if (index.error !== null) return { ...head, error: index.error }
  const { transitions } = index
  return {
    ...head,
    current_state: index.state,
    current_action: index.action,
    transition_evaluation: transitions?.map(each => ({
      state_name: each.stateName,
      condition_met: each.isMet,
      condition_type: each.conditionType,
      current_value: each.current ?? undefined,
      required_value: each.required ?? undefined,
    })),
    next_state: transitions?.find(each => each.isMet)?.stateName ?? null,
  }
}
