/** Options and outcome of a shard's search. */
import type { SliceProfile } from '../profile/slice-profile.ts'
import type { ProfilerOptions } from '../profile/slice-profiler.ts'
import { noCounts } from '../search/collector/collect-spec.ts'
import type { SliceRecord } from '../search/slice-report.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { EngineError } from '../util/errors.ts'
import type { PreparedSearch } from './prepare.ts'
import type { ShardResult } from './reduce.ts'
import type { SliceSettings } from './slices.ts'

/** Options of one shard's search. */
export interface ShardSearchOptions {
  /** False: one slice over all leaves in order. */
  readonly concurrent: boolean
  readonly slices: SliceSettings
  /** Null: no profile. */
  readonly profile: ProfilerOptions | null
  /**
   * `auto` runs cheap searches on the calling thread and others on search threads; `together` has
   * the calling thread take part in all, for callers without other work meanwhile.
   */
  readonly executor: 'auto' | 'inline' | 'threads' | 'together'
  /** False: always run by the iterators. */
  readonly kernels: boolean
  /** False: filters are neither read from the cache nor cached. */
  readonly filterCache: boolean
  /** Whether its slices report the time of each leaf. */
  readonly reports: boolean
  /** The caller's cancellation; null when it never cancels. */
  readonly signal: Cancellation | null
}

/** The result of a shard's search, with the input of its profile. */
export interface ShardSearchOutcome {
  /** Null when nothing was prepared that a profile could print. */
  readonly prepared: PreparedSearch | null
  readonly result: ShardResult
  readonly sliceCount: number
  readonly profiles: readonly SliceProfile[]
  /** One for each slice, if requested. */
  readonly reports: readonly SliceRecord[]
  /** Time to merge the slices' results, nanoseconds. */
  readonly reduceTime: number
}

/** The outcome of a search that looks at nothing. @param trackTotalHits negative: hits are not counted */
export function emptyOutcome(trackTotalHits: number): ShardSearchOutcome {
  const total = trackTotalHits < 0 ? null : ({ value: 0, relation: 'eq' } as const)
  return {
    prepared: null,
    result: {
      hits: [],
      sort: null,
      isCollapsed: false,
      total,
      maxScore: Number.NaN,
      timedOut: false,
      cancelled: false,
      terminatedEarly: false,
      counters: noCounts(),
      parts: [],
    },
    sliceCount: 0,
    profiles: [],
    reports: [],
    reduceTime: 0,
  }
}

/** @throws {EngineError} `task_cancelled_exception` once the caller has cancelled */
export function throwIfAborted(signal: Cancellation | null): void {
  if (signal?.isCancelled !== true) return
  throw new EngineError({ type: 'task_cancelled_exception', reason: 'The search was cancelled.' })
}
