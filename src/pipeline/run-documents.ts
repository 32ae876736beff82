/** Runs the pipelines of documents, one document after another. */

import { type ErrorRecord, IllegalArgumentError, toErrorRecord } from '../util/errors.ts'
import { type DocumentMetadata, takeMetadata, withMetadata } from './document-metadata.ts'
import { IngestDocument } from './ingest-document.ts'
import { haveEqualRests, metadataAt } from './metadata-rows.ts'
import type { DocumentOutcome, PipelineChain, RunAnswer, RunRequest } from './pipeline-messages.ts'
import type { Pipeline } from './processor.ts'
import { failureRecord, illegalState } from './processor-failure.ts'
import { readSourceAt } from './read-source.ts'
import { RunCounts } from './run-counts.ts'
import { Runner, type RunWatch } from './runner.ts'
import { SourceWriter } from './write-source.ts'

/** Bytes that the sources of an answer may grow by at once. */
const FIRST_BYTES = 1 << 16

/**
 * Runs documents; the failure of one leaves the others alone.
 * @param enter called before each document with its number, from 0
 */
export function runDocuments(
  request: RunRequest,
  find: (id: string) => Pipeline | null,
  enter: (at: number) => void,
  watch: RunWatch,
): RunAnswer {
  const { bytes, bounds, metadata, chains, chainOf, timestamp } = request
  const counts = new RunCounts()
  const runner = new Runner(find, watch, counts)
  const outcomes: DocumentOutcome[] = []
  const changed = new Map<number, DocumentMetadata>()
  const errors = new Map<number, ErrorRecord>()
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const out = new SourceWriter(Math.max(FIRST_BYTES, 2 * bytes.length))
  const written = new Uint32Array(bounds.length)
  for (let i = 0; i < chainOf.length; i++) {
    enter(i)
    const before = metadataAt(metadata, i)
    written[2 * i] = out.length
    try {
      const source = readSourceAt(input, bounds[2 * i]!, bounds[2 * i + 1]!)
      const document = new IngestDocument(withMetadata(before, source), timestamp)
      const outcome = runChain(runner, find, chains[chainOf[i]!]!, document, before.index)
      if (outcome === 'kept') {
        const after = takeMetadata(document.fields)
        if (before.id !== after.id || !haveEqualRests(before, after)) changed.set(i, after)
        out.write(document.fields)
      }
      outcomes.push(outcome)
    } catch (error) {
      outcomes.push('failed')
      errors.set(i, failureRecord(error) ?? toErrorRecord(error))
    }
    written[2 * i + 1] = out.length
  }
  return {
    kind: 'done',
    outcomes,
    bytes: out.bytes(),
    bounds: written,
    metadata: changed,
    errors,
    counts: counts.pipelines,
  }
}

/** Runs the pipelines of a chain up to the first that sends the document to another index. */
function runChain(
  runner: Runner,
  find: (id: string) => Pipeline | null,
  { ids, endsFinal }: PipelineChain,
  document: IngestDocument,
  index: string,
): DocumentOutcome {
  for (const [i, id] of ids.entries()) {
    const pipeline = find(id)
    if (pipeline === null) throw new IllegalArgumentError(`pipeline with id [${id}] does not exist`)
    if (runner.run(pipeline, document) === 'dropped') return 'dropped'
    if (document.fields.get('_index') === index) continue
    if (endsFinal && i === ids.length - 1)
      throw illegalState(`final pipeline [${id}] can't change the target index`)
    return 'kept'
  }
  return 'kept'
}
