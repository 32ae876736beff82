/** Searches that go on in the order of documents: they begin where the one before has ended. */
import type { CollectSpec, LeafPart } from '../search/collector/collect-spec.ts'
import type { Snapshot } from '../segment/snapshot.ts'

type Order = Pick<CollectSpec, 'sort' | 'searchAfter' | 'isInLeafOrder'>

/** Whether a search takes documents as leaves have them, and ends with the best. */
export function goesByDocument({ sort, isInLeafOrder }: Order): boolean {
  return isInLeafOrder && isByDocument(sort)
}

/** Whether documents are sorted as leaves have them anyway. */
export function isByDocument(sort: CollectSpec['sort']): boolean {
  const first = sort?.[0]
  return first?.kind === 'doc' && !first.descending
}

/** The first document that a search may find, counted over all leaves. */
function firstDocument(spec: Order): number {
  const first = spec.sort?.[0]
  const after = spec.searchAfter?.[0]
  if (!goesByDocument(spec) || first?.kind !== 'doc' || typeof after !== 'number') return 0
  return Math.max(0, after - (first.base ?? 0))
}

/** Parts without the documents ahead of the first that a search may find. */
export function partsAhead<P extends LeafPart>(
  { leaves }: Snapshot,
  spec: Order,
  parts: readonly P[],
): readonly LeafPart[] {
  const first = firstDocument(spec)
  if (first === 0) return parts
  return parts.flatMap(({ leafOrd, minDoc, maxDoc }) => {
    const start = Math.max(minDoc, first - leaves[leafOrd]!.docBase)
    return start < maxDoc ? [{ leafOrd, minDoc: start, maxDoc }] : []
  })
}
