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
  const runs = searches.map((call, i) => () => ({ call, request: requests[i]! }))
  return await runAll(node, runs, maxConcurrent, context)
}

/**
 * Runs searches whose calls are made one by one; one that cannot be made fails alone.
 * @throws {EngineError} no searches
 */
export async function multiSearchItems(
  node: Node,
  calls: readonly (() => SearchCall)[],
  maxConcurrent: number,
  context: CallContext,
): Promise<MultiSearchItem[]> {
  if (calls.length === 0) throw validationFailed(['no requests added'])
  const runs = calls.map(make => () => {
    const call = make()
    return { call, request: readSearch(call) }
  })
  return await runAll(node, runs, maxConcurrent, context)
}

/** A search that is to run, made when its turn comes. */
type Run = () => { readonly call: SearchCall; readonly request: SearchRequest }

async function runAll(
  node: Node,
  runs: readonly Run[],
  maxConcurrent: number,
  context: CallContext,
): Promise<MultiSearchItem[]> {
  const items = new Array<MultiSearchItem>(runs.length)
  let next = 0
  const runNext = async (): Promise<void> => {
    while (next < runs.length) {
      const i = next++
      items[i] = await runOne(node, runs[i]!, context)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, runs.length) }, runNext))
  return items
}

async function runOne(node: Node, run: Run, context: CallContext): Promise<MultiSearchItem> {
  const own = context.child('indices:data/read/search')
  try {
    const { call, request } = run()
    return {
      outcome: await node.tasks.runWaiting(own, () => runSearch(node, call, request, own)),
    }
  } catch (error) {
    if (!(error instanceof EngineError)) node.noteFailure(error)
    return { error }
  }
}
