/** The lines of a bulk on their way through ingest pipelines. */

import { EngineError } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { BulkItem } from '../api/documents.ts'
import { PipelineChooser } from '../ingest/choose-pipelines.ts'
import { type IngestCandidate, type Ingested, ingestDocuments } from '../ingest/ingest-documents.ts'
import type { Node } from '../node/node.ts'
import type { BulkLine } from './bulk-lines.ts'
import { droppedOutcome, metadataOf, withIngested } from './ingest-writes.ts'

/** Lines as pipelines leave them. */
interface IngestedLines {
  readonly lines: readonly BulkLine[]
  /** By line; those that are over already have their items. */
  readonly items: BulkItem[]
  /** How many those are. */
  readonly settled: number
  /** Null: no line has a pipeline. */
  readonly ingestTookInMillis: number | null
}

/** Runs the pipelines of lines; the failure of one leaves the others alone. */
export async function ingestLines(node: Node, given: readonly BulkLine[]): Promise<IngestedLines> {
  const items: BulkItem[] = new Array(given.length)
  const started = performance.now()
  const numbers: number[] = []
  const candidates: IngestCandidate[] = []
  const chooser = new PipelineChooser(node)
  for (let i = 0; i < given.length; i++) {
    const line = given[i]!
    if (!chooser.areMeant(line.index, line.pipeline)) continue
    const source = sourceOf(line)
    if (source === null) continue
    numbers.push(i)
    candidates.push({ metadata: metadataOf(line), source, pipeline: line.pipeline })
  }
  if (candidates.length === 0) return { lines: given, items, settled: 0, ingestTookInMillis: null }
  const results = await ingestDocuments(node, chooser, candidates)
  const lines = [...given]
  let settled = 0
  for (const [n, result] of results.entries()) {
    const i = numbers[n]!
    const next = nextLine(given[i]!, result)
    if ('item' in next) {
      items[i] = next.item
      settled++
    } else lines[i] = next.line
  }
  return {
    lines,
    items,
    settled,
    ingestTookInMillis: Math.floor(performance.now() - started),
  }
}

/** The document that pipelines see of a line: of an update, that which takes the place of a missing one. */
function sourceOf({ action, source, update }: BulkLine): Uint8Array | null {
  if (action === 'delete') return null
  if (action !== 'update') return source
  const upsert = update?.upsert ?? null
  return upsert === null ? null : writeJson(jsonValueOf(upsert))
}

/** The line after its pipelines, or its item where it is over. */
function nextLine(
  line: BulkLine,
  result: Ingested,
): { readonly line: BulkLine } | { readonly item: BulkItem } {
  const { action, index, id } = line
  if (result.kind === 'untouched') return { line }
  if (result.kind === 'failed') return { item: { action, index, id, error: result.error } }
  if (result.kind === 'dropped')
    return { item: { action, outcome: droppedOutcome(line), get: null } }
  try {
    return {
      line:
        action === 'update'
          ? withUpsert(line, result.source)
          : withIngested({ ...line, source: result.source }, result.metadata, result.source),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { item: { action, index, id, error } }
  }
}

/** An update with another document; that which it is laid over stays, unless both are one. */
function withUpsert(line: BulkLine, source: Uint8Array): BulkLine {
  const upsert = parseJsonTree(source)
  const { update } = line
  if (update === null || upsert.kind !== 'object') return line
  const doc = update.doc === update.upsert ? upsert : update.doc
  return { ...line, update: { ...update, doc, upsert } }
}
