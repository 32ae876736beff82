import { floatText } from '../../../util/json/float-text.ts'
import type { SearchedShard } from '../searched-shard.ts'
import type { CombinedResult } from './combine-lists.ts'
import type { HybridScoring } from './hybrid-scoring.ts'
import { NORMALIZATIONS } from './normalization/normalizations.ts'

/**
 * The shards with what explanations of their hits tell: the scores that each was combined of.
 * @param minScore of the request; null: none
 */
export function explainedAnswers(
  answers: readonly SearchedShard[],
  { hits, parts }: CombinedResult,
  scoring: HybridScoring,
  minScore: number | null,
): readonly SearchedShard[] {
  if (parts === null) return answers
  const limit = minScore === null ? '' : ` [filtered by min_score: ${minScore.toFixed(4)}]`
  const text = scoringText(scoring)
  const normalization = `${text.normalization} normalization of:`
  const combination = `${text.combination} combination of${limit}:`
  return answers.map((answer, ord) => {
    const ofShard = new Map<number, Float32Array>()
    for (const [i, { shard, hit }] of hits.entries())
      if (shard === ord) ofShard.set(hit.globalDoc, parts[i]!)
    return { ...answer, combined: { normalization, combination, parts: ofShard } }
  })
}

function scoringText(scoring: HybridScoring): {
  readonly normalization: string
  readonly combination: string
} {
  if (scoring.kind === 'rank')
    return { normalization: `rrf, rank_constant [${scoring.rankConstant}]`, combination: 'rrf' }
  const { technique, combination, weights } = scoring
  const weighed = (weights ?? []).map(weight => floatText(Math.fround(weight))).join(', ')
  return {
    normalization: NORMALIZATIONS[technique].describe(scoring),
    combination: weights === null ? combination : `${combination}, weights [${weighed}]`,
  }
}
