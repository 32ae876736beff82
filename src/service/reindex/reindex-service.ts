/** Reindex, update by query and delete by query (contract-services §7). */
import type { DocumentRewriter } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Task } from '../../task/task.ts'
import { parseTaskId } from '../../task/task-id.ts'
import { EngineError } from '../../util/errors.ts'
import type { BatchOptions } from './batch-writer.ts'
import { deleteWrites, updateWrites } from './by-query-writes.ts'
import type {
  ByScrollCall,
  DeleteByQueryCall,
  ReindexCall,
  UpdateByQueryCall,
} from './by-scroll-call.ts'
import { checkDestination, checkPipeline, checkSeesWhole, countSlices } from './checks.ts'
import { describeDelete, describeReindex, describeUpdate } from './descriptions.ts'
import { LocalHitSource } from './local-hit-source.ts'
import { type Progress, printProgress, WHOLE_PROGRESS } from './progress.ts'
import { reindexWrites } from './reindex-writes.ts'
import { RemoteHitSource } from './remote-hit-source.ts'
import {
  checkAllowed,
  type RemoteServer,
  type RemoteSettings,
  remoteSettings,
} from './remote-server.ts'
import { type ByScrollOutcome, type PrepareBatch, ScrollWork } from './scroll-work.ts'
import { SlicedWork } from './sliced-work.ts'

/** A call that has been checked; runs it under a task. */
export type CheckedCall = (context: CallContext) => Promise<ByScrollOutcome>

/** A work whose rate can be changed. */
interface Running {
  progress(): Progress
  rethrottle(rate: number): void
}

/** Goes through the matches of searches and writes. */
export class ReindexService {
  readonly #engine: EngineApi
  readonly #running = new Map<Task, Running>()
  #remote: RemoteSettings | null = null

  constructor(engine: EngineApi) {
    this.#engine = engine
  }

  /**
   * Checks a reindex.
   * @throws {EngineError} the source is missing, or is the destination; the destination may not be
   *   written; an unknown pipeline; a script that does not compile
   */
  async reindex(call: ReindexCall, context: CallContext): Promise<CheckedCall> {
    const engine = this.#engine
    const { dest, script, remote } = call
    if (remote === null) await checkDestination(engine, call.source.target, dest, context)
    else checkAllowed(remote, this.#remoteSettings())
    checkPipeline(engine, dest.pipeline)
    const prepare = reindexWrites(dest, await this.#rewriter(script, true))
    const { pipeline, requireAlias } = dest
    const options = { ...call, pipeline, requireAlias }
    const describe = (): string => describeReindex(call)
    return under =>
      this.#run({ call, options, prepare, readsSource: true, describe, remote }, under)
  }

  /**
   * Checks an update by query.
   * @throws {EngineError} an unknown pipeline; a script that does not compile
   */
  async updateByQuery(call: UpdateByQueryCall): Promise<CheckedCall> {
    const { pipeline, script } = call
    checkPipeline(this.#engine, pipeline)
    const prepare = updateWrites(await this.#rewriter(script, false))
    const options = { ...call, pipeline, requireAlias: false }
    const describe = (): string => describeUpdate(call)
    return async under => {
      await checkSeesWhole(this.#engine, call.source.target, under)
      return this.#run({ call, options, prepare, readsSource: true, describe, remote: null }, under)
    }
  }

  /** A deletion by query. */
  deleteByQuery(call: DeleteByQueryCall): CheckedCall {
    const options = { ...call, pipeline: null, requireAlias: false }
    const describe = (): string => describeDelete(call.source)
    const prepare = deleteWrites
    return under =>
      this.#run({ call, options, prepare, readsSource: false, describe, remote: null }, under)
  }

  /**
   * Changes the rate of a work that runs.
   * @param taskId `node:number`
   * @param rate documents a second, above 0; Infinity: not throttled
   * @returns its task
   * @throws {EngineError} `resource_not_found_exception`: no task of that id runs; 400
   *   `illegal_argument_exception`: the id is malformed
   */
  rethrottle(taskId: string, rate: number): Task {
    parseTaskId(taskId)
    for (const [task, running] of this.#running) {
      if (task.id !== taskId) continue
      running.rethrottle(rate)
      return task
    }
    throw new EngineError({
      type: 'resource_not_found_exception',
      reason: `task [${taskId}] is not found`,
    })
  }

  /** Read when they are first asked for: most nodes read from no other. */
  #remoteSettings(): RemoteSettings {
    const { cluster } = this.#engine
    this.#remote ??= remoteSettings(cluster.nodeInfo().settings, path => cluster.configFile(path))
    return this.#remote
  }

  async #rewriter(
    script: ReindexCall['script'],
    mayMove: boolean,
  ): Promise<DocumentRewriter | null> {
    return script === null ? null : await this.#engine.documents.rewriter(script, mayMove)
  }

  async #run(
    parts: {
      readonly call: ByScrollCall
      readonly options: BatchOptions
      readonly prepare: PrepareBatch
      readonly readsSource: boolean
      readonly describe: () => string
      readonly remote: RemoteServer | null
    },
    context: CallContext,
  ): Promise<ByScrollOutcome> {
    const engine = this.#engine
    const { call, options, prepare, readsSource, describe, remote } = parts
    context.task.describe = describe
    const slices = await countSlices(engine, call, context)
    if (slices === 1) {
      const hits =
        remote === null
          ? new LocalHitSource(engine, call, null, readsSource, context)
          : new RemoteHitSource(call, remote, this.#remoteSettings(), context)
      const work = new ScrollWork(engine, { call, sliceId: null, options, hits, prepare }, context)
      return await this.#listed(work, context.task, () => work.run())
    }
    const share: ByScrollCall = {
      ...call,
      requestsPerSecond: call.requestsPerSecond / slices,
      maxDocs: call.maxDocs === null ? null : Math.floor(call.maxDocs / slices),
    }
    const begin = (sliceId: number, under: CallContext): ScrollWork => {
      const slice = { id: sliceId, max: slices }
      const hits = new LocalHitSource(engine, share, slice, readsSource, under)
      const work = new ScrollWork(engine, { call: share, sliceId, options, hits, prepare }, under)
      under.task.describe = describe
      under.task.status = () => printProgress(work.progress(), WHOLE_PROGRESS)
      return work
    }
    const work = new SlicedWork(engine, slices, begin, context)
    return await this.#listed(work, context.task, () => work.run())
  }

  /** Runs a work that shows its state and whose rate can be changed meanwhile. */
  async #listed<T>(work: Running, task: Task, run: () => Promise<T>): Promise<T> {
    task.status = () => printProgress(work.progress(), WHOLE_PROGRESS)
    this.#running.set(task, work)
    const running = run()
    const forget = this.#engine.beforeClose(async () => {
      task.cancel()
      await running.catch(() => {})
    })
    try {
      return await running
    } finally {
      forget()
      this.#running.delete(task)
    }
  }
}
