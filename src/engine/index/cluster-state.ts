import { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { ClusterState, IndexState, ShardState, ShownRollover } from '../api/cluster-state.ts'
import type { Target } from '../api/target.ts'
import { allocationId } from '../metadata/allocation-id.ts'
import { shownBlock, shownBlocksOf } from '../metadata/blocks.ts'
import type { IndexMetadata, RolloverInfo } from '../metadata/index-metadata.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/**
 * The state of the cluster, with the indices of a target. It is cheap: what is large, the mappings, is made
 * when it is printed.
 * @throws {EngineError} as `resolveTarget`
 */
export function clusterStateOf(node: Node, target: Target, context: CallContext): ClusterState {
  const { metadata } = node
  const meant = resolveTarget(metadata, target, context).sort((a, b) =>
    a.index.name < b.index.name ? -1 : 1,
  )
  const streams = new Set(meant.flatMap(({ index }) => metadata.dataStreamOf(index) ?? []))
  return {
    version: metadata.version,
    stateUuid: metadata.stateUuid,
    globalBlocks: metadata.clusterBlocks.map(shownBlock),
    // Of all indices, whatever the target: most callers do not look at them.
    get indexBlocks() {
      return metadata.indices().flatMap(index => {
        const blocks = shownBlocksOf(index)
        return blocks.length === 0 ? [] : [{ index: index.name, blocks }]
      })
    },
    indices: meant.map(view => indexState(node, view)),
    dataStreams: [...streams].sort((a, b) => (a.name < b.name ? -1 : 1)),
    tombstones: metadata.node.graveyard,
  }
}

function indexState(node: Node, { index, shown }: IndexView): IndexState {
  const { mappingVersion, settingsVersion, aliasesVersion, rolloverInfo } = index
  return {
    name: index.name,
    uuid: index.uuid,
    // Each begins at 1, and every change of the index raises one of them.
    version: mappingVersion + settingsVersion + aliasesVersion + rolloverInfo.size - 2,
    mappingVersion,
    settingsVersion,
    aliasesVersion,
    routingShards: index.routingShards,
    isOpen: index.isOpen,
    settings: index.settings,
    mappings: () => shown.toJson(),
    aliases: [...index.aliases.keys()].sort(),
    rollovers: Array.from(rolloverInfo, shownRollover),
    dataStream: node.metadata.dataStreamOf(index)?.name ?? null,
    numberOfReplicas: index.numberOfReplicas,
    createdAtInMillis: Number(index.settings.get('index.creation_date')),
    shards: Array.from({ length: index.numberOfShards }, (_, shard) =>
      shardState(node, index, shard),
    ),
  }
}

function shownRollover([name, { met, timeInMillis }]: readonly [
  string,
  RolloverInfo,
]): ShownRollover {
  return { name, met, timeInMillis }
}

function shardState(node: Node, index: IndexMetadata, shard: number): ShardState {
  const opened = node.index(index.name)?.allShards[shard]
  // Closed shards count as they did when they were open.
  const isActive = opened === undefined || opened instanceof Shard
  return new PrimaryState(
    isActive,
    opened instanceof Shard ? opened.primaryTerm : 1,
    index.uuid,
    shard,
  )
}

/** A class because V8 gives each literal that has a getter a hidden class of its own, kept until a major collection. */
class PrimaryState implements ShardState {
  readonly isActive: boolean
  readonly primaryTerm: number
  readonly #uuid: string
  readonly #shard: number

  constructor(isActive: boolean, primaryTerm: number, uuid: string, shard: number) {
    this.isActive = isActive
    this.primaryTerm = primaryTerm
    this.#uuid = uuid
    this.#shard = shard
  }

  /** The primary never moves, so that its copy is told by its index and number: a hash, which few ask for. */
  get allocationId(): string {
    return allocationId(this.#uuid, this.#shard)
  }
}
