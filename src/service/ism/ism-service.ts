/** Index-state management: policies, the indices under them, and the jobs that lead these through their states. */
import type { WriteOutcome } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { RefreshPolicy } from '../../engine/api/target.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { WriteStamp } from '../system-index.ts'
import { type ExplainCall, type Explained, Explainer } from './explain.ts'
import { IndexChanges, type IsmStatus } from './index-changes.ts'
import { ismSettings } from './ism-settings.ts'
import { type IsmPage, IsmStore, type StoredPolicy } from './ism-store.ts'
import { JobSweep } from './job-sweep.ts'
import { type Policy, parsePolicyBody, SCHEMA_VERSION } from './policy/policy.ts'
import { checkTemplates } from './policy/template-checks.ts'
import type { IsmPorts } from './ports.ts'
import { type SimulateCall, type SimulatedIndex, Simulator } from './simulate.ts'

/** How often it is looked whether a job is due. */
const TICK_IN_MILLIS = 1000

/** A policy that was written, or the kinds of action in it that are not allowed. */
export type PutOutcome =
  | { readonly disallowed: readonly string[] }
  | { readonly disallowed: null; readonly outcome: WriteOutcome; readonly policy: Policy }

/** The policies of one node. */
export class IsmService {
  readonly #engine: EngineApi
  readonly #ports: IsmPorts
  readonly #store: IsmStore
  readonly #sweep: JobSweep
  readonly #changes: IndexChanges
  readonly #explainer: Explainer
  readonly #simulator: Simulator
  readonly #loaded: Promise<void>

  constructor(engine: EngineApi, ports: IsmPorts) {
    this.#engine = engine
    this.#ports = ports
    this.#store = new IsmStore(engine)
    this.#sweep = new JobSweep(engine, ports, this.#store)
    this.#changes = new IndexChanges(engine, ports, this.#store)
    this.#explainer = new Explainer(engine, ports, this.#store)
    this.#simulator = new Simulator(engine, this.#store)
    this.#loaded = this.#store.load()
    this.#loaded.catch((error: unknown) => this.#log('policies were not read', error))
    const stop = this.#startJobs()
    engine.beforeClose(async () => {
      stop()
      await this.#sweep.stop()
    })
  }

  #startJobs(): () => void {
    const { settings } = this.#engine.cluster.nodeInfo()
    if (!nodeSettings.boolean(settings, 'lamella.index_states.jobs')) return () => {}
    return this.#ports.everyMillis(TICK_IN_MILLIS, () => {
      this.sweep().catch((error: unknown) => this.#log('jobs were not run', error))
    })
  }

  /**
   * Makes a policy, or replaces the one that has a stamp.
   * @param stamp   null: there must be none of that id
   * @param refresh when lists have it; jobs and templates have it at once
   * @throws {EngineError} `illegal_argument_exception`, `parsing_exception`: the body; 409
   *   `version_conflict_engine_exception`; `index_management_exception`: templates that contend
   */
  async put(
    id: string,
    body: JsonNode,
    stamp: WriteStamp | null,
    refresh: RefreshPolicy,
    context: CallContext,
  ): Promise<PutOutcome> {
    await this.#loaded
    const policy = parsePolicyBody(body, id, this.#ports.now())
    const { allowList } = ismSettings(this.#engine)
    const names = policy.states.flatMap(({ actions }) => actions.map(({ name }) => name))
    const disallowed = [...new Set(names)].filter(name => !allowList.includes(name))
    if (disallowed.length > 0) return { disallowed }
    checkTemplates(policy, this.#policies())
    const kept = { ...policy, schemaVersion: SCHEMA_VERSION }
    const outcome = await this.#store.putPolicy(kept, this.#ports.callerOf(context), stamp, refresh)
    return { disallowed: null, outcome, policy }
  }

  /** @throws {EngineError} 404 `status_exception` */
  async get(id: string): Promise<StoredPolicy> {
    await this.#loaded
    const found = this.#store.policies.get(id)
    if (found !== undefined) return found
    throw notFound('Policy not found')
  }

  /** @throws {EngineError} the error of a query or a sort */
  async list(
    page: IsmPage,
  ): Promise<{ readonly total: number; readonly policies: readonly StoredPolicy[] }> {
    await this.#loaded
    return await this.#store.findPolicies(page)
  }

  /**
   * Deletes a policy; indices that follow it go on with it.
   * @throws {EngineError} 404 `status_exception`
   */
  async delete(id: string): Promise<WriteOutcome> {
    await this.#loaded
    if (!this.#store.policies.has(id)) throw notFound(`Policy ${id} is not found`)
    return await this.#store.deletePolicy(id)
  }

  /**
   * Puts indices under a policy.
   * @throws {EngineError} 404 `status_exception`: no such policy
   */
  async add(names: readonly string[], policyId: string, context: CallContext): Promise<IsmStatus> {
    await this.#loaded
    return await this.#changes.add(names, policyId, context)
  }

  /** Takes indices out of their policies, for good: templates pass them over from then on. */
  async remove(names: readonly string[], context: CallContext): Promise<IsmStatus> {
    await this.#loaded
    return await this.#changes.remove(names, context)
  }

  /**
   * Has indices go over to another policy, at the end of their states or where it is safe at once.
   * @throws {EngineError} as the body; 404 `status_exception`: no such policy
   */
  async changePolicy(
    names: readonly string[],
    body: JsonNode,
    context: CallContext,
  ): Promise<IsmStatus> {
    await this.#loaded
    return await this.#changes.changePolicy(names, body, context)
  }

  /**
   * Has failed indices begin their actions anew.
   * @param state to go to; null: they stay in theirs
   */
  async retry(
    names: readonly string[],
    state: string | null,
    context: CallContext,
  ): Promise<IsmStatus> {
    await this.#loaded
    return await this.#changes.retry(names, state, context)
  }

  /** How far indices have come. */
  async explain(call: ExplainCall, context: CallContext): Promise<Explained> {
    await this.#loaded
    return await this.#explainer.explain(call, context)
  }

  /**
   * Tells what a policy would do with indices.
   * @throws {EngineError} 404 `status_exception`: no such policy
   */
  async simulate(call: SimulateCall, context: CallContext): Promise<readonly SimulatedIndex[]> {
    await this.#loaded
    return await this.#simulator.simulate(call, this.#ports.now(), context)
  }

  /** Takes on new indices, lets deleted ones go, and runs the jobs that are due. */
  async sweep(): Promise<void> {
    await this.#loaded
    await this.#sweep.run()
  }

  *#policies(): Iterable<Policy> {
    for (const { policy } of this.#store.policies.values()) yield policy
  }

  #log(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : 'unknown'
    this.#engine.log({ logger: 'ism', level: 'WARN', message: `${what}: ${why}` })
  }
}

function notFound(reason: string): EngineError {
  return new EngineError({ type: 'status_exception', reason, status: 404 })
}
