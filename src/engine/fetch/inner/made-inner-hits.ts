import { indexSettings } from '../../../schema/setting-registry.ts'
import type { SortKey } from '../../../search/sort/sort-key.ts'
import { readsScore } from '../../../search/sort/sort-key.ts'
import type { InnerHitsQuery } from '../../dsl/query-notes.ts'
import { resolveSort } from '../../dsl/sort.ts'
import { amongVisible } from '../../dsl/visible-query.ts'
import type { FetchPlan, FetchSubject, ParsedInnerHits } from '../fetch-part.ts'
import { checkInnerWindow } from '../inner-window.ts'

const BY_SCORE: readonly SortKey[] = [{ kind: 'score', descending: true }]

/** Inner hits of one name, made for an index. */
export interface MadeInnerHits extends InnerHitsQuery {
  readonly name: string
  readonly request: ParsedInnerHits
  readonly sort: readonly SortKey[]
  /** Whether hits stand by score, or show it all the same. */
  readonly withScores: boolean
  readonly plan: FetchPlan
}

/**
 * Makes inner hits for an index.
 * @throws {EngineError} the request does not fit it
 */
export function makeInnerHits(
  name: string,
  noted: InnerHitsQuery,
  subject: FetchSubject,
): MadeInnerHits {
  const { context, settings, innerFetch, visible } = subject
  const request = innerFetch.requests.get(noted.asked)!
  checkInnerWindow(
    request,
    name,
    indexSettings.number(settings, 'index.max_inner_result_window') ?? 100,
  )
  const sort = resolveSort(request.sort, context)
  const keys = sort?.map(({ key }) => key) ?? BY_SCORE
  const withScores = request.trackScores || keys.some(readsScore)
  const plan = innerFetch.plan(request.fetch, {
    ...subject,
    query: noted.query,
    rescores: [],
    innerHits: noted.inner,
    named: noted.named,
    sort,
    withScores,
  })
  const profiled = { ...plan, profiledAs: `fetch_inner_hits[${name}]` }
  // Nested documents are the hit's own; those that a join ties to it may be hidden.
  const query = noted.of.kind === 'join' ? amongVisible(noted.query, visible) : noted.query
  return { ...noted, query, name, request, sort: keys, withScores, plan: profiled }
}
