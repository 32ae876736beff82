/** Simulations: documents pass a pipeline and are shown. */

import { withMetadata } from './document-metadata.ts'
import { IngestDocument } from './ingest-document.ts'
import type { SimulatedDocument, SimulatedResult } from './pipeline-messages.ts'
import type { Pipeline } from './processor.ts'
import { failureRecord } from './processor-failure.ts'
import { readSource } from './read-source.ts'
import { Runner, type RunWatch } from './runner.ts'
import { shownDocument } from './shown-document.ts'
import { VerboseRunner } from './verbose-runner.ts'

/** How a simulation runs. */
interface Simulation {
  readonly pipeline: Pipeline
  readonly find: (id: string) => Pipeline | null
  readonly isVerbose: boolean
  readonly timestamp: string
  readonly watch: RunWatch
}

/** Runs a document; its failure is a result. */
export function simulateOne(
  { pipeline, find, isVerbose, timestamp, watch }: Simulation,
  { metadata, source }: SimulatedDocument,
): SimulatedResult {
  try {
    const fields = withMetadata(metadata, readSource(source))
    const document = new IngestDocument(fields, timestamp)
    if (isVerbose) return { kind: 'verbose', steps: stepsOf(pipeline, find, document, watch) }
    const outcome = new Runner(find, watch).run(pipeline, document)
    if (outcome === 'dropped') return { kind: 'dropped' }
    return { kind: 'document', document: shownDocument(document) }
  } catch (error) {
    const record = failureRecord(error)
    if (record === null) throw error
    return { kind: 'failed', error: record }
  }
}

function stepsOf(
  pipeline: Pipeline,
  find: (id: string) => Pipeline | null,
  document: IngestDocument,
  watch: RunWatch,
): VerboseRunner['steps'] {
  const runner = new VerboseRunner(find, watch)
  try {
    runner.run(pipeline, document)
  } catch (error) {
    // The step that failed shows it.
    if (failureRecord(error) === null) throw error
  }
  return runner.steps
}
