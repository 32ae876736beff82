/** Which filters are worth caching between searches, and their cache keys. */
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { WeightNode } from '../weight/weight-node.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'
import type { BulkShape } from './bulk-shape.ts'

/** A cached filter: equal keys mean equal documents in every segment. */
export interface KeptFilter {
  readonly key: string
  /** Min number of recent uses on a segment before the filter is cached. */
  readonly minUses: number
}

/** Max UTF-16 units of a cache key, a few thousand terms; longer ones are not cached. */
const LONGEST_KEY = 65_536

const known = new WeakMap<WeightNode, KeptFilter | null>()

/** Null for queries that are not cached: single terms and ids are as cheap to read again. */
export function keptFilter(node: WeightNode): KeptFilter | null {
  let filter = known.get(node)
  if (filter === undefined) {
    filter = makeFilter(node)
    known.set(node, filter)
  }
  return filter
}

/** The nodes of a search whose sets may be cached; those of the post filter last. */
export function keptNodes(shape: BulkShape, spec: CollectSpec): readonly WeightNode[] {
  const nodes: WeightNode[] = []
  addKept(nodes, shape)
  for (const each of shape.alternatives) addKept(nodes, each)
  if (spec.postFilter !== null && keptFilter(spec.postFilter.root) !== null)
    nodes.push(spec.postFilter.root)
  return nodes
}

function addKept(nodes: WeightNode[], { filters, prohibited, optional }: BulkShape): void {
  for (const node of filters) if (keptFilter(node) !== null) nodes.push(node)
  for (const node of prohibited) if (keptFilter(node) !== null) nodes.push(node)
  for (const { kind, node } of optional)
    if (kind === 'set' && keptFilter(node) !== null) nodes.push(node)
}

function makeFilter(node: WeightNode): KeptFilter | null {
  const minUses = WEIGHT_OPS.minUsesToCache(node)
  if (minUses === null) return null
  const key = WEIGHT_OPS.cacheKey(node)
  return key === null || key.length > LONGEST_KEY ? null : { key, minUses }
}
