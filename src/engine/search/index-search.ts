import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { DerivedFields } from '../../schema/derived-field.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { CollapseKey } from '../../search/collector/gather-plan.ts'
import { mapListed } from '../../search/query/hybrid.ts'
import {
  MATCH_ALL,
  type PriorQuery,
  type Query,
  type SliceQuery,
} from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { SearchScripts } from '../api/scripts.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import type { ResolvedSort } from '../dsl/field/sort-level.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import type { Answers } from '../dsl/lookup.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, buildTopQuery } from '../dsl/query-context.ts'
import { namedInOrder, newQueryNotes } from '../dsl/query-notes.ts'
import type { ParsedCollapse } from '../dsl/search-body/collapse.ts'
import {
  type CoupledKeys,
  checkCoupled,
  checkRescore,
  checkResultWindow,
} from '../dsl/search-body/coupled-keys.ts'
import { resolveSearchAfter, resolveSort } from '../dsl/sort.ts'
import { fetchNested, fetchWhole } from '../fetch/fetch-hits.ts'
import type { FetchPartValues, FetchPlan, InnerFetch, RescoreQuery } from '../fetch/fetch-part.ts'
import { checkFetch } from '../fetch/fetch-parts.ts'
import { fetchPlan } from '../fetch/fetch-plan.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { indexSuggest } from '../suggest/index-suggest.ts'
import type { SuggestRequest } from '../suggest/suggest-request.ts'
import type { MadeSuggestion } from '../suggest/suggester.ts'
import { bindAggregations } from './aggregate.ts'
import { collapseKeyOf } from './collapse.ts'
import { checkHybrid } from './hybrid/check-hybrid.ts'
import { boostedBy, type IndexBoosts } from './index-boosts.ts'
import { checkPlannedFields, checkRestrictedSearch } from './restricted-search.ts'
import type { ViewedIndex } from './search-targets.ts'
import { sliceColumnOf } from './slice-column.ts'
import { type TopHitsPlans, topHitsPlans } from './top-hits-plans.ts'
import { queryThrough, visibleQuery } from './view-query.ts'

/** A request as it was made for one index; its shards search by it alike. */
export interface IndexSearch {
  readonly index: IndexService
  /** The index as the caller sees it. */
  readonly view: IndexView
  readonly query: Query
  readonly postFilter: Query | null
  /** Null: by score alone. */
  readonly sort: readonly ResolvedSort[] | null
  readonly searchAfter: ReturnType<typeof resolveSearchAfter> | null
  readonly maxClauseCount: number
  /** Whether its queries read the request's now. */
  readonly readsNow: boolean
  /** All joins of its queries, those within others first. */
  readonly joins: readonly PriorQuery[]
  /** The documents that roles let the caller see; null: all. */
  readonly visible: Query | null
  readonly rescores: readonly RescoreQuery[]
  readonly collapse: CollapseKey | null
  /** Whether hits carry scores: they do unless other levels alone sort them. */
  readonly withScores: boolean
  /** The parts of its hits. */
  readonly fetch: FetchPlan
  /** The parts of the documents of its suggestions, which always have scores and no sort values. */
  readonly optionFetch: FetchPlan
  /** The column by which slices of a shard are told apart; null: nothing is sliced. */
  readonly sliceColumn: SliceQuery['column'] | null
  /** Whether there are derived fields, which its aggregations may read. */
  readonly hasDerived: boolean
  /** The request's aggregations. */
  readonly aggregations: readonly Aggregation[]
  /** The fetch of the documents that these show. */
  readonly topHits: TopHitsPlans
  /** All documents that the call may see. */
  readonly all: Query
  /** Null: the request has none. */
  readonly suggestions: readonly MadeSuggestion[] | null
  /**
   * A query beside that of the request, with the joins that it runs.
   * @throws {EngineError} it is none, or does not fit the index
   */
  readonly queryOf: (node: JsonNode) => {
    readonly query: Query
    readonly joins: readonly PriorQuery[]
  }
}

const NO_FETCH: FetchPlan = { parts: [], byScore: false, withIds: false }

/** The part of a request that each of its indices resolves. */
interface IndexRequest {
  readonly coupled: CoupledKeys
  readonly fetch: FetchPartValues
  readonly innerHits: InnerFetch['requests']
  readonly suggest: SuggestRequest | null
  readonly aggregations: ParsedAggregations
  readonly derived: DerivedFields
}

/** Facts common to all indices of a request. */
interface RequestFacts {
  readonly node: Node
  /** The cluster settings that hold. */
  readonly cluster: Settings
  /** The request's now. */
  readonly nowInMillis: number
  /** To the lookups of its queries. */
  readonly answers: Answers
  readonly boosts: IndexBoosts
  readonly scripts: SearchScripts
  /** How many shards are searched, of all indices together. */
  readonly searchedShards: number
}

/**
 * Makes a request for one index.
 * @throws {EngineError} the request does not fit the index, whose shards all fail then
 */
export function indexSearch(
  { view, index }: ViewedIndex,
  request: IndexRequest,
  { node, cluster, nowInMillis, answers, boosts, scripts, searchedShards }: RequestFacts,
): IndexSearch {
  const { coupled, fetch, suggest } = request
  checkCoupled(coupled)
  checkFetch(fetch)
  const context = {
    ...queryContextOf(
      view,
      { effectiveSettings: cluster, scripts, vectorRequests: node.vectorRequests },
      nowInMillis,
      answers,
      request.derived,
    ),
    searchedShards,
  }
  const { settings } = index.metadata
  checkResultWindow(coupled, indexSettings.number(settings, 'index.max_result_window') ?? 10_000)
  const asked: Query =
    coupled.query === null ? { kind: 'matchAll' } : buildTopQuery(coupled.query, context)
  const aggregations = bindAggregations(request.aggregations, context)
  const all = queryThrough(view, MATCH_ALL, context, node)
  const through = (by: IndexView): Query =>
    mapListed(asked, each =>
      queryThrough(by, boostedBy(boosts.get(index.name), each), context, node),
    )
  const query = through(view)
  const postFilter = coupled.postFilter === null ? null : buildQuery(coupled.postFilter, context)
  const sort = resolveSort(coupled.sort, context)
  if (asked.kind === 'hybrid') checkHybrid(asked, coupled, sort)
  const searchAfter =
    coupled.searchAfter === null
      ? null
      : resolveSearchAfter(coupled.searchAfter, coupled.sort, sort)
  const withScores =
    sort === null || coupled.trackScores || sort.some(({ key }) => key.kind === 'score')
  const { maxClauseCount } = context
  const rescores = coupled.rescore.map(each => ({
    ...each,
    query: buildQuery(each.query, context),
  }))
  checkRescore(
    coupled,
    sort !== null,
    indexSettings.number(settings, 'index.max_rescore_window') ?? 10_000,
  )
  const collapse = coupled.collapse === null ? null : collapseKeyOf(coupled.collapse, context)
  const named = namedInOrder(context.notes)
  const visible = visibleQuery(view, context, node)
  const subject = {
    settings,
    analysis: index.metadata.analysis,
    context,
    // Explanations and highlights tell of the caller's query, not of what his roles leave of it.
    query: view.visible === null ? query : through({ ...view, visible: null }),
    sort,
    named,
    visible,
    rescores,
    innerHits: context.notes.innerHits,
    innerFetch: {
      requests: request.innerHits,
      plan: fetchPlan,
      read: fetchNested,
      readWhole: fetchWhole,
    },
    totalAsInt: coupled.totalAsInt,
    withScores,
  }
  const queries = [asked, postFilter, rescores]
  checkPlannedFields(view, { queries, others: [sort, aggregations, collapse] })
  const sliceColumn = coupled.slice === null ? null : sliceColumnOf(coupled, settings, context)
  checkRestrictedSearch(view, aggregations)
  const suggestions = suggest === null ? null : indexSuggest(suggest, view)
  return {
    index,
    view,
    query,
    postFilter,
    sort,
    searchAfter,
    maxClauseCount,
    joins: context.notes.joins,
    visible,
    readsNow: context.notes.now.isRead,
    withScores,
    rescores,
    collapse,
    sliceColumn,
    suggestions,
    queryOf(node) {
      const parsed = parseQuery(node)
      // Lookups in other documents ran before the search began.
      if (parsed.lookups.length > 0) throw new IllegalArgumentError('query must be rewritten first')
      const notes = newQueryNotes()
      const query = buildQuery(parsed, { ...context, notes })
      checkPlannedFields(view, { queries: [query], others: [] })
      return { query, joins: notes.joins }
    },
    hasDerived: context.derived.size > 0,
    aggregations,
    topHits: topHitsPlans(request.aggregations, subject),
    all,
    fetch: fetchPlan(withGroups(fetch, coupled.collapse), subject),
    optionFetch:
      suggest === null
        ? NO_FETCH
        : {
            ...fetchPlan(fetch, { ...subject, sort: null, withScores: true }),
            // Completions may stand in nested documents.
            nestedPaths: context.mapping.nestedPaths,
          },
  }
}

/** Hits that stand for groups carry the groups' values. */
function withGroups(fetch: FetchPartValues, collapse: ParsedCollapse | null): FetchPartValues {
  if (collapse === null) return fetch
  const { docvalueFields } = fetch
  if (docvalueFields.some(({ field }) => field === collapse.field)) return fetch
  return { ...fetch, docvalueFields: [...docvalueFields, { field: collapse.field, format: null }] }
}
