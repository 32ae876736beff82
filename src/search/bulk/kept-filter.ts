/** Which filters are worth keeping from search to search, and under what key. */
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { WeightNode } from '../weight/weight.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'
import type { BulkShape } from './bulk-shape.ts'

/** A filter as it is kept: two with the same key have the same documents in every segment. */
export interface KeptFilter {
  readonly key: string
  /** How often a segment must have been asked for it of late. */
  readonly minUses: number
}

/** Filters of so many units are not told apart any more: a few thousand terms. */
const LONGEST_KEY = 65_536

const known = new WeakMap<WeightNode, KeptFilter | null>()

/** Null for what is not kept: a single term is as cheap to read anew, and so are ids. */
export function keptFilter(node: WeightNode): KeptFilter | null {
  let filter = known.get(node)
  if (filter === undefined) {
    filter = makeFilter(node)
    known.set(node, filter)
  }
  return filter
}

/** The nodes of a search whose sets may be kept; those of the post filter last. */
export function keptNodes(shape: BulkShape, spec: CollectSpec): readonly WeightNode[] {
  const nodes: WeightNode[] = []
  for (const node of shape.filters) if (keptFilter(node) !== null) nodes.push(node)
  for (const node of shape.prohibited) if (keptFilter(node) !== null) nodes.push(node)
  for (const { kind, node } of shape.optional)
    if (kind === 'set' && keptFilter(node) !== null) nodes.push(node)
  if (spec.postFilter !== null && keptFilter(spec.postFilter.root) !== null)
    nodes.push(spec.postFilter.root)
  return nodes
}

function makeFilter(node: WeightNode): KeptFilter | null {
  const minUses = WEIGHT_OPS.minUsesToCache(node)
  if (minUses === null) return null
  const key = WEIGHT_OPS.cacheKey(node)
  return key === null || key.length > LONGEST_KEY ? null : { key, minUses }
}
