/** The nested documents that the script of a derived field runs on, in one shard ahead of its search. */

import type { MatchRun } from '../../search/collector/listed-matches.ts'
import { openMatches } from '../../search/matches-at.ts'
import { createWeight } from '../../search/query/create-weight.ts'
import type { Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import type { Weight } from '../../search/weight/weight.ts'
import { withScratch } from '../fetch/with-scratch.ts'
import type { Node } from '../node/node.ts'
import type { JoinCall } from './join-call.ts'
import { listMatches } from './list-matches.ts'

/**
 * The nested documents that a query matches, in order. Searches see whole documents alone, so that those
 * are found first and then looked into.
 * @param query   of nested documents, bound to the shard
 * @param visible of the whole documents that the caller may see, bound to the shard
 */
export async function nestedCandidates(
  node: Node,
  query: Query,
  visible: Query,
  call: JoinCall,
): Promise<readonly MatchRun[]> {
  const around: Query = { kind: 'blockJoin', query, parentPath: null, scoreMode: 'none' }
  const clauses = [around, visible].map(each => ({ occur: 'filter' as const, query: each }))
  const roots: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  const runs = await listMatches(node, roots, call)
  const { searcher, memory } = node
  const { leaves } = call.snapshot
  const pins = memory.newPins()
  try {
    const open = leaves.map(each => searcher.openLeaf(each, pins, null))
    const decided = onShard(rewrite(query, false), open)
    const weight = createWeight(rewrite(decided, false), open, false)
    return runs.map(run => {
      const read = { searcher, memory, pins }
      const docs = withScratch(read, weight, leaves[run.leafOrd]!, leaf =>
        nestedIn(weight, leaf, run),
      )
      return { leafOrd: run.leafOrd, docs, scores: null }
    })
  } finally {
    pins.release()
  }
}

/** The matches among the nested documents of whole ones. */
function nestedIn(
  weight: Weight,
  leaf: Parameters<typeof openMatches>[1],
  { leafOrd, docs }: MatchRun,
): Int32Array {
  const iterator = openMatches(weight, leaf, leafOrd)?.iterator
  const parents = leaf.parents()
  if (iterator === undefined || parents === null) return new Int32Array(0)
  const found: number[] = []
  for (const root of docs) {
    const first = parents.previous(root - 1) + 1
    let doc = iterator.docId() < first ? iterator.advance(first) : iterator.docId()
    for (; doc < root; doc = iterator.nextDoc()) found.push(doc)
  }
  return Int32Array.from(found)
}
