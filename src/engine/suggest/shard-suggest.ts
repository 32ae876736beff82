import type { ShardSearcher } from '../../parallel/shard-search.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import type { SegmentMemory } from '../../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../../segment/snapshot.ts'
import type { BitSet } from '../../util/bit-set.ts'
import type { Turn } from '../../util/turns.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { MadeSuggestion, SuggestEntry, SuggestShard } from './suggester.ts'

/** Where a shard's terms and completions are read. */
export interface SuggestPlace {
  readonly searcher: ShardSearcher
  readonly memory: SegmentMemory
  /** Held by the caller until all is done. */
  readonly snapshot: Snapshot
  /** By leaf, the documents that the caller may see; null: all. */
  readonly visible: readonly BitSet[] | null
  /** Completions that are found are charged to it. */
  readonly charge: Charge
  /** Runs with a leaf whose postings may be iterated until it returns. */
  withPostings<T>(leaf: SnapshotLeaf, pins: Pins, run: (leaf: Leaf) => T): T
}

/** Runs suggestions in one shard, in their order; what they load stays in memory until they end. */
export function* shardSuggest(
  { searcher, memory, snapshot, visible, charge, withPostings }: SuggestPlace,
  suggestions: readonly MadeSuggestion[],
  turn: Turn,
): Generator<void, readonly (readonly SuggestEntry[])[], void> {
  const pins = memory.newPins()
  try {
    const leaves = snapshot.leaves.map(leaf => searcher.openLeaf(leaf, pins, null))
    const shard: SuggestShard = {
      leaves,
      visible,
      segments: snapshot.leaves.map(({ segment }) => segment),
      charge: bytes => charge.add(bytes),
      withPostings: (ord, run) => withPostings(snapshot.leaves[ord]!, pins, run),
    }
    const answers: (readonly SuggestEntry[])[] = []
    for (const suggestion of suggestions) {
      answers.push(yield* suggestion.run(shard, turn))
      if (turn.isOver(1)) yield
    }
    return answers
  } finally {
    pins.release()
  }
}
