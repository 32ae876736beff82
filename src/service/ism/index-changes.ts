/** Calls on indices and their policies: add, remove, change, retry. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { Target } from '../../engine/api/target.ts'
import { readBoolean, readText } from '../../engine/dsl/json-scalars.ts'
import { type CallContext, trusted } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { changeSettings } from './change-settings.ts'
import { type IndexView, viewsOf } from './index-view.ts'
import type { IsmStore, StoredPolicy } from './ism-store.ts'
import type { ManagedIndex } from './managed-index.ts'
import { entriesOf, given, itemsOf, readFields } from './policy/read-fields.ts'
import type { IsmPorts } from './ports.ts'
import { hasFailed } from './progress.ts'
import { isSafeToChange } from './run-job.ts'
import { isRestricted, newlyManaged } from './take-on.ts'

/** An index that a call left as it was, and why. */
export interface FailedIndex {
  readonly name: string
  readonly uuid: string
  readonly reason: string
}

/** The outcome of a call. */
export interface IsmStatus {
  readonly updated: number
  readonly failed: readonly FailedIndex[]
}

const AUTO_MANAGE = 'index.plugins.index_state_management.auto_manage'
const BLOCKS = ['index.blocks.read_only', 'index.blocks.read_only_allow_delete']
const RESTRICTED = 'Matches restricted index pattern defined in the cluster setting'

/** Changes which policies indices follow. */
export class IndexChanges {
  readonly #engine: EngineApi
  readonly #ports: IsmPorts
  readonly #store: IsmStore

  constructor(engine: EngineApi, ports: IsmPorts, store: IsmStore) {
    this.#engine = engine
    this.#ports = ports
    this.#store = store
  }

  /** @throws {EngineError} 404 `status_exception`: no such policy */
  async add(names: readonly string[], policyId: string, context: CallContext): Promise<IsmStatus> {
    const views = indicesOf(this.#engine, names, true, context)
    if (views.length === 0) return { updated: 0, failed: [] }
    const open = views.filter(({ isOpen }) => isOpen)
    const failed = views.filter(({ isOpen }) => !isOpen).map(because('This index is closed'))
    const found = this.#policy(policyId)
    const added: ManagedIndex[] = []
    for (const view of open) {
      if (isRestricted(this.#engine, view.name)) failed.push(because(RESTRICTED)(view))
      else if (this.#store.managed.has(view.uuid))
        failed.push(
          because(
            'This index already has a policy, use the update policy API to update index policies',
          )(view),
        )
      else added.push(newlyManaged(view, found, this.#ports.callerOf(context), this.#ports.now()))
    }
    await this.#store.change(added, [])
    return { updated: added.length, failed }
  }

  async remove(names: readonly string[], context: CallContext): Promise<IsmStatus> {
    const failed: FailedIndex[] = []
    const gone: string[] = []
    for (const view of indicesOf(this.#engine, names, false, context)) {
      if (!view.isOpen) failed.push(because('This index is closed')(view))
      else if (!this.#store.managed.has(view.uuid))
        failed.push(because('This index does not have a policy to remove')(view))
      else {
        await this.#leaveToItself(view)
        gone.push(view.uuid)
      }
    }
    await this.#store.change([], gone)
    return { updated: gone.length, failed }
  }

  /** Templates must not take the index on again; blocks of its metadata are lifted for that. */
  async #leaveToItself({ name, settings }: IndexView): Promise<void> {
    if (settings.get(AUTO_MANAGE) === 'false') return
    const blocks = BLOCKS.filter(block => settings.get(block) === 'true')
    const all = (value: string): Record<string, string> =>
      Object.fromEntries(blocks.map(block => [block, value]))
    const own = { engine: this.#engine, call: trusted }
    if (blocks.length > 0) await changeSettings(own, name, all('false'))
    await changeSettings(own, name, { [AUTO_MANAGE]: 'false', ...all('true') })
  }

  /** @throws {EngineError} as the body; 404 `status_exception`: no such policy */
  async changePolicy(
    names: readonly string[],
    body: JsonNode,
    context: CallContext,
  ): Promise<IsmStatus> {
    const { policyId, state, include } = parseChange(body)
    const { policy } = this.#policy(policyId)
    const failed: FailedIndex[] = []
    const changed: ManagedIndex[] = []
    for (const view of indicesOf(this.#engine, names, false, context)) {
      const managed = this.#store.managed.get(view.uuid)
      const current = managed?.progress ?? null
      if (current !== null && current.transitionTo !== null)
        failed.push(because('Cannot change policy while transitioning to new state')(view))
      else if (
        current !== null &&
        include.length > 0 &&
        !include.includes(current.state?.name ?? '')
      )
        continue
      else if (managed === undefined) failed.push(because('This index is not being managed')(view))
      else {
        const isSafe = isSafeToChange(managed, policy, state)
        const caller = this.#ports.callerOf(context)
        changed.push({ ...managed, changePolicy: { policyId, state, isSafe, caller } })
      }
    }
    await this.#store.change(changed, [])
    return { updated: changed.length, failed }
  }

  /** @param state to go to; null: the indices stay in theirs */
  async retry(
    names: readonly string[],
    state: string | null,
    context: CallContext,
  ): Promise<IsmStatus> {
    const failed: FailedIndex[] = []
    const changed: ManagedIndex[] = []
    for (const view of indicesOf(this.#engine, names, false, context)) {
      const managed = this.#store.managed.get(view.uuid)
      if (managed === undefined) failed.push(because('This index is not being managed.')(view))
      else if (managed.progress === null)
        failed.push(because('This index has no metadata information')(view))
      else if (!hasFailed(managed.progress))
        failed.push(because('This index is not in failed state.')(view))
      else changed.push(retried(managed, state))
    }
    await this.#store.change(changed, [])
    return { updated: changed.length, failed }
  }

  #policy(id: string): StoredPolicy {
    const found = this.#store.policies.get(id)
    if (found !== undefined) return found
    const reason = `Could not find policy=${id}`
    throw new EngineError({ type: 'status_exception', reason, status: 404 })
  }
}

/**
 * The indices that names mean, open and closed, which the caller may put under policies.
 * @param isLenient whether one that is missing is passed over
 * @throws {EngineError} `index_not_found_exception`; `security_exception`
 */
export function indicesOf(
  engine: EngineApi,
  names: readonly string[],
  isLenient: boolean,
  context: CallContext,
): readonly IndexView[] {
  const target: Target = {
    names,
    ignoreUnavailable: isLenient,
    allowNoIndices: true,
    expandOpen: true,
    expandClosed: true,
    expandHidden: false,
    allowAliases: true,
    allowDataStreams: true,
  }
  return viewsOf(engine, target, context.child('indices:admin/opensearch/ism/managedindex'))
}

function because(reason: string): (view: IndexView) => FailedIndex {
  return ({ name, uuid }) => ({ name, uuid, reason })
}

function retried(managed: ManagedIndex, state: string | null): ManagedIndex {
  const progress = managed.progress!
  const { action } = progress
  return {
    ...managed,
    isEnabled: true,
    progress: {
      ...progress,
      step: null,
      failed: false,
      action:
        action === null
          ? null
          : {
              ...action,
              failed: false,
              consumedRetries: 0,
              lastRetryTime: null,
              startTime: null,
            },
      transitionTo: state,
      info: { message: 'Pending retry of failed managed index' },
    },
  }
}

function parseChange(body: JsonNode): {
  readonly policyId: string
  readonly state: string | null
  readonly include: readonly string[]
} {
  let policyId: string | null = null
  let state: string | null = null
  let include: readonly string[] = []
  readFields(body, 'ChangePolicy', {
    policy_id: value => {
      policyId = readText(value)
    },
    state: value => {
      state = value.kind === 'null' ? null : readText(value)
    },
    include: value => {
      include = itemsOf(value).map(parseFilter)
    },
    is_safe: value => {
      // Found out for each index; what a request says of it does not count.
      readBoolean(value)
    },
    user: () => {},
  })
  return { policyId: given<string>(policyId, 'ChangePolicy policy id is null'), state, include }
}

function parseFilter(node: JsonNode): string {
  const entry = entriesOf(node).find(({ key }) => key === 'state')
  return given(
    entry === undefined ? null : readText(entry.value),
    'Must include a state when using include filter',
  )
}
