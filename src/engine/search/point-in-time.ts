/** Points in time: snapshots that searches share until they are deleted or their keep-alive is over. */
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type {
  CreatePointInTime,
  DeletedPointInTime,
  OpenedPointInTime,
  OpenPointInTime,
} from '../api/search-contexts.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import type { PointInTime } from '../dsl/search-body/point-in-time.ts'
import { viewAgain } from '../metadata/index-view.ts'
import type { Node } from '../node/node.ts'
import type { HeldReaders, ReaderContext } from '../node/reader-contexts.ts'
import { searchPhaseError } from '../response/search-response.ts'
import { checkKeepAlive, checkOpenContexts } from './context-checks.ts'
import { HeldTargets } from './held-targets.ts'
import { missingContext } from './missing-context.ts'
import { searchTargets } from './search-call.ts'
import type { SearchRequest } from './search-request.ts'
import { allowsPartial } from './search-settings.ts'
import { resolveSearch, SearchTargets } from './search-targets.ts'
import { failureOf } from './shard-failure.ts'

/**
 * Holds the snapshots of now.
 * @throws {EngineError} no keep-alive, or too long a one; as `resolveOpen`; shards that could not be
 *   opened, unless the call does with others; 429 over the limit
 */
export function createPointInTime(
  node: Node,
  { target, keepAliveInMillis, allowsPartial: asked, ...address }: CreatePointInTime,
  context: CallContext,
): OpenedPointInTime {
  node.ensureOpen()
  if (keepAliveInMillis === null) throw validationFailed(['keep alive not specified'])
  const cluster = node.effectiveSettings
  checkKeepAlive('pit', keepAliveInMillis, cluster)
  const targets = new SearchTargets(resolveSearch(node, target, context), address)
  try {
    const failures = targets.indices.flatMap(({ shards }) =>
      shards.flatMap(held =>
        'snapshot' in held
          ? []
          : failureOf(node, held.name, held.readError('create point in time')),
      ),
    )
    const held = targets.held.length
    if (failures.length > 0 && (held === 0 || !allowsPartial(asked, cluster)))
      throw searchPhaseError(failures, held === 0 ? 'all shards failed' : 'Partial shards failure')
    checkOpenContexts('pit', node.pits, held, cluster)
    const readers = new HeldTargets(targets, 'pointInTime')
    const opened = node.pits.begin(readers, context.principal, keepAliveInMillis)
    readers.number = opened.number
    node.pits.end(opened)
    const { shardCount: total } = targets
    const shards = { total, successful: held, failed: failures.length }
    return { id: opened.id, createdAtInMillis: opened.createdAt, shards }
  } catch (error) {
    targets.release()
    throw error
  }
}

/**
 * Searches at a point in time.
 * @throws {EngineError} 400: the text is no id, or too long a keep-alive; 404: it is gone; as
 *   `searchTargets`
 */
export async function searchAtPoint(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  { id, keepAliveInMillis }: PointInTime,
  context: CallContext,
): Promise<SearchOutcome> {
  const started = performance.now()
  const { pits } = node
  const found = pits.use(id, context.principal)
  if (found === null) throw invalidId(id)
  if ('missing' in found) throw missingContext(found.missing)
  try {
    if (keepAliveInMillis !== null) {
      checkKeepAlive('pit', keepAliveInMillis, node.effectiveSettings)
      // A search prolongs what is kept, and never shortens it.
      found.keepAliveInMillis = Math.max(found.keepAliveInMillis, keepAliveInMillis)
    }
    const held = targetsOf(found.held).sliced(request.coupled.slice)
    // Permissions may have been taken back since it was opened.
    const names = held.indices.map(({ view }) => view.index.name)
    checkAccess(context, context.task.action, names)
    const indices = held.indices.map(each => ({ ...each, view: viewAgain(each.view, context) }))
    const targets = { indices, shardCount: held.shardCount }
    const answer = await searchTargets(node, { call, request, started }, targets, context)
    return { body: { pit_id: id, ...answer.body } }
  } finally {
    pits.end(found)
  }
}

/** The points in time that the caller holds, oldest first. */
export function listPointsInTime(node: Node, context: CallContext): OpenPointInTime[] {
  node.ensureOpen()
  return node.pits.list(context.principal).map(openOf)
}

/**
 * Ends points in time; those that are gone already are no error, nor is an engine that is.
 * @param ids null: all
 * @throws {EngineError} no ids; 400: a text that is no id, and none is deleted
 */
export function deletePointsInTime(
  node: Node,
  ids: readonly string[] | null,
  context: CallContext,
): DeletedPointInTime[] {
  const { principal } = context
  if (ids === null) {
    const all = node.pits.list(principal)
    for (const { id } of all) node.pits.free(id, principal)
    return all.map(({ id }) => ({ id, isSuccessful: true }))
  }
  checkIds(node, ids)
  return ids.map(id => {
    node.pits.free(id, principal)
    return { id, isSuccessful: true }
  })
}

/** @throws {EngineError} no ids; 400: a text that is no id */
export function checkIds(node: Node, ids: readonly string[]): void {
  if (ids.length === 0) throw validationFailed(['no pit ids specified'])
  for (const id of ids) if (!node.pits.isId(id)) throw invalidId(id)
}

function openOf({ id, createdAt, keepAliveInMillis }: ReaderContext): OpenPointInTime {
  return { id, createdAtInMillis: createdAt, keepAliveInMillis }
}

/** What a point in time holds. */
export function targetsOf(held: HeldReaders): SearchTargets {
  if (held instanceof HeldTargets) return held.targets
  throw new EngineError({ type: 'illegal_state_exception', reason: 'no point in time' })
}

function invalidId(id: string): IllegalArgumentError {
  return new IllegalArgumentError(`invalid id: [${id}]`)
}
