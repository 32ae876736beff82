import { explainDocument } from '../../search/explain.ts'
import { MATCH_ALL } from '../../search/query/query.ts'
import type { ReadTarget } from '../document/read-target.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { columnValue } from '../fetch/column-value.ts'
import { withScratch } from '../fetch/with-scratch.ts'
import type { Node } from '../node/node.ts'
import { lookInto, type ShardLeaves, scoringWeight } from './shard-leaves.ts'
import { documentOf, type FoundDocument } from './snapshot-document.ts'
import { queryThrough } from './view-query.ts'

/** A document that is read by its id. */
type ReadDocument = Pick<ReadTarget, 'view' | 'shard'>

/**
 * The number of the last write of a document that searches see, where the caller may see it too.
 * @returns null: there is none, or the caller may not
 * @throws {EngineError} a restriction of the caller does not fit the index
 */
export function visibleSeqNo(node: Node, { view, shard }: ReadDocument, id: string): number | null {
  const snapshot = shard.snapshot.acquire()
  try {
    return lookInto(node, snapshot, at => {
      const found = documentOf(snapshot, at, id)
      if (found === null || !isVisible(node, view, at, found)) return null
      return Number(columnValue(found.leaf, '_seq_no', found.docId))
    })
  } finally {
    snapshot.release()
  }
}

/** Whether the caller may see a document that was found. */
export function isVisible(
  node: Node,
  view: ReadTarget['view'],
  at: ShardLeaves,
  { snapshotLeaf, docId }: FoundDocument,
): boolean {
  if (view.visible === null) return true
  const context = queryContextOf(view, node, Date.now())
  const query = queryThrough({ ...view, aliasFilters: null }, MATCH_ALL, context, node)
  const { memory, searcher } = node
  const weight = scoringWeight(query, at.leaves)
  const { isMatch } = withScratch({ memory, searcher, pins: at.pins }, weight, snapshotLeaf, leaf =>
    explainDocument(weight, leaf, snapshotLeaf.ord, docId),
  )
  return isMatch
}
