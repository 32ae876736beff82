/** The ways that a search may be run; no answer must show which. */

/** One way: settings of the index, and keys of the request. */
export interface Way {
  readonly slices: number
  readonly partitions: boolean
  readonly profile: boolean
  readonly kernels: boolean
}

const BOTH = [false, true]

/** Every combination. */
export const WAYS: readonly Way[] = [1, 2, 4, 8].flatMap(slices =>
  BOTH.flatMap(partitions =>
    BOTH.flatMap(profile => BOTH.map(kernels => ({ slices, partitions, profile, kernels }))),
  ),
)

/** The settings of the index for a way. */
export function settingsOf({ slices, partitions }: Way): object {
  return {
    'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
    'index.search.concurrent.max_slice_count': slices,
    'index.search.concurrent.intra_segment': partitions ? 'auto' : 'none',
    'index.search.concurrent.intra_segment_min_docs': 1,
  }
}

/** More than there are documents: no search ends early for it. */
const ALL_DOCUMENTS = 1_000_000

/** The keys of the request for a way: a search that may end after some documents needs iterators. */
export function keysOf({ profile, kernels }: Way): object {
  return {
    ...(profile ? { profile: true } : {}),
    ...(profile && kernels ? { profile_kernels: true } : {}),
    ...(kernels ? {} : { terminate_after: ALL_DOCUMENTS }),
  }
}
