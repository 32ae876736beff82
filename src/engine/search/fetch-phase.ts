import type { MergedHit } from '../../parallel/reduce.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import { fetchHits } from '../fetch/fetch-hits.ts'
import type { Node } from '../node/node.ts'
import type { FetchedHit } from '../response/search-response.ts'
import type { SearchedShard } from './shard-query.ts'

/**
 * Reads the hits of the whole search, shard by shard.
 * @param answers the shards, as the hits name them
 * @param charge  what is read is charged to it
 * @returns the hits in the order given
 */
export function fetchPhase(
  node: Node,
  answers: readonly SearchedShard[],
  hits: readonly MergedHit[],
  request: SearchRequest,
  charge: Charge,
): FetchedHit[] {
  const fetched = new Array<FetchedHit>(hits.length)
  answers.forEach((answer, ord) => {
    const mine = hits.flatMap((hit, at) => (hit.shard === ord ? [{ hit: hit.hit, at }] : []))
    if (mine.length === 0) return
    const { search, held } = answer
    const { shard, snapshot } = held
    const tally = shard.stats.fetch
    const started = performance.now()
    const { searcher, memory, stored } = node
    const read = fetchHits(
      {
        searcher,
        memory,
        stored,
        snapshot,
        index: search.index.name,
        shard: shard.name.shard,
        charge,
      },
      mine.map(({ hit }) => hit),
      {
        source: request.source,
        version: request.version,
        seqNoPrimaryTerm: request.seqNoPrimaryTerm,
        sort: search.sort,
        withScores: search.withScores,
        explain: request.explain ? search.query : null,
      },
      answer.fetchProfiler,
    )
    read.forEach((hit, i) => {
      fetched[mine[i]!.at] = hit
    })
    tally.count++
    tally.timeInMillis += performance.now() - started
  })
  return fetched
}
