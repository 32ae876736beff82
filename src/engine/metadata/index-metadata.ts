import type { AnalysisRegistry } from '../../analysis/registry.ts'
import type { Mapping } from '../../schema/mapping.ts'
import { mappingLimits } from '../../schema/mapping-limits.ts'
import type { MappingContext } from '../../schema/mapping-parser.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { hasSimilarity } from '../../schema/similarity/similarity-settings.ts'
import type { ShardRouting } from '../../shard/shard-routing.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import type { Aliases } from './alias.ts'
import { withAutoReplicas } from './auto-replicas.ts'
import { type Block, indexBlocks } from './blocks.ts'

/** How a name went on from an index to the next one. */
export interface RolloverInfo {
  /** Conditions that were met, as they were given. */
  readonly met: readonly { readonly kind: 'age' | 'docs' | 'size'; readonly value: string }[]
  readonly timeInMillis: number
}

/** An index as the cluster state keeps it: immutable, a change makes a new one. */
export interface IndexMetadata extends ShardRouting {
  readonly name: string
  /** 22 url-safe characters: names the index's folder and tells it from one of the same name. */
  readonly uuid: string
  /** Explicit settings, private ones (`index.uuid`, `index.creation_date`, …) included. */
  readonly settings: Settings
  readonly mapping: Mapping
  /** Rises with every change of the mapping. */
  readonly mappingVersion: number
  /** Rises with every change of the settings. */
  readonly settingsVersion: number
  /** Rises with every change of the aliases. */
  readonly aliasesVersion: number
  /** A closed index keeps its files and its names; nothing reads or writes its documents. */
  readonly isOpen: boolean
  readonly aliases: Aliases
  /** By the alias or data stream that was rolled over from it. */
  readonly rolloverInfo: ReadonlyMap<string, RolloverInfo>
  /** The analysis that the settings' `index.analysis.*` define, built-in components included. */
  readonly analysis: AnalysisRegistry
  readonly numberOfReplicas: number
  /** Whether documents are added with ids of the engine's own, and never changed. */
  readonly isAppendOnly: boolean
  /** The blocks that its settings put on it. */
  readonly blocks: readonly Block[]
}

/** An index as stored; null lets its settings say how it is routed, as when it is new. */
export type StoredIndex = Pick<
  IndexMetadata,
  | 'name'
  | 'uuid'
  | 'settings'
  | 'mapping'
  | 'mappingVersion'
  | 'settingsVersion'
  | 'aliasesVersion'
  | 'isOpen'
  | 'aliases'
  | 'rolloverInfo'
> & { readonly routingShards: number | null; readonly partitionSize: number | null }

/** Makes an index's metadata from what is stored of it. */
export function indexMetadata(parts: StoredIndex, analysis: AnalysisRegistry): IndexMetadata {
  const settings = withAutoReplicas(parts.settings)
  const numberOfShards = indexSettings.number(settings, 'index.number_of_shards') ?? 1
  return {
    ...parts,
    settings,
    analysis,
    numberOfShards,
    numberOfReplicas: indexSettings.number(settings, 'index.number_of_replicas') ?? 1,
    routingShards:
      parts.routingShards ??
      indexSettings.number(settings, 'index.number_of_routing_shards') ??
      defaultRoutingShards(numberOfShards),
    partitionSize:
      parts.partitionSize ?? indexSettings.number(settings, 'index.routing_partition_size') ?? 1,
    isAppendOnly: indexSettings.boolean(settings, 'index.append_only.enabled'),
    blocks: indexBlocks(settings),
  }
}

/** The names that a mapping of the index may use, and its limits. */
export function mappingContext(settings: Settings, analysis: AnalysisRegistry): MappingContext {
  return {
    limits: mappingLimits(settings),
    hasAnalyzer: name => analysis.hasAnalyzer(name),
    hasNormalizer: name => analysis.hasNormalizer(name),
    hasSimilarity: name => hasSimilarity(name, settings),
  }
}

/** A mapping as JSON bytes: what worker threads and the metadata file get. */
export function mappingBytes(mapping: Mapping): Uint8Array {
  return writeJson(mapping.toJson())
}

/**
 * The largest power-of-two multiple of the shard count up to 1,024, at least twice it; a single
 * shard has 1,024. As `MetadataCreateIndexService.calculateNumRoutingShards` of the real server.
 */
export function defaultRoutingShards(numberOfShards: number): number {
  const log2Most = 10
  const log2Shards = 32 - Math.clz32(numberOfShards - 1)
  const splits = Math.max(1, log2Most - log2Shards)
  return numberOfShards * 2 ** splits
}
