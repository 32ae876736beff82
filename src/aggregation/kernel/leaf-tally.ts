import type { GatherNotes } from '../../search/collector/gather.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import type { PointCounts } from './point-counts.ts'

/** Counts the leaves of an aggregator by how it answered them, for a profile. */
export class LeafTally {
  #counted = 0
  #collected = 0
  #leafVisited = 0
  #innerVisited = 0

  /** Notes a leaf that was counted from its points. */
  addCounted({ leafVisited, innerVisited }: PointCounts): void {
    this.#counted++
    this.#leafVisited += leafVisited
    this.#innerVisited += innerVisited
  }

  /** Notes a leaf whose documents are collected. */
  addCollected(): void {
    this.#collected++
  }

  /** Empty unless some leaf was counted. */
  notes(): GatherNotes {
    if (this.#counted === 0) return NO_NOTES
    return {
      optimized_segments: this.#counted,
      unoptimized_segments: this.#collected,
      leaf_visited: this.#leafVisited,
      inner_visited: this.#innerVisited,
    }
  }
}
