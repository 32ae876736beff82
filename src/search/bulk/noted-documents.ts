/** The documents of a filter beside the search's own, noted as bits where that is cheaper than looking single ones up. */
import type { Leaf } from '../../segment/leaf.ts'
import { termBitSetBytes } from '../../segment/term-bit-sets.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import type { Weight } from '../weight/weight.ts'
import { bitsBytes, keptScratch } from './bulk-scratch.ts'
import { CursorMaker } from './cursor-maker.ts'
import { DocumentSets, ENTRIES_OF_LOOK_UP, NO_STATES } from './document-sets.ts'
import { CURSOR_BUFFER_BYTES, CURSOR_BYTES } from './plan-record.ts'
import { setCost } from './set-cost.ts'

const ALIGNMENT = 64

/** Scratch that noting takes beside the bits, while it runs. */
export function notingBytes(maxDoc: number): number {
  const cursors = 2 * (CURSOR_BYTES + CURSOR_BUFFER_BYTES)
  return cursors + termBitSetBytes(maxDoc) + 8 * ALIGNMENT
}

/**
 * How many documents may be looked up in a filter for what it costs to note all of its documents in a leaf; Infinity:
 * they are never noted.
 */
export function lookUpsOfNoting(weight: Weight, leaf: Leaf, leafOrd: number): number {
  const cost = setCost(weight.root, weight.leaves[leafOrd] ?? NO_STATES, leaf)
  return cost / ENTRIES_OF_LOOK_UP
}

/**
 * Notes the documents that a weight matches.
 * @param bits      address of `bitsBytes` in the leaf's scratch
 * @param contextOf the scorer context of a weight's nodes
 * @returns false where there is no room to do it
 */
export function noteDocuments(
  weight: Weight,
  leaf: Leaf,
  leafOrd: number,
  bits: number,
  contextOf: (weight: Weight) => ScorerContext,
): boolean {
  const { scratch, maxDoc } = leaf
  const shared = keptScratch(scratch)
  const mark = scratch.mark()
  if (shared === undefined || scratch.tryAllocate(notingBytes(maxDoc)) < 0) return false
  scratch.release(mark)
  const part = { leafOrd, minDoc: 0, maxDoc }
  leaf.kernels.fillBits(bits, bitsBytes(maxDoc), 0)
  new DocumentSets(leaf, new CursorMaker(leaf, shared), part, contextOf).note(
    bits,
    weight.root,
    weight,
  )
  scratch.release(mark)
  return true
}
