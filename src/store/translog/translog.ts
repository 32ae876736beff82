/**
 * The log of one shard: every accepted operation in order, before it is acknowledged. Operations
 * that no committed segment holds are replayed from it; a get that must see unrefreshed writes
 * reads it.
 */

import type { Long } from '../../util/long.ts'

/** One entry of the log. */
export type LogOperation = LoggedIndex | LoggedDelete | LoggedNoOp

interface LoggedBase {
  /** Increases by one per operation. */
  readonly seqNo: number
  readonly primaryTerm: number
}

interface LoggedWrite extends LoggedBase {
  readonly id: string
  readonly version: Long
  readonly routing: string | null
}

/** A logged index operation. */
export interface LoggedIndex extends LoggedWrite {
  readonly kind: 'index'
  /** The document's bytes as received. */
  readonly source: Uint8Array
}

/** A logged delete. */
export interface LoggedDelete extends LoggedWrite {
  readonly kind: 'delete'
}

/** Fills a sequence number without a document. */
export interface LoggedNoOp extends LoggedBase {
  readonly kind: 'noOp'
  readonly reason: string
}

/** Location of an operation in its log. */
export type LogLocation = number

/** Size of the log beyond the last commit. */
export interface LogStats {
  readonly operations: number
  readonly bytes: number
  /** When the oldest generation was last written to, or else opened: milliseconds since 1970. */
  readonly oldestWriteAt: number
}

/** Where a commit continues its log. */
export interface LogStart {
  readonly logId: string
  /** The oldest generation with operations that the commit lacks. */
  readonly logGeneration: number
  /** Max sequence number in the commit, −1 for none. */
  readonly maxSeqNo: number
}

/** The log of one shard: operations are appended, and durable after a sync. */
export interface Translog {
  /** Stored in commit points, so that a foreign log is rejected. */
  readonly id: string
  readonly generation: number
  /**
   * Files left by a crash without any acknowledged operation: to be deleted before the first write.
   */
  readonly leftovers: readonly string[]
  /** Appends an operation; it may be acknowledged only once `sync` has resolved. */
  append(operation: LogOperation): LogLocation
  /**
   * Makes all earlier appends durable. Calls that come while one is under way share the next. A
   * failure is final: it closes the log, and every later call fails with it.
   */
  sync(): Promise<void>
  /** True when some operation is not synced. */
  readonly hasUnsynced: boolean
  /** Reads an operation that is not trimmed yet. */
  read(location: LogLocation): LogOperation
  /**
   * The untrimmed operations with sequence numbers in `[from, to)`, in order. A document is valid
   * until the next operation is read.
   */
  operations(from: number, to: number): Iterable<readonly [LogLocation, LogOperation]>
  /** Starts a new generation and returns its number: a commit covers those before it. */
  roll(): number
  /** Deletes older generations. */
  trim(generation: number): void
  stats(): LogStats
  /** Closes the log; unsynced operations may be lost. */
  close(): Promise<void>
}
