import type { CallContext } from '../../task/call-context.ts'
import type { CountCall, CountOutcome } from '../api/searches.ts'
import { parseCountBody } from '../dsl/search-body/count-body.ts'
import type { Node } from '../node/node.ts'
import { answersFor } from './lookup-calls.ts'
import { mayHaveDefault } from './processor/choose-pipeline.ts'
import { processedCount } from './processor/processed-count.ts'
import { type QueryPhase, runQueryPhase } from './query-phase.ts'
import { checkAnswered, searchByItself } from './search-call.ts'
import { parseSearchRequest, type SearchRequest } from './search-request.ts'
import { allowsPartial } from './search-settings.ts'
import { resolveSearch, SearchTargets } from './search-targets.ts'

/**
 * Counts the matches of a query over all shards of its indices: a search without hits that stops
 * after its query phase.
 * @throws {EngineError} as a search; shards that fail are counted as such unless all do, or the cluster allows
 *   none to
 */
export async function count(
  node: Node,
  asked: CountCall,
  context: CallContext,
): Promise<CountOutcome> {
  node.ensureOpen()
  // Without such a default nothing is awaited here.
  const isProcessed = mayHaveDefault(node, asked.target)
  const call = isProcessed ? await processedCount(node, asked, context) : asked
  const found = resolveSearch(node, call.target, context)
  const request = countRequest(call)
  const charge = node.breakers.open('request', '<count>')
  const targets = new SearchTargets(found, call.options)
  const counted = async (): Promise<QueryPhase> => {
    const lookups = await answersFor(node, request, targets, context, searchByItself)
    const queries = {
      slices: undefined,
      signal: context,
      charge,
      lookups,
      boosts: new Map<string, number>(),
      sharesStatistics: false,
      caching: { asked: undefined, maxSize: 0 },
      allowsPartial: allowsPartial(undefined, node.effectiveSettings),
      logged: {
        body: call.body,
        searchType: 'query_then_fetch' as const,
        groups: [],
        shardCount: targets.shardCount,
        opaqueId: context.opaqueId,
      },
    }
    return runQueryPhase(node, targets, request, queries)
  }
  const phase = await counted().finally(() => {
    targets.release()
    charge.release()
  })
  checkAnswered(node, { options: {} }, phase)
  const { answers, failures } = phase
  const results = answers.map(answer => answer.outcome.result)
  const total = results.reduce((sum, result) => sum + (result.total?.value ?? 0), 0)
  const { shardCount } = targets
  const failed = failures.length
  return {
    count: total,
    terminatedEarly:
      request.coupled.terminateAfter > 0 ? results.some(result => result.terminatedEarly) : null,
    shards: { total: shardCount, successful: shardCount - failed, failed, skipped: 0 },
  }
}

function countRequest({ body, options }: CountCall): SearchRequest {
  const { minScore, terminateAfter, ...rest } = options
  const query = parseCountBody(body)
  const request = parseSearchRequest(null, {
    ...rest,
    size: 0,
    trackTotalHits: true,
    ...(minScore === undefined ? {} : { minScore }),
    ...(terminateAfter === undefined || terminateAfter === 0 ? {} : { terminateAfter }),
  })
  return { ...request, coupled: { ...request.coupled, query } }
}
