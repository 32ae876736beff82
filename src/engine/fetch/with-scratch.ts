import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import type { FetchPlace } from './shard-reader.ts'

/** Scratch of one run: a few iterators for each clause, rounded up generously. */
const SCRATCH_PER_ITERATOR = 8192
const SCRATCH_BASE = 65_536

/** Runs with a leaf that has scratch for a weight's iterators while it runs. */
export function withScratch<T>(
  { searcher, memory, pins }: Pick<FetchPlace, 'searcher' | 'memory'> & { readonly pins: Pins },
  { openPostings }: Pick<Weight, 'openPostings'>,
  snapshotLeaf: SnapshotLeaf,
  run: (leaf: Leaf) => T,
): T {
  const bytes = SCRATCH_BASE + 2 * openPostings * SCRATCH_PER_ITERATOR
  const range = memory.allocate(snapshotLeaf.segment, bytes)
  try {
    return run(searcher.openLeaf(snapshotLeaf, pins, range))
  } finally {
    memory.free(range)
  }
}
