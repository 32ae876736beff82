/** Scrolls: a search whose hits are answered page by page, from the snapshots of its first page. */

import { clusterSettings } from '../../schema/setting-registry.ts'
import { restrictedError } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { ClearScrolls, NextPage } from '../api/search-contexts.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import { showsAlike, viewAgain } from '../metadata/index-view.ts'
import type { Node } from '../node/node.ts'
import type { HeldReaders } from '../node/reader-contexts.ts'
import { searchPhaseError } from '../response/search-response.ts'
import { checkKeepAlive, checkOpenContexts } from './context-checks.ts'
import { missingContext } from './missing-context.ts'
import { ScrolledSearch } from './scrolled-search.ts'
import { searchTargets } from './search-call.ts'
import type { SearchRequest } from './search-request.ts'
import { resolveSearch, SearchTargets } from './search-targets.ts'
import { failureOf } from './shard-failure.ts'

/**
 * Answers the first page of a scroll, and keeps its snapshots.
 * @throws {EngineError} as `searchTargets`; too long a keep-alive; 429: too many scrolls are open
 */
export async function beginScroll(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  keepAliveInMillis: number,
  context: CallContext,
): Promise<SearchOutcome> {
  const started = performance.now()
  const cluster = node.effectiveSettings
  const found = resolveSearch(node, call.target, context)
  const targets = new SearchTargets(found, { ...call.options, slice: request.coupled.slice })
  let scroll: ScrolledSearch | null = null
  try {
    failAll(node, targets, () => {
      checkKeepAlive('scroll', keepAliveInMillis, cluster)
      checkOpenContexts('scroll', node.scrolls, targets.held.length, cluster)
    })
    const answer = await searchTargets(node, { call, request, started }, targets, context)
    node.ensureOpen()
    scroll = new ScrolledSearch(node, call, request, targets, answer)
    // It was closed or deleted meanwhile, when nothing held it yet.
    for (const { view, index } of targets.indices)
      if (node.index(index.name) !== index) scroll.dropIndex(view.index.uuid)
    const opened = node.scrolls.begin(scroll, context.principal, keepAliveInMillis)
    scroll.number = opened.number
    node.scrolls.end(opened)
    return { body: { _scroll_id: opened.id, ...answer.body } }
  } finally {
    if (scroll === null) targets.release()
  }
}

/**
 * Answers the next page of a scroll.
 * @throws {EngineError} no id; 400: a text that is no id, or too long a keep-alive; 404: the scroll is
 *   gone; as `searchTargets`
 */
export async function nextPage(
  node: Node,
  { scrollId, keepAliveInMillis, totalAsInt }: NextPage,
  context: CallContext,
): Promise<SearchOutcome> {
  node.ensureOpen()
  if (scrollId === null) throw validationFailed(['scrollId is missing'])
  const found = node.scrolls.use(scrollId, context.principal)
  if (found === null) throw cannotParse()
  if ('missing' in found) throw missingContext(found.missing)
  try {
    const scroll = scrollOf(found.held)
    // The scroll's hits are of documents that the caller saw when it began.
    for (const { view } of scroll.targets.indices)
      if (!showsAlike(view, viewAgain(view, context)))
        throw restrictedError('What may be seen has changed since the scroll began')
    const cluster = node.effectiveSettings
    if (keepAliveInMillis !== null)
      failAll(node, scroll.targets, () => checkKeepAlive('scroll', keepAliveInMillis, cluster))
    const byDefault = (clusterSettings.nanos(cluster, 'search.default_keep_alive') ?? 0) / 1e6
    found.keepAliveInMillis = Math.max(found.keepAliveInMillis, keepAliveInMillis ?? byDefault)
    const body = await scroll.nextPage(totalAsInt, context)
    return { body: { _scroll_id: scrollId, ...body } }
  } finally {
    node.scrolls.end(found)
  }
}

/**
 * Ends scrolls.
 * @returns how many shards' snapshots were given back
 * @throws {EngineError} no ids; 400: a text that is no id, and none is ended
 */
export function clearScrolls(node: Node, { ids }: ClearScrolls, context: CallContext): number {
  node.ensureOpen()
  const { scrolls } = node
  const { principal } = context
  if (ids.length === 0) throw validationFailed(['no scroll ids specified'])
  const isAll = ids.length === 1 && ids[0] === '_all'
  const meant = isAll ? scrolls.list(principal).map(({ id }) => id) : ids
  if (!meant.every(id => scrolls.isId(id))) throw cannotParse()
  return meant.reduce((sum, id) => sum + (scrolls.free(id, principal) ?? 0), 0)
}

/** Runs a check that every shard makes: what it refuses is the failure of all of them. */
function failAll(node: Node, targets: SearchTargets, check: () => void): void {
  try {
    check()
  } catch (error) {
    const failures = targets.held.map(({ shard }) => failureOf(node, shard.name, error))
    throw failures.length === 0 ? error : searchPhaseError(failures)
  }
}

function scrollOf(held: HeldReaders): ScrolledSearch {
  if (held instanceof ScrolledSearch) return held
  throw new EngineError({ type: 'illegal_state_exception', reason: 'no scroll' })
}

function cannotParse(): IllegalArgumentError {
  return new IllegalArgumentError('Cannot parse scroll id')
}
