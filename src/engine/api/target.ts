/** Targets, and parameters that calls of several areas share. */
import type { ErrorRecord } from '../../util/errors.ts'

/** Which indices a call means. */
export interface Target {
  /** Elements of the comma list, decoded; empty means all indices. */
  readonly names: readonly string[]
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  /** Which indices wildcards expand to; all false (`none`) makes patterns literals. */
  readonly expandOpen: boolean
  readonly expandClosed: boolean
  readonly expandHidden: boolean
  /** Whether names of aliases stand for their indices; if not, they are refused. */
  readonly allowAliases: boolean
  /** Whether names of data streams stand for their indices; if not, there are no such names. */
  readonly allowDataStreams: boolean
}

/** When a write becomes visible: `wait_for` waits for the next refresh. */
export type RefreshPolicy = 'false' | 'true' | 'wait_for'

/** Number of shard copies that an operation waits for; `all` is the primary and every replica. */
export type ActiveShards = number | 'all'

/** Copies of a shard that an operation reached; `total` counts unassigned replicas too. */
export interface ShardCounts {
  readonly total: number
  readonly successful: number
  readonly failed: number
}

/** A shard that an action failed on. */
export interface FailedShard {
  readonly index: string
  readonly shard: number
  readonly error: ErrorRecord
}
