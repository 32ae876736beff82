/** Runs the pipelines of documents, one document after another. */

import { type ErrorRecord, IllegalArgumentError, toErrorRecord } from '../util/errors.ts'
import { type DocumentMetadata, takeMetadata, withMetadata } from './document-metadata.ts'
import { IngestDocument } from './ingest-document.ts'
import type { DocumentOutcome, PipelineChain, RunAnswer, RunRequest } from './pipeline-messages.ts'
import type { Pipeline } from './processor.ts'
import { failureRecord, illegalState } from './processor-failure.ts'
import { readSource } from './read-source.ts'
import { RunCounts } from './run-counts.ts'
import { Runner, type RunWatch } from './runner.ts'
import { sourceText } from './write-source.ts'

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
  const out = new SourceBytes(Math.max(FIRST_BYTES, 2 * bytes.length))
  const written = new Uint32Array(bounds.length)
  for (let i = 0; i < metadata.length; i++) {
    enter(i)
    const before = metadata[i]!
    written[2 * i] = out.length
    try {
      const source = readSource(bytes, bounds[2 * i]!, bounds[2 * i + 1]!)
      const document = new IngestDocument(withMetadata(before, source), timestamp)
      const outcome = runChain(runner, find, chains[chainOf[i]!]!, document, before.index)
      if (outcome === 'kept') {
        const after = takeMetadata(document.fields)
        if (!areEqual(before, after)) changed.set(i, after)
        out.write(sourceText(document.fields))
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

function areEqual(a: DocumentMetadata, b: DocumentMetadata): boolean {
  return (
    a.index === b.index &&
    a.id === b.id &&
    a.routing === b.routing &&
    a.version === b.version &&
    a.versionType === b.versionType &&
    a.ifSeqNo === b.ifSeqNo &&
    a.ifPrimaryTerm === b.ifPrimaryTerm
  )
}

/** Texts in UTF-8, one behind another. */
class SourceBytes {
  #bytes: Buffer
  length = 0

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity)
  }

  write(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    const needed = this.length + 3 * text.length
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.length)
      this.#bytes = grown
    }
    this.length += this.#bytes.write(text, this.length, 'utf8')
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}
