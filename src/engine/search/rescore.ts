/** Scores the best hits of a shard anew, as Lucene's `QueryRescorer` and its caller in the real server. */
import type { ShardResult } from '../../parallel/reduce.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import { combineScores } from '../fetch/combine-scores.ts'
import type { RescoreQuery } from '../fetch/fetch-part.ts'
import { FetchQuery } from '../fetch/fetch-query.ts'
import { type FetchPlace, type RescoredDocs, ShardReader } from '../fetch/shard-reader.ts'

/** A shard's hits in their new order. */
export interface Rescored {
  readonly result: ShardResult
  readonly docs: RescoredDocs
}

/**
 * Runs rescorings in turn over a shard's hits, in each list of a hybrid query by itself. One scores the
 * best hits, of which those that its query does not match keep the first score by its weight, as do all
 * hits behind them.
 * @param place of the shard, whose snapshot is held
 */
export function rescore(
  place: FetchPlace,
  result: ShardResult,
  queries: readonly RescoreQuery[],
): Rescored {
  const pins = place.memory.newPins()
  try {
    const shard = new ShardReader(place, pins, [])
    const all = (result.lists ?? [result.hits]).map(hits => rescoreList(shard, hits, queries))
    const docs = all.map(list => list.docs)
    const lists = all.map(list => list.hits)
    if (result.lists !== undefined) return { result: { ...result, lists }, docs }
    const [hits = []] = lists
    const maxScore = hits[0]?.score ?? result.maxScore
    return { result: { ...result, hits, maxScore }, docs }
  } finally {
    pins.release()
  }
}

function rescoreList(
  shard: ShardReader,
  first: readonly SliceHit[],
  queries: readonly RescoreQuery[],
): { readonly hits: readonly SliceHit[]; readonly docs: RescoredDocs[number] } {
  const docs: ReadonlySet<number>[] = []
  let hits = first
  if (hits.length === 0) return { hits, docs }
  for (const query of queries) {
    const window = hits.slice(0, query.windowSize).map(({ globalDoc }) => globalDoc)
    docs.push(new Set(window))
    const second = new FetchQuery(query.query, true).scores(shard, window)
    hits = hits
      .map(({ globalDoc, score, sort }, i) => {
        const combined = combineScores(query, score, second[i] ?? Number.NaN)
        return { globalDoc, score: combined, sort }
      })
      .sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
  }
  return { hits, docs }
}
