/**
 * The log of one shard: every accepted operation in order, before it is acknowledged. What is not
 * yet in a committed segment is replayed from it; a get that must see unrefreshed writes reads it.
 */

/** One accepted operation. */
export type LogOperation = LoggedIndex | LoggedDelete

interface LoggedBase {
  readonly id: string
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: number
  readonly routing: string | null
}

export interface LoggedIndex extends LoggedBase {
  readonly kind: 'index'
  /** The document's bytes as they were given. */
  readonly source: Uint8Array
}

export interface LoggedDelete extends LoggedBase {
  readonly kind: 'delete'
}

/** Where an operation stands in its log. */
export type LogPlace = number

/** Size of what a commit would have to cover. */
export interface LogStats {
  readonly operations: number
  readonly bytes: number
}

export interface Translog {
  /** Carried by the commit points, so that a foreign log is refused. */
  readonly id: string
  readonly generation: number
  /** Appends an operation; it counts only once `sync` has returned. */
  append(operation: LogOperation): LogPlace
  /** Makes everything that was appended before the call durable. A failure is final. */
  sync(): Promise<void>
  /** Reads an operation that was not trimmed yet. */
  read(place: LogPlace): LogOperation
  /** All operations from a sequence number on that were not trimmed yet, in order. */
  operationsFrom(seqNo: number): Iterable<LogOperation>
  /** Starts a new generation and returns its number: a commit covers those before it. */
  roll(): number
  /** Drops the generations below. */
  trim(generation: number): void
  stats(): LogStats
  close(): Promise<void>
}
