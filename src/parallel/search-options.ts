/** How a shard's search is asked for, and what comes of it. */
import type { SliceProfile } from '../profile/slice-profile.ts'
import type { ProfilerOptions } from '../profile/slice-profiler.ts'
import type { SliceRecord } from '../search/slice-report.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { EngineError } from '../util/errors.ts'
import type { PreparedSearch } from './prepare.ts'
import type { ShardResult } from './reduce.ts'
import type { SliceSettings } from './slices.ts'

/** How one shard is searched. */
export interface ShardSearchOptions {
  /** False runs one slice over all leaves in order. */
  readonly concurrent: boolean
  readonly slices: SliceSettings
  /** Null: not profiled. */
  readonly profile: ProfilerOptions | null
  /**
   * `auto` runs cheap searches on the calling thread and others on search threads; `together` has the
   * calling thread do its share of all, for callers that have nothing else to do meanwhile.
   */
  readonly executor: 'auto' | 'inline' | 'threads' | 'together'
  /** False: the iterators run every shape of query. */
  readonly kernels: boolean
  /** False: hot filters are neither used nor kept. */
  readonly filterCache: boolean
  /** Whether its slices tell what each leaf took. */
  readonly reports: boolean
  /** The caller's; null where it never gives up. */
  readonly signal: Cancellation | null
}

/** What a shard's search gave, and what its profile needs. */
export interface ShardSearchOutcome {
  /** Null where nothing was prepared that a profile could print. */
  readonly prepared: PreparedSearch | null
  readonly result: ShardResult
  readonly sliceCount: number
  readonly profiles: readonly SliceProfile[]
  /** Of each slice, where they were asked for. */
  readonly reports: readonly SliceRecord[]
  /** How long the slices' results took to merge, nanoseconds. */
  readonly reduceTime: number
}

/** @throws {EngineError} `task_cancelled_exception` once the caller has given up */
export function throwIfAborted(signal: Cancellation | null): void {
  if (signal?.isCancelled !== true) return
  throw new EngineError({ type: 'task_cancelled_exception', reason: 'The search was cancelled.' })
}
