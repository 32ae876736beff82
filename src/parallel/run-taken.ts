/** Runs the parts of a shared search that one thread takes. */
import type { SliceHit } from '../search/collector/collect-spec.ts'
import type { SearchControl } from '../search/collector/search-control.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { TakenOutcomes } from './records/outcome-record.ts'
import type { SharedSearchTask } from './records/search-record.ts'
import { runSlice, type SliceOutcome, type SliceTask } from './run-slice.ts'
import type { TakenParts } from './work-list.ts'

/**
 * Runs the parts that this thread takes, one slice per ascending run.
 * @param queued when the thread was asked, on the common clock
 * @param worker number of this thread, −1 for the coordinating one
 */
export function runTaken(
  task: SharedSearchTask,
  taken: TakenParts,
  leafOf: (leafOrd: number) => Leaf,
  control: SearchControl,
  worker: number,
  queued: number,
): TakenOutcomes {
  const { weight, spec, kernels, reports, parts } = task
  const slice: SliceTask = {
    sliceId: 0,
    slice: parts,
    weight,
    spec,
    profile: null,
    kernels,
    reports,
    queued,
  }
  const outcomes: SliceOutcome[] = []
  do {
    outcomes.push(runSlice(slice, leafOf, control, worker, taken))
    // The k-th best score over several runs is a higher threshold than that of a single run.
    if (taken.hasPending && !spec.demands.everyMatch) shareBest(outcomes, spec.topCount, control)
  } while (taken.hasPending && !control.isStopped())
  return { outcomes, hasPaused: taken.hasPaused }
}

function shareBest(outcomes: readonly SliceOutcome[], k: number, control: SearchControl): void {
  const hits: SliceHit[] = outcomes.flatMap(({ result }) => result.hits)
  if (k === 0 || hits.length < k) return
  hits.sort((a, b) => b.score - a.score)
  const { score } = hits[k - 1]!
  if (score > 0) control.raiseThreshold(score)
}
