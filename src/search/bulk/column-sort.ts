import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart, SliceHit } from '../collector/collect-spec.ts'

/**
 * The first hits of a slice by one column, which kernels read: of matches that are given as bits, or of a
 * term's postings.
 */
export interface ColumnSort {
  /** Whether all documents of the leaf have at most one value, in blocks: the kernel reads one each. */
  canSort(leaf: Leaf): boolean
  /** @param matches address of their bits, all 0 outside the part */
  takeMatches(leaf: Leaf, part: LeafPart, matches: number): void
  /**
   * Collects the documents of one term.
   * @param cursor address of its record
   * @param accept address of the bits of accepted documents; 0: all
   * @param counts whether all matches must be counted, even where none can be a hit
   * @returns how many were counted
   */
  takeTerm(leaf: Leaf, part: LeafPart, cursor: number, accept: number, counts: boolean): number
  /** In sort order. */
  hits(): SliceHit[]
  /** NaN: scores are not wanted. */
  maxScore(): number
}
