/** The state of the cluster: blocks, indices with their metadata and shards, and what is kept of old ones. */
import type { Settings } from '../../schema/settings.ts'
import type { JsonMap } from '../../util/json/json-value.ts'

/** A block, as the cluster state shows it. */
export interface ShownBlock {
  readonly id: number
  readonly description: string
  /** Kinds of action that it refuses, by the real server's names. */
  readonly levels: readonly string[]
}

/** A shard, of which the primary lives on the one node. */
export interface ShardState {
  /** Whether the primary answers; replicas never do. */
  readonly isActive: boolean
  readonly primaryTerm: number
  /** 22 url-safe characters that name the primary copy. */
  readonly allocationId: string
}

/** How a name went on from an index to the next one. */
export interface ShownRollover {
  readonly name: string
  readonly met: readonly { readonly kind: 'age' | 'docs' | 'size'; readonly value: string }[]
  readonly timeInMillis: number
}

/** All that is known of an index but its documents. */
export interface IndexState {
  readonly name: string
  readonly uuid: string
  /** Rises with every change of it. */
  readonly version: number
  readonly mappingVersion: number
  readonly settingsVersion: number
  readonly aliasesVersion: number
  readonly routingShards: number
  readonly isOpen: boolean
  readonly settings: Settings
  /** The mapping as `GET _mapping` prints it, made anew for each call: it may be large. */
  readonly mappings: () => JsonMap
  /** Names, sorted. */
  readonly aliases: readonly string[]
  readonly rollovers: readonly ShownRollover[]
  /** The data stream that it is of; null: none. */
  readonly dataStream: string | null
  readonly numberOfReplicas: number
  readonly createdAtInMillis: number
  /** By number. */
  readonly shards: readonly ShardState[]
}

/** The state as it is now. */
export interface ClusterState {
  /** Of all metadata; rises with every change, over restarts too. */
  readonly version: number
  /** No two states have the same. */
  readonly stateUuid: string
  readonly globalBlocks: readonly ShownBlock[]
  /** Of all indices that have some. */
  readonly indexBlocks: readonly {
    readonly index: string
    readonly blocks: readonly ShownBlock[]
  }[]
  /** Those that are meant, in order of name. */
  readonly indices: readonly IndexState[]
  /** Those that one of the indices belongs to, in order of name. */
  readonly dataStreams: readonly {
    readonly name: string
    readonly timestampField: string
    readonly indices: readonly { readonly name: string; readonly uuid: string }[]
    readonly generation: number
  }[]
  /** The indices that were deleted last, oldest first. */
  readonly tombstones: readonly {
    readonly name: string
    readonly uuid: string
    readonly deletedAtInMillis: number
  }[]
}
