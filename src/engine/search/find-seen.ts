import { MATCH_ALL, type Query, type SeenQuery } from '../../search/query/query.ts'
import type { JoinedDocs } from '../../search/weight/weight-node.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Node } from '../node/node.ts'
import type { JoinCall } from './join-call.ts'
import { listMatches } from './list-matches.ts'
import { lookInto } from './shard-leaves.ts'

const DOCUMENT_BYTES = 4

/**
 * Finds the documents that the caller may see in a held snapshot.
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function findSeen(
  node: Node,
  { withNested }: SeenQuery,
  call: JoinCall,
): Promise<readonly JoinedDocs[]> {
  const query: Query = { kind: 'constantScore', query: call.visible ?? MATCH_ALL }
  const byLeaf = call.snapshot.leaves.map((): Int32Array[] => [])
  for (const { leafOrd, docs } of await listMatches(node, query, call)) byLeaf[leafOrd]!.push(docs)
  const roots = byLeaf.map(joined)
  if (!withNested) return roots.map(docs => ({ docs, scores: null }))
  call.charge.add(DOCUMENT_BYTES * call.snapshot.maxDoc)
  return lookInto(node, call.snapshot, ({ leaves }) =>
    roots.map((docs, ord) => ({ docs: withBlocks(docs, leaves[ord]!), scores: null })),
  )
}

/** Runs are in order of documents. */
function joined(runs: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(runs.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const run of runs) {
    all.set(run, at)
    at += run.length
  }
  return all
}

/** Documents, each behind those that are nested in it. */
function withBlocks(roots: Int32Array, leaf: Leaf): Int32Array {
  const parents = leaf.parents()
  if (parents === null) return roots
  const firstOf = (root: number): number => parents.previous(root - 1) + 1
  let count = 0
  for (const root of roots) count += root - firstOf(root) + 1
  const all = new Int32Array(count)
  let at = 0
  for (const root of roots) for (let doc = firstOf(root); doc <= root; doc++) all[at++] = doc
  return all
}
