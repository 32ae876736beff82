/** How a search runs, as its request, the index's settings and the cluster's say together. */
import type { SliceSettings } from '../../parallel/slices.ts'
import type { ProfilerOptions } from '../../profile/slice-profiler.ts'
import { SAMPLING_MODES } from '../../profile/timer.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { nowInNanos } from '../../util/clock.ts'

/** Segments from this many documents on are cut into ranges for a call that asks for slices. */
const MIN_DOCS_TO_CUT_AS_ASKED = 4_096

/**
 * Whether a shard is searched in slices: never with `terminate_after`; else as the index's mode
 * says, then the cluster's, then the older switches; `all` when nobody says. `auto` asks for
 * aggregations.
 * @param terminateAfter 0: never
 */
export function isConcurrent(terminateAfter: number, index: Settings, cluster: Settings): boolean {
  if (terminateAfter > 0) return false
  const key = 'search.concurrent_segment_search'
  const mode = index.get(`index.${key}.mode`) ?? cluster.get(`${key}.mode`)
  if (mode !== null) return mode === 'all'
  const enabled = index.get(`index.${key}.enabled`) ?? cluster.get(`${key}.enabled`)
  return enabled === null || enabled === 'true'
}

/**
 * Slices as the call asks, then by the index's settings, then the cluster's; unset, as many as there
 * are threads, up to 4.
 * @param threads how many search threads there are
 * @param asked   the call's own, at least 1; undefined without
 */
export function sliceSettings(
  index: Settings,
  cluster: Settings,
  threads: number,
  asked: number | undefined,
): SliceSettings {
  const read = (key: string): string | null => {
    const value = index.get(`index.${key}`) ?? cluster.get(key)
    return value === null ? null : String(value)
  }
  const count = read('search.concurrent.max_slice_count')
  const minDocs = Number(read('search.concurrent.intra_segment_min_docs') ?? 65_536)
  const intraSegment = read('search.concurrent.intra_segment') === 'none' ? 'none' : 'auto'
  if (asked !== undefined)
    return {
      maxSliceCount: asked,
      intraSegment,
      intraSegmentMinDocs: Math.min(minDocs, MIN_DOCS_TO_CUT_AS_ASKED),
    }
  return {
    maxSliceCount: count === null ? Math.max(1, Math.min(threads, 4)) : Number(count),
    intraSegment,
    intraSegmentMinDocs: minDocs,
  }
}

/** How a profile measures. */
export function profilerOptions(cluster: Settings, concurrent: boolean): ProfilerOptions {
  const text = clusterSettings.text(cluster, 'lamella.profile.sampling').toLowerCase()
  // A folder of before may keep a value that was not checked.
  const sampling = SAMPLING_MODES.find(mode => mode === text) ?? 'calibrated'
  return { sampling, perLeaf: concurrent }
}

/**
 * When a search gives up, on the clock of `nowInNanos`; 0: never.
 * @param timeoutInMillis the request's; null leaves it to the cluster's default
 */
export function deadlineOf(timeoutInMillis: number | null, cluster: Settings): number {
  const byDefault = clusterSettings.nanos(cluster, 'search.default_search_timeout') ?? -1
  const nanos = timeoutInMillis === null ? byDefault : timeoutInMillis * 1e6
  return nanos < 0 ? 0 : nowInNanos() + nanos
}

/**
 * Whether an answer that lacks shards is one.
 * @param asked the request's; undefined leaves it to the cluster's default
 */
export function allowsPartial(asked: boolean | undefined, cluster: Settings): boolean {
  return asked ?? clusterSettings.boolean(cluster, 'search.default_allow_partial_results')
}
