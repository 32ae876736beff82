/** Documents: written, read and deleted, one by one and in bulk. */

import type { KeptSource } from '../../schema/source-filter.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import type { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import type { Long } from '../../util/long.ts'
import type { ActiveShards, RefreshPolicy, ShardCounts } from './target.ts'

/** Versions are given by the engine, or by the caller: rising, or (`external_gte`) not falling. */
export type VersionType = 'internal' | 'external' | 'external_gte'

/** Fields common to index, create and delete. */
export interface WriteOptions {
  readonly index: string
  readonly routing: string | null
  readonly refresh: RefreshPolicy
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
  /** An external version; null with internal versioning. */
  readonly version: Long | null
  readonly versionType: VersionType
  readonly requireAlias: boolean
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
}

/** Writes a document whole. */
export interface IndexDocument extends WriteOptions {
  /** Null: the engine makes an id of 20 url-safe characters. */
  readonly id: string | null
  readonly opType: 'index' | 'create'
  readonly source: Uint8Array
  /** Pipeline in place of the index's default one; `_none`: neither. Absent: the default one. */
  readonly pipeline?: string | null
}

/** Changes a document. */
export interface UpdateDocument extends Omit<WriteOptions, 'version' | 'versionType'> {
  readonly id: string
  readonly body: JsonNode
  readonly bodyInBytes: number
  /** How often the update begins anew where another write came between. */
  readonly retryOnConflict: number
  /** The part of the source that the answer carries, unless the body says; null: none. */
  readonly source: SourceFilter | null
}

/** The source of a document that was updated, in its answer. */
export interface GotSource {
  readonly seqNo: number
  readonly primaryTerm: number
  /** Null where the filter leaves nothing. */
  readonly source: Uint8Array | null
}

/** The outcome of an update. */
export interface UpdateOutcome {
  readonly write: WriteOutcome
  /** Null: no source was asked for. */
  readonly get: GotSource | null
}

/** Deletes a document. */
export interface DeleteDocument extends WriteOptions {
  readonly id: string
}

/** The outcome of a write; sequence numbers and terms are whole numbers of up to 53 bits. */
export interface WriteOutcome {
  readonly index: string
  readonly id: string
  readonly version: Long
  readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found'
  /** True when the write itself made a refresh happen. */
  readonly forcedRefresh: boolean
  readonly shards: ShardCounts
  readonly seqNo: number
  readonly primaryTerm: number
}

/** `_source` filtering: patterns of dotted paths with `*`; `enabled: false` leaves it out. */
export interface SourceFilter extends KeptSource {}

/** Reads a document by its id. */
export interface GetDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  /** True reads unrefreshed writes too. */
  readonly realtime: boolean
  /** True refreshes first. */
  readonly refresh: boolean
  readonly version: Long | null
  readonly versionType: VersionType
  readonly source: SourceFilter
  /** Names and patterns of stored fields; null: none are asked for. */
  readonly storedFields: readonly string[] | null
}

/** A document, or that there is none: the fields after `found` are null when it is false. */
export interface GetOutcome {
  readonly index: string
  readonly id: string
  readonly found: boolean
  readonly version: Long | null
  readonly seqNo: number | null
  readonly primaryTerm: number | null
  readonly routing: string | null
  /** Fields that had malformed values; empty for a write that no refresh has made searchable. */
  readonly ignored: readonly string[]
  /** Byte for byte as it was given, unless filtered; null when it was not asked for. */
  readonly source: Uint8Array | null
  /** Stored fields by name; null where none were asked for. */
  readonly fields: JsonMap | null
}

/** Writes many documents. */
export interface BulkCall {
  /** NDJSON of action lines and documents; must end in a newline. */
  readonly body: Uint8Array
  /** From the URL: what an action line may leave out. */
  readonly index: string | null
  /** Whether action lines must leave it out; absent: they may name one. */
  readonly refusesOwnIndices?: boolean
  readonly routing: string | null
  readonly refresh: RefreshPolicy
  readonly requireAlias: boolean
  /** As of `IndexDocument`, where an action line names none. */
  readonly pipeline?: string | null
  /** The part of the source that answers of updates carry; null: none. */
  readonly source: SourceFilter | null
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
}

/** The operations of a bulk. */
export type BulkAction = 'index' | 'create' | 'delete' | 'update'

/** One operation's answer, in the order of the request. */
export type BulkItem =
  | {
      readonly action: BulkAction
      readonly outcome: WriteOutcome
      /** Of an update that asked for its source; else null. */
      readonly get: GotSource | null
    }
  | {
      readonly action: BulkAction
      readonly index: string
      readonly id: string | null
      /** An `EngineError`, or a defect of ours; printed with the status of its type. */
      readonly error: unknown
    }

/** One write of many, whole: nothing of it is read first. */
export interface DocumentWrite {
  readonly action: 'index' | 'create' | 'delete'
  readonly index: string
  /** Null: the engine makes one. */
  readonly id: string | null
  readonly routing: string | null
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
  /** An external version; null with internal versioning. */
  readonly version: Long | null
  readonly versionType: VersionType
  /** Null of a deletion. */
  readonly source: Uint8Array | null
}

/** Writes documents as a bulk does, without its text. */
export interface WriteDocuments {
  readonly writes: readonly DocumentWrite[]
  /** As of `IndexDocument`. */
  readonly pipeline: string | null
  readonly requireAlias: boolean
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
  /** Its cancellation withdraws what no write thread has yet: those are rejected. */
  readonly signal: Cancellation
}

/** A document that a script is to rewrite. */
export interface FoundDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  readonly version: Long
  readonly source: Uint8Array
}

/** A document as a script left it; keys of its metadata are there where it changed them. */
export interface RewrittenDocument {
  readonly op: 'index' | 'noop' | 'delete'
  readonly source: Uint8Array
  readonly index?: string
  readonly id?: string | null
  readonly routing?: string | null
  readonly version?: Long | null
}

/**
 * Runs a script over documents, one after the other; one outcome each, in their order.
 * @param signal for whom: once it is cancelled, no more of them go to the thread of scripts
 * @throws {EngineError} a script fails, or it is cancelled: none of them counts
 */
export type DocumentRewriter = (
  documents: readonly FoundDocument[],
  signal: Cancellation,
) => Promise<readonly RewrittenDocument[]>

/** The outcome of a bulk. */
export interface BulkOutcome {
  readonly tookInMillis: number
  /** Milliseconds in ingest pipelines; null: no operation had one. */
  readonly ingestTookInMillis: number | null
  readonly items: readonly BulkItem[]
}

/** Calls on documents. */
export interface DocumentsApi {
  index(call: IndexDocument, context: CallContext): Promise<WriteOutcome>
  /** A missing document is the outcome `not_found`, no error. */
  delete(call: DeleteDocument, context: CallContext): Promise<WriteOutcome>
  /** Rejects for a missing document unless the body has another to put in its place. */
  update(call: UpdateDocument, context: CallContext): Promise<UpdateOutcome>
  get(call: GetDocument, context: CallContext): Promise<GetOutcome>
  /** One outcome for each call, in their order; an error stands for a call that failed. */
  multiGet(
    calls: readonly GetDocument[],
    context: CallContext,
  ): Promise<readonly (GetOutcome | EngineError)[]>
  /** Rejects only when the whole call is malformed; failing items are in the outcome. */
  bulk(call: BulkCall, context: CallContext): Promise<BulkOutcome>
  /** As `bulk`. */
  write(call: WriteDocuments, context: CallContext): Promise<BulkOutcome>
  /**
   * The index that writes under a name go to, as it is now; null: they would create it.
   * @throws {EngineError} as such a write
   */
  writeIndex(name: string, requireAlias: boolean, context: CallContext): string | null
  /**
   * Compiles a script that rewrites documents.
   * @param mayMove whether it may change index, id, routing and version
   * @throws {EngineError} it is not stored, settings forbid it, it does not compile
   */
  rewriter(script: ScriptRequest, mayMove: boolean): Promise<DocumentRewriter>
}
