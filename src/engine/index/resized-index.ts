/** The metadata of a resized index: its source's, and what the request says over it. */

import { parseMapping } from '../../schema/mapping-parser.ts'
import { indexSettings, settingsOfNewIndex } from '../../schema/setting-registry.ts'
import { type SettingChanges, Settings, type SettingValue } from '../../schema/settings.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { ResizeCall } from '../api/indices.ts'
import { parseAliases } from '../metadata/alias.ts'
import { writeIndexOfStream } from '../metadata/data-stream.ts'
import { type IndexMetadata, mappingBytes, mappingContext } from '../metadata/index-metadata.ts'
import { checkIndexName } from '../metadata/index-names.ts'
import type { Node } from '../node/node.ts'
import { assembleIndex, checkNameIsFree } from './new-index.ts'
import { checkShardCounts, fittingShards } from './resize-shards.ts'

const SHARDS = 'index.number_of_shards'
const ROUTING_SHARDS = 'index.number_of_routing_shards'
const PARTITION_SIZE = 'index.routing_partition_size'
const READ_ONLY = 'index.blocks.read_only'
const SOFT_DELETES = 'index.soft_deletes.enabled'
/** Those of the source that its copies do not get, besides private ones. */
const NOT_COPIED = new Set([SHARDS, ROUTING_SHARDS, PARTITION_SIZE, 'index.number_of_replicas'])

/** Properties of a source that a resize depends on. */
export interface ResizeSource {
  readonly metadata: IndexMetadata
  readonly storeBytes: number
  /** Documents of a shard. */
  docsOf(shard: number): number
}

/**
 * The metadata of the index that a resize makes; the checks come in the order of the real server.
 * @param target its name, with date maths resolved
 * @throws {EngineError} an index that cannot be made
 */
export function resizedIndex(
  node: Node,
  call: ResizeCall,
  source: ResizeSource,
  target: string,
): IndexMetadata {
  const { metadata: from } = source
  const count = checkRequest(call, source, target)
  const asked = settingsOfNewIndex(new Map(call.settings).set(SHARDS, String(count)))
  checkIndexName(target)
  checkNameIsFree(node, target)
  refuseWriteIndex(node, from)
  checkReady(call, from)
  return assembleIndex(node, {
    name: target,
    providedName: call.target,
    settings: asked.with(copiedSettings(from, call.settings)),
    // Analysis may be another one, and is what the mapping names.
    mapping: (settings, analysis) => {
      const body = parseJsonTree(mappingBytes(from.mapping))
      const isEmpty = body.kind === 'object' && body.entries.length === 0
      return isEmpty ? from.mapping : parseMapping(body, mappingContext(settings, analysis))
    },
    aliases: call.aliases === null ? new Map() : parseAliases(call.aliases),
    activeShards: call.waitForActiveShards,
    // Documents of one shard can be spread as those of a new index are.
    routingShards: from.numberOfShards === 1 ? null : from.routingShards,
    partitionSize: from.partitionSize,
  })
}

/**
 * Checks a request against its source.
 * @returns the number of shards of the target
 */
function checkRequest(call: ResizeCall, source: ResizeSource, target: string): number {
  const { kind, settings } = call
  const { metadata: from } = source
  const asked = new Settings(
    [...settings].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])),
  )
  if (from.settings.get(READ_ONLY) === 'true' && !settings.has(READ_ONLY))
    throw new IllegalArgumentError(
      `target index [${target}] will be blocked by [${READ_ONLY}=true] which is copied from the source index ` +
        `[${from.name}], this will disable metadata writes and cause the shards to be unassigned`,
    )
  const count = asked.has(SHARDS)
    ? indexSettings.number(asked, SHARDS)!
    : kind === 'shrink'
      ? fittingShards(from.numberOfShards, source.storeBytes, call.maxShardSizeInBytes)
      : from.numberOfShards
  checkShardCounts(kind, from, count, shard => source.docsOf(shard))
  if (asked.has(PARTITION_SIZE))
    throw new IllegalArgumentError(
      'cannot provide a routing partition size value when resizing an index',
    )
  if (asked.has(ROUTING_SHARDS) && !(kind === 'split' && from.numberOfShards === 1))
    throw new IllegalArgumentError('cannot provide index.number_of_routing_shards on resize')
  if (asked.get(SOFT_DELETES) === 'false')
    throw new IllegalArgumentError(`Can't disable [${SOFT_DELETES}] setting on resize`)
  return count
}

/** A data stream goes on writing to its last index. */
function refuseWriteIndex({ metadata }: Node, source: IndexMetadata): void {
  const stream = metadata.dataStreamOf(source)
  if (stream === null || writeIndexOfStream(stream).uuid !== source.uuid) return
  throw new IllegalArgumentError(
    `cannot resize the write index [${source.name}] for data stream [${stream.name}]`,
  )
}

/** Refuses a source that is written to, or that has nothing to be shrunk. */
function checkReady({ kind }: ResizeCall, source: IndexMetadata): void {
  if (!source.blocks.some(({ levels }) => levels.includes('write')))
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: `index ${source.name} must be read-only to resize index. use "index.blocks.write=true"`,
    })
  if (kind === 'shrink' && source.numberOfShards === 1)
    throw new IllegalArgumentError("can't shrink an index with only one shard")
}

/** Settings that a copy takes over, and those that name its source. */
function copiedSettings(
  { name, uuid, settings, partitionSize }: IndexMetadata,
  asked: SettingChanges,
): SettingChanges {
  const copied = new Map<string, SettingValue>()
  for (const [key, value] of settings.toMap()) {
    if (asked.has(key) || NOT_COPIED.has(key)) continue
    if (indexSettings.find(key)?.life !== 'private') copied.set(key, value)
  }
  const created = settings.get('index.version.created')
  if (created !== null) copied.set('index.version.created', created)
  return copied
    .set(PARTITION_SIZE, String(partitionSize))
    .set('index.resize.source.name', name)
    .set('index.resize.source.uuid', uuid)
}
