import type { CallContext } from '../../task/call-context.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import { OLD_FORM_WARNING } from '../dsl/search-body/indices-boost.ts'
import type { Node } from '../node/node.ts'
import { warningsOf } from './aggregate.ts'
import { searchAtPoint } from './point-in-time.ts'
import { mayHavePipeline } from './processor/choose-pipeline.ts'
import { searchThroughPipeline } from './processor/search-through-pipeline.ts'
import { beginScroll } from './scroll.ts'
import { readSearch, searchNow } from './search-call.ts'
import type { SearchRequest } from './search-request.ts'

/**
 * Runs a search, as the first page of a scroll and at a point in time where it asks for these.
 * @throws {EngineError} invalid target or request; as `searchTargets`
 */
export async function search(
  node: Node,
  call: SearchCall,
  context: CallContext,
): Promise<SearchOutcome> {
  node.ensureOpen()
  return await runSearch(node, call, readSearch(call), context)
}

/** Runs a search whose request has been read. */
export function runSearch(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchOutcome> {
  const running = node.searchStatuses.watch(begun(node, call, request, context), () => 200)
  const warnings = warningsFor(request)
  return warnings.length === 0 ? running : running.then(outcome => ({ ...outcome, warnings }))
}

/** Deprecation notices of old forms in a request, each once. */
function warningsFor({ coupled, parts }: SearchRequest): readonly string[] {
  const ofBoosts = coupled.indicesBoost.isOldForm ? [OLD_FORM_WARNING] : []
  if (parts.aggregations.nodes.length === 0) return ofBoosts
  return [...new Set([...ofBoosts, ...warningsOf(parts.aggregations)])]
}

function begun(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchOutcome> {
  if (!mayHavePipeline(node, call, request)) return runAsAsked(node, call, request, context)
  return searchThroughPipeline(node, call, request, context, runAsAsked)
}

/** Runs a search that goes through no pipeline, or has gone through its request processors. */
function runAsAsked(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchOutcome> {
  const { pit, scrollInMillis } = request.coupled
  if (pit !== null) return searchAtPoint(node, call, request, pit, context)
  if (scrollInMillis !== null) return beginScroll(node, call, request, scrollInMillis, context)
  return searchNow(node, call, request, context)
}
