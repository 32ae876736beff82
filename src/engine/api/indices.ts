/** Indices: their life, mappings, settings and maintenance. */

import type { SettingChanges, Settings } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonRecord } from '../../util/json/json-value.ts'
import type { ActiveShards, ShardCounts, Target } from './target.ts'

/** A body's three parts; unknown keys were refused above. */
export interface CreateIndex {
  readonly name: string
  /** Flat full keys as `flattenSettings` makes them, unchecked: `settingsOfNewIndex` does that. */
  readonly settings: SettingChanges
  readonly mappings: JsonNode | null
  readonly aliases: JsonNode | null
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
}

/** A created index; acknowledged when as many copies are active as were waited for. */
export interface CreateIndexOutcome {
  readonly index: string
  readonly shardsAcknowledged: boolean
  /** Of its mapping, for the caller. */
  readonly warnings: readonly string[]
}

/** An index as it can be shown. */
export interface ShownIndex {
  readonly name: string
  readonly uuid: string
  readonly isOpen: boolean
  readonly isHidden: boolean
  /** Alias → its object; empty when there are none. */
  readonly aliases: JsonMap
  /** As `GET _mapping` prints it below `mappings`; `{}` when empty. */
  readonly mappings: JsonMap | JsonRecord
  /** Explicit settings with private ones (`index.uuid`, …). */
  readonly settings: Settings
  /** The data stream that it belongs to; null: none. */
  readonly dataStream: string | null
}

/** Names by their kind, each kind in order of name. */
export interface ResolvedNames {
  readonly indices: readonly {
    readonly name: string
    /** Sorted. */
    readonly aliases: readonly string[]
    readonly isOpen: boolean
    readonly isHidden: boolean
    /** The data stream that it belongs to; null: none. */
    readonly dataStream: string | null
  }[]
  readonly aliases: readonly { readonly name: string; readonly indices: readonly string[] }[]
  readonly dataStreams: readonly {
    readonly name: string
    readonly backingIndices: readonly string[]
    readonly timestampField: string
  }[]
}

/** Which fields' mappings are shown, and how. */
export interface FieldMappingCall {
  /** Full names, and patterns of them with `*`. */
  readonly patterns: readonly string[]
  /** Whether parameters print that were not given. */
  readonly withDefaults: boolean
}

/** The mappings of an index's fields, in order of name. */
export interface FieldMappings {
  readonly index: string
  readonly fields: readonly {
    readonly fullName: string
    /** The last part of it. */
    readonly name: string
    readonly mapping: JsonMap
  }[]
}

/** Opens closed indices. */
export interface OpenIndices {
  readonly target: Target
  /** Null: what each index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
}

/** Changes settings of indices. */
export interface PutIndexSettings {
  readonly target: Target
  /** Flat full keys (`index.…`), unchecked: `checkIndexChanges` does that. */
  readonly changes: SettingChanges
  readonly preserveExisting: boolean
}

/** Commits indices. */
export interface FlushCall {
  readonly target: Target
  readonly force: boolean
  readonly waitIfOngoing: boolean
}

/** Merges the segments of indices. */
export interface ForceMergeCall {
  readonly target: Target
  /** Null: only what the merge policy finds worth doing. */
  readonly maxSegmentCount: number | null
  readonly onlyExpungeDeletes: boolean
  readonly flush: boolean
  /** Whether the answer leaves replicas out. */
  readonly primaryOnly: boolean
}

/** A threshold that a write index reaches; `text` is as it was given, `[max_docs: 5]`. */
export interface RolloverCondition {
  readonly kind: 'age' | 'docs' | 'size'
  readonly text: string
  /** The threshold as it was given. */
  readonly value: string
  /** Milliseconds since its creation, documents of its primaries that a search finds, bytes of these. */
  readonly threshold: number
}

/** Moves an alias or a data stream on to a new index. */
export interface RolloverCall {
  /** Of the alias or the data stream. */
  readonly name: string
  /**
   * May be date maths; null counts the number up with which the name of the write index ends. Data streams
   * name their indices themselves.
   */
  readonly newIndex: string | null
  /** One that is met suffices; without any it moves in any case. */
  readonly conditions: readonly RolloverCondition[]
  /** Of the new index. */
  readonly body: Pick<CreateIndex, 'settings' | 'mappings' | 'aliases'>
  /** Checks, and changes nothing. */
  readonly isDryRun: boolean
  readonly waitForActiveShards: ActiveShards | null
}

/** A rollover, or why there was none. */
export interface RolloverOutcome {
  readonly oldIndex: string
  readonly newIndex: string
  readonly rolledOver: boolean
  readonly shardsAcknowledged: boolean
  /** By the text of the condition. */
  readonly conditions: ReadonlyMap<string, boolean>
}

/** How a resized index relates to its source. */
export type ResizeKind = 'shrink' | 'split' | 'clone'

/** Makes an index with the documents of another one, in fewer, more or as many shards. */
export interface ResizeCall {
  readonly kind: ResizeKind
  readonly source: string
  readonly target: string
  /** Win over those of the source; flat full keys, unchecked. */
  readonly settings: SettingChanges
  readonly aliases: JsonNode | null
  /** Of a shrink without a number of shards: the fewest are made that stay below it; null: one. */
  readonly maxShardSizeInBytes: number | null
  readonly waitForActiveShards: ActiveShards | null
  /** After so long it is given up; null: never. */
  readonly executionTimeoutInMillis: number | null
}

/** The blocks of an index that can be added by name, `PUT /{index}/_block/{name}`. */
export type BlockName = 'read_only' | 'read' | 'write' | 'metadata'

/** Calls on indices. */
export interface IndicesApi {
  create(call: CreateIndex, context: CallContext): Promise<CreateIndexOutcome>
  /** In order of name. */
  show(target: Target, context: CallContext): Promise<readonly ShownIndex[]>
  /** In order of name. */
  fieldMappings(
    target: Target,
    call: FieldMappingCall,
    context: CallContext,
  ): Promise<readonly FieldMappings[]>
  /** The kinds of a target's names, without taking aliases and data streams for their indices. */
  resolve(target: Target, context: CallContext): ResolvedNames
  delete(target: Target, context: CallContext): Promise<void>
  /**
   * Commits what was written and lets go of the shards.
   * @returns the names of those that were open
   */
  close(target: Target, context: CallContext): Promise<readonly string[]>
  /** Resolves when they answer again. */
  open(call: OpenIndices, context: CallContext): Promise<{ readonly shardsAcknowledged: boolean }>
  /** @returns warnings for the caller */
  putMapping(target: Target, mapping: JsonNode, context: CallContext): Promise<readonly string[]>
  putSettings(call: PutIndexSettings, context: CallContext): Promise<void>
  /** @returns the names of the indices that have the block now */
  addBlock(target: Target, block: BlockName, context: CallContext): Promise<readonly string[]>
  /** All of the new index is there when it resolves, or nothing of it. */
  resize(call: ResizeCall, context: CallContext): Promise<CreateIndexOutcome>
  rollOver(call: RolloverCall, context: CallContext): Promise<RolloverOutcome>
  refresh(target: Target, context: CallContext): Promise<ShardCounts>
  flush(call: FlushCall, context: CallContext): Promise<ShardCounts>
  forceMerge(call: ForceMergeCall, context: CallContext): Promise<ShardCounts>
}
