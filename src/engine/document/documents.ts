import { filterSource } from '../../schema/source-filter.ts'
import type { Shard } from '../../shard/shard.ts'

import type { WriteOutcome as ShardOutcome, WriteOperation } from '../../shard/write-operation.ts'
import { restrictedError } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import type {
  DeleteDocument,
  GetDocument,
  GetOutcome,
  IndexDocument,
  WriteOptions,
  WriteOutcome,
} from '../api/documents.ts'
import type { RefreshPolicy, ShardCounts } from '../api/target.ts'
import { visibleNames, visibleSource } from '../fetch/visible-source.ts'
import { checkActiveCopies } from '../index/active-shards.ts'
import { checkStreamWrite, type WriteKind } from '../index/stream-writes.ts'
import { resolveWrite } from '../index/write-target.ts'
import { ingestOne } from '../ingest/ingest-documents.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { checkAppendOnly } from './append-only.ts'
import { newDocumentId } from './document-id.ts'
import { droppedOutcome, metadataOf, withIngested } from './ingest-writes.ts'
import { type ReadTarget, readTarget, routingThrough } from './read-target.ts'
import { storedValues } from './stored-values.ts'
import { checkFoundVersion, checkReadVersion, checkVersions } from './version-checks.ts'
import { describeDelete, describeIndex } from './write-text.ts'

/** Longest id in UTF-8 bytes. */
const MAX_ID_BYTES = 512

/** Writes a document; resolves when the write is durable. */
export async function indexDocument(
  node: Node,
  given: IndexDocument,
  context: CallContext,
): Promise<WriteOutcome> {
  node.ensureOpen()
  checkVersions(given, given.opType, given.id !== null)
  const { source, pipeline = null } = given
  const ingested = await ingestOne(node, { metadata: metadataOf(given), source, pipeline })
  if (ingested.kind === 'dropped') return droppedOutcome(given)
  const call =
    ingested.kind === 'kept' ? withIngested(given, ingested.metadata, ingested.source) : given
  return writeDocument(node, call, context)
}

/** Writes a document that has passed its pipelines. */
export function writeDocument(
  node: Node,
  call: IndexDocument,
  context: CallContext,
): Promise<WriteOutcome> {
  const id = call.id ?? newDocumentId()
  return writeOne(node, call, call.opType, context, {
    kind: 'index',
    ...conditionsOf(call, id),
    isCreate: call.opType === 'create',
    isNewId: call.id === null,
    source: call.source,
  })
}

/** Deletes a document; resolves when that is durable. */
export async function deleteDocument(
  node: Node,
  call: DeleteDocument,
  context: CallContext,
): Promise<WriteOutcome> {
  checkVersions(call, 'delete', true)
  const operation = { kind: 'delete', ...conditionsOf(call, call.id) } as const
  return writeOne(node, call, 'delete', context, operation)
}

function conditionsOf(
  call: WriteOptions,
  id: string,
): Omit<Extract<WriteOperation, { kind: 'delete' }>, 'kind'> {
  const { routing, ifSeqNo, ifPrimaryTerm, version, versionType } = call
  return { id, routing, ifSeqNo, ifPrimaryTerm, version, versionType }
}

async function writeOne(
  node: Node,
  call: WriteOptions,
  kind: WriteKind,
  context: CallContext,
  operation: WriteOperation,
): Promise<WriteOutcome> {
  node.ensureOpen()
  checkId(operation.id)
  const mayCreate = kind !== 'delete' || mayDeleteFirst(operation)
  const name = { index: call.index, requireAlias: call.requireAlias, kind, mayCreate }
  const target = await resolveWrite(node, name, context, context.task.action)
  checkStreamWrite(node.metadata, target, kind, call)
  const { index } = target
  checkAppendOnly(index.metadata, kind, isNewId(operation) ? null : operation.id)
  const routed = { ...operation, routing: routingThrough(call.index, target.routing, call.routing) }
  checkWrite(index, routed)
  const shard = shardForWrite(index, routed, call, () => describeWrite(index.name, operation))
  const bytes = operation.kind === 'index' ? operation.source.length : 0
  const submit = (): Promise<ShardOutcome[]> => shard.submit([routed], null, context)
  const [outcome] = await node.indexingPressure.during(bytes, 1, submit)
  if (outcome instanceof EngineError) throw outcome
  const forcedRefresh = await refreshAfter(index, [shard], call.refresh)
  return outcomeOf(index, operation.id, outcome!, forcedRefresh, shardCounts(index))
}

function describeWrite(index: string, operation: WriteOperation): string {
  return operation.kind === 'index'
    ? `[${describeIndex({ index, ...operation })}]`
    : `[${describeDelete({ index, ...operation })}]`
}

function isNewId(operation: WriteOperation): boolean {
  return operation.kind === 'index' && operation.isNewId
}

/** Whether a delete leaves a version that must hold back older writes of a document still to come. */
export function mayDeleteFirst({ versionType }: Pick<WriteOperation, 'versionType'>): boolean {
  return versionType !== 'internal'
}

/** Refuses an id that is too long. */
export function checkId(id: string): void {
  const fault = idFault(id)
  if (fault !== null) throw validationFailed([fault])
}

/** The fault of an id that is too long; null for none. */
export function idFault(id: string): string | null {
  const bytes = Buffer.byteLength(id)
  if (bytes <= MAX_ID_BYTES) return null
  return `id [${id}] is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`
}

/**
 * The shard that takes an operation.
 * @param request the writes that it is asked for, for errors
 * @throws {EngineError} `unavailable_shards_exception`: it is damaged, or has too few copies
 */
export function shardForWrite(
  index: IndexService,
  { id, routing }: Pick<WriteOperation, 'id' | 'routing'>,
  call: Pick<WriteOptions, 'waitForActiveShards' | 'timeoutInMillis'>,
  request: () => string,
): Shard {
  const shard = index.shardOf(id, routing)
  const { waitForActiveShards, timeoutInMillis } = call
  if (shard instanceof DamagedShard) throw shard.writeError(timeoutInMillis)
  checkActiveCopies(index.metadata, shard.name.shard, waitForActiveShards, timeoutInMillis, request)
  return shard
}

/** Refuses what the index's mapping does not let in. */
export function checkWrite(
  index: IndexService,
  operation: Pick<WriteOperation, 'id' | 'routing'>,
): void {
  const { mapping, name } = index.metadata
  if (mapping.options.routingRequired === true && operation.routing === null)
    throw new EngineError({
      type: 'routing_missing_exception',
      reason: `routing is required for [${name}]/[${operation.id}]`,
      extra: { index: name, index_uuid: index.metadata.uuid },
    })
}

/** Makes the writes of a call visible as it asked; true when the call itself forced a refresh. */
export async function refreshAfter(
  index: IndexService,
  shards: Iterable<Shard>,
  policy: RefreshPolicy,
): Promise<boolean> {
  if (policy === 'false') return false
  const limit = Number(index.metadata.settings.get('index.max_refresh_listeners') ?? 1000)
  let forced = policy === 'true'
  await Promise.all(
    Array.from(shards, shard => {
      const waits = policy === 'wait_for' && shard.refreshWaiterCount < limit
      if (waits) return keptAlive(shard.afterRefresh())
      forced = true
      return shard.refresh()
    }),
  )
  return forced
}

/** The scheduler's timer lets the process end; a caller who waits for it must not see that. */
async function keptAlive(refreshed: Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 60_000)
  try {
    await refreshed
  } finally {
    clearInterval(timer)
  }
}

/** A shard's outcome as callers of the engine see it. */
export function outcomeOf(
  index: IndexService,
  id: string,
  outcome: Exclude<ShardOutcome, EngineError>,
  forcedRefresh: boolean,
  shards: ShardCounts,
): WriteOutcome {
  const { version, seqNo, primaryTerm, result } = outcome
  return { index: index.name, id, version, result, forcedRefresh, shards, seqNo, primaryTerm }
}

/** Copies that a write reached: the primary, of all that the index would have. */
export function shardCounts(index: IndexService): ShardCounts {
  return { total: 1 + index.metadata.numberOfReplicas, successful: 1, failed: 0 }
}

/** Reads a document, also one that no refresh has made searchable yet. */
export async function getDocument(
  node: Node,
  call: GetDocument,
  context: CallContext,
  sees: SeesDocument = refuseUnseen,
): Promise<GetOutcome> {
  node.ensureOpen()
  checkReadVersion(call.version, call.versionType)
  const { id } = call
  const target = readTarget(node, 'get', call, context)
  const { index, shard } = target
  if (call.refresh) await shard.refresh()
  const found = foundFor(node, target, call, sees)
  if (found === null)
    return {
      index: index.name,
      id,
      found: false,
      version: null,
      seqNo: null,
      primaryTerm: null,
      routing: null,
      ignored: [],
      source: null,
      fields: null,
    }
  const { version, seqNo, primaryTerm } = found.current
  const { fields } = target.view
  const source = fields === null ? found.source : visibleSource(found.source, fields)
  // The log has whole sources, whatever the mapping keeps of them.
  const { source: keeps } = index.metadata.mapping.options
  const kept = keeps === null ? source : filterSource(source, keeps)
  checkFoundVersion(call, version, index, shard)
  return {
    index: index.name,
    id,
    found: true,
    version,
    seqNo,
    primaryTerm,
    routing: found.routing,
    ignored: visibleNames(found.ignored, fields),
    source: kept === null || kept.length === 0 ? null : filterSource(kept, call.source),
    fields:
      call.storedFields === null ? null : storedValues(node, target.view, call.storedFields, found),
  }
}

/**
 * The number of the last write of a document that searches see, where the caller may see it; else null.
 * Only searches can tell, so whoever has them passes it in.
 */
export type SeesDocument = (node: Node, target: ReadTarget, id: string) => number | null

/** Without searches nobody with restrictions may be given a document. */
function refuseUnseen(): never {
  throw restrictedError('Reading by id is not supported here when DLS is activated')
}

/** Where a caller sees a part of the documents, it is of those that searches see. */
function foundFor(
  node: Node,
  target: ReadTarget,
  { id, realtime }: Pick<GetDocument, 'id' | 'realtime'>,
  sees: SeesDocument,
): ReturnType<Shard['get']> {
  const { view, shard } = target
  if (view.visible === null) return shard.get(id, realtime)
  const seqNo = sees(node, target, id)
  const found = seqNo === null ? null : shard.get(id, false)
  // It is the version that was looked at, or none.
  return found !== null && found.current.seqNo === seqNo ? found : null
}

/** Reads documents, each by itself: one that cannot be read leaves the others alone. */
export function multiGet(
  node: Node,
  calls: readonly GetDocument[],
  context: CallContext,
  sees: SeesDocument,
): Promise<(GetOutcome | EngineError)[]> {
  return Promise.all(
    calls.map(call =>
      getDocument(node, call, context, sees).catch((error: unknown) => {
        if (error instanceof EngineError) return error
        throw error
      }),
    ),
  )
}
