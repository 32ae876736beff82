/** Decides write operations: conditions, versions, sequence numbers, log entries. */
import type { StoredCache } from '../segment/stored-cache.ts'
import type {
  LoggedDelete,
  LoggedIndex,
  LogLocation,
  LogOperation,
  Translog,
} from '../store/translog/translog.ts'
import { EngineError } from '../util/errors.ts'
import type { BufferWriter } from './buffer-writer.ts'
import type { LoggedHead } from './logged-head.ts'
import type { FoundInSegment, SegmentList } from './segment-list.ts'
import type { VersionEntry, VersionMap } from './version-map.ts'
import {
  type CurrentDocument,
  checkConditions,
  type ShardName,
  type WriteOperation,
  type WriteOutcome,
} from './write-operation.ts'

/** A document found by a realtime get. */
export interface FoundDocument {
  readonly current: CurrentDocument
  readonly routing: string | null
  /** Fields that had malformed values; empty where it is read from the log. */
  readonly ignored: readonly string[]
  /** As it was given in the log, as the mapping keeps it in a segment. */
  readonly source: Uint8Array
  /** The object that stored fields are read from: the source, or what a segment keeps beside it. */
  readonly stored: Uint8Array
}

/** Input of `AcceptedOperations`. */
export interface OperationContext {
  readonly name: ShardName
  readonly stored: StoredCache
  readonly versions: VersionMap
  readonly segments: SegmentList
  readonly writer: BufferWriter
  readonly log: Translog
  /** Max sequence number in the commit, −1 for none. */
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** Whether several live documents may have one id. */
  mayHaveTwins(): boolean
}

/**
 * Decides the operations of a shard in order: their conditions, sequence numbers and versions,
 * their log entries, and the documents that they supersede. Also finds the newest document of an
 * id.
 */
export class AcceptedOperations {
  readonly #context: OperationContext
  #maxSeqNo: number

  constructor(context: OperationContext) {
    this.#context = context
    this.#maxSeqNo = context.maxSeqNo
  }

  /** Sequence number of the last accepted operation, −1 for none. */
  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  /** @param slot of the document in the buffer; −1 for a delete */
  accept(operation: WriteOperation, slot: number): WriteOutcome {
    const { versions, segments, log, name, primaryTerm } = this.#context
    const { id, routing } = operation
    const isNewId = operation.kind === 'index' && operation.isNewId
    const entry = isNewId ? undefined : versions.get(id)
    const found = entry === undefined && !isNewId ? segments.find(id) : null
    const current: CurrentDocument | null =
      entry ?? (found === null ? null : found.segment.documentAt(found.docId))
    const version = checkConditions(operation, current, name)
    if (version instanceof EngineError) return version
    const seqNo = this.#maxSeqNo + 1
    const logged: LogOperation =
      operation.kind === 'index'
        ? { kind: 'index', id, seqNo, primaryTerm, version, routing, source: operation.source }
        : { kind: 'delete', id, seqNo, primaryTerm, version, routing }
    const location = log.append(logged)
    if (found !== null) this.#supersede(id, found)
    this.#take(logged, slot, location, entry)
    const existed = current?.exists ?? false
    const result =
      logged.kind === 'index'
        ? existed
          ? 'updated'
          : 'created'
        : existed
          ? 'deleted'
          : 'not_found'
    return { result, seqNo, primaryTerm, version }
  }

  /**
   * Replays an operation of the log with its recorded numbers; its document is in a segment that
   * will be appended to the list.
   * @param isLast no later operation on its id precedes that segment
   */
  replay(operation: LoggedHead, location: LogLocation, isLast: boolean): void {
    const { versions, segments } = this.#context
    const { kind, id, seqNo, primaryTerm, version } = operation
    this.#maxSeqNo = seqNo
    if (!isLast || kind === 'noOp') return
    const found = segments.find(id)
    if (found !== null) this.#supersede(id, found)
    if (kind === 'index') versions.forget(id)
    else {
      const deletedAt = Date.now()
      versions.set(id, {
        seqNo,
        primaryTerm,
        version,
        exists: false,
        slot: -1,
        location,
        deletedAt,
      })
    }
  }

  /** The newest document with an id, unrefreshed writes included when `realtime`. */
  get(id: string, realtime: boolean): FoundDocument | null {
    const { versions, segments, log, stored } = this.#context
    const entry = realtime ? versions.get(id) : undefined
    if (entry !== undefined) {
      if (!entry.exists) return null
      const logged = log.read(entry.location)
      if (logged.kind !== 'index') return null
      const { seqNo, primaryTerm, version } = entry
      const current = { seqNo, primaryTerm, version, exists: true }
      const { routing, source } = logged
      return { current, routing, ignored: [], source, stored: source }
    }
    const found = segments.find(id)
    if (found === null) return null
    const { segment, docId } = found
    const source = stored.read(segment.segment, docId).slice()
    return {
      current: segment.documentAt(docId),
      routing: segment.keywordsAt('_routing', docId)[0] ?? null,
      ignored: segment.keywordsAt('_ignored', docId),
      source,
      stored: stored.readBeside(segment.segment, docId)?.slice() ?? source,
    }
  }

  /** Deletes what a write of an id replaces: documents of two shards may have become neighbours. */
  #supersede(id: string, { segment, docId }: FoundInSegment): void {
    segment.delete(docId)
    if (!this.#context.mayHaveTwins()) return
    const { segments } = this.#context
    for (let twin = segments.find(id); twin !== null; twin = segments.find(id))
      twin.segment.delete(twin.docId)
  }

  #take(
    { kind, id, seqNo, primaryTerm, version }: LoggedIndex | LoggedDelete,
    slot: number,
    location: LogLocation,
    superseded: VersionEntry | undefined,
  ): void {
    const { versions, writer } = this.#context
    this.#maxSeqNo = seqNo
    if (superseded !== undefined && superseded.slot >= 0) writer.buffer.kill(superseded.slot)
    const exists = kind === 'index'
    const deletedAt = exists ? 0 : Date.now()
    versions.set(id, { seqNo, primaryTerm, version, exists, slot, location, deletedAt })
    if (exists) writer.buffer.fill(slot, seqNo, version, primaryTerm)
  }
}
