/** Runs pipelines over documents: conditions, failures and their handlers, pipelines within pipelines. */

import type { ScriptMap } from '../script/value/script-value.ts'
import type { IngestDocument } from './ingest-document.ts'
import type {
  MatchWatch,
  Pipeline,
  Processor,
  ProcessorOutcome,
  ProcessorRun,
} from './processor.ts'
import { failureRecord, illegalState, ProcessorFailure } from './processor-failure.ts'
import { countRun, type PipelineCounts, type RunCount, type RunCounts } from './run-counts.ts'

/** Pipelines that may be within one another. */
const MAX_DEPTH = 100

/** Told how a run goes on, by which others see that it does. */
export interface RunWatch {
  /** Called before each processor. */
  tick(): void
  readonly matches: MatchWatch
}

/** Runs pipelines that are found by their ids. */
export class Runner implements ProcessorRun {
  readonly #find: (id: string) => Pipeline | null
  readonly #watch: RunWatch
  readonly #counts: RunCounts | null

  /** @param counts takes how often and how long processors ran; null: nobody asks */
  constructor(
    find: (id: string) => Pipeline | null,
    watch: RunWatch,
    counts: RunCounts | null = null,
  ) {
    this.#find = find
    this.#watch = watch
    this.#counts = counts
  }

  get matches(): MatchWatch {
    return this.#watch.matches
  }

  pipeline(id: string): Pipeline | null {
    return this.#find(id)
  }

  within(processor: Processor, document: IngestDocument): ProcessorOutcome {
    return this.#runOne(processor, document)
  }

  /**
   * Runs a pipeline.
   * @throws {EngineError} `illegal_state_exception`: the pipeline is under way already
   * @throws {ProcessorFailure} a processor failed and nothing handled it
   */
  run(pipeline: Pipeline, document: IngestDocument): ProcessorOutcome {
    const { id } = pipeline
    const { pipelines, ingest } = document
    if (pipelines.includes(id)) throw illegalState(`Cycle detected for pipeline: ${id}`)
    if (pipelines.length === MAX_DEPTH)
      throw illegalState(`more than [${MAX_DEPTH}] pipelines within one another: ${id}`)
    const outer = ingest.get('pipeline')
    pipelines.push(id)
    ingest.set('pipeline', id)
    const counts = this.#counts?.of(pipeline) ?? null
    const started = counts === null ? 0 : performance.now()
    let isDone = false
    try {
      const outcome = this.#runPipeline(pipeline, document, counts, started)
      isDone = true
      return outcome
    } finally {
      if (counts !== null) countRun(counts, performance.now() - started, !isDone)
      pipelines.pop()
      if (outer === undefined) ingest.delete('pipeline')
      else ingest.set('pipeline', outer)
    }
  }

  #runPipeline(
    { processors, onFailure }: Pipeline,
    document: IngestDocument,
    counts: PipelineCounts | null,
    started: number,
  ): ProcessorOutcome {
    // Where one processor ends the next one starts: the clock is read once for both.
    let since = started
    for (let i = 0; i < processors.length; i++) {
      const processor = processors[i]!
      let hasPassed = false
      try {
        hasPassed = this.passes(processor, document)
        // The time of a condition is that of no processor.
        if (counts !== null && processor.condition !== null) since = performance.now()
        if (!hasPassed) continue
        const outcome = this.#guarded(processor, document)
        if (counts !== null) since = countSince(counts.processors[i]!, since, false)
        if (outcome === 'dropped') return outcome
      } catch (error) {
        if (counts !== null && hasPassed) countSince(counts.processors[i]!, since, true)
        const failure = failureOf(error, processor, document)
        if (onFailure.length === 0) throw failure
        return this.#handle(onFailure, failure, document)
      }
    }
    return undefined
  }

  #runOne(processor: Processor, document: IngestDocument): ProcessorOutcome {
    return this.passes(processor, document) ? this.#guarded(processor, document) : undefined
  }

  /** Runs a processor whose condition holds, and what handles its failure. */
  #guarded(processor: Processor, document: IngestDocument): ProcessorOutcome {
    const { ignoresFailure, onFailure } = processor
    if (!ignoresFailure && onFailure.length === 0) return this.perform(processor, document)
    try {
      return this.perform(processor, document)
    } catch (error) {
      const failure = failureOf(error, processor, document)
      return ignoresFailure ? undefined : this.#handle(onFailure, failure, document)
    }
  }

  /** Runs the processors for a failure, which find it below `_ingest.`. */
  #handle(
    handlers: readonly Processor[],
    failure: ProcessorFailure,
    document: IngestDocument,
  ): ProcessorOutcome {
    noteFailure(document.ingest, failure)
    try {
      for (const handler of handlers)
        try {
          if (this.#runOne(handler, document) === 'dropped') return 'dropped'
        } catch (error) {
          throw failureOf(error, handler, document)
        }
      return undefined
    } finally {
      for (const key of FAILURE_KEYS) document.ingest.delete(key)
    }
  }

  /** Whether a processor is to run on a document. */
  protected passes({ condition }: Processor, document: IngestDocument): boolean {
    return condition === null || condition.test(document)
  }

  /** Runs a processor without regard to its condition and its handlers. */
  protected perform({ action }: Processor, document: IngestDocument): ProcessorOutcome {
    this.#watch.tick()
    if (action.kind === 'change') return action.run(document, this)
    const pipeline = action.find(document, this)
    return pipeline === null ? undefined : this.run(pipeline, document)
  }
}

/** Counts a run that ends now, and tells when that is. */
function countSince(count: RunCount, since: number, hasFailed: boolean): number {
  const now = performance.now()
  countRun(count, now - since, hasFailed)
  return now
}

const MESSAGE = 'on_failure_message'
const TYPE = 'on_failure_processor_type'
const TAG = 'on_failure_processor_tag'
const PIPELINE = 'on_failure_pipeline'
const FAILURE_KEYS = [MESSAGE, TYPE, TAG, PIPELINE]

function noteFailure(ingest: ScriptMap, { record, type, tag, pipeline }: ProcessorFailure): void {
  let root = record
  while (root.causedBy !== undefined) root = root.causedBy
  ingest.set(MESSAGE, root.reason)
  ingest.set(TYPE, type)
  ingest.set(TAG, tag)
  if (pipeline !== null) ingest.set(PIPELINE, pipeline)
}

/**
 * The failure of a processor; that of one within stays what it is.
 * @throws defects of ours, which are no failures of processors
 */
function failureOf(
  error: unknown,
  processor: Processor,
  { pipelines }: IngestDocument,
): ProcessorFailure {
  if (error instanceof ProcessorFailure) return error
  const record = failureRecord(error)
  if (record === null) throw error
  return new ProcessorFailure(record, processor, pipelines.length > 1 ? pipelines.at(-1)! : null)
}
