/** How many documents have a field, from statistics alone. */
import type { Leaf } from '../../segment/leaf.ts'
import type { Weight, WeightNode } from './weight.ts'

/**
 * The live documents that an `exists` node matches in a shard; −1 where a search has to look: a leaf with
 * deletes in which some documents lack the field, or in which it is listed for some and has norms for
 * others.
 */
export function existsCount(
  weight: Weight,
  { field, nameId }: Extract<WeightNode, { kind: 'exists' }>,
  leaves: readonly Leaf[],
): number {
  let matches = 0
  for (const leaf of leaves) {
    const listed =
      nameId === null ? null : (weight.leaves[leaf.ord]?.terms[nameId]?.docFreq ?? null)
    const own = ownCount(leaf, field)
    if (listed !== null && own !== null) return -1
    const count = listed ?? own ?? 0
    if (count === leaf.maxDoc) matches += leaf.numDocs
    else if (leaf.numDocs < leaf.maxDoc) return -1
    else matches += count
  }
  return matches
}

/** Documents of a leaf with the field's doc value or norm; null where the leaf keeps neither. */
function ownCount(leaf: Leaf, field: string): number | null {
  const info = leaf.fieldInfo(field)
  if (info?.docValues === 'numeric') return leaf.numericValues(field)?.docCount ?? null
  if (info?.docValues === 'ordinals') return leaf.ordinals(field)?.values.docCount ?? null
  return info?.hasNorms === true ? (leaf.norms(field)?.docCount ?? null) : null
}
