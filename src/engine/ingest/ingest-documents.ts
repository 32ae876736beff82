/** Takes documents through their pipelines before index, id and shard are chosen. */

import type { DocumentMetadata } from '../../pipeline/document-metadata.ts'
import type { BatchAnswer } from '../../pipeline/pipeline-lane.ts'
import type { PipelineChain } from '../../pipeline/pipeline-messages.ts'
import { EngineError } from '../../util/errors.ts'
import type { Node } from '../node/node.ts'
import { PipelineChooser } from './choose-pipelines.ts'

/** A document with what pipelines may change of its write. */
export interface IngestCandidate {
  readonly metadata: DocumentMetadata
  readonly source: Uint8Array
  /** The pipeline of its request; null: the index's default one. */
  readonly pipeline: string | null
}

/** The outcome of a document. */
export type Ingested =
  /** No pipeline is meant for it. */
  | { readonly kind: 'untouched' }
  | {
      readonly kind: 'kept'
      readonly metadata: DocumentMetadata
      readonly source: Uint8Array
    }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly error: EngineError }

const UNTOUCHED = { kind: 'untouched' } as const
/** Documents and bytes that go to the thread at once. */
const BATCH_DOCUMENTS = 1000
const BATCH_BYTES = 1 << 19
/** Batches under way: one that runs, one behind it. */
const BATCHES_UNDER_WAY = 2

/** A document that waits for pipelines. */
interface Waiting {
  readonly at: number
  readonly metadata: DocumentMetadata
  readonly source: Uint8Array
  readonly chain: PipelineChain
}

/**
 * Runs the pipelines of documents.
 * @param chooser of the call that they are part of
 * @returns one outcome for each, in their order; the failure of one leaves the others alone
 */
export async function ingestDocuments(
  node: Node,
  chooser: PipelineChooser,
  candidates: readonly IngestCandidate[],
): Promise<Ingested[]> {
  const results: Ingested[] = candidates.map(() => UNTOUCHED)
  let waiting: Waiting[] = []
  for (const [at, { metadata, source, pipeline }] of candidates.entries())
    if (chooser.areMeant(metadata.index, pipeline)) {
      const chain = chooser.chain(metadata.index, pipeline)
      waiting.push({ at, metadata, source, chain })
    }
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    await runAll(node, batch, results)
    for (const { at, metadata: before } of batch) {
      const result = results[at]!
      if (result.kind !== 'kept' || result.metadata.index === before.index) continue
      const { metadata, source } = result
      const chain = chooser.chainOfMoved(metadata.index)
      if (chain.ids.length > 0) waiting.push({ at, metadata, source, chain })
    }
  }
  return results
}

/**
 * The same of one document.
 * @throws {EngineError} the error that it failed with
 */
export async function ingestOne(
  node: Node,
  candidate: IngestCandidate,
): Promise<Exclude<Ingested, { kind: 'failed' }>> {
  const { metadata, source, pipeline } = candidate
  const chooser = new PipelineChooser(node)
  if (!chooser.areMeant(metadata.index, pipeline)) return UNTOUCHED
  const [ingested = UNTOUCHED] = await node.indexingPressure.during(source.length, 1, () =>
    ingestDocuments(node, chooser, [candidate]),
  )
  if (ingested.kind === 'failed') throw ingested.error
  return ingested
}

/** Runs documents in batches and notes what became of each. */
async function runAll(node: Node, waiting: readonly Waiting[], results: Ingested[]): Promise<void> {
  let next = 0
  const timestamp = new Date().toISOString()
  const take = (): readonly Waiting[] => {
    const start = next
    let bytes = 0
    while (next < waiting.length && next - start < BATCH_DOCUMENTS && bytes < BATCH_BYTES)
      bytes += waiting[next++]!.source.length
    return waiting.slice(start, next)
  }
  const runner = async (): Promise<void> => {
    for (let batch = take(); batch.length > 0; batch = take())
      noteAnswer(batch, await node.ingest.run(batchOf(batch, timestamp)), results)
  }
  await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, runner))
}

function batchOf(
  batch: readonly Waiting[],
  timestamp: string,
): Parameters<Node['ingest']['run']>[0] {
  const bytes = new Uint8Array(batch.reduce((sum, { source }) => sum + source.length, 0))
  const bounds = new Uint32Array(2 * batch.length)
  const chains: PipelineChain[] = []
  const numbers = new Map<string, number>()
  const chainOf = new Uint32Array(batch.length)
  let length = 0
  for (const [i, { source, chain }] of batch.entries()) {
    bytes.set(source, length)
    bounds[2 * i] = length
    length += source.length
    bounds[2 * i + 1] = length
    const key = `${chain.endsFinal} ${chain.ids.join('\n')}`
    let number = numbers.get(key)
    if (number === undefined) {
      number = chains.push(chain) - 1
      numbers.set(key, number)
    }
    chainOf[i] = number
  }
  return { bytes, bounds, metadata: batch.map(one => one.metadata), chains, chainOf, timestamp }
}

function noteAnswer(
  batch: readonly Waiting[],
  { outcomes, bytes, bounds, metadata, errors }: BatchAnswer,
  results: Ingested[],
): void {
  for (const [i, { at, metadata: before }] of batch.entries()) {
    const outcome = outcomes[i]!
    if (outcome === 'kept')
      results[at] = {
        kind: 'kept',
        metadata: metadata.get(i) ?? before,
        source: bytes.subarray(bounds[2 * i]!, bounds[2 * i + 1]!),
      }
    else if (outcome === 'dropped') results[at] = { kind: 'dropped' }
    else results[at] = { kind: 'failed', error: new EngineError(errors.get(i)!) }
  }
}
