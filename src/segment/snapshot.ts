/** Snapshots of a shard: immutable lists of segments with their live docs. */
import type { ArenaRange } from '../store/arena-pool.ts'
import type { BitSet } from '../util/bit-set.ts'
import { liveDocsBytes } from './live-docs.ts'
import type { Segment } from './segment.ts'
import type { SegmentMemory } from './segment-memory.ts'

/** One generation of a segment's live docs, and their copy in its arena. */
export class LiveDocsCopy {
  readonly bits: BitSet
  readonly liveCount: number
  /** Documents that are not deleted, nested ones included, which are not live for searches. */
  readonly keptCount: number
  readonly #memory: SegmentMemory
  readonly #segment: Segment
  #range: ArenaRange | null = null
  #count = 1

  /**
   * @param bits set while a document is live; never changed again
   * @param keptCount where some are nested; null: as many as are live
   */
  constructor(
    memory: SegmentMemory,
    segment: Segment,
    bits: BitSet,
    keptCount: number | null = null,
  ) {
    this.#memory = memory
    this.#segment = segment
    this.bits = bits
    this.liveCount = bits.count()
    this.keptCount = keptCount ?? this.liveCount
  }

  /** Address of the bits in the segment's home arena; copied there on first use. */
  address(): number {
    if (this.#range === null) {
      const bytes = liveDocsBytes(this.bits.size)
      const { words } = this.bits
      this.#range = this.#memory.allocate(this.#segment, bytes)
      const { i32 } = this.#memory.arenas.arenas[this.#range.arena]!.views
      const start = this.#range.start >> 2
      i32.set(words, start)
      i32.fill(0, start + words.length, start + bytes / 4)
    }
    return this.#range.start
  }

  acquire(): void {
    this.#count++
  }

  release(): void {
    this.#count--
    if (this.#count > 0 || this.#range === null) return
    this.#memory.free(this.#range)
    this.#range = null
  }
}

/** One segment in a snapshot. */
export interface SnapshotLeaf {
  readonly segment: Segment
  /** Null when no document is deleted. */
  readonly live: LiveDocsCopy | null
  readonly ord: number
  readonly docBase: number
  readonly liveCount: number
  /** Documents that are not deleted, nested ones included. */
  readonly keptCount: number
}

/** All documents of a leaf, in the form of a leaf part. */
interface WholeLeaf {
  /** Ord of the leaf in the snapshot. */
  readonly leafOrd: number
  readonly minDoc: number
  readonly maxDoc: number
}

/**
 * An immutable list of leaves with their live docs: the view of a shard that one or more searches
 * use. Leaves are sorted by lowest sequence number, so that document order is order of arrival.
 */
export class Snapshot {
  readonly leaves: readonly SnapshotLeaf[]
  /** All documents of all leaves. */
  readonly parts: readonly WholeLeaf[]
  /** Rises with every refresh that changed anything. */
  readonly generation: number
  readonly maxDoc: number
  readonly numDocs: number
  /** Documents that are not deleted, nested ones included. */
  readonly keptDocs: number
  #count = 1

  constructor(
    generation: number,
    parts: readonly { readonly segment: Segment; readonly live: LiveDocsCopy | null }[],
  ) {
    this.generation = generation
    let docBase = 0
    let numDocs = 0
    let keptDocs = 0
    this.leaves = parts.map(({ segment, live }, ord) => {
      segment.acquire()
      live?.acquire()
      const liveCount = live === null ? segment.maxDoc : live.liveCount
      const keptCount = live === null ? liveCount : live.keptCount
      const leaf = { segment, live, ord, docBase, liveCount, keptCount }
      docBase += segment.maxDoc
      numDocs += liveCount
      keptDocs += keptCount
      return leaf
    })
    this.parts = parts.map(({ segment }, i) => ({ leafOrd: i, minDoc: 0, maxDoc: segment.maxDoc }))
    this.maxDoc = docBase
    this.numDocs = numDocs
    this.keptDocs = keptDocs
  }

  acquire(): this {
    this.#count++
    return this
  }

  release(): void {
    this.#count--
    if (this.#count > 0) return
    for (const { segment, live } of this.leaves) {
      live?.release()
      segment.release()
    }
  }

  /** The leaf that holds a global doc ID. */
  leafOf(globalDoc: number): SnapshotLeaf {
    let low = 0
    let high = this.leaves.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.leaves[middle]!.docBase <= globalDoc) low = middle
      else high = middle - 1
    }
    return this.leaves[low]!
  }
}
