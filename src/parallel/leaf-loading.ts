import { firstSection, type SectionUse } from '../search/weight/section-use.ts'
import type { KeptSetAddress } from '../segment/kept-sets.ts'
import type { LeafRecord, SectionAddress } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../segment/snapshot.ts'
import { EngineError } from '../util/errors.ts'
import type { OpenLeaves } from './open-leaves.ts'
import type { PreparedSearch } from './prepare.ts'

/** Loads and pins the sections that slices read. */
export class LeafLoading {
  readonly #memory: SegmentMemory
  readonly #open: OpenLeaves

  constructor(memory: SegmentMemory, open: OpenLeaves) {
    this.#memory = memory
    this.#open = open
  }

  /**
   * Loads and pins all sections that the slices read.
   * @returns false when they do not fit into memory together; nothing is pinned then
   * @throws {EngineError} `circuit_breaking_exception` when the search needs all leaves at once
   */
  all(snapshot: Snapshot, prepared: PreparedSearch, pins: Pins): boolean {
    try {
      this.leaves(snapshot.leaves, prepared, pins)
      return true
    } catch (error) {
      const isFull = error instanceof EngineError && error.type === 'circuit_breaking_exception'
      const mayPart = snapshot.leaves.length > 1 && prepared.spec.terminateAfter === 0
      if (!isFull || !mayPart) throw error
      pins.release()
      return false
    }
  }

  leaves(leaves: readonly SnapshotLeaf[], prepared: PreparedSearch, pins: Pins): void {
    this.#open.load(leaves, prepared.sections, pins)
  }

  sections(leaf: SnapshotLeaf, uses: readonly SectionUse[], pins: Pins): SectionAddress[] {
    const addresses: SectionAddress[] = []
    for (const { field, kinds, fieldData } of uses) {
      const number = field === '' ? -1 : leaf.segment.fields.get(field)?.number
      if (number === undefined) continue
      for (let bits = kinds; bits !== 0; bits &= bits - 1) {
        const address = this.#memory.pin(leaf.segment, firstSection(bits), number, pins)
        if (address !== null) addresses.push(address)
      }
      // Loaded for the leaf on this thread, by this search's pins.
      const own = fieldData && this.#memory.fieldData.pin(leaf.segment, number, pins)
      if (own) addresses.push(own)
    }
    return addresses
  }
}

/**
 * The record of a leaf that crosses threads.
 * @param uses sections that a slice reads, for the fields that it needs; null: all fields
 */
export function recordOf(
  memory: SegmentMemory,
  leaf: SnapshotLeaf,
  sections: readonly SectionAddress[],
  keptSets: readonly KeptSetAddress[],
  uses: readonly SectionUse[] | null,
): LeafRecord {
  const { segment, live, ord, docBase, liveCount, keptCount } = leaf
  const names = uses === null ? null : new Set(uses.map(use => use.field))
  const fields = [...segment.fields.values()]
  return {
    uid: segment.uid,
    name: segment.stem,
    ord,
    docBase,
    maxDoc: segment.maxDoc,
    arena: memory.homeOf(segment),
    fields: names === null ? fields : fields.filter(field => names.has(field.name)),
    sections,
    keptSets,
    liveDocs: live === null ? -1 : live.address(),
    liveCount,
    keptCount,
  }
}
