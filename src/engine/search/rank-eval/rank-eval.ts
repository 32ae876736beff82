import type { ScriptRequest } from '../../../script/script-request.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { EngineError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import type {
  MultiSearchItem,
  RankEvalCall,
  RankEvalOutcome,
  RankedQuery,
  SearchCall,
} from '../../api/searches.ts'
import { ALL_OF_SOURCE } from '../../dsl/search-body/source-selection.ts'
import type { Node } from '../../node/node.ts'
import { renderTemplate } from '../../script/render-template.ts'
import { multiSearch } from '../multi-search.ts'
import type { RankMetric } from './metrics.ts'
import {
  checkRequest,
  parseRankEval,
  type RatedRequest,
  ratingKey,
  type TemplateUse,
} from './rank-eval-body.ts'

/**
 * Runs queries and scores their rankings by ratings of documents.
 * @throws {EngineError} a malformed body; a query that fails is among the failures of the outcome
 */
export async function evaluateRankings(
  node: Node,
  { target, body, searchType }: RankEvalCall,
  context: CallContext,
): Promise<RankEvalOutcome> {
  node.ensureOpen()
  const { templates, requests, metric, maxConcurrent } = parseRankEval(body)
  const searches = requests.map(
    ({ request, summaryFields }): SearchCall => ({
      target,
      body: request.kind === 'template' ? rendered(node, templates, request) : request,
      options: {
        size: metric.k,
        searchType,
        source: { ...ALL_OF_SOURCE, enabled: summaryFields.length > 0, includes: summaryFields },
      },
      human: false,
    }),
  )
  const items = await multiSearch(node, { searches, maxConcurrent }, context)
  const queries: RankedQuery[] = []
  const failures: { id: string; error: unknown }[] = []
  for (const [i, item] of items.entries()) {
    const request = requests[i]!
    if ('error' in item) failures.push({ id: request.id, error: item.error })
    else queries.push(ranked(item, request, metric))
  }
  const sum = queries.reduce((total, { score }) => total + score, 0)
  return { metric: metric.name, score: sum / queries.length, queries, failures }
}

/** The search that a template makes. */
function rendered(
  node: Node,
  templates: ReadonlyMap<string, ScriptRequest>,
  { id, params }: TemplateUse,
): JsonNode {
  const body = renderTemplate(node, { ...templates.get(id)!, params })
  if (body.kind === 'object') checkRequest(body)
  return body
}

function ranked(
  { outcome }: Extract<MultiSearchItem, { outcome: unknown }>,
  { id, ratings }: RatedRequest,
  metric: RankMetric,
): RankedQuery {
  const hits = hitsOf(outcome.body).map(hit => {
    const key = ratingKey(textOf(hit, '_index'), textOf(hit, '_id'))
    return { hit, rating: ratings.get(key) ?? null }
  })
  const given = hits.map(({ rating }) => rating)
  const { score, details } = metric.evaluate(given, [...ratings.values()])
  return { id, score, hits, details }
}

function hitsOf(body: JsonRecord): readonly JsonRecord[] {
  const { hits } = body['hits'] as { readonly hits: readonly JsonRecord[] }
  return hits
}

function textOf(hit: JsonRecord, key: '_index' | '_id'): string {
  const value = hit[key]
  if (typeof value === 'string') return value
  throw new EngineError({ type: 'illegal_state_exception', reason: `a hit without [${key}]` })
}
