/** Runs one slice on the current thread, by the kernels or by the iterators. */
import type { SliceProfile } from '../profile/slice-profile.ts'
import { type ProfilerOptions, SliceProfiler } from '../profile/slice-profiler.ts'
import { calibrate } from '../profile/timer.ts'
import { MAX_CALLING_THREAD_MILLIS, MAX_SCRIPT_MILLIS } from '../script/script-run.ts'
import { bulkSearch } from '../search/bulk/bulk-search.ts'
import { bulkShape } from '../search/bulk/bulk-shape.ts'
import type { CollectSpec, LeafPart, SliceResult } from '../search/collector/collect-spec.ts'
import type { SliceGather } from '../search/collector/gather.ts'
import type { SliceControl } from '../search/collector/search-control.ts'
import { searchSlice } from '../search/search-slice.ts'
import { type SliceRecord, SliceReport } from '../search/slice-report.ts'
import type { Weight } from '../search/weight/weight.ts'
import type { BulkRefusal } from '../search/weight/weight-type.ts'
import type { Leaf } from '../segment/leaf.ts'
import { openGathers } from './gathers.ts'
import { sliceContext } from './slice-context.ts'
import type { Slice } from './slices.ts'

/** One slice of a shard's search as sent to a thread: plain data. */
export interface SliceTask {
  readonly sliceId: number
  readonly slice: Slice
  readonly weight: Weight
  readonly spec: CollectSpec
  /** Null: not profiled. */
  readonly profile: ProfilerOptions | null
  /** False: always run by the iterators, as under a profile. */
  readonly kernels: boolean
  /** Whether it reports the time of each leaf. */
  readonly reports: boolean
  /** When it was queued, on the common clock. */
  readonly queued: number
}

/** The answer to a slice task. */
export interface SliceOutcome {
  readonly result: SliceResult
  /** Null without a profile. */
  readonly profile: SliceProfile | null
  readonly executor: Executor
  /** Null when not requested. */
  readonly report: SliceRecord | null
}

const NO_GATHERS: readonly SliceGather<unknown>[] = []

/** The executor of a slice: the kernels, or the iterators with the reason. */
export type Executor = 'kernels' | 'profile' | 'asked' | BulkRefusal

/**
 * Runs a slice on this thread.
 *
 * @param leafOf an open leaf by its ord in the snapshot
 * @param worker number of this thread, −1 for the calling one
 * @param taken  the parts of the slice for this thread, when threads share the slice
 */
export function runSlice(
  task: SliceTask,
  leafOf: (leafOrd: number) => Leaf,
  control: SliceControl,
  worker: number,
  taken: Iterable<LeafPart> | null = null,
): SliceOutcome {
  const { weight, spec, slice, profile, kernels } = task
  const report = task.reports ? new SliceReport() : null
  const listener = profile === null ? null : new SliceProfiler(weight.nodes.length, profile)
  const timer = listener === null ? null : () => listener.gatherTimer()
  const scriptMillis = worker < 0 ? MAX_CALLING_THREAD_MILLIS : MAX_SCRIPT_MILLIS
  const gathers =
    spec.others.length === 0
      ? NO_GATHERS
      : openGathers(spec.others, sliceContext(spec.deadline, control, timer, scriptMillis))
  const input = {
    weight,
    spec,
    parts: slice,
    taken,
    leafOf,
    control,
    scriptMillis,
    gathers,
    listener: null,
    report,
  }
  let executor: Executor = profile === null ? 'asked' : 'profile'
  if (profile === null && kernels) {
    const shape = bulkShape(weight, spec)
    if (typeof shape !== 'string') {
      const result = bulkSearch(input, shape)
      const record = recordOf(task, report, worker, 'kernels')
      return { result, profile: null, executor: 'kernels', report: record }
    }
    executor = shape
  }
  const result = searchSlice({ ...input, listener })
  const measured = listener?.finish(task.sliceId, worker, task.queued) ?? null
  if (measured !== null) calibrate()
  return { result, profile: measured, executor, report: recordOf(task, report, worker, executor) }
}

function recordOf(
  { sliceId, queued }: SliceTask,
  report: SliceReport | null,
  worker: number,
  executor: Executor,
): SliceRecord | null {
  if (report === null) return null
  const { start, end, phases, leaves } = report.finish()
  return { sliceId, worker, queued, executor, start, end, phases, leaves }
}
