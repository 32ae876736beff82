import type { ShardSearcher } from '../../parallel/shard-search.ts'
import type { FetchProfiler } from '../../profile/fetch-profiler.ts'
import type { FoundJoins } from '../../search/query/bind-joins.ts'
import type { TermStatistics } from '../../search/weight/term-statistics.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import type { SegmentMemory } from '../../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../../segment/snapshot.ts'
import type { FieldRestrictions } from '../../task/access.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { CombinedScores } from './combined-scores.ts'
import type { StoredDocuments } from './visible-documents.ts'

/**
 * The documents that each rescoring of a search scored anew, by list of hits: there is one, unless the query
 * is hybrid.
 */
export type RescoredDocs = readonly (readonly ReadonlySet<number>[])[]

/** Where a shard's documents are read from. */
export interface FetchPlace {
  readonly searcher: ShardSearcher
  readonly memory: SegmentMemory
  readonly stored: StoredDocuments
  /** The fields that are hidden from the caller; null: none. */
  readonly fields: FieldRestrictions | null
  /** Held by the caller until the fetch has ended. */
  readonly snapshot: Snapshot
  /** The documents that the joins of its queries found in it. */
  readonly joins: FoundJoins
  /** Statistics that its scores were made of in place of its own; null: none. */
  readonly statistics: TermStatistics | null
  readonly rescored: RescoredDocs
  /** The scores that hits of a hybrid query were combined of; null: nothing tells them. */
  readonly combined: CombinedScores | null
  readonly nodeId: string
  readonly index: string
  readonly shard: number
  /** Memory of the search; sources are charged to it before they are copied. */
  readonly charge: Charge
  /** Measures the steps; null in a search without a profile of them. */
  readonly profiler: FetchProfiler | null
}

/** Opens the leaves of a shard for one fetch, each once. */
export class ShardReader {
  readonly place: FetchPlace
  /** Memory that the open leaves hold; owned by the caller. */
  readonly pins: Pins
  /** Sub-phases that a profile notes with each leaf. */
  readonly #subPhases: readonly string[]
  readonly #leaves = new Map<number, Leaf>()

  constructor(place: FetchPlace, pins: Pins, subPhases: readonly string[]) {
    this.place = place
    this.pins = pins
    this.#subPhases = subPhases
  }

  /** A leaf without scratch: its columns, ids and statistics can be read. */
  leaf(snapshotLeaf: SnapshotLeaf): Leaf {
    let leaf = this.#leaves.get(snapshotLeaf.ord)
    if (leaf === undefined) {
      leaf = this.#open(snapshotLeaf)
      this.#leaves.set(snapshotLeaf.ord, leaf)
    }
    return leaf
  }

  #open(snapshotLeaf: SnapshotLeaf): Leaf {
    const { searcher, profiler } = this.place
    const open = (): Leaf => searcher.openLeaf(snapshotLeaf, this.pins, null)
    if (profiler === null) return open()
    const leaf = profiler.step('get_next_reader', open)
    profiler.nextReader(this.#subPhases)
    return leaf
  }
}
