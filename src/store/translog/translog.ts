/**
 * The log of one shard: every accepted operation in order, before it is acknowledged. What is not
 * yet in a committed segment is replayed from it; a get that must see unrefreshed writes reads it.
 */

/** One entry of the log. */
export type LogOperation = LoggedIndex | LoggedDelete | LoggedNoOp

interface LoggedBase {
  /** Rises by one from each operation to the next. */
  readonly seqNo: number
  readonly primaryTerm: number
}

interface LoggedWrite extends LoggedBase {
  readonly id: string
  readonly version: number
  readonly routing: string | null
}

/** A written document as the log keeps it. */
export interface LoggedIndex extends LoggedWrite {
  readonly kind: 'index'
  /** The document's bytes as they were given. */
  readonly source: Uint8Array
}

/** A delete as the log keeps it. */
export interface LoggedDelete extends LoggedWrite {
  readonly kind: 'delete'
}

/** Takes up a sequence number that no document has. */
export interface LoggedNoOp extends LoggedBase {
  readonly kind: 'noOp'
  readonly reason: string
}

/** Where an operation stands in its log. */
export type LogPlace = number

/** Size of what a commit would have to cover. */
export interface LogStats {
  readonly operations: number
  readonly bytes: number
}

/** Where a commit says that its log goes on. */
export interface LogStart {
  readonly logId: string
  /** The oldest generation that holds operations which the commit does not. */
  readonly logGeneration: number
  /** Of the last operation that the commit holds, −1 for none. */
  readonly maxSeqNo: number
}

/** The log of one shard: operations are appended, and durable after a sync. */
export interface Translog {
  /** Carried by the commit points, so that a foreign log is refused. */
  readonly id: string
  readonly generation: number
  /** Files that a crash left and that hold nothing of worth: to be deleted before the first write. */
  readonly leftovers: readonly string[]
  /** Appends an operation; it counts only once `sync` has resolved. */
  append(operation: LogOperation): LogPlace
  /**
   * Makes everything that was appended before the call durable. Calls that come while one is under
   * way share the next. A failure is final: it closes the log, and every later call fails with it.
   */
  sync(): Promise<void>
  /** True when something was appended that no sync has covered. */
  readonly hasUnsynced: boolean
  /** Reads an operation that was not trimmed yet. */
  read(place: LogPlace): LogOperation
  /**
   * The operations with sequence numbers in `[from, to)` that were not trimmed yet, in order. The
   * document of one is valid until the next is asked for.
   */
  operations(from: number, to: number): Iterable<readonly [LogPlace, LogOperation]>
  /** Starts a new generation and returns its number: a commit covers those before it. */
  roll(): number
  /** Drops the generations below. */
  trim(generation: number): void
  stats(): LogStats
  /** What was not synced may be lost. */
  close(): Promise<void>
}
