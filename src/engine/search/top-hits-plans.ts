/** How the documents that aggregations show are fetched from an index. */
import { indexSettings } from '../../schema/setting-registry.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import { resolveSort } from '../dsl/sort.ts'
import type { FetchPlan, FetchSubject } from '../fetch/fetch-part.ts'
import { fetchPlan } from '../fetch/fetch-plan.ts'
import { topHitsFetch } from '../fetch/top-hits-request.ts'

/** Plans of the fetch by the path of their aggregation: names, outermost first, with `>` between them. */
export type TopHitsPlans = ReadonlyMap<string, FetchPlan>

/**
 * Reads what the documents of all aggregations carry.
 * @throws {EngineError} 400
 */
export function checkTopHits({ nodes }: ParsedAggregations): void {
  for (const { body, below } of nodes) {
    if (body.shows !== undefined) topHitsFetch(body.shows)
    checkTopHits(below)
  }
}

/**
 * Plans the fetch of an index's documents.
 * @param subject of the search around the aggregations
 * @throws {EngineError} a window that is too large; a part does not fit the index
 */
export function topHitsPlans(asked: ParsedAggregations, subject: FetchSubject): TopHitsPlans {
  const plans = new Map<string, FetchPlan>()
  addPlans(asked, subject, '', plans)
  return plans
}

function addPlans(
  { nodes }: ParsedAggregations,
  subject: FetchSubject,
  prefix: string,
  to: Map<string, FetchPlan>,
): void {
  const { context, settings } = subject
  for (const { name, body, below } of nodes) {
    const { shows } = body
    if (shows !== undefined) {
      const window = shows.from + shows.size
      checkWindow(
        window,
        name,
        indexSettings.number(settings, 'index.max_inner_result_window') ?? 100,
      )
      const sort = resolveSort(shows.sort, context)
      const withScores = sort === null || shows.trackScores
      const plan = {
        ...fetchPlan(topHitsFetch(shows), { ...subject, sort, withScores }),
        profiledAs: `fetch_top_hits_aggregation[${name}]`,
      }
      const { nestedPaths } = context.mapping
      to.set(prefix + name, nestedPaths.length === 0 ? plan : { ...plan, nestedPaths })
    }
    const contextBelow = body.contextBelow?.(context) ?? context
    addPlans(below, { ...subject, context: contextBelow }, `${prefix}${name}>`, to)
  }
}

function checkWindow(window: number, name: string, max: number): void {
  if (window <= max) return
  throw new IllegalArgumentError(
    `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be ` +
      `less than or equal to: [${max}] but was [${window}]. This limit can be set by changing the ` +
      '[index.max_inner_result_window] index level setting.',
  )
}
