/** The thread of pipelines: started with the first document that has one, ended when it stands still. */

import { Lane, LaneLostError } from '../pool/lane.ts'
import type { PoolUse } from '../pool/pool-use.ts'
import { builtFile } from '../util/built-file.ts'
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../util/errors.ts'
import type { DocumentMetadata } from './document-metadata.ts'
import { packMetadata } from './metadata-rows.ts'
import type {
  PipelineRequest,
  PipelineScripts,
  RunAnswer,
  RunRequest,
  SimulateAnswer,
  SimulatedResult,
  SimulateRequest,
} from './pipeline-messages.ts'
import type { PipelineCounts } from './run-counts.ts'
import {
  interrupted,
  newProgress,
  type ProcessorLimits,
  readProgress,
  watched,
} from './watched-request.ts'

/** Definitions of all pipelines as JSON, by id, with a number that rises with every change. */
export interface PipelineSet {
  readonly generation: number
  readonly definitions: ReadonlyMap<string, Uint8Array>
  readonly scripts: PipelineScripts
}

/** Documents as `RunRequest` has them. */
export interface PipelineBatch
  extends Pick<RunRequest, 'bytes' | 'bounds' | 'chains' | 'chainOf' | 'timestamp'> {
  readonly metadata: readonly DocumentMetadata[]
}

/** A simulation as it is asked for. */
export type SimulateCall = Pick<
  SimulateRequest,
  'id' | 'definition' | 'documents' | 'isVerbose' | 'timestamp'
>

/** The outcome of a batch. */
export type BatchAnswer = Extract<RunAnswer, { kind: 'done' }>

/** Times that the thread may be ended for one batch, before the rest of the batch fails. */
const MAX_STOPS = 3
/** Times the limit of a processor that all processors of a document may take. */
const DOCUMENT_FACTOR = 10

/** Runs batches and simulations, one after another. */
export class PipelineLane {
  readonly #lane = new Lane(builtFile('pipeline/pipeline-worker.js'))
  readonly #limits: ProcessorLimits
  /** Generation that the thread has. */
  #sent = -1

  /** @param maxMillis that one processor may take */
  constructor(maxMillis = 1000) {
    this.#limits = { processor: maxMillis, document: DOCUMENT_FACTOR * maxMillis }
  }

  /** The id of the thread; null when there is none. */
  get threadId(): number | null {
    return this.#lane.threadId
  }

  /** Counters of the thread and its requests. */
  use(): PoolUse {
    return this.#lane.use()
  }

  /** Runs a batch; each document has an outcome. */
  async run(set: PipelineSet, batch: PipelineBatch): Promise<BatchAnswer> {
    const failed = new Map<number, ErrorRecord>()
    const hopeless = new Map<number, readonly number[]>()
    for (let stops = 0; ; ) {
      const progress = newProgress()
      const part = without(batch, failed)
      const request: RunRequest = {
        kind: 'run',
        generation: set.generation,
        limits: this.#limits,
        progress,
        ...part.batch,
        metadata: packMetadata(part.batch.metadata),
        hopeless: new Map(
          part.numbers.flatMap((at, i) => {
            const matches = hopeless.get(at)
            return matches === undefined ? [] : [[i, matches] as const]
          }),
        ),
      }
      try {
        const answer = (await this.#send(set, request, progress)) as BatchAnswer
        return failed.size === 0 ? answer : joined(batch, answer, part.numbers, failed)
      } catch (error) {
        if (!(error instanceof LaneLostError) || ++stops > MAX_STOPS) throw error
        const { document, match } = readProgress(progress)
        if (document < 0) continue
        const at = part.numbers[document]!
        const known = hopeless.get(at) ?? []
        const record = lossOf(error, match, this.#limits)
        // The match alone fails, so that what handles failures of its processor can run.
        if (match > 0 && !known.includes(match) && stops < MAX_STOPS)
          hopeless.set(at, [...known, match])
        else failed.set(at, record)
        if (stops === MAX_STOPS)
          for (const later of part.numbers) if (later > at) failed.set(later, record)
      }
    }
  }

  /**
   * Runs a simulation.
   * @throws {EngineError} there is no such pipeline
   */
  async simulate(set: PipelineSet, call: SimulateCall): Promise<readonly SimulatedResult[]> {
    const hopeless = new Map<number, readonly number[]>()
    for (let stops = 1; ; stops++) {
      const progress = newProgress()
      const request: SimulateRequest = {
        kind: 'simulate',
        generation: set.generation,
        limits: this.#limits,
        progress,
        hopeless,
        ...call,
      }
      try {
        const answer = await this.#send(set, request, progress)
        return (answer as Extract<SimulateAnswer, { kind: 'done' }>).results
      } catch (error) {
        if (!(error instanceof LaneLostError)) throw error
        const { document, match } = readProgress(progress)
        if (document < 0 || match === 0 || stops === MAX_STOPS)
          throw new EngineError(lossOf(error, match, this.#limits))
        hopeless.set(document, [...(hopeless.get(document) ?? []), match])
      }
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#lane.close()
  }

  /** Sends a request, behind the pipelines where the thread lacks them. */
  async #send(
    set: PipelineSet,
    request: RunRequest | SimulateRequest,
    progress: SharedArrayBuffer,
  ): Promise<unknown> {
    for (;;) {
      const isMissing = this.#sent !== set.generation
      const put: PipelineRequest = { kind: 'putPipelines', ...set }
      this.#sent = set.generation
      // Both at once, so that nothing comes between them.
      const [, found] = await Promise.all([
        isMissing ? this.#lane.run(put) : null,
        watched(
          progress,
          this.#limits,
          () => this.#lane.run(request),
          () => this.#lane.stop(),
        ),
      ])
      const answer = found as RunAnswer | SimulateAnswer
      if (answer.kind !== 'lost') return answer
      // It is another thread by now.
      this.#sent = -1
    }
  }
}

/** Why a document failed that the thread was lost over. */
function lossOf(error: LaneLostError, match: number, limits: ProcessorLimits): ErrorRecord {
  if (!error.isStopped)
    return { type: 'circuit_breaking_exception', reason: `[ingest] ${error.message}` }
  if (match > 0) return new IllegalArgumentError(interrupted(limits)).record
  return {
    type: 'circuit_breaking_exception',
    reason:
      `[ingest] time limit of [${limits.processor}] ms for a processor, ` +
      `or of [${limits.document}] ms for a document, exceeded`,
  }
}

/** A batch without the documents that have failed, and the numbers of those that are left. */
function without(
  batch: PipelineBatch,
  failed: ReadonlyMap<number, unknown>,
): { readonly batch: PipelineBatch; readonly numbers: readonly number[] } {
  const numbers = batch.metadata.flatMap((_, i) => (failed.has(i) ? [] : [i]))
  if (failed.size === 0) return { batch, numbers }
  const part = {
    ...batch,
    bounds: Uint32Array.from(
      numbers.flatMap(i => [batch.bounds[2 * i]!, batch.bounds[2 * i + 1]!]),
    ),
    metadata: numbers.map(i => batch.metadata[i]!),
    chainOf: Uint32Array.from(numbers, i => batch.chainOf[i]!),
  }
  return { batch: part, numbers }
}

/** The answer of a whole batch, of which some documents failed before the others ran. */
function joined(
  { metadata, chains, chainOf }: PipelineBatch,
  answer: BatchAnswer,
  numbers: readonly number[],
  failed: ReadonlyMap<number, ErrorRecord>,
): BatchAnswer {
  const outcomes: BatchAnswer['outcomes'][number][] = metadata.map(() => 'failed')
  const bounds = new Uint32Array(2 * metadata.length)
  for (const [i, at] of numbers.entries()) {
    outcomes[at] = answer.outcomes[i]!
    bounds.set(answer.bounds.subarray(2 * i, 2 * i + 2), 2 * at)
  }
  const placed = <T>(map: ReadonlyMap<number, T>): Map<number, T> =>
    new Map(Array.from(map, ([i, value]) => [numbers[i]!, value]))
  const counts = new Map<string, PipelineCounts>(answer.counts)
  for (const at of failed.keys()) {
    const id = chains[chainOf[at]!]!.ids[0]
    const known = id === undefined ? undefined : counts.get(id)
    if (known !== undefined) {
      known.count++
      known.failed++
    }
  }
  return {
    ...answer,
    outcomes,
    bounds,
    metadata: placed(answer.metadata),
    errors: new Map([...placed(answer.errors), ...failed]),
    counts,
  }
}
