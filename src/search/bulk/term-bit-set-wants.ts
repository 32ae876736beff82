/** Which terms of a search want bit sets of their documents, and making them. */
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafStates } from '../weight/weight.ts'
import { sharedScratch } from './bulk-scratch.ts'
import type { BulkShape } from './bulk-shape.ts'
import { CursorMaker } from './cursor-maker.ts'
import { damageOf } from './damaged-postings.ts'

/** A term of a search: its field and its ord among the weight's terms. */
export interface WantedTerm {
  readonly field: string
  readonly termId: number
}

/** Max postings of a term whose bit set is made on the event loop: about a millisecond. */
const MAX_POSTINGS = 1 << 20

/** The terms of a shape that are probed by document: none when one term is all there is. */
export function wantedTerms(shape: BulkShape): readonly WantedTerm[] {
  const { alternatives } = shape
  return alternatives.length === 0
    ? ownTerms(shape)
    : [shape, ...alternatives].flatMap(each => ownTerms(each))
}

function ownTerms(shape: BulkShape): readonly WantedTerm[] {
  const { required, optional, filterTerms, filters, prohibited, phrase } = shape
  const terms: WantedTerm[] = []
  for (const { node } of required) terms.push(node)
  for (const clause of optional) if (clause.kind === 'term') terms.push(clause.node)
  for (const { node } of filterTerms) terms.push(node)
  for (const node of prohibited) if (node.kind === 'term') terms.push(node)
  for (const termId of phrase?.termIds ?? []) terms.push({ field: phrase!.field, termId })
  return terms.length + filters.length > 1 ? terms : []
}

/**
 * Counts a use of each term's bit set and makes those that are due.
 * @throws {CorruptSegmentError} the leaf's bytes are corrupt behind a valid checksum
 */
export function makeTermBitSets(
  leaf: Leaf,
  terms: readonly WantedTerm[],
  states: LeafStates | undefined,
): void {
  if (leaf.termBitSets === null) return
  const cursors = new CursorMaker(leaf, sharedScratch(leaf.scratch, leaf.views))
  for (const { field, termId } of terms) {
    const state = states?.terms[termId] ?? null
    if (state === null || state.docFreq > MAX_POSTINGS) continue
    try {
      cursors.bitsOf(field, state)
    } catch (error) {
      throw damageOf(leaf, error)
    }
  }
}
