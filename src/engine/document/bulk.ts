import type { Shard } from '../../shard/shard.ts'
import type { WriteOperation } from '../../shard/write-operation.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { untilCancelled } from '../../util/cancelled-error.ts'
import { nowInMillis } from '../../util/clock.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { BulkCall, BulkItem, BulkOutcome, WriteDocuments } from '../api/documents.ts'
import { checkStreamWrite } from '../index/stream-writes.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { checkAppendOnly } from './append-only.ts'
import { type BulkLine, readBulkLines } from './bulk-lines.ts'
import { BulkTargets } from './bulk-targets.ts'
import { countItems } from './count-writes.ts'
import { newDocumentId } from './document-id.ts'
import { checkWrite, outcomeOf, refreshAfter, shardCounts, shardForWrite } from './documents.ts'
import { ingestLines } from './ingest-lines.ts'
import { routingThrough } from './read-target.ts'
import { type UpdateScript, updateScript } from './scripted-update.ts'
import { runUpdate, type UpdatedDocument, updateOutcome } from './update.ts'
import type { UpdateBody } from './update-body.ts'

/**
 * Runs a bulk. Operations of one shard run in their order; a failing item leaves the others alone.
 * @throws {EngineError} when an action line is malformed: nothing was written then
 */
export async function runBulk(
  node: Node,
  call: BulkCall,
  context: CallContext,
): Promise<BulkOutcome> {
  const started = nowInMillis()
  node.ensureOpen()
  const lines = readBulkLines(call)
  const { refresh, waitForActiveShards, timeoutInMillis } = call
  const forAll = { refresh, waitForActiveShards, timeoutInMillis, signal: context }
  context.task.describe = () => {
    const indices = new Set(lines.map(({ index }) => index))
    return `requests[${lines.length}], indices[${[...indices].join(', ')}]`
  }
  return await node.indexingPressure.during(call.body.length, lines.length, () =>
    runLines(node, forAll, context, lines, started),
  )
}

/** Runs writes as a bulk of them would. */
export async function writeDocuments(
  node: Node,
  call: WriteDocuments,
  context: CallContext,
): Promise<BulkOutcome> {
  const started = nowInMillis()
  node.ensureOpen()
  const { writes, pipeline, requireAlias, waitForActiveShards, timeoutInMillis, signal } = call
  const forAll = { refresh: 'false', waitForActiveShards, timeoutInMillis, signal } as const
  context.task.describe = () => {
    const indices = new Set(writes.map(({ index }) => index))
    return `requests[${writes.length}], indices[${[...indices].join(', ')}]`
  }
  let bytes = 0
  // Of one shape with the lines that are read, in the order of their keys: what looks at lines stays fast.
  const lines = writes.map((write): BulkLine => {
    const { action, index, id, routing, ifSeqNo, ifPrimaryTerm, version, versionType, source } =
      write
    bytes += source?.length ?? 0
    return {
      action,
      index,
      id,
      routing,
      ifSeqNo,
      ifPrimaryTerm,
      version,
      versionType,
      pipeline,
      requireAlias,
      retryOnConflict: 0,
      sourceFilter: null,
      source,
      update: null,
    }
  })
  return await node.indexingPressure.during(bytes, lines.length, () =>
    runLines(node, forAll, context, lines, started),
  )
}

/** What holds for all lines. */
interface LinesCall extends Pick<BulkCall, 'refresh' | 'waitForActiveShards' | 'timeoutInMillis'> {
  /** For whom they are written: told of the time of threads, and asked whether to go on. */
  readonly signal: Cancellation
}

async function runLines(
  node: Node,
  call: LinesCall,
  context: CallContext,
  given: readonly BulkLine[],
  started: number,
): Promise<BulkOutcome> {
  // Nothing is written yet: whoever gives up need not wait for the thread of pipelines.
  const { lines, items, settled, ingestTookInMillis } = await untilCancelled(
    ingestLines(node, given),
    call.signal,
  )
  const groups = new Map<Shard, ShardGroup>()
  const targets = new BulkTargets(node, context)
  await targets.resolve(settled === 0 ? lines : lines.filter((_, i) => items[i] === undefined))
  if (lines.some(({ update }) => update !== null && update.script !== null))
    await node.scripts.load()
  const request = (): string => `[${lines.length}] requests`
  for (let i = 0; i < lines.length; i++) {
    if (items[i] !== undefined) continue
    const line = lines[i]!
    const { action } = line
    const id = line.id ?? newDocumentId()
    try {
      const target = targets.of(line)
      checkStreamWrite(node.metadata, target, action, line)
      const { index } = target
      checkAppendOnly(index.metadata, action, line.id)
      const routing = routingThrough(line.index, target.routing, line.routing)
      checkWrite(index, { id, routing })
      const shard = shardForWrite(index, { id, routing }, call, request)
      let group = groups.get(shard)
      if (group === undefined) {
        group = { index, shard, steps: [] }
        groups.set(shard, group)
      }
      const step = stepOf(node, line, id, routing)
      group.steps.push({ at: i, id, routing, line, ...step })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      items[i] = { action, index: line.index, id: line.id, error }
    }
  }
  await Promise.all(Array.from(groups.values(), group => runGroup(group, items, call)))
  countItems(node, items)
  return { tookInMillis: Math.floor(nowInMillis() - started), ingestTookInMillis, items }
}

/** An operation of a bulk: a write as it is, or an update, which reads first. */
type BulkStep =
  | { readonly operation: WriteOperation }
  | { readonly update: UpdateBody; readonly script: UpdateScript | null }

/** The operations of one shard, in their order. */
interface ShardGroup {
  readonly index: IndexService
  readonly shard: Shard
  readonly steps: ({
    readonly at: number
    readonly id: string
    readonly routing: string | null
    readonly line: BulkLine
  } & BulkStep)[]
}

/** Runs the operations of a shard in their order, of which those of a run may go together. */
async function runGroup(
  { index, shard, steps }: ShardGroup,
  items: BulkItem[],
  { refresh, signal }: LinesCall,
): Promise<void> {
  const shards = shardCounts(index)
  const outcomes: unknown[] = []
  while (outcomes.length < steps.length) {
    const writes = writesFrom(steps, outcomes.length)
    if (writes.length > 0) {
      const found = await shard.submit(writes, signal).catch((error: unknown) => error)
      for (const i of writes.keys()) outcomes.push(Array.isArray(found) ? found[i] : found)
      continue
    }
    const updates = updatesFrom(steps, outcomes.length).map(({ line, ...step }) => {
      const { id, routing, body, script } = step
      const { retryOnConflict: retries } = line
      const update = { index, shard, id, routing, body, script, retries, counter: signal }
      return runUpdate(update).catch((error: unknown) => error)
    })
    outcomes.push(...(await Promise.all(updates)))
  }
  const hasWritten = outcomes.some(outcome => !(outcome instanceof Error))
  const forced = hasWritten ? await refreshAfter(index, [shard], refresh) : false
  for (const [i, step] of steps.entries()) {
    const { at, id, line } = step
    const { action } = line
    const outcome = outcomes[i]
    if (outcome instanceof Error) items[at] = { action, index: index.name, id, error: outcome }
    else if ('operation' in step)
      items[at] = {
        action,
        outcome: outcomeOf(index, id, outcome as never, forced, shards),
        get: null,
      }
    else {
      const updated = outcome as UpdatedDocument
      items[at] = {
        action,
        outcome: updateOutcome(index, id, updated.outcome, forced),
        get: updated.get,
      }
    }
  }
}

/** The writes from a step on, up to the next update. */
function writesFrom(steps: ShardGroup['steps'], from: number): WriteOperation[] {
  const writes: WriteOperation[] = []
  for (let i = from; i < steps.length; i++) {
    const step = steps[i]!
    if (!('operation' in step)) break
    writes.push(step.operation)
  }
  return writes
}

/** The updates from a step on, up to the next write, or the next update of one of their documents. */
function updatesFrom(
  steps: ShardGroup['steps'],
  from: number,
): {
  readonly id: string
  readonly routing: string | null
  readonly line: BulkLine
  readonly body: UpdateBody
  readonly script: UpdateScript | null
}[] {
  const ids = new Set<string>()
  const updates = []
  for (let i = from; i < steps.length; i++) {
    const step = steps[i]!
    if (!('update' in step) || ids.has(step.id)) break
    ids.add(step.id)
    const { id, routing, line, update: body, script } = step
    updates.push({ id, routing, line, body, script })
  }
  return updates
}

function stepOf(node: Node, line: BulkLine, id: string, routing: string | null): BulkStep {
  const { ifSeqNo, ifPrimaryTerm, version, versionType, action } = line
  if (line.id === '') throw new IllegalArgumentError('if _id is specified it must not be empty')
  if (action === 'update') {
    const update = line.update!
    return { update, script: update.script === null ? null : updateScript(node, update.script) }
  }
  if (action === 'delete')
    return {
      operation: { kind: 'delete', id, routing, ifSeqNo, ifPrimaryTerm, version, versionType },
    }
  return {
    operation: {
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
    },
  }
}
