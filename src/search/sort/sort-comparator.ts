import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { NestedDocs } from './nested-docs.ts'
import type { SortValue } from './sort-key.ts'

/** One level of a sort over the slots of a heap. */
export interface SortComparator {
  /** @param nested documents whose values count; null: those of the hit itself, or the leaf has no others */
  openLeaf(leaf: Leaf, nested: NestedDocs | null): void
  setScorer(scorer: Pick<Scorer, 'score'>): void
  /** Reads the candidate's value. */
  load(docId: number): void
  /** Compares the candidate with a slot. */
  compareSlot(slot: number): number
  /** Compares the candidate with the values of `searchAfter`. */
  compareAfter(): number
  /** Stores the candidate's value in a slot. */
  store(slot: number): void
  compareSlots(a: number, b: number): number
  value(slot: number): SortValue
}
