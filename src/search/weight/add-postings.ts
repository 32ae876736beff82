/** Adds postings to bit sets, with the watch's step costs. */
import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { BitSet } from '../../util/bit-set.ts'
import type { ScorerContext } from './scorer-context.ts'

/** Steps charged to the watch for opening a term's postings. */
export const STEPS_PER_TERM = 8
/** Loops check the watch once in this many steps, plus one. */
export const MASK_OF_STEPS = 1023

/** Adds a term's documents to a bit set. */
export function addPostings(
  bits: BitSet,
  field: string,
  state: TermState,
  context: ScorerContext,
): void {
  // The iterator is not used after this call, so its scratch is free again.
  const { scratch } = context.leaf
  const mark = scratch.mark()
  const postings = context.leaf.postings(field, state)
  let steps = 0
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
    bits.add(doc)
    if ((++steps & MASK_OF_STEPS) === 0) context.watch.spend(MASK_OF_STEPS)
  }
  context.watch.spend(STEPS_PER_TERM + (steps & MASK_OF_STEPS))
  scratch.release(mark)
}
