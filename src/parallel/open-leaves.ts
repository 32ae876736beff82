import type { Kernels } from '../kernels/kernel-module.ts'
import { Leaf, type LeafRecord } from '../segment/leaf.ts'
import { Scratch } from '../segment/scratch.ts'
import type { Pins, SegmentMemory } from '../segment/segment-memory.ts'
import type { SnapshotLeaf } from '../segment/snapshot.ts'
import type { ArenaRange } from '../store/arena-pool.ts'

/** Scratch up to this size is kept from search to search. */
const KEPT_SCRATCH_BYTES = 4 << 20

/** Scratch of the coordinating thread in one arena. */
interface OwnScratch {
  readonly scratch: Scratch
  range: ArenaRange | null
}

/**
 * Leaves that the coordinating thread keeps open from search to search, so that a cheap search pays
 * neither for opening dictionaries nor for scratch. A search runs in one go on this thread: its
 * sections are pinned while it does, and places of sections that have left since are forgotten.
 */
export class OpenLeaves {
  readonly #memory: SegmentMemory
  readonly #kernels: (arena: number) => Kernels
  readonly #recordOf: (leaf: SnapshotLeaf) => LeafRecord
  readonly #scratches = new Map<number, OwnScratch>()
  #leaves = new WeakMap<SnapshotLeaf, Leaf>()
  #evictions = 0
  /** Of the search that is being prepared; null: nothing is loaded. */
  #pins: Pins | null = null
  readonly #leafOf = (leaf: SnapshotLeaf): Leaf => this.leaf(leaf)

  /** @param recordOf a leaf with all its fields and no sections */
  constructor(
    memory: SegmentMemory,
    kernels: (arena: number) => Kernels,
    recordOf: (leaf: SnapshotLeaf) => LeafRecord,
  ) {
    this.#memory = memory
    this.#kernels = kernels
    this.#recordOf = recordOf
  }

  /**
   * Runs something that must not wait, with leaves that load what is asked of them.
   * @param run called again when a section that it may have read had to leave for another one; what
   *   was pinned then stays pinned, so that this ends
   */
  loading<T>(pins: Pins, run: (leafOf: (leaf: SnapshotLeaf) => Leaf) => T): T {
    for (;;) {
      this.#forgetEvicted()
      this.#pins = pins
      try {
        const result = run(this.#leafOf)
        if (this.#memory.evictions === this.#evictions) return result
      } finally {
        this.#pins = null
      }
    }
  }

  /** Forgets all leaves, after one has failed in the middle of a search. */
  clear(): void {
    this.#leaves = new WeakMap()
  }

  /**
   * Makes the scratch of an arena at least so large; nobody may be using it.
   * @returns false when the arena has no room for it
   */
  reserve(arena: number, bytes: number): boolean {
    const own = this.#scratchOf(arena)
    if (own.range !== null && own.range.bytes >= bytes) return true
    this.#free(own)
    own.range = this.#memory.allocateScratch(arena, bytes)
    if (own.range === null) return false
    own.scratch.moveTo(own.range.start, own.range.bytes)
    return true
  }

  /** Gives back scratch that is too large to be kept. */
  settle(): void {
    for (const own of this.#scratches.values())
      if (own.range !== null && own.range.bytes > KEPT_SCRATCH_BYTES) this.#free(own)
  }

  /** A leaf; while something is loading with the sections that it is asked for, else with those it has. */
  leaf(snapshotLeaf: SnapshotLeaf): Leaf {
    let leaf = this.#leaves.get(snapshotLeaf)
    if (leaf !== undefined) return leaf
    const record = this.#recordOf(snapshotLeaf)
    const { views } = this.#memory.arenas.arenas[record.arena]!
    leaf = new Leaf(
      record,
      views,
      this.#kernels(record.arena),
      this.#scratchOf(record.arena).scratch,
      (kind, field) =>
        this.#pins === null
          ? null
          : this.#memory.pin(snapshotLeaf.segment, kind, field, this.#pins),
      this.#memory.filters.of(snapshotLeaf.segment),
      this.#memory.termSets.of(snapshotLeaf.segment),
    )
    this.#leaves.set(snapshotLeaf, leaf)
    return leaf
  }

  #scratchOf(arena: number): OwnScratch {
    let own = this.#scratches.get(arena)
    if (own === undefined) {
      own = { scratch: new Scratch(0, 0), range: null }
      this.#scratches.set(arena, own)
    }
    return own
  }

  #free(own: OwnScratch): void {
    if (own.range !== null) this.#memory.arenas.free(own.range)
    own.range = null
    own.scratch.moveTo(0, 0)
  }

  #forgetEvicted(): void {
    if (this.#memory.evictions === this.#evictions) return
    this.#evictions = this.#memory.evictions
    this.#leaves = new WeakMap()
  }
}
