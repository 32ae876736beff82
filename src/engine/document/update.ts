/** Updates: a document is read, changed, and written if nobody else has written it in between. */

import { filterSource } from '../../schema/source-filter.ts'
import type { Shard } from '../../shard/shard.ts'
import type {
  DeleteOperation,
  IndexOperation,
  WriteOutcome as ShardOutcome,
  WriteOperation,
} from '../../shard/write-operation.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { ExecutionCounter } from '../../util/cancellation.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import { type JsonObjectNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { Long } from '../../util/long.ts'
import type { GotSource, UpdateDocument, UpdateOutcome, WriteOutcome } from '../api/documents.ts'
import { resolveWrite } from '../index/write-target.ts'
import { ingestOne } from '../ingest/ingest-documents.ts'
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
  writeDocument,
} from './documents.ts'
import { metadataOf, withIngested } from './ingest-writes.ts'
import { mergeSource } from './merge-source.ts'
import { routingThrough } from './read-target.ts'
import { type UpdateScript, updateScript } from './scripted-update.ts'
import { parseUpdateBody, type UpdateBody } from './update-body.ts'
import { describeUpdate } from './write-text.ts'

/** An update of one document in a shard. */
export interface ShardUpdate {
  readonly index: IndexService
  readonly shard: Shard
  readonly id: string
  readonly routing: string | null
  readonly body: UpdateBody
  /** Null: the body has a document to lay over. */
  readonly script: UpdateScript | null
  /** How often it begins anew where another write came between. */
  readonly retries: number
  /** Is told what threads do for its write. */
  readonly counter: ExecutionCounter
  /** Takes the new source through pipelines. Absent: it passes none. */
  readonly ingest?: (operation: IndexOperation) => Promise<IngestedUpdate>
}

/** The new source of a document, changed by pipelines. */
type IngestedUpdate =
  | { readonly kind: 'kept'; readonly source: Uint8Array }
  /** Written under another index, id or routing, which a pipeline chose. */
  | { readonly kind: 'moved'; readonly source: Uint8Array; readonly write: WriteOutcome }
  | { readonly kind: 'dropped' }

/** The outcome of an update, before any refresh. */
export interface UpdatedDocument {
  readonly outcome: Exclude<ShardOutcome, EngineError> | NoopOutcome
  /** The source in the answer; null: none was asked for. */
  readonly get: GotSource | null
}

/** The outcome of an update that a pipeline sent elsewhere. */
export interface MovedDocument {
  readonly write: WriteOutcome
  readonly get: GotSource | null
}

/** Nothing was to be changed: the document as it stands. */
interface NoopOutcome {
  readonly result: 'noop'
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
}

/** A script did nothing where there is no document. */
const NOTHING_THERE: NoopOutcome = { result: 'noop', seqNo: -2, primaryTerm: 0, version: -1 }

/** A pipeline dropped the document: nothing was written. */
const DROPPED: NoopOutcome = { result: 'noop', seqNo: -2, primaryTerm: 0, version: -3 }

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
  const name = {
    index: call.index,
    requireAlias: call.requireAlias,
    kind: 'update',
    mayCreate: true,
  } as const
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
  const ingest = (operation: IndexOperation): Promise<IngestedUpdate> =>
    ingestUpdate(node, call, operation, context)
  const { script: asked } = body
  const script =
    asked === null ? null : await node.scripts.whenLoaded(() => updateScript(node, asked))
  const { id, retryOnConflict: retries } = call
  const update = { index, shard, id, routing, body, script, retries, counter: context, ingest }
  const updated = await node.indexingPressure.during(call.bodyInBytes, 1, () => runUpdate(update))
  if ('write' in updated) return updated
  const { outcome, get } = updated
  const forced =
    outcome.result === 'noop' ? false : await refreshAfter(index, [shard], call.refresh)
  return { write: updateOutcome(index, call.id, outcome, forced), get }
}

/**
 * Takes the new source of a document through the pipelines of its index, and writes it where they send it.
 * @throws {EngineError} the error of a processor, or of the write elsewhere
 */
async function ingestUpdate(
  node: Node,
  call: UpdateDocument,
  { source, isCreate, ...operation }: IndexOperation,
  context: CallContext,
): Promise<IngestedUpdate> {
  const { index } = call
  const metadata = metadataOf({ index, ...operation })
  const ingested = await ingestOne(node, { metadata, source, pipeline: null })
  if (ingested.kind === 'untouched') return { kind: 'kept', source }
  if (ingested.kind === 'dropped') return ingested
  const { metadata: after } = ingested
  if (after.index === index && after.id === operation.id && after.routing === operation.routing)
    return { kind: 'kept', source: ingested.source }
  const { kind: _, isNewId: __, ...conditions } = operation
  const opType = isCreate ? 'create' : 'index'
  const given = { ...call, ...conditions, requireAlias: false, opType, source } as const
  const write = await writeDocument(node, withIngested(given, after, ingested.source), context)
  return { kind: 'moved', source: ingested.source, write }
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
export async function runUpdate(
  update: ShardUpdate & { readonly ingest?: never },
): Promise<UpdatedDocument>
export async function runUpdate(update: ShardUpdate): Promise<UpdatedDocument | MovedDocument>
export async function runUpdate(update: ShardUpdate): Promise<UpdatedDocument | MovedDocument> {
  for (let retries = update.retries; ; retries--) {
    const step =
      update.script === null ? mergeStep(update) : await scriptStep(update, update.script)
    if (step.kind === 'noop') return step.noop
    try {
      return await writeStep(update, step)
    } catch (error) {
      const isConflict =
        error instanceof EngineError && error.type === 'version_conflict_engine_exception'
      if (!isConflict || retries <= 0) throw error
    }
  }
}

/** @throws {EngineError} what the write was rejected with */
async function writeStep(
  update: ShardUpdate,
  step: Exclude<UpdateStep, { kind: 'noop' }>,
): Promise<UpdatedDocument | MovedDocument> {
  const { operation } = step
  let { source } = step
  if (step.kind === 'index' && update.ingest !== undefined) {
    const ingested = await update.ingest({ ...step.operation, source })
    if (ingested.kind === 'dropped') return { outcome: DROPPED, get: null }
    source = ingested.source
    if (ingested.kind === 'moved')
      return { write: ingested.write, get: gotSource(update, ingested.write, source) }
  }
  const write: WriteOperation = operation.kind === 'delete' ? operation : { ...operation, source }
  const [outcome] = await update.shard.submit([write], null, update.counter)
  if (outcome instanceof EngineError) throw outcome
  return { outcome: outcome!, get: gotSource(update, outcome!, source) }
}

/** The write that an update makes of the document as it stands, or that there is none to make. */
type UpdateStep =
  | { readonly kind: 'noop'; readonly noop: UpdatedDocument }
  | {
      readonly kind: 'index'
      readonly operation: Omit<IndexOperation, 'source'>
      readonly source: Uint8Array
    }
  /** `source`: as the script left it, for the answer. */
  | { readonly kind: 'delete'; readonly operation: DeleteOperation; readonly source: Uint8Array }

type FoundDocument = NonNullable<ReturnType<Shard['get']>>

/**
 * The document that is to be updated; null: there is none, and another in its place.
 * @throws {EngineError} there is none; it has no source; it is not the one that the caller has seen
 */
function foundFor(update: ShardUpdate): FoundDocument | null {
  const { shard, id, body } = update
  const found = shard.get(id, true)
  if (found === null) {
    if (body.upsert !== null) return null
    throw missing(update, 'document_missing_exception', 'document missing')
  }
  if (found.source.length === 0)
    throw missing(update, 'document_source_missing_exception', 'document source missing')
  checkSeqNo(update, found.current)
  return found
}

function mergeStep(update: ShardUpdate): UpdateStep {
  const { routing, body } = update
  const found = foundFor(update)
  if (found === null) return upsertStep(update, writeJson(jsonValueOf(body.upsert!)), routing)
  const old = parseJsonTree(found.source) as JsonObjectNode
  const { source, isChanged } = mergeSource(old, body.doc!)
  if (!isChanged && body.detectsNoop) return noopStep(update, found)
  const bytes = isChanged ? writeJson(jsonValueOf(source)) : found.source
  return indexStep(update, bytes, found)
}

/** The write that a script makes of the document, or of the one that is to stand in its place. */
async function scriptStep(update: ShardUpdate, script: UpdateScript): Promise<UpdateStep> {
  const { id, routing, body, index } = update
  const found = foundFor(update)
  const upsert = found === null ? writeJson(jsonValueOf(body.upsert!)) : null
  if (upsert !== null && !body.scriptsUpsert) return upsertStep(update, upsert, routing)
  const { op, source } = await script({
    index: index.name,
    id,
    routing: found === null ? routing : found.routing,
    version: found === null ? null : found.current.version,
    source: upsert ?? found!.source,
  })
  if (found === null)
    return op === 'create'
      ? upsertStep(update, source, routing)
      : { kind: 'noop', noop: { outcome: NOTHING_THERE, get: null } }
  if (op === 'index') return indexStep(update, source, found)
  if (op !== 'delete') return noopStep(update, found)
  const { seqNo, primaryTerm } = found.current
  const operation: DeleteOperation = {
    kind: 'delete',
    id,
    routing: found.routing,
    ifSeqNo: seqNo,
    ifPrimaryTerm: primaryTerm,
    version: null,
    versionType: 'internal',
  }
  return { kind: 'delete', operation, source }
}

function noopStep(update: ShardUpdate, { current, source }: FoundDocument): UpdateStep {
  const { seqNo, primaryTerm, version } = current
  const outcome: NoopOutcome = { result: 'noop', seqNo, primaryTerm, version }
  update.shard.stats.noopUpdates++
  return { kind: 'noop', noop: { outcome, get: gotSource(update, outcome, source) } }
}

function upsertStep(update: ShardUpdate, source: Uint8Array, routing: string | null): UpdateStep {
  return { kind: 'index', operation: indexOperation(update, routing, null), source }
}

function indexStep(
  update: ShardUpdate,
  source: Uint8Array,
  { routing, current }: FoundDocument,
): UpdateStep {
  return { kind: 'index', operation: indexOperation(update, routing, current), source }
}

/** @param seen the document that the write is based on; null: there was none */
function indexOperation(
  { id }: ShardUpdate,
  routing: string | null,
  seen: { readonly seqNo: number; readonly primaryTerm: number } | null,
): Omit<IndexOperation, 'source'> {
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
