/**
 * Splits a part of a leaf into ranges when all matches score the same: the first matches in
 * document order are the hits, so later ranges need not be read.
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { LeafStates } from '../weight/weight.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'
import type { BulkShape } from './bulk-shape.ts'
import { keptFilter, keptNodes } from './kept-filter.ts'

/** Range boundaries are multiples of this, so that ranges share few words of a bit set. */
const STEP = 128
/** Safety factor of the estimate: matches cluster, and estimates count some twice. */
const SPARE = 32
const SPARE_PART = 0.5

/** Whether all matches of a shape score the same, so that the first ones are the hits. */
export function takesFirst(shape: BulkShape, spec: CollectSpec): boolean {
  const { required, phrase, optional, filters } = shape
  if (required.length + optional.length > 0 || phrase !== null || filters.length === 0) return false
  return spec.sort === null && spec.postFilter === null && spec.others.length === 0
}

/**
 * How many documents to search first to find `wanted` matches.
 * @returns a multiple of `STEP`; Infinity: all at once, because the sets cost the same for any
 *   range or one of them is cached or about to be
 */
export function firstRange(
  shape: BulkShape,
  spec: CollectSpec,
  states: LeafStates,
  leaf: Leaf,
  wanted: number,
): number {
  let matches = leaf.maxDoc
  for (const node of shape.filters)
    matches = Math.min(matches, WEIGHT_OPS.matches(node, states, leaf))
  for (const { node } of shape.filterTerms)
    matches = Math.min(matches, states.terms[node.termId]?.docFreq ?? 0)
  for (const node of shape.prohibited)
    if (Number.isNaN(WEIGHT_OPS.matches(node, states, leaf))) return Number.POSITIVE_INFINITY
  const docs = ((wanted * (1 + SPARE_PART) + SPARE) * leaf.maxDoc) / matches
  // NaN: the cost of sets that cannot be made in part is unknown.
  if (!(docs < leaf.maxDoc / 2)) return Number.POSITIVE_INFINITY
  const { keptSets } = leaf
  if (keptSets !== null)
    for (const node of keptNodes(shape, spec)) {
      const { key, minUses } = keptFilter(node)!
      if (keptSets.isDue(key, minUses)) return Number.POSITIVE_INFINITY
    }
  return STEP * Math.ceil(docs / STEP)
}
