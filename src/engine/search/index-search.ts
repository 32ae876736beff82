import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { Query } from '../../search/query/query.ts'
import type { ResolvedSort } from '../dsl/field/sort-level.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { buildQuery } from '../dsl/query-context.ts'
import { type CoupledKeys, checkResultWindow } from '../dsl/search-body/coupled-keys.ts'
import { resolveSearchAfter, resolveSort } from '../dsl/sort.ts'
import type { IndexService } from '../node/index-service.ts'
import { indexSuggest } from '../suggest/index-suggest.ts'
import type { SuggestRequest } from '../suggest/suggest-request.ts'
import type { MadeSuggestion } from '../suggest/suggester.ts'
import type { ViewedIndex } from './search-targets.ts'
import { queryThrough } from './view-query.ts'

/** A request as it was made for one index; its shards search by it alike. */
export interface IndexSearch {
  readonly index: IndexService
  readonly query: Query
  readonly postFilter: Query | null
  /** Null: by score alone. */
  readonly sort: readonly ResolvedSort[] | null
  readonly searchAfter: ReturnType<typeof resolveSearchAfter> | null
  readonly maxClauseCount: number
  /** Whether hits carry scores: they do unless other levels alone sort them. */
  readonly withScores: boolean
  /** Null: the request has none. */
  readonly suggestions: readonly MadeSuggestion[] | null
}

/**
 * Makes a request for one index.
 * @param cluster     the cluster settings that hold
 * @param nowInMillis the request's now, the same for all its indices
 * @param suggest     its suggestions; null without
 * @throws {EngineError} the request does not fit the index, whose shards all fail then
 */
export function indexSearch(
  { view, index }: ViewedIndex,
  request: CoupledKeys,
  cluster: Settings,
  nowInMillis: number,
  suggest: SuggestRequest | null,
): IndexSearch {
  const context = queryContextOf(view, cluster, nowInMillis)
  const { settings } = index.metadata
  checkResultWindow(request, indexSettings.number(settings, 'index.max_result_window') ?? 10_000)
  const asked: Query =
    request.query === null ? { kind: 'matchAll' } : buildQuery(request.query, context)
  const query = queryThrough(view, asked, context)
  const postFilter = request.postFilter === null ? null : buildQuery(request.postFilter, context)
  const sort = resolveSort(request.sort, context)
  const searchAfter =
    request.searchAfter === null
      ? null
      : resolveSearchAfter(request.searchAfter, request.sort, sort)
  const withScores =
    sort === null || request.trackScores || sort.some(({ key }) => key.kind === 'score')
  const { maxClauseCount } = context
  const suggestions = suggest === null ? null : indexSuggest(suggest, view)
  return { index, query, postFilter, sort, searchAfter, maxClauseCount, withScores, suggestions }
}
