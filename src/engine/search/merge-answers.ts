import type { MergedResult } from '../../parallel/reduce.ts'
import { combineLists } from './hybrid/combine-lists.ts'
import { explainedAnswers } from './hybrid/explained-answers.ts'
import { DEFAULT_SCORING } from './hybrid/score-lists.ts'
import { mergeShards } from './merge-shards.ts'
import type { SearchRequest } from './search-request.ts'
import type { SearchedShard } from './searched-shard.ts'

/** The hits of a page, and the shards as their fetch reads them. */
interface MergedAnswers {
  readonly merged: MergedResult
  readonly answers: readonly SearchedShard[]
}

/**
 * Puts the shards' hits together, those of a hybrid query by the scores that are made of its lists.
 * @throws {EngineError} the scoring does not fit the query; as `mergeShards`
 */
export function mergeAnswers(
  answers: readonly SearchedShard[],
  { coupled, fetch, scoring: asked }: SearchRequest,
): MergedAnswers {
  const results = answers.map(({ outcome }) => outcome.result)
  if (results[0]?.lists === undefined) {
    const { from, size, trackTotalHits } = coupled
    return { answers, merged: mergeShards(results, from, size, trackTotalHits) }
  }
  const scoring = asked ?? DEFAULT_SCORING
  const searchAfter = answers[0]?.search.searchAfter ?? null
  const merged = combineLists(results, { ...coupled, searchAfter }, scoring)
  if (!fetch.explain) return { answers, merged }
  return { answers: explainedAnswers(answers, merged, scoring, coupled.minScore), merged }
}
