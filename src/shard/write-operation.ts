/** Write operations of a shard and their outcomes. */

import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { type Long, nextLong } from '../util/long.ts'

/** The side that assigns versions: the shard, or the caller. */
export type VersionType = 'internal' | 'external' | 'external_gte'

/** Conditions on the current document. */
interface Conditions {
  readonly id: string
  readonly routing: string | null
  /** Null: no compare-and-set. */
  readonly ifSeqNo: Long | null
  readonly ifPrimaryTerm: Long | null
  /** The external version; null with internal versioning. */
  readonly version: Long | null
  readonly versionType: VersionType
}

/** Writes a document. */
export interface IndexOperation extends Conditions {
  readonly kind: 'index'
  /** Reject when the id exists. */
  readonly isCreate: boolean
  /** The id was generated here, so no document can have it yet. */
  readonly isNewId: boolean
  readonly source: Uint8Array
}

/** Deletes a document. */
export interface DeleteOperation extends Conditions {
  readonly kind: 'delete'
}

/** One operation on one document. */
export type WriteOperation = IndexOperation | DeleteOperation

/** An accepted operation: as durable as its log entry. */
export interface WriteResult {
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found'
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
}

/** A result, or the error that rejected the operation. */
export type WriteOutcome = WriteResult | EngineError

/** The newest operation on an id. */
export interface CurrentDocument {
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
  /** False after a delete that is still remembered. */
  readonly exists: boolean
}

/** The shard that errors name. */
export interface ShardName {
  readonly index: string
  readonly uuid: string
  readonly shard: number
}

/**
 * Checks an operation's conditions against the current state of its id.
 * @param current null when the id was never seen, or its delete is forgotten
 * @returns the operation's version, or the conflict that rejects it
 */
export function checkConditions(
  operation: WriteOperation,
  current: CurrentDocument | null,
  shard: ShardName,
): Long | EngineError {
  const exists = current?.exists ?? false
  const { id, ifSeqNo, ifPrimaryTerm, version, versionType } = operation
  if (operation.kind === 'index' && operation.isCreate && exists)
    return conflict(shard, id, `document already exists (current version [${current!.version}])`)
  if (ifSeqNo !== null) {
    const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]`
    if (!exists) return conflict(shard, id, `${required}. but no document was found`)
    if (current!.seqNo !== ifSeqNo || current!.primaryTerm !== ifPrimaryTerm)
      return conflict(
        shard,
        id,
        `${required}. current document has seqNo [${current!.seqNo}] and primary term [${current!.primaryTerm}]`,
      )
  }
  if (version === null) return nextLong(current?.version ?? 0) ?? exhausted(id)
  if (versionType === 'internal') {
    // Requests cannot ask for it, but ingest pipelines can.
    if (!exists)
      return conflict(shard, id, `document does not exist (expected version [${version}])`)
    if (current!.version !== version)
      return conflict(
        shard,
        id,
        `current version [${current!.version}] is different than the one provided [${version}]`,
      )
    return nextLong(version) ?? exhausted(id)
  }
  if (current !== null) {
    if (versionType === 'external' && current.version >= version)
      return conflict(
        shard,
        id,
        `current version [${current.version}] is higher or equal to the one provided [${version}]`,
      )
    if (current.version > version)
      return conflict(
        shard,
        id,
        `current version [${current.version}] is higher than the one provided [${version}]`,
      )
  }
  return version
}

/** The error of a document whose version cannot rise any more. */
function exhausted(id: string): EngineError {
  return new IllegalArgumentError(
    `[${id}]: the version is the highest there is: no write can raise it, index the document under another id`,
  )
}

function conflict(shard: ShardName, id: string, detail: string): EngineError {
  return new EngineError({
    type: 'version_conflict_engine_exception',
    reason: `[${id}]: version conflict, ${detail}`,
    extra: { index: shard.index, shard: String(shard.shard), index_uuid: shard.uuid },
  })
}
