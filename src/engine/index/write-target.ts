/** The index that a write goes to. */
import { clusterSettings } from '../../schema/setting-registry.ts'
import { checkAccess, refuseRestricted } from '../../task/access.ts'
import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { type DataStream, writeIndexOfStream } from '../metadata/data-stream.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { checkIndexName, indexNotFound } from '../metadata/index-names.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { templateFor } from '../template/compose.ts'
import { addDataStream } from './data-streams.ts'
import { addIndex } from './new-index.ts'
import { checkStreamTakes, type WriteKind } from './stream-writes.ts'

/** Where a write goes. */
export interface WriteTarget {
  readonly index: IndexService
  /** Routing that the alias demands through which the index was found; null: none. */
  readonly routing: string | null
  /** The data stream through which the index was found; null: none. */
  readonly stream: DataStream | null
}

/** The name of a write. */
interface WriteName {
  readonly index: string
  /** Whether the name must be an alias. */
  readonly requireAlias: boolean
  readonly kind: WriteKind
  /** Whether the write may create a missing index. */
  readonly mayCreate: boolean
}

/**
 * The index of a write: that of the name, the write index of an alias or a data stream, or a new one where it is missing and
 * may be created. A write is allowed or refused here.
 * @param action of the one operation: within a bulk it is not that of the call
 * @throws {EngineError} `security_exception`, `index_not_found_exception`, `index_closed_exception`,
 *   `invalid_index_name_exception`, `cluster_block_exception`; `illegal_argument_exception`: an alias of
 *   several indices without a write index, or a data stream for anything but a create
 */
export async function resolveWrite(
  node: Node,
  { index: given, requireAlias, kind, mayCreate }: WriteName,
  context: CallContext,
  action: Action,
): Promise<WriteTarget> {
  const name = resolveDateMath(given)
  checkAccess(context, action, [name])
  const indices = node.metadata.indicesOfAlias(name)
  if (requireAlias && indices.length === 0) throw notAnAlias(name)
  const stream = node.metadata.dataStream(name)
  if (stream !== null) checkStreamTakes(kind)
  const named = node.metadata.index(name)
  const existing =
    stream !== null
      ? node.metadata.index(writeIndexOfStream(stream).name)
      : indices.length === 0
        ? named
        : writeIndexOf(name, indices)
  if (stream !== null && existing === null) throw indexNotFound(writeIndexOfStream(stream).name)
  if (existing !== null) {
    if (existing !== named) checkAccess(context, action, [existing.name])
    // It reads and answers with whole documents.
    if (action === 'indices:data/write/update')
      refuseRestricted(
        context,
        [existing.name],
        'Update is not supported when FLS or DLS or Fieldmasking is activated',
      )
    checkBlocksFor(node.metadata, action, [existing])
    const routing = existing.aliases.get(name)?.indexRouting ?? null
    return { index: node.openedIndex(existing.name), routing, stream }
  }
  if (!mayCreate) throw indexNotFound(name)
  checkIndexName(name)
  checkAccess(context, 'indices:admin/auto_create', [name])
  checkBlocksFor(node.metadata, 'indices:admin/auto_create', [])
  if (checkMayCreate(node, name)) checkStreamTakes(kind)
  await node.changes.submit(
    `auto create [${name}]`,
    'URGENT',
    () => {
      node.ensureOpen()
      // It may have come, as an alias too, while this waited for its turn.
      if (isTaken(node, name)) return
      if (makesStreams(node, name)) addDataStream(node, name)
      else addIndex(node, name, { settings: new Map(), mappings: null, aliases: null })
    },
    context,
  )
  return await resolveWrite(node, { index: name, requireAlias, kind, mayCreate }, context, action)
}

/**
 * The index that writes under a name go to, as it is now; null: they would create it.
 * @throws {EngineError} as `resolveWrite`, as far as it can be told without writing
 */
export function findWriteTarget(
  node: Node,
  given: string,
  requireAlias: boolean,
  context: CallContext,
): string | null {
  const { metadata } = node
  const name = resolveDateMath(given)
  checkAccess(context, context.task.action, [name])
  const indices = metadata.indicesOfAlias(name)
  if (requireAlias && indices.length === 0) throw notAnAlias(name)
  const stream = metadata.dataStream(name)
  if (stream !== null) return writeIndexOfStream(stream).name
  if (indices.length > 0) return writeIndexOf(name, indices).name
  if (metadata.index(name) !== null) return name
  checkIndexName(name)
  checkMayCreate(node, name)
  return null
}

function isTaken({ metadata }: Node, name: string): boolean {
  const isIndex = metadata.index(name) !== null || metadata.indicesOfAlias(name).length > 0
  return isIndex || metadata.dataStream(name) !== null
}

function makesStreams(node: Node, name: string): boolean {
  return (templateFor(node.metadata.node, name)?.template.dataStream ?? null) !== null
}

/**
 * The index of an alias that writes go to.
 * @param indices that have the alias, min one
 * @throws {EngineError} `illegal_argument_exception`: none of them takes writes
 */
export function writeIndexOf(alias: string, indices: readonly IndexMetadata[]): IndexMetadata {
  const found = findWriteIndex(alias, indices)
  if (found !== null) return found
  throw new IllegalArgumentError(
    `no write index is defined for alias [${alias}]. The write index may be explicitly disabled ` +
      'using is_write_index=false or the alias points to multiple indices without one being ' +
      'designated as a write index',
  )
}

/** The index of an alias that writes go to; null where none does. */
export function findWriteIndex(
  alias: string,
  indices: readonly IndexMetadata[],
): IndexMetadata | null {
  const explicit = indices.find(({ aliases }) => aliases.get(alias)?.isWriteIndex === true)
  if (explicit !== undefined) return explicit
  const [only] = indices
  const isOnly = indices.length === 1 && only?.aliases.get(alias)?.isWriteIndex === null
  return isOnly ? only : null
}

function notAnAlias(name: string): EngineError {
  return new EngineError({
    type: 'index_not_found_exception',
    reason: `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    extra: { index: name, index_uuid: '_na_' },
  })
}

/**
 * Lets an index or a data stream come into being by a write, if its template or else the setting allows it.
 * @returns whether it is a data stream
 * @throws {EngineError} `index_not_found_exception`
 */
function checkMayCreate(node: Node, name: string): boolean {
  const found = templateFor(node.metadata.node, name)
  const allows = found?.template.allowAutoCreate ?? null
  const forbidden =
    allows === false
      ? `composable template [${found?.name}] forbids index auto creation`
      : allows === true
        ? null
        : autoCreateFault(node, name)
  if (forbidden === null) return makesStreams(node, name)
  throw new EngineError({
    type: 'index_not_found_exception',
    reason: `no such index [${name}] and ${forbidden}`,
    extra: { index: name, index_uuid: '_na_' },
  })
}

/** Why `action.auto_create_index` (true, false, or patterns with `+` and `-`) forbids an index; null: it does not. */
function autoCreateFault(node: Node, name: string): string | null {
  const key = 'action.auto_create_index'
  const setting = clusterSettings.text(node.effectiveSettings, key)
  if (setting === '' || setting === 'true') return null
  if (setting === 'false') return `[${key}] is [false]`
  for (const part of setting.split(',').map(text => text.trim())) {
    if (!matchesWildcard(part.replace(/^[+-]/, ''), name)) continue
    if (!part.startsWith('-')) return null
    return `[${key}] contains [${part}] which forbids automatic creation of the index`
  }
  return `[${key}] ([${setting}]) doesn't match`
}
