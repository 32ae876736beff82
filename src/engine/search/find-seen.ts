import { MATCH_ALL, type Query } from '../../search/query/query.ts'
import type { JoinedDocs } from '../../search/weight/weight.ts'
import type { Node } from '../node/node.ts'
import type { JoinCall } from './join-call.ts'
import { listMatches } from './list-matches.ts'

/**
 * Finds the documents that the caller may see in a held snapshot.
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function findSeen(node: Node, call: JoinCall): Promise<readonly JoinedDocs[]> {
  const query: Query = { kind: 'constantScore', query: call.visible ?? MATCH_ALL }
  const byLeaf = call.snapshot.leaves.map((): Int32Array[] => [])
  for (const { leafOrd, docs } of await listMatches(node, query, call)) byLeaf[leafOrd]!.push(docs)
  return byLeaf.map(runs => ({ docs: joined(runs), scores: null }))
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
