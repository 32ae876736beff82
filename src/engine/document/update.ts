/** Updates: a document is read, changed, and written if nobody else has written it in between. */

import { filterSource } from '../../schema/source-filter.ts'
import type { Shard } from '../../shard/shard.ts'
import type { IndexOperation, WriteOutcome as ShardOutcome } from '../../shard/write-operation.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import { type JsonObjectNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { Long } from '../../util/long.ts'
import type { GotSource, UpdateDocument, UpdateOutcome, WriteOutcome } from '../api/documents.ts'
import { resolveWrite } from '../index/write-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { checkAppendOnly } from './append-only.ts'
import {
  checkId,
  checkWrite,
  outcomeOf,
  refreshAfter,
  shardCounts,
  shardForWrite,
} from './documents.ts'
import { mergeSource } from './merge-source.ts'
import { routingThrough } from './read-target.ts'
import { parseUpdateBody, type UpdateBody } from './update-body.ts'
import { describeUpdate } from './write-text.ts'

/** An update of one document in a shard. */
export interface ShardUpdate {
  readonly index: IndexService
  readonly shard: Shard
  readonly id: string
  readonly routing: string | null
  readonly body: UpdateBody
  /** How often it begins anew where another write came between. */
  readonly retries: number
}

/** The outcome of an update, before any refresh. */
export interface UpdatedDocument {
  readonly outcome: Exclude<ShardOutcome, EngineError> | NoopOutcome
  /** The source in the answer; null: none was asked for. */
  readonly get: GotSource | null
}

/** Nothing was to be changed: the document as it stands. */
interface NoopOutcome {
  readonly result: 'noop'
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
}

/** Updates a document; resolves when the change is durable. */
export async function updateDocument(
  node: Node,
  call: UpdateDocument,
  context: CallContext,
): Promise<UpdateOutcome> {
  node.ensureOpen()
  checkId(call.id)
  const { body: parsed, faults } = parseUpdateBody(call.body, call)
  if (faults.length > 0) throw validationFailed(faults)
  const body = { ...parsed, source: parsed.source ?? call.source }
  const name = { ...call, kind: 'update', mayCreate: true } as const
  const target = await resolveWrite(node, name, context, context.task.action)
  const { index } = target
  checkAppendOnly(index.metadata, 'update', call.id)
  const routing = routingThrough(call.index, target.routing, call.routing)
  checkWrite(index, { id: call.id, routing })
  const shard = shardForWrite(
    index,
    { id: call.id, routing },
    call,
    () => `[${describeUpdate({ index: index.name, id: call.id })}]`,
  )
  const update = { index, shard, id: call.id, routing, body, retries: call.retryOnConflict }
  const { outcome, get } = await node.indexingPressure.during(call.bodyInBytes, 1, () =>
    runUpdate(update),
  )
  const forced =
    outcome.result === 'noop' ? false : await refreshAfter(index, [shard], call.refresh)
  return { write: updateOutcome(index, call.id, outcome, forced), get }
}

/** An update's outcome as callers see it; one that writes nothing reaches no copy. */
export function updateOutcome(
  index: IndexService,
  id: string,
  outcome: UpdatedDocument['outcome'],
  forced: boolean,
): WriteOutcome {
  if (outcome.result !== 'noop') return outcomeOf(index, id, outcome, forced, shardCounts(index))
  const { seqNo, primaryTerm, version, result } = outcome
  const shards = { total: 0, successful: 0, failed: 0 }
  return {
    index: index.name,
    id,
    version,
    result,
    forcedRefresh: false,
    shards,
    seqNo,
    primaryTerm,
  }
}

/**
 * Runs an update, again where another write came between, as often as it may.
 * @throws {EngineError} `document_missing_exception`, `document_source_missing_exception`,
 *   `version_conflict_engine_exception`, or what the write was rejected with
 */
export async function runUpdate(update: ShardUpdate): Promise<UpdatedDocument> {
  for (let retries = update.retries; ; retries--) {
    const step = nextStep(update)
    if ('noop' in step) return step.noop
    const [outcome] = await update.shard.submit([step.operation])
    if (!(outcome instanceof EngineError))
      return { outcome: outcome!, get: gotSource(update, outcome!, step.operation.source) }
    if (outcome.type !== 'version_conflict_engine_exception' || retries <= 0) throw outcome
  }
}

/** The write that an update makes of the document as it stands, or that there is none to make. */
function nextStep(
  update: ShardUpdate,
): { readonly noop: UpdatedDocument } | { readonly operation: IndexOperation } {
  const { shard, id, routing, body } = update
  const found = shard.get(id, true)
  if (found === null) {
    if (body.upsert === null)
      throw missing(update, 'document_missing_exception', 'document missing')
    const source = writeJson(jsonValueOf(body.upsert))
    return { operation: indexOperation(update, source, routing, null) }
  }
  const { current } = found
  if (found.source.length === 0)
    throw missing(update, 'document_source_missing_exception', 'document source missing')
  checkSeqNo(update, current)
  const old = parseJsonTree(found.source) as JsonObjectNode
  const { source, isChanged } = mergeSource(old, body.doc!)
  if (!isChanged && body.detectsNoop) {
    const { seqNo, primaryTerm, version } = current
    const outcome: NoopOutcome = { result: 'noop', seqNo, primaryTerm, version }
    shard.stats.noopUpdates++
    return { noop: { outcome, get: gotSource(update, outcome, found.source) } }
  }
  const bytes = isChanged ? writeJson(jsonValueOf(source)) : found.source
  return { operation: indexOperation(update, bytes, found.routing, current) }
}

/** @param seen the document that the write is based on; null: there was none */
function indexOperation(
  { id }: ShardUpdate,
  source: Uint8Array,
  routing: string | null,
  seen: { readonly seqNo: number; readonly primaryTerm: number } | null,
): IndexOperation {
  return {
    kind: 'index',
    id,
    routing,
    ifSeqNo: seen?.seqNo ?? null,
    ifPrimaryTerm: seen?.primaryTerm ?? null,
    version: null,
    versionType: 'internal',
    isCreate: seen === null,
    isNewId: false,
    source,
  }
}

/** Refuses a document that is not the one which the caller has seen. */
function checkSeqNo(
  { id, index, shard, body }: ShardUpdate,
  current: { readonly seqNo: number; readonly primaryTerm: number },
): void {
  const { ifSeqNo, ifPrimaryTerm } = body
  if (ifSeqNo === null) return
  if (current.seqNo === ifSeqNo && current.primaryTerm === ifPrimaryTerm) return
  throw new EngineError({
    type: 'version_conflict_engine_exception',
    reason:
      `[${id}]: version conflict, required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. ` +
      `current document has seqNo [${current.seqNo}] and primary term [${current.primaryTerm}]`,
    extra: {
      index: index.name,
      shard: String(shard.name.shard),
      index_uuid: index.metadata.uuid,
    },
  })
}

function gotSource(
  { body }: ShardUpdate,
  { seqNo, primaryTerm }: { readonly seqNo: number; readonly primaryTerm: number },
  source: Uint8Array,
): GotSource | null {
  if (body.source === null || !body.source.enabled) return null
  return { seqNo, primaryTerm, source: filterSource(source, body.source) }
}

function missing(
  { id, index, shard }: ShardUpdate,
  type: 'document_missing_exception' | 'document_source_missing_exception',
  what: string,
): EngineError {
  return new EngineError({
    type,
    reason: `[${id}]: ${what}`,
    extra: {
      index: index.name,
      shard: String(shard.name.shard),
      index_uuid: index.metadata.uuid,
    },
  })
}
