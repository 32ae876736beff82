/** Settings of long-running operations, and the messages at their end (contract-services §14). */
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { WriteOutcome } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { type Found, type Kept, SystemIndex } from '../system-index.ts'
import { type LronConfig, lronId, lronIdOf, parseLron } from './lron-config.ts'
import { ACTION_OF, endOfError, type Operation, type OperationEnd } from './operation.ts'
import { endText, endTitle } from './operation-text.ts'

const INDEX = '.opensearch-control-center'

/** Settings of tasks come before those of actions where both hold. */
const PRIORITIES = { task: 200, action: 100 }

/** A setting as a document. */
interface LronDocument {
  readonly lron_config: LronConfig & { readonly priority: number }
}

const keyword = { type: 'keyword' }
const MAPPINGS = {
  dynamic: false,
  properties: {
    lron_config: {
      properties: {
        lron_condition: {
          properties: { success: { type: 'boolean' }, failure: { type: 'boolean' } },
        },
        task_id: { type: 'keyword' },
        action_name: keyword,
        priority: { type: 'integer' },
        channels: { properties: { id: keyword } },
      },
    },
  },
}
/** Those that a query looks into unless it names one. */
const TEXT_FIELDS = ['task_id', 'action_name', 'channels.id'].map(name => `lron_config.${name}`)

/** The page, order and query of a list of settings. */
export interface LronList {
  readonly from: number
  readonly size: number
  readonly sortField: string
  readonly sortOrder: 'asc' | 'desc'
  readonly query: string
}

/** A message to channels; the port through which the service sends. */
export type Notify = (
  channels: readonly string[],
  message: { readonly title: string; readonly text: string; readonly html: string | null },
) => Promise<void>

/** An operation that has ended. */
interface Ended {
  readonly operation: Operation
  readonly end: OperationEnd
  /** Nobody waits for it. */
  readonly isDetached: boolean
  readonly taskId: string
}

/** The settings of one node. */
export class LronService {
  readonly #engine: EngineApi
  readonly #notify: Notify
  readonly #index: SystemIndex<LronDocument>
  readonly #ending = new AbortController()
  readonly #telling = new Set<Promise<void>>()

  constructor(engine: EngineApi, notify: Notify) {
    this.#engine = engine
    this.#notify = notify
    this.#index = new SystemIndex(engine, INDEX, MAPPINGS)
    // One for each operation that ended within the delay: many are no leak.
    setMaxListeners(0, this.#ending.signal)
    engine.beforeClose(() => this.#stop())
  }

  /**
   * Makes a setting.
   * @param isDryRun checks it only
   * @throws {EngineError} as the contract's table says; 409 `version_conflict_engine_exception`: there is one
   */
  create(body: JsonNode, isDryRun: boolean): Promise<Kept<LronConfig>> {
    return this.#put(this.#parse(body), 'create', isDryRun)
  }

  /**
   * Makes a setting, or another in its place.
   * @throws {EngineError} as `create`; 400: the id is not that of the setting
   */
  update(id: string, body: JsonNode, isDryRun: boolean): Promise<Kept<LronConfig>> {
    const config = this.#parse(body)
    if (lronId(config) !== id) throw new IllegalArgumentError("docId isn't match with lron_config")
    return this.#put(config, 'index', isDryRun)
  }

  /** @throws {EngineError} 404 `status_exception` */
  async get(id: string): Promise<Kept<LronConfig>> {
    const found = await this.#find(id)
    if (found !== null) return { id, source: found }
    const reason = `lronConfig ${id} not found`
    throw new EngineError({ type: 'status_exception', reason, status: 404 })
  }

  /** @throws {EngineError} the error of a query or a sort */
  async list({ from, size, sortField, sortOrder, query }: LronList): Promise<Found<LronConfig>> {
    const { total, hits } = await this.#index.search({
      query: {
        query_string: { query, fields: TEXT_FIELDS, lenient: true, analyze_wildcard: true },
      },
      from,
      size,
      sort: [{ [sortField]: { order: sortOrder } }],
    })
    return { total, hits: hits.map(({ id, source }) => ({ id, source: shownOf(source) })) }
  }

  /** Deletes a setting; that there was none is an outcome too. */
  delete(id: string): Promise<WriteOutcome> {
    return this.#index.deleteFound(id)
  }

  /**
   * A step whose end is told to the channels of its task's setting and, where nobody waits for it, to those of
   * the setting of its action. A step that nobody waits for ends when its messages are kept, so that a node
   * that closes loses none.
   * @param step gives its answer and how it ended
   */
  watched(
    operation: Operation,
    isDetached: boolean,
    step: (
      context: CallContext,
    ) => Promise<{ readonly answer: JsonValue; readonly end: OperationEnd }>,
  ): (context: CallContext) => Promise<JsonValue> {
    const ended = async (end: OperationEnd, { task }: CallContext): Promise<void> => {
      // One that was never listed could not be named by a setting.
      if (task.number === 0) return
      const telling = this.#tell({ operation, end, isDetached, taskId: task.id })
      if (isDetached) await telling
    }
    return async context => {
      try {
        const { answer, end } = await step(context)
        await ended(end, context)
        return answer
      } catch (error) {
        await ended(endOfError(error), context)
        throw error
      }
    }
  }

  #parse(body: JsonNode): LronConfig {
    return parseLron(body, this.#engine.cluster.identity.nodeId)
  }

  async #put(
    config: LronConfig,
    opType: 'index' | 'create',
    isDryRun: boolean,
  ): Promise<Kept<LronConfig>> {
    const id = lronId(config)
    const priority = config.task_id === undefined ? PRIORITIES.action : PRIORITIES.task
    if (!isDryRun) await this.#index.put(id, { lron_config: { ...config, priority } }, opType)
    return { id, source: config }
  }

  async #find(id: string): Promise<LronConfig | null> {
    const document = await this.#index.get(id)
    return document === null ? null : shownOf(document)
  }

  /** Tells of an end now, and again if a setting of its task was on its way. Never rejects. */
  async #tell(ended: Ended): Promise<void> {
    const told = new Set<string>()
    const { taskId, isDetached, operation } = ended
    const ids = [lronIdOf(taskId), ...(isDetached ? [lronIdOf(ACTION_OF[operation.kind])] : [])]
    const isTaskTold = await this.#logged(taskId, () => this.#tellBy(ids, ended, told))
    if (isTaskTold) return
    const later = this.#logged(taskId, async () => {
      const { settings } = this.#engine.cluster.nodeInfo()
      const delay = (nodeSettings.nanos(settings, 'lamella.lron.delay') ?? 0) / 1e6
      const { signal } = this.#ending
      await wait(delay, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return false
      return await this.#tellBy([lronIdOf(taskId)], ended, told)
    }).then(() => {
      this.#telling.delete(later)
    })
    this.#telling.add(later)
  }

  /**
   * Tells those channels of some settings that have not been told, the setting of the task first.
   * @returns whether there was one of the task: it serves once, whether it matched or not
   */
  async #tellBy(ids: readonly string[], ended: Ended, told: Set<string>): Promise<boolean> {
    const { operation, end, taskId } = ended
    const found = await Promise.all(ids.map(id => this.#find(id)))
    const condition = end.result === 'complete' ? 'success' : 'failure'
    const channels = found
      .filter(config => config?.lron_condition[condition] === true)
      .flatMap(config => config?.channels ?? [])
      .map(({ id }) => id)
      .filter(id => !told.has(id))
    if (channels.length > 0) {
      const { clusterName } = this.#engine.cluster.identity
      const about = { operation, end, clusterName, taskId }
      await this.#notify([...new Set(channels)], {
        title: endTitle(about),
        text: endText(about),
        html: null,
      })
      for (const id of channels) told.add(id)
    }
    const [ofTask = null] = found
    if (ofTask !== null) await this.#index.delete(lronIdOf(taskId), 'true')
    return ofTask !== null
  }

  /** What a step gives; false where it failed, which the log tells. */
  async #logged(taskId: string, step: () => Promise<boolean>): Promise<boolean> {
    try {
      return await step()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown'
      const message = `the end of task [${taskId}] was not told: ${why}`
      this.#engine.log({ logger: 'lron', level: 'WARN', message })
      return false
    }
  }

  async #stop(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#telling)
  }
}

/** A setting as it is shown. */
function shownOf({ lron_config: { priority: _, ...config } }: LronDocument): LronConfig {
  return config
}
