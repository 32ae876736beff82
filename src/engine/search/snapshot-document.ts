import type { Leaf } from '../../segment/leaf.ts'
import type { Snapshot, SnapshotLeaf } from '../../segment/snapshot.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import type { ShardLeaves } from './shard-leaves.ts'

/** A document in its leaf, which is open. */
export interface FoundDocument {
  readonly snapshotLeaf: SnapshotLeaf
  readonly leaf: Leaf
  readonly docId: number
}

/** The live document of an id, in the newest segment that has one; null for none. */
export function documentOf(
  { leaves }: Snapshot,
  at: ShardLeaves,
  id: string,
): FoundDocument | null {
  const bytes = encodeUtf8(id)
  for (let ord = leaves.length - 1; ord >= 0; ord--) {
    const { live } = leaves[ord]!
    const leaf = at.leaves[ord]!
    const accept = live === null ? undefined : (doc: number): boolean => live.bits.has(doc)
    const docId = leaf.ids().lookup(bytes, accept)
    if (docId >= 0) return { snapshotLeaf: leaves[ord]!, leaf, docId }
  }
  return null
}
