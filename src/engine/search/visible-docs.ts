import type { Query } from '../../search/query/query.ts'
import { BitSet } from '../../util/bit-set.ts'
import type { Node } from '../node/node.ts'
import { type ListCall, listMatches } from './list-matches.ts'

/**
 * The documents of a held snapshot that a caller may see, by leaf.
 * @param visible as roles restrict them
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function visibleDocs(
  node: Node,
  visible: Query,
  call: ListCall,
): Promise<readonly BitSet[]> {
  const sets = call.snapshot.leaves.map(({ segment }) => new BitSet(segment.maxDoc))
  const query: Query = { kind: 'constantScore', query: visible }
  for (const { leafOrd, docs } of await listMatches(node, query, call))
    for (const doc of docs) sets[leafOrd]!.add(doc)
  return sets
}
