/** How far managed indices have come, and what stands in the way of their next action. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { readBoolean, readText } from '../../engine/dsl/json-scalars.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { indicesOf } from './index-changes.ts'
import type { IndexView } from './index-view.ts'
import { ismSettings } from './ism-settings.ts'
import type { IsmPage, IsmStore } from './ism-store.ts'
import type { ManagedIndex } from './managed-index.ts'
import { planStep } from './plan-step.ts'
import { entriesOf } from './policy/read-fields.ts'
import type { IsmPorts } from './ports.ts'
import { UNCHECKED, type Validation, validateAction } from './validate-action.ts'

/** Which of the indices are told of; null: any. */
export interface ExplainFilter {
  readonly policyId: string | null
  readonly state: string | null
  readonly actionType: string | null
  readonly failed: boolean | null
}

/** Asks for indices. */
export interface ExplainCall {
  /** Null: every managed one, a page of them. */
  readonly names: readonly string[] | null
  readonly page: IsmPage
  readonly filter: ExplainFilter | null
  readonly validates: boolean
}

/** An index that was asked for. */
export interface ExplainedIndex {
  readonly name: string
  /** Null: it has no policy. */
  readonly managed: ManagedIndex | null
  /** Null: it was not asked for. */
  readonly validation: Validation | null
}

/** The indices of an answer to `explain`. */
export interface Explained {
  readonly indices: readonly ExplainedIndex[]
  readonly total: number
}

/**
 * Reads `{"filter": {…}}`; unknown keys are passed over, as the reference server does.
 * @throws {EngineError} `parsing_exception`
 */
export function parseFilter(body: JsonNode): ExplainFilter {
  const found = {
    policyId: null as string | null,
    state: null as string | null,
    actionType: null as string | null,
    failed: null as boolean | null,
  }
  for (const { key, value } of entriesOf(body)) {
    if (key !== 'filter') continue
    for (const filter of entriesOf(value)) {
      if (filter.key === 'policy_id') found.policyId = readText(filter.value)
      else if (filter.key === 'state') found.state = readText(filter.value)
      else if (filter.key === 'action_type') found.actionType = readText(filter.value)
      else if (filter.key === 'failed') found.failed = readBoolean(filter.value)
    }
  }
  return found
}

/** Explains. */
export class Explainer {
  readonly #engine: EngineApi
  readonly #ports: IsmPorts
  readonly #store: IsmStore

  constructor(engine: EngineApi, ports: IsmPorts, store: IsmStore) {
    this.#engine = engine
    this.#ports = ports
    this.#store = store
  }

  /** @throws {EngineError} the error of a query or a sort, names that the caller may not see */
  async explain(call: ExplainCall, context: CallContext): Promise<Explained> {
    return call.names === null
      ? await this.#explainAll(call, context)
      : await this.#explainNamed(call, call.names, context)
  }

  async #explainAll(call: ExplainCall, context: CallContext): Promise<Explained> {
    const policyId = call.filter?.policyId ?? null
    const { total, managed } = await this.#store.findManaged(call.page, policyId)
    const indices: ExplainedIndex[] = []
    let hidden = 0
    for (const each of managed) {
      const view = this.#visible(each, context)
      if (view === null || !passes(each, call.filter)) hidden++
      else indices.push(await this.#explainOne(call, view, each))
    }
    return { indices, total: total - hidden }
  }

  /** One that the caller may not see, or that is gone, is left out. */
  #visible({ index }: ManagedIndex, context: CallContext): IndexView | null {
    try {
      return indicesOf(this.#engine, [index], true, context)[0] ?? null
    } catch (error) {
      if (error instanceof EngineError && error.type === 'security_exception') return null
      throw error
    }
  }

  async #explainNamed(
    call: ExplainCall,
    names: readonly string[],
    context: CallContext,
  ): Promise<Explained> {
    const indices: ExplainedIndex[] = []
    for (const view of indicesOf(this.#engine, names, true, context)) {
      const managed = this.#store.managed.get(view.uuid) ?? null
      if (passes(managed, call.filter)) indices.push(await this.#explainOne(call, view, managed))
    }
    return { indices, total: indices.filter(({ managed }) => managed !== null).length }
  }

  async #explainOne(
    { validates }: ExplainCall,
    index: IndexView,
    managed: ManagedIndex | null,
  ): Promise<ExplainedIndex> {
    const { name } = index
    if (!validates) return { name, managed, validation: null }
    const planned =
      managed === null || managed.progress === null
        ? null
        : planStep(managed.policy, managed.progress)
    if (planned === null || planned.name === null) return { name, managed, validation: UNCHECKED }
    const validation = await validateAction(planned.name, {
      engine: this.#engine,
      ports: this.#ports,
      settings: ismSettings(this.#engine),
      index,
      replicas: planned.name === 'replica_count' ? (planned.config as number) : null,
    })
    return { name, managed, validation }
  }
}

function passes(managed: ManagedIndex | null, filter: ExplainFilter | null): boolean {
  if (filter === null) return true
  const { policyId, state, actionType, failed } = filter
  if (policyId !== null && managed?.policyId !== policyId) return false
  const progress = managed?.progress ?? null
  if (progress === null) return state === null && actionType === null && failed === null
  return (
    (state === null || progress.state?.name === state) &&
    (actionType === null || progress.action?.name === actionType) &&
    (failed === null || progress.action?.failed === failed || progress.failed === failed)
  )
}
