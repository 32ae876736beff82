/**
 * Vectors of documents. Segments keep none: a document's values are analysed again when vectors are
 * asked for, and the statistics come from the dictionaries of its shard.
 */
import type { AnalysisRegistry } from '../../../analysis/registry.ts'
import { DocumentParser } from '../../../schema/document-parser.ts'
import type { VectorParts } from '../../../schema/field-storage.ts'
import type { Mapping } from '../../../schema/mapping.ts'
import { mappingLimits } from '../../../schema/mapping-limits.ts'
import { documentVector, vectorParts } from '../../../segment/document-vector.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import type { Shard } from '../../../shard/shard.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { EngineError } from '../../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import type { Long } from '../../../util/long.ts'
import type {
  FieldVector,
  TermVectorsCall,
  TermVectorsOutcome,
  VectorTerm,
} from '../../api/term-vectors.ts'
import { type ReadTarget, readTarget } from '../../document/read-target.ts'
import { checkFoundVersion } from '../../document/version-checks.ts'
import { columnValue } from '../../fetch/column-value.ts'
import { storedThrough } from '../../fetch/visible-documents.ts'
import type { Node } from '../../node/node.ts'
import { lookInto, type ShardLeaves } from '../shard-leaves.ts'
import { documentOf, type FoundDocument } from '../snapshot-document.ts'
import { isVisible } from '../visible-document.ts'
import { bestTerms } from './best-terms.ts'
import { type DocumentTerm, documentTerms, storedTerms } from './document-terms.ts'
import { type FieldStatistics, fieldStatistics } from './shard-statistics.ts'
import { type AskedField, askedFields, fieldValues } from './vector-fields.ts'

/** Stands for the id of a document that came with the request, so that each such finds one shard. */
const ARTIFICIAL_ID = '_id_for_tv_api'

/**
 * Makes the vectors of a document.
 * @throws {EngineError} as `readTarget`; `version_conflict_engine_exception`;
 *   `mapper_parsing_exception` for a document of the request that could not be indexed
 */
export async function termVectors(
  node: Node,
  call: TermVectorsCall,
  context: CallContext,
): Promise<TermVectorsOutcome> {
  node.ensureOpen()
  const started = performance.now()
  const { doc } = call
  const id = call.id ?? ARTIFICIAL_ID
  const target = readTarget(node, 'term_vectors', { ...call, id }, context)
  const vectors =
    doc === null
      ? await vectorsOfIndexed(node, id, call, target)
      : { version: 0, fields: vectorsOfGiven(node, doc, call, target) }
  return {
    index: target.index.name,
    id: doc === null ? id : null,
    version: vectors?.version ?? 0,
    tookInMillis: Math.round(performance.now() - started),
    fields: vectors?.fields ?? null,
  }
}

/** Makes the vectors of documents, each by itself: one that fails leaves the others alone. */
export function multiTermVectors(
  node: Node,
  calls: readonly TermVectorsCall[],
  context: CallContext,
): Promise<(TermVectorsOutcome | EngineError)[]> {
  return Promise.all(
    calls.map(call =>
      termVectors(node, call, context).catch((error: unknown) => {
        if (error instanceof EngineError) return error
        throw error
      }),
    ),
  )
}

interface Vectors {
  readonly version: Long
  readonly fields: readonly FieldVector[]
}

async function vectorsOfIndexed(
  node: Node,
  id: string,
  call: TermVectorsCall,
  { view, index, shard }: ReadTarget,
): Promise<Vectors | null> {
  if (call.realtime && !(await showNewest(node, shard, id))) return null
  return lookAt(node, shard, id, (found, at) => {
    if (found === null || !isVisible(node, view, at, found)) return null
    const { snapshotLeaf, leaf, docId } = found
    const version = columnValue(leaf, '_version', docId) ?? 0
    checkFoundVersion({ id, version: call.version }, version, index, shard)
    const { segment } = snapshotLeaf
    const documents = storedThrough(node.stored, view.fields)
    const source = treeOf(documents.read(segment, docId))
    const stored = treeOf(documents.readBeside(segment, docId)) ?? source
    const document = { source, stored, leaf, docId }
    return { version, fields: fieldVectors(document, call, view, at.leaves) }
  })
}

function treeOf(bytes: Uint8Array | null): JsonNode | null {
  return bytes === null || bytes.length === 0 ? null : parseJsonTree(bytes.slice())
}

/**
 * Makes the newest write of an id searchable, as statistics should count it.
 * @returns false: there is no such document
 */
async function showNewest(node: Node, shard: Shard, id: string): Promise<boolean> {
  const newest = shard.newestSeqNo(id)
  if (newest === null) return false
  const seqNo = lookAt(node, shard, id, found =>
    found === null ? null : columnValue(found.leaf, '_seq_no', found.docId),
  )
  if (seqNo !== newest) await shard.refresh()
  return true
}

/** Looks at a document of the last refreshed snapshot; null for none. */
function lookAt<T>(
  node: Node,
  shard: Shard,
  id: string,
  look: (found: FoundDocument | null, at: ShardLeaves) => T,
): T {
  const snapshot = shard.snapshot.acquire()
  try {
    return lookInto(node, snapshot, at => look(documentOf(snapshot, at, id), at))
  } finally {
    snapshot.release()
  }
}

/** Vectors of a document of the request; its fields that are not mapped have none. */
function vectorsOfGiven(
  node: Node,
  doc: JsonNode,
  call: TermVectorsCall,
  { view, index, shard }: ReadTarget,
): readonly FieldVector[] {
  const { depth, nestedObjects } = mappingLimits(index.metadata.settings)
  const bytes = writeJson(jsonValueOf(doc))
  const parser = new DocumentParser(index.metadata.mapping, depth, null, nestedObjects)
  parser.parse(bytes, 0, bytes.length, ARTIFICIAL_ID, call.routing)
  const snapshot = shard.snapshot.acquire()
  try {
    const document = { source: doc, stored: doc, leaf: null, docId: 0 }
    return lookInto(node, snapshot, at => fieldVectors(document, call, view, at.leaves))
  } finally {
    snapshot.release()
  }
}

/** A document whose terms are listed. */
interface ListedDocument {
  /** Null: the mapping keeps no sources. */
  readonly source: JsonNode | null
  /** The source of stored fields; null: neither source nor stored fields are kept. */
  readonly stored: JsonNode | null
  /** Null: the document came with the request. */
  readonly leaf: Leaf | null
  /** Within the leaf. */
  readonly docId: number
}

function fieldVectors(
  document: ListedDocument,
  call: TermVectorsCall,
  { mapping, index }: { readonly mapping: Mapping; readonly index: ReadTarget['view']['index'] },
  leaves: readonly Leaf[],
): readonly FieldVector[] {
  const vectors: FieldVector[] = []
  for (const asked of askedFields(call, mapping)) {
    const terms = termsOf(document, asked, mapping, index.analysis)
    if (terms.length > 0) vectors.push(vectorOf(asked, terms, call, leaves))
  }
  return vectors
}

/**
 * A field's terms: those that the segment keeps where they have all that is asked for, else those of its
 * values; none where nothing is kept of these either.
 */
function termsOf(
  { source, stored, leaf, docId }: ListedDocument,
  { field, override, parts }: AskedField,
  mapping: Mapping,
  analysis: AnalysisRegistry,
): readonly DocumentTerm[] {
  const kept = leaf === null ? null : vectorParts(leaf, field.name)
  if (leaf !== null && kept !== null && override === null && hasParts(kept, parts))
    return storedTerms(documentVector(leaf, field.name, docId)!)
  const root = field.parameters.get('store') === true ? stored : source
  if (root === null) return []
  return documentTerms(field, fieldValues(root, field, mapping), analysis, override)
}

function hasParts(kept: VectorParts, { positions, offsets, payloads }: VectorParts): boolean {
  return (
    (kept.positions || !positions) && (kept.offsets || !offsets) && (kept.payloads || !payloads)
  )
}

function vectorOf(
  { field: { name }, parts }: AskedField,
  terms: readonly DocumentTerm[],
  call: TermVectorsCall,
  leaves: readonly Leaf[],
): FieldVector {
  const statistics = fieldStatistics(leaves, name)
  const { sumDocFreq, docCount, sumTotalTermFreq } = statistics
  const scores = call.filter === null ? null : bestTerms(call.filter, terms, statistics)
  const kept = scores === null ? terms : terms.filter(({ term }) => scores.has(term))
  const shown: VectorParts = {
    positions: parts.positions && call.positions,
    offsets: parts.offsets && call.offsets,
    payloads:
      parts.payloads &&
      call.payloads &&
      terms.some(({ tokens }) => tokens.some(({ payload }) => payload !== null)),
  }
  return {
    name,
    statistics: call.fieldStatistics ? { sumDocFreq, docCount, sumTotalTermFreq } : null,
    terms: kept.map(each =>
      vectorTerm(
        each,
        shown,
        call.termStatistics ? statistics : null,
        scores?.get(each.term) ?? null,
      ),
    ),
  }
}

function vectorTerm(
  { term, freq, tokens }: DocumentTerm,
  { positions, offsets, payloads }: VectorParts,
  statistics: FieldStatistics | null,
  score: number | null,
): VectorTerm {
  return {
    term,
    statistics: statistics?.term(term) ?? null,
    freq,
    tokens:
      positions || offsets || payloads
        ? tokens.map(token => ({
            position: positions ? token.position : null,
            startOffset: offsets ? token.startOffset : null,
            endOffset: offsets ? token.endOffset : null,
            payload: payloads ? token.payload : null,
          }))
        : null,
    score,
  }
}
