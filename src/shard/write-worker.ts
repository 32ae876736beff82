import { loadPlugin } from '../analysis/plugins.ts'
import { AnalysisRegistry } from '../analysis/registry.ts'
import { wordFileKey } from '../analysis/token-stream.ts'
import { bufferMemory, InvertedBuffer } from '../indexing/inverted-buffer.ts'
import { MergeMemory } from '../indexing/merge-memory.ts'
import { sealBuffer } from '../indexing/seal.ts'
import { sortSealed } from '../indexing/sort-sealed.ts'
import { StagedBytes } from '../indexing/staged-bytes.ts'
import type { LaneAnswer } from '../pool/lane.ts'
import type {
  LinkFilesRequest,
  ProposedField,
  PutSchemaRequest,
  SealAnswer,
  SealRequest,
  WriteChunkAnswer,
  WriteChunkRequest,
  WriteRequest,
} from '../pool/messages.ts'
import { DocumentParser } from '../schema/document-parser.ts'
import { GrowingMapping } from '../schema/growing-mapping.ts'
import { Mapping } from '../schema/mapping.ts'
import { mappingLimits } from '../schema/mapping-limits.ts'
import { type MappingContext, parseMapping } from '../schema/mapping-parser.ts'
import { Settings } from '../schema/settings.ts'
import { countsOverlaps, hasSimilarity } from '../schema/similarity/similarity-settings.ts'
import { segmentFileName, storedFileName } from '../segment/open-segment.ts'
import { FsDirectory } from '../store/fs-directory.ts'
import { type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import { parseJsonTree } from '../util/json/json-tree.ts'
import { commitFiles } from './commit.ts'
import { stopCheck } from './give-up.ts'
import { partitionSegment } from './partition-segment.ts'
import { writeSegmentFiles } from './segment-files.ts'

/** The schema that parses and analyses documents of one index. */
interface Schema {
  readonly version: number
  readonly mapping: Mapping
  readonly registry: AnalysisRegistry
  readonly parser: DocumentParser
  /** For fields that documents bring. */
  readonly context: MappingContext
  /** Whether lengths count overlapping tokens, by the name of a field's similarity. */
  readonly countsOverlaps: (similarity: string | null) => boolean
}

/** Milliseconds that a script of analysis may take for a token: no one waits for this thread alone. */
const MAX_SCRIPT_MILLIS = 1000

/** Max documents with new fields per answer: each makes a parser of its own. */
const MAX_GROWTHS = 32

/** The buffer of one shard. */
interface ShardBuffer {
  readonly number: number
  readonly buffer: InvertedBuffer
}

let memoryOfSorts: MergeMemory | null = null
/** Runs scripts of analysis; null until the first schema that holds one. */
let scriptModule: typeof import('../analysis/run-token-script.ts') | null = null
const schemas = new Map<string, Schema>()
const buffers = new Map<string, ShardBuffer>()

/** Entry of a write thread: parses, inverts, seals and syncs, one request after another. */
export default async function writeWorker(request: WriteRequest): Promise<LaneAnswer> {
  try {
    if (request.kind === 'putSchema') {
      for (const each of request.plugins) await loadPlugin(each)
      if (request.scripts !== null) scriptModule ??= await import('../analysis/run-token-script.ts')
    }
    return { kind: 'done', value: answer(request) }
  } catch (error) {
    return { kind: 'failed', error: toErrorRecord(error) }
  }
}

function answer(request: WriteRequest): unknown {
  switch (request.kind) {
    case 'putSchema':
      return putSchema(request)
    case 'chunk':
      return takeChunk(request)
    case 'seal':
      return seal(request)
    case 'commitFiles':
      return commitFiles(new FsDirectory(request.folder), request)
    case 'linkFiles':
      return linkFiles(request)
    case 'partition':
      return partitionSegment(request)
    case 'dropShard':
      schemas.delete(request.index)
      return dropBuffer(request.shard)
  }
}

function putSchema(request: PutSchemaRequest): void {
  const settings = new Settings(request.settings)
  const registry = new AnalysisRegistry(
    request.settings,
    (path, kind) => request.wordFiles.get(wordFileKey(path, kind)) ?? [],
    request.scripts === null
      ? undefined
      : scriptModule!.checkedTokenScripts(request.scripts, MAX_SCRIPT_MILLIS),
  )
  const body = parseJsonTree(request.mapping)
  const limits = mappingLimits(settings)
  // The coordinator has checked the mapping against the limits that it was made under.
  const unlimited = {
    ...limits,
    totalFields: Number.POSITIVE_INFINITY,
    depth: Number.POSITIVE_INFINITY,
    fieldNameLength: Number.POSITIVE_INFINITY,
    nestedFields: Number.POSITIVE_INFINITY,
  }
  const isEmpty = body.kind === 'object' && body.entries.length === 0
  const mapping = isEmpty
    ? Mapping.EMPTY
    : parseMapping(body, {
        limits: unlimited,
        hasAnalyzer: () => true,
        hasNormalizer: () => true,
        hasSimilarity: () => true,
      })
  const { plainRun } = bufferMemory().kernels
  const parser = new DocumentParser(mapping, limits.depth, plainRun, limits.nestedObjects)
  const context: MappingContext = {
    limits,
    hasAnalyzer: name => registry.hasAnalyzer(name),
    hasNormalizer: name => registry.hasNormalizer(name),
    hasSimilarity: name => hasSimilarity(name, settings),
  }
  schemas.set(request.index, {
    version: request.version,
    mapping,
    registry,
    parser,
    context,
    countsOverlaps: similarity => countsOverlaps(similarity, settings),
  })
}

function takeChunk(request: WriteChunkRequest): WriteChunkAnswer {
  const schema = schemas.get(request.index)
  if (schema === undefined || schema.version !== request.schemaVersion) return { kind: 'lost' }
  const buffer = bufferFor(request)
  if (buffer === null) return { kind: 'lost' }
  const { parser } = schema
  buffer.useMapping(schema.mapping, schema.registry, schema.countsOverlaps)
  const { bounds, ids, routings } = request
  const slots = new Int32Array(ids.length)
  const errors = new Map<number, ErrorRecord>()
  // The kernels read the documents too: ends of strings, and word boundaries.
  const bytes = bufferMemory().views.u8
  const staged = new StagedBytes(bufferMemory())
  const at = staged.put(request.bytes)
  try {
    for (let i = 0; i < ids.length; i++) {
      try {
        const routing = routings?.[i] ?? null
        const [start, end] = [at + bounds[2 * i]!, at + bounds[2 * i + 1]!]
        if (!parser.parse(bytes, start, end, ids[i]!, routing)) {
          const fields = proposedFields(schema, buffer, request, at, i)
          return { kind: 'proposal', fields, slots: slots.subarray(0, i), errors }
        }
        slots[i] = buffer.addDocument(parser.document, ids[i]!, routing)
      } catch (error) {
        slots[i] = -1
        errors.set(i, toErrorRecord(error))
      }
    }
  } finally {
    staged.release()
  }
  return { kind: 'taken', slots, errors, bufferBytes: buffer.bytes }
}

/**
 * The fields that a document brings, and those of the documents after it, so that one round maps
 * them all. Each is read and inverted as if its fields were mapped: a document that is refused
 * proposes none.
 * @throws {EngineError} the first document is refused
 */
function proposedFields(
  { parser, context, registry }: Schema,
  buffer: InvertedBuffer,
  { bounds, ids, routings }: WriteChunkRequest,
  at: number,
  first: number,
): ProposedField[] {
  const memory = bufferMemory()
  const growing = new GrowingMapping(parser, context, memory.kernels.plainRun)
  const fields: ProposedField[] = []
  let growths = 0
  for (let i = first; i < ids.length && growths < MAX_GROWTHS; i++)
    try {
      const source = memory.views.u8
      const [start, end] = [at + bounds[2 * i]!, at + bounds[2 * i + 1]!]
      const grown = growing.read(source, start, end, ids[i]!, routings?.[i] ?? null)
      if (grown.proposals.length === 0) continue
      buffer.tryDocument(grown.parser.document, grown.parser.mapping, registry)
      growing.adopt(grown)
      growths++
      for (const { path, definition } of grown.proposals)
        fields.push({ path, definition, document: i - first })
    } catch (error) {
      if (i === first) throw error
      // A later document's error is reported when it is indexed.
    }
  return fields
}

function bufferFor(request: WriteChunkRequest): InvertedBuffer | null {
  const held = buffers.get(request.shard)
  if (held?.number === request.buffer)
    return held.buffer.slotCount === request.firstSlot ? held.buffer : null
  if (request.firstSlot !== 0) return null
  dropBuffer(request.shard)
  const buffer = new InvertedBuffer()
  buffers.set(request.shard, { number: request.buffer, buffer })
  return buffer
}

function seal(request: SealRequest): SealAnswer {
  const held = buffers.get(request.shard)
  if (held?.number !== request.buffer || held.buffer.slotCount !== request.seqNos.length)
    return { kind: 'lost' }
  const { segmentId, sort, graphFrom } = request
  const marks = { segmentId, created: Date.now(), sort, graphFrom, goOn: stopCheck(request.stop) }
  const asItCame = sealBuffer(held.buffer, { ...request, ...marks })
  const sealed = request.sort === '' ? asItCame : sortSealed(asItCame, marks, sortMemory())
  const files = writeSegmentFiles(request.folder, [
    { name: segmentFileName(request.stem), bytes: sealed.segment },
    { name: storedFileName(request.stem), bytes: sealed.stored },
  ])
  // Only now: after a full disk, or given up, the buffer is intact, and the seal may be retried.
  dropBuffer(request.shard)
  return { kind: 'sealed', files, maxDoc: sealed.maxDoc, docOfSlot: sealed.docOfSlot }
}

function linkFiles({ from, to, files }: LinkFilesRequest): void {
  const directory = new FsDirectory(to)
  for (const { name, as } of files) directory.link(from, name, as)
}

/** Where segments are sorted; made at the first one that is, and used again. */
function sortMemory(): MergeMemory {
  memoryOfSorts ??= new MergeMemory()
  return memoryOfSorts
}

function dropBuffer(shard: string): boolean {
  buffers.get(shard)?.buffer.release()
  return buffers.delete(shard)
}
