import { Lane, LaneLostError } from '../pool/lane.ts'
import { EngineError } from '../util/errors.ts'
import { pipelineWorkerUrl } from './pipeline-lane.ts'
import type { UpdatedDocument, UpdateRequest } from './pipeline-messages.ts'

/** The thread of update scripts: started with the first, beside that of pipelines. */
export class UpdateLane {
  readonly #lane = new Lane(pipelineWorkerUrl())

  /**
   * Runs a script over a document.
   * @throws {EngineError} `circuit_breaking_exception`: the thread did not survive it
   */
  async run(request: UpdateRequest): Promise<UpdatedDocument> {
    try {
      return (await this.#lane.run(request)) as UpdatedDocument
    } catch (error) {
      if (!(error instanceof LaneLostError)) throw error
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason: `[script] ${error.message}`,
      })
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#lane.close()
  }
}
