/** Scores the best hits of a shard anew, as Lucene's `QueryRescorer` and its caller in the real server. */
import type { ShardResult } from '../../parallel/reduce.ts'
import { combineScores } from '../fetch/combine-scores.ts'
import type { RescoreQuery } from '../fetch/fetch-part.ts'
import { FetchQuery } from '../fetch/fetch-query.ts'
import { type FetchPlace, ShardReader } from '../fetch/shard-reader.ts'

/** A shard's hits in their new order. */
export interface Rescored {
  readonly result: ShardResult
  /** The documents that each rescoring scored anew. */
  readonly docs: readonly ReadonlySet<number>[]
}

/**
 * Runs rescorings in turn over a shard's hits. One scores the best hits, of which those that its query
 * does not match keep the first score by its weight, as do all hits behind them.
 * @param place of the shard, whose snapshot is held
 */
export function rescore(
  place: FetchPlace,
  result: ShardResult,
  queries: readonly RescoreQuery[],
): Rescored {
  let hits = result.hits
  const docs: ReadonlySet<number>[] = []
  if (hits.length === 0) return { result, docs }
  const pins = place.memory.newPins()
  try {
    const shard = new ShardReader(place, pins, [])
    for (const query of queries) {
      const window = hits.slice(0, query.windowSize)
      docs.push(new Set(window.map(({ globalDoc }) => globalDoc)))
      const second = new FetchQuery(query.query, true).scores(
        shard,
        window.map(({ globalDoc }) => globalDoc),
      )
      hits = hits
        .map((hit, i) => ({
          ...hit,
          score: combineScores(query, hit.score, second[i] ?? Number.NaN),
        }))
        .sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
    }
  } finally {
    pins.release()
  }
  return { result: { ...result, hits, maxScore: hits[0]!.score }, docs }
}
