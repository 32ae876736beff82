import type { SectionUse } from '../search/weight/weight.ts'
import type { KeptSetPlace } from '../segment/kept-sets.ts'
import type { LeafRecord, SectionPlace } from '../segment/leaf.ts'
import type { Pins, SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../segment/snapshot.ts'
import { EngineError } from '../util/errors.ts'
import type { OpenLeaves } from './open-leaves.ts'
import type { PreparedSearch } from './prepare.ts'

/** Loads and pins what slices read. */
export class LeafLoading {
  readonly #memory: SegmentMemory
  readonly #open: OpenLeaves

  constructor(memory: SegmentMemory, open: OpenLeaves) {
    this.#memory = memory
    this.#open = open
  }

  /**
   * Loads and pins all that the slices read.
   * @returns false when it does not fit memory together; nothing is pinned then
   * @throws {EngineError} `circuit_breaking_exception` when the search must see all leaves at once
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
    this.#open.loading(pins, leafOf => {
      for (const leaf of leaves)
        for (const place of this.sections(leaf, prepared.sections, pins))
          leafOf(leaf).addSection(place)
    })
  }

  sections(leaf: SnapshotLeaf, uses: readonly SectionUse[], pins: Pins): SectionPlace[] {
    const places: SectionPlace[] = []
    for (const { field, section } of uses) {
      const number = fieldNumber(leaf, field, section)
      const place = number === null ? null : this.#memory.pin(leaf.segment, section, number, pins)
      if (place !== null) places.push(place)
    }
    return places
  }
}

/**
 * A leaf as the record that crosses threads.
 * @param uses what a slice reads, for the fields that it must know; null: all fields
 */
export function recordOf(
  memory: SegmentMemory,
  leaf: SnapshotLeaf,
  sections: readonly SectionPlace[],
  keptSets: readonly KeptSetPlace[],
  uses: readonly SectionUse[] | null,
): LeafRecord {
  const { segment, live, ord, docBase, liveCount } = leaf
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
  }
}

function fieldNumber(
  leaf: SnapshotLeaf,
  field: string,
  section: SectionUse['section'],
): number | null {
  if (section === 'ids') return -1
  return leaf.segment.fields.get(field)?.number ?? null
}
