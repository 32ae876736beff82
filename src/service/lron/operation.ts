/** An operation whose end is told, and how it ended. */
import { EngineError } from '../../util/errors.ts'
import type { LronAction } from './lron-config.ts'

/** What is done. */
export type OperationKind = 'reindex' | 'force_merge' | 'shrink' | 'split' | 'clone' | 'open'

/** The action of each. */
export const ACTION_OF: Readonly<Record<OperationKind, LronAction>> = {
  reindex: 'indices:data/write/reindex',
  force_merge: 'indices:admin/forcemerge',
  shrink: 'indices:admin/resize',
  split: 'indices:admin/resize',
  clone: 'indices:admin/resize',
  open: 'indices:admin/open',
}

/** An operation. */
export interface Operation {
  readonly kind: OperationKind
  /** Names as the request has them. */
  readonly sources: readonly string[]
  /** The server that the sources are on; null: this one. */
  readonly remoteHost: string | null
  /** Null: it has none but its sources. */
  readonly target: string | null
  /** How long it may take, in milliseconds; null: as long as it likes. */
  readonly limitInMillis: number | null
}

/** How an operation ended. */
export interface OperationEnd {
  readonly result: 'complete' | 'failed' | 'timed_out' | 'cancelled'
  /** Counts by name, in print order; empty: it has none. */
  readonly counts: readonly (readonly [string, number])[]
  /** Texts of its errors, all of them. */
  readonly errors: readonly string[]
}

/** An end without counts and errors. */
export function plainEnd(result: OperationEnd['result']): OperationEnd {
  return { result, counts: [], errors: [] }
}

/** The end of an operation that threw. */
export function endOfError(error: unknown): OperationEnd {
  const errors = [error instanceof Error ? error.message : 'unknown']
  const type = error instanceof EngineError ? error.type : null
  if (type === 'task_cancelled_exception') return { ...plainEnd('cancelled'), errors }
  const isLate = type === 'timeout_exception' || type === 'process_cluster_event_timeout_exception'
  return { ...plainEnd(isLate ? 'timed_out' : 'failed'), errors }
}
