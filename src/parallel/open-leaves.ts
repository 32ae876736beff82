import type { Kernels } from '../kernels/kernel-module.ts'
import { firstSection, type SectionUse } from '../search/weight/section-use.ts'
import { Leaf, type LeafRecord } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import { Scratch } from '../segment/scratch.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { SnapshotLeaf } from '../segment/snapshot.ts'
import type { TermFrequencyFilter } from '../segment/uninvert.ts'
import type { ArenaRange } from '../store/arena-pool.ts'
import { appended } from '../util/lists.ts'

/** Max scratch kept between searches. */
const KEPT_SCRATCH_BYTES = 4 << 20

/** Scratch of the coordinating thread in one arena. */
interface OwnScratch {
  readonly scratch: Scratch
  range: ArenaRange | null
}

/**
 * Cache of leaves that the coordinating thread keeps open, so that a cheap search pays neither for
 * opening dictionaries nor for scratch. A search runs without yielding on this thread: its sections
 * are pinned meanwhile, and addresses of evicted sections are dropped.
 */
export class OpenLeaves {
  readonly #memory: SegmentMemory
  readonly #kernels: (arena: number) => Kernels
  readonly #recordOf: (leaf: SnapshotLeaf) => LeafRecord
  readonly #scratches = new Map<number, OwnScratch>()
  #leaves = new WeakMap<SnapshotLeaf, Leaf>()
  #evictions = 0
  /** Pins of the search being prepared; null: nothing is loaded. */
  #pins: Pins | null = null

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
   * Runs a synchronous function over leaves that load sections on demand.
   * @param run called again if a section that it may have read was evicted for another one; pins
   *            persist, so that this terminates
   */
  loading<T>(leaves: readonly SnapshotLeaf[], pins: Pins, run: (leaves: readonly Leaf[]) => T): T {
    for (;;) {
      this.#forgetEvicted()
      this.#pins = pins
      try {
        const result = run(this.#leavesOf(leaves))
        if (this.#memory.evictions === this.#evictions) return result
      } finally {
        this.#pins = null
      }
    }
  }

  /** Loads and pins the sections of some leaves. */
  load(leaves: readonly SnapshotLeaf[], uses: readonly SectionUse[], pins: Pins): void {
    do {
      this.#forgetEvicted()
      for (let i = 0; i < leaves.length; i++) this.#loadLeaf(leaves[i]!, uses, pins)
    } while (this.#memory.evictions !== this.#evictions)
  }

  #loadLeaf(snapshotLeaf: SnapshotLeaf, uses: readonly SectionUse[], pins: Pins): void {
    const leaf = this.leaf(snapshotLeaf)
    for (let i = 0; i < uses.length; i++) {
      const { field, kinds, fieldData } = uses[i]!
      const number = field === '' ? -1 : leaf.fieldInfo(field)?.number
      if (number === undefined) continue
      for (let bits = kinds; bits !== 0; bits &= bits - 1) {
        const address = this.#memory.pin(snapshotLeaf.segment, firstSection(bits), number, pins)
        if (address !== null) leaf.addSection(address)
      }
      if (fieldData !== undefined) this.#loadFieldData(snapshotLeaf, leaf, field, fieldData, pins)
    }
  }

  #loadFieldData(
    { segment }: SnapshotLeaf,
    leaf: Leaf,
    field: string,
    filter: TermFrequencyFilter,
    pins: Pins,
  ): void {
    const info = leaf.fieldInfo(field)!
    const address = this.#memory.fieldData.load(segment, info, filter, leaf.kernels, pins)
    if (address !== null) leaf.addSection(address)
  }

  #leavesOf(leaves: readonly SnapshotLeaf[]): readonly Leaf[] {
    let opened: Leaf[] = []
    for (let i = 0; i < leaves.length; i++) opened = appended(opened, this.leaf(leaves[i]!))
    return opened
  }

  /** Discards all leaves, and what they have taken of scratch, after one has failed during a search. */
  clear(): void {
    this.#leaves = new WeakMap()
    for (const { scratch, range } of this.#scratches.values())
      if (range !== null) scratch.moveTo(range.start, range.bytes)
  }

  /**
   * Grows the scratch of an arena to a minimum size; it must not be in use.
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

  /** Frees scratch that is too large to keep. */
  settle(): void {
    for (const own of this.#scratches.values())
      if (own.range !== null && own.range.bytes > KEPT_SCRATCH_BYTES) this.#free(own)
  }

  /**
   * A cached leaf with the addresses of all its loaded sections; valid until anything else is
   * loaded.
   * @param bytes min scratch of its arena
   * @returns null when it is not cached, or sections were evicted since
   */
  openLeaf(snapshotLeaf: SnapshotLeaf, bytes: number): Leaf | null {
    if (this.#memory.evictions !== this.#evictions) return null
    const leaf = this.#leaves.get(snapshotLeaf)
    return leaf === undefined || leaf.scratch.bytes < bytes ? null : leaf
  }

  /** A leaf; during `loading` it loads sections on demand, otherwise it has only those loaded. */
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
      {
        section: (kind, field) =>
          this.#pins === null
            ? null
            : this.#memory.pin(snapshotLeaf.segment, kind, field, this.#pins),
        fieldData: (field, filter, kernels) =>
          this.#pins === null
            ? null
            : this.#memory.fieldData.load(snapshotLeaf.segment, field, filter, kernels, this.#pins),
        reserveScratch: bytes => this.#pins !== null && this.reserve(record.arena, bytes),
        derivedTerms: (kind, field, termCount, make) =>
          this.#memory[kind].find(snapshotLeaf.segment, field, termCount, make),
        ordinalMaps: (key, make) =>
          this.#memory.fieldData.ordinalMaps.of(snapshotLeaf.segment, key, make),
      },
      this.#memory.filters.of(snapshotLeaf.segment),
      this.#memory.termBitSets.of(snapshotLeaf.segment),
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
