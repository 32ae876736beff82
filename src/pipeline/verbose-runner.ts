/** Runs a pipeline and shows the document behind each processor. */

import type { ScriptMap } from '../script/value/script-value.ts'
import { copyValue } from './copy-value.ts'
import { IngestDocument } from './ingest-document.ts'
import type { SimulatedStep } from './pipeline-messages.ts'
import type { Pipeline, Processor, ProcessorOutcome } from './processor.ts'
import { failureRecord } from './processor-failure.ts'
import { Runner, type RunWatch } from './runner.ts'
import { shownDocument } from './shown-document.ts'

/** A runner that keeps a record of every processor but those that others hold. */
export class VerboseRunner extends Runner {
  readonly steps: SimulatedStep[] = []
  readonly #plain: Runner
  /** By processor, what its condition said last. */
  readonly #results = new WeakMap<Processor, boolean>()

  constructor(find: (id: string) => Pipeline | null, watch: RunWatch) {
    super(find, watch)
    this.#plain = new Runner(find, watch)
  }

  override within(processor: Processor, document: IngestDocument): ProcessorOutcome {
    return this.#plain.within(processor, document)
  }

  protected override passes(processor: Processor, document: IngestDocument): boolean {
    if (processor.condition === null) return true
    const result = this.#noted(processor, document, () => super.passes(processor, document))
    this.#results.set(processor, result)
    if (!result) this.#note(processor, { status: 'skipped' })
    return result
  }

  protected override perform(processor: Processor, document: IngestDocument): ProcessorOutcome {
    const { action } = processor
    if (action.kind === 'pipeline') {
      const pipeline = this.#noted(processor, document, () => {
        const found = action.find(document, this)
        if (found !== null) this.#checkCycles(found, document)
        return found
      })
      this.#note(processor, { status: 'success' })
      return pipeline === null ? undefined : this.run(pipeline, document)
    }
    const outcome = this.#noted(processor, document, () => super.perform(processor, document))
    if (outcome === 'dropped') this.#note(processor, { status: 'dropped' })
    else this.#note(processor, { status: 'success', document: shownDocument(document) })
    return outcome
  }

  /** Runs a step of a processor, and notes its failure. */
  #noted<T>(processor: Processor, document: IngestDocument, step: () => T): T {
    try {
      return step()
    } catch (error) {
      this.#noteError(processor, error, document)
      throw error
    }
  }

  /** Finds out on a copy whether a pipeline leads back to itself: then nothing within is shown. */
  #checkCycles(pipeline: Pipeline, document: IngestDocument): void {
    const copy = new IngestDocument(copyValue(document.fields) as ScriptMap, '')
    for (const [key, value] of document.ingest) copy.ingest.set(key, copyValue(value))
    copy.pipelines.push(...document.pipelines)
    try {
      this.#plain.run(pipeline, copy)
    } catch (error) {
      // Any other failure comes again where it is shown.
      if (failureRecord(error)?.reason.startsWith('Cycle detected for pipeline: ')) throw error
    }
  }

  #noteError(processor: Processor, error: unknown, document: IngestDocument): void {
    const record = failureRecord(error)
    if (record === null) return
    if (processor.ignoresFailure)
      this.#note(processor, {
        status: 'error_ignored',
        document: shownDocument(document),
        error: record,
      })
    else this.#note(processor, { status: 'error', error: record })
  }

  #note(
    processor: Processor,
    step: Pick<SimulatedStep, 'status'> & Partial<Pick<SimulatedStep, 'document' | 'error'>>,
  ): void {
    const { type, tag, description, condition } = processor
    const result = this.#results.get(processor)
    this.steps.push({
      type,
      status: step.status,
      tag,
      description,
      condition:
        condition === null || result === undefined ? null : { source: condition.source, result },
      document: step.document ?? null,
      error: step.error ?? null,
    })
  }
}
