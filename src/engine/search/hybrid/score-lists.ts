/** The scores of hits in the lists of a hybrid query's sub-queries, made comparable by a pipeline's scoring. */
import type { SliceHit } from '../../../search/collector/collect-spec.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Combination } from './combination/combination.ts'
import { COMBINATIONS } from './combination/combinations.ts'
import type { HybridScoring, NormalizedScoring } from './hybrid-scoring.ts'
import { checkBounds } from './normalization/min-max.ts'
import { NORMALIZATIONS } from './normalization/normalizations.ts'
import { rankScore, rankSum } from './reciprocal-rank.ts'

/** How scores are combined where no pipeline says it. */
export const DEFAULT_SCORING: NormalizedScoring = {
  kind: 'normalization',
  technique: 'min_max',
  lowerBounds: null,
  upperBounds: null,
  combination: 'arithmetic_mean',
  weights: null,
}

/** The lists of one sub-query, by shard; each best first. */
export type ShardLists = readonly (readonly SliceHit[])[]

/**
 * Holds a scoring against the number of sub-queries.
 * @throws {IllegalArgumentError} it has weights or bounds for another number
 */
export function checkScoring(scoring: HybridScoring, lists: number): void {
  const { weights } = scoring
  if (scoring.kind === 'normalization') checkBounds(scoring, lists)
  if (weights !== null && weights.length !== lists)
    throw new IllegalArgumentError(
      `number of weights [${weights.length}] must match number of sub-queries [${lists}] in ` +
        'hybrid query',
    )
}

/**
 * The comparable scores of one sub-query's hits, over all shards together.
 * @param list which sub-query it is, from 0
 * @returns one for each hit, shard by shard
 */
export function comparableScores(
  shards: ShardLists,
  list: number,
  scoring: HybridScoring,
): Float32Array {
  const scores = new Float32Array(shards.reduce((sum, hits) => sum + hits.length, 0))
  let next = 0
  for (const hits of shards) for (const { score } of hits) scores[next++] = score
  if (scoring.kind === 'normalization') {
    NORMALIZATIONS[scoring.technique].normalize(scores, list, scoring)
    return scores
  }
  for (const [rank, at] of rankedHits(shards).entries())
    scores[at] = rankScore(rank, scoring.rankConstant)
  return scores
}

/** Positions of hits, shard by shard, in order of rank: by score, then document, then shard. */
function rankedHits(shards: ShardLists): readonly number[] {
  const hits = shards.flat()
  const order = hits.map((_, at) => at)
  return order.sort(
    (a, b) => hits[b]!.score - hits[a]!.score || hits[a]!.globalDoc - hits[b]!.globalDoc || a - b,
  )
}

/** How a document's scores become one. */
export function combinationOf(scoring: HybridScoring): Combination {
  return scoring.kind === 'rank' ? rankSum : COMBINATIONS[scoring.combination]
}

/** One weight for each sub-query. */
export function weightsOf({ weights }: HybridScoring, lists: number): Float32Array {
  return weights === null ? new Float32Array(lists).fill(1) : Float32Array.from(weights)
}
