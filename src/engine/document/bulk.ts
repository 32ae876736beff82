import type { Shard } from '../../shard/shard.ts'
import type { WriteOperation } from '../../shard/write-operation.ts'
import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { BulkAction, BulkCall, BulkItem, BulkOutcome } from '../api/documents.ts'
import { resolveWrite, type WriteTarget } from '../index/write-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { type BulkLine, readBulkLines } from './bulk-lines.ts'
import { newDocumentId } from './document-id.ts'
import {
  checkWrite,
  outcomeOf,
  refreshAfter,
  routingThrough,
  shardCounts,
  shardForWrite,
} from './documents.ts'

/** The action that is checked where the index of an operation is resolved. */
const ACTION_OF: Readonly<Record<BulkAction, Action>> = {
  index: 'indices:data/write/index',
  create: 'indices:data/write/index',
  delete: 'indices:data/write/delete',
  update: 'indices:data/write/update',
}

/**
 * Runs a bulk. Operations of one shard run in their order; a failing item leaves the others alone.
 * @throws {EngineError} when an action line is malformed: nothing was written then
 */
export async function runBulk(
  node: Node,
  call: BulkCall,
  context: CallContext,
): Promise<BulkOutcome> {
  const started = performance.now()
  node.ensureOpen()
  const lines = readBulkLines(call)
  context.task.describe = () => {
    const indices = new Set(lines.map(({ index }) => index))
    return `requests[${lines.length}], indices[${[...indices].join(', ')}]`
  }
  return await node.indexingPressure.during(call.body.length, lines.length, () =>
    runLines(node, call, context, lines, started),
  )
}

async function runLines(
  node: Node,
  call: BulkCall,
  context: CallContext,
  lines: readonly BulkLine[],
  started: number,
): Promise<BulkOutcome> {
  const items: BulkItem[] = new Array(lines.length)
  const groups = new Map<
    Shard,
    { readonly index: IndexService; readonly operations: WriteOperation[]; readonly at: number[] }
  >()
  const targets: Record<BulkAction, Map<string, WriteTarget | EngineError>> = {
    index: new Map(),
    create: new Map(),
    delete: new Map(),
    update: new Map(),
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const { action } = line
    const id = line.id ?? newDocumentId()
    try {
      // Both kinds of a name may stand in one bulk.
      const name = line.requireAlias ? `alias ${line.index}` : line.index
      let target = targets[action].get(name)
      if (target === undefined) {
        target = await targetOf(node, line, context, ACTION_OF[action])
        targets[action].set(name, target)
      }
      if (target instanceof EngineError) throw target
      const { index } = target
      const routing = routingThrough(line.index, target.routing, line.routing)
      const operation = operationOf({ ...line, routing }, id)
      checkWrite(index, operation)
      const shard = shardForWrite(index, operation, call)
      let group = groups.get(shard)
      if (group === undefined) {
        group = { index, operations: [], at: [] }
        groups.set(shard, group)
      }
      group.operations.push(operation)
      group.at.push(i)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      items[i] = { action, index: line.index, id: line.id, error }
    }
  }
  await Promise.all(
    Array.from(groups, async ([shard, { index, operations, at }]) => {
      const outcomes = await shard.submit(operations).catch((error: unknown) => error)
      const forced = Array.isArray(outcomes)
        ? await refreshAfter(index, [shard], call.refresh)
        : false
      const shards = shardCounts(index)
      at.forEach((i, j) => {
        const outcome: unknown = Array.isArray(outcomes) ? outcomes[j] : outcomes
        const { id } = operations[j]!
        items[i] =
          outcome instanceof Error
            ? { action: lines[i]!.action, index: index.name, id, error: outcome }
            : {
                action: lines[i]!.action,
                outcome: outcomeOf(index, id, outcome as never, forced, shards),
              }
      })
    }),
  )
  return { tookInMillis: Math.floor(performance.now() - started), items }
}

async function targetOf(
  node: Node,
  line: BulkLine,
  context: CallContext,
  action: Action,
): Promise<WriteTarget | EngineError> {
  try {
    return await resolveWrite(node, line, context, action)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
}

function operationOf(line: BulkLine, id: string): WriteOperation {
  const { routing, ifSeqNo, ifPrimaryTerm, version, versionType, action } = line
  if (line.id === '') throw new IllegalArgumentError('if _id is specified it must not be empty')
  if (line.pipeline !== null && line.pipeline !== '_none')
    throw new IllegalArgumentError(`pipeline with id [${line.pipeline}] does not exist`)
  if (action === 'update') throw new IllegalArgumentError('[update] is not supported yet')
  if (action === 'delete')
    return { kind: 'delete', id, routing, ifSeqNo, ifPrimaryTerm, version, versionType }
  // Written out: to spread a common part would cost as much as all else here.
  return {
    kind: 'index',
    id,
    routing,
    ifSeqNo,
    ifPrimaryTerm,
    version,
    versionType,
    isCreate: action === 'create',
    isNewId: line.id === null,
    source: line.source!,
  }
}
