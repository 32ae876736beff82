import { Lane, LaneLostError } from '../pool/lane.ts'
import type { PoolUse } from '../pool/pool-use.ts'
import { builtFile } from '../util/built-file.ts'
import { EngineError } from '../util/errors.ts'
import type {
  RewriteRequest,
  RewrittenDocuments,
  UpdatedDocument,
  UpdateRequest,
} from './pipeline-messages.ts'

/** The thread of update scripts: started with the first, beside that of pipelines. */
export class UpdateLane {
  readonly #lane = new Lane(builtFile('pipeline/pipeline-worker.js'))

  /**
   * Runs a script over a document.
   * @throws {EngineError} `circuit_breaking_exception`: the thread did not survive it
   */
  async run(request: UpdateRequest): Promise<UpdatedDocument> {
    return (await this.#run(request)) as UpdatedDocument
  }

  /**
   * Runs a script over documents.
   * @throws {EngineError} `circuit_breaking_exception`: the thread did not survive it
   */
  async rewrite(request: RewriteRequest): Promise<RewrittenDocuments> {
    return (await this.#run(request)) as RewrittenDocuments
  }

  async #run(request: UpdateRequest | RewriteRequest): Promise<unknown> {
    try {
      return await this.#lane.run(request)
    } catch (error) {
      if (!(error instanceof LaneLostError)) throw error
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason: `[script] ${error.message}`,
      })
    }
  }

  /** The id of the thread; null when there is none. */
  get threadId(): number | null {
    return this.#lane.threadId
  }

  /** Counters of the thread and its requests. */
  use(): PoolUse {
    return this.#lane.use()
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#lane.close()
  }
}
