import type { CallContext } from '../../task/call-context.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import type { MultiSearchCall, MultiSearchItem, SearchCall } from '../api/searches.ts'
import type { Node } from '../node/node.ts'
import { runSearch } from './search.ts'
import { readSearch } from './search-call.ts'
import type { SearchRequest } from './search-request.ts'

/**
 * Runs several searches, a few at a time, each under a task of its own.
 * @throws {EngineError} no searches; a request that is malformed by itself
 */
export async function multiSearch(
  node: Node,
  { searches, maxConcurrent }: MultiSearchCall,
  context: CallContext,
): Promise<MultiSearchItem[]> {
  node.ensureOpen()
  if (searches.length === 0) throw validationFailed(['no requests added'])
  const requests = searches.map(readSearch)
  const items = new Array<MultiSearchItem>(searches.length)
  let next = 0
  const runNext = async (): Promise<void> => {
    while (next < searches.length) {
      const i = next++
      items[i] = await runOne(node, searches[i]!, requests[i]!, context)
    }
  }
  const runners = Math.min(maxConcurrent, searches.length)
  await Promise.all(Array.from({ length: runners }, runNext))
  return items
}

async function runOne(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<MultiSearchItem> {
  const own = context.child('indices:data/read/search')
  try {
    return {
      outcome: await node.tasks.runWaiting(own, () => runSearch(node, call, request, own)),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) node.noteFailure(error)
    return { error }
  }
}
