/**
 * The production run as response data: an object for each slice of the unprofiled run, with the
 * time of each leaf. An extension of the documented profile.
 */
import type { LeafReport, SliceRecord } from '../search/slice-report.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { durations } from './human-duration.ts'

/**
 * @param started start of the run, on the common clock
 * @param human   adds a text twin to each duration
 */
export function kernelProfile(
  slices: readonly SliceRecord[],
  started: number,
  human: boolean,
): JsonRecord[] {
  return slices.map(slice => ({
    slice_id: slice.sliceId,
    worker: slice.worker,
    queue_time_in_nanos: Math.max(0, slice.start - slice.queued),
    start_offset_in_nanos: Math.max(0, slice.start - started),
    ...durations(
      [
        ['time', slice.end - slice.start],
        ['prepare_time', slice.phases.prepare],
        ['prime_time', slice.phases.prime],
        ['search_time', slice.phases.search],
        ['merge_time', slice.phases.merge],
      ],
      human,
    ),
    executor: slice.executor === 'kernels' ? 'kernel' : 'iterator',
    reason: slice.executor === 'kernels' ? undefined : slice.executor,
    leaves: slice.leaves.map(leafRecord),
  }))
}

function leafRecord({ leafOrd, minDoc, maxDoc, counters }: LeafReport): JsonRecord {
  return {
    segment_ord: leafOrd,
    doc_range: [minDoc, maxDoc],
    windows: counters.windows,
    windows_skipped: counters.runsSkipped,
    blocks_decoded: counters.blocksDecoded,
    blocks_skipped: counters.blocksSkipped,
    postings_scored: counters.postingsScored,
    positions_checked: counters.positionsChecked,
    candidates: counters.candidates,
  }
}
