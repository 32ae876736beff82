/** Rollover: an alias or a data stream goes on to a new index once its write index is large or old enough. */
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { RolloverCall, RolloverCondition, RolloverOutcome } from '../api/indices.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { copiesWanted } from './active-shards.ts'
import { planAlias } from './rollover-alias.ts'
import type { RolloverPlan } from './rollover-plan.ts'
import { planStream } from './rollover-stream.ts'

/**
 * Rolls an alias or a data stream over if a condition is met or none is given; index and name change at once, or
 * not at all.
 * @throws {EngineError} as `planAlias` and `planStream`
 */
export async function rollOver(
  node: Node,
  call: RolloverCall,
  context: CallContext,
): Promise<RolloverOutcome> {
  node.ensureOpen()
  const planned = plan(node, call, context)
  const index = node.openedIndex(planned.source.name)
  const met = call.conditions.map(condition => [condition, isMet(condition, index)] as const)
  const outcome = {
    oldIndex: planned.source.name,
    newIndex: planned.newName,
    rolledOver: false,
    shardsAcknowledged: false,
    conditions: new Map(met.map(([{ text }, isMet]) => [text, isMet])),
  }
  if (call.isDryRun || (met.length > 0 && !met.some(([, isMet]) => isMet))) return outcome
  const done = await node.changes.submit(
    `rollover_index source [${planned.source.name}] to target [${planned.newName}]`,
    'NORMAL',
    () => {
      node.ensureOpen()
      const now = plan(node, call, context)
      // Another rollover was first: its new index need not meet the conditions.
      if (met.length > 0 && now.source.uuid !== planned.source.uuid) return null
      const reasons = met.flatMap(([{ kind, value }, isMet]) => (isMet ? [{ kind, value }] : []))
      const created = now.change({ met: reasons, timeInMillis: Date.now() })
      return { from: now.source, created }
    },
    context,
  )
  if (done === null) return outcome
  const { from, created } = done
  return {
    ...outcome,
    oldIndex: from.name,
    newIndex: created.name,
    rolledOver: true,
    shardsAcknowledged: copiesWanted(created, call.waitForActiveShards) <= 1,
  }
}

function plan(node: Node, call: RolloverCall, context: CallContext): RolloverPlan {
  checkAccess(context, context.task.action, [call.name])
  const stream = node.metadata.dataStream(call.name)
  return stream === null ? planAlias(node, call, context) : planStream(node, stream, call, context)
}

function isMet(
  { kind, threshold }: RolloverCondition,
  { metadata, shards }: IndexService,
): boolean {
  switch (kind) {
    case 'age':
      return Date.now() - Number(metadata.settings.get('index.creation_date')) >= threshold
    case 'docs':
      return shards.reduce((sum, { snapshot }) => sum + snapshot.keptDocs, 0) >= threshold
    case 'size':
      return shards.reduce((sum, { storeBytes }) => sum + storeBytes, 0) >= threshold
  }
}
