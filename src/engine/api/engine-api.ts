/**
 * What the engine does for the folders above it: REST, the embedding facade and the command line
 * see the engine through this interface alone.
 *
 * Rules that hold for every method:
 * - A caller's mistake throws (rejects with) an `EngineError`; its record becomes the response.
 * - Records in and out are plain and camelCase. Bodies that only the layers below understand
 *   (mappings, settings, queries, analyzer parts) travel as the positioned tree they were read
 *   into, so that errors can name line and column; documents travel as their bytes.
 * - Wire text of a search, of mappings and of an analysis is made below (`engine/response`,
 *   `schema/`), because it depends on types that only they know; all else is printed by `rest/`.
 * - Names of indices arrive as the caller wrote them (`Target.names`); the engine resolves
 *   wildcards, lists, exclusions, `_all` and refuses as the contract says.
 */

import type { SettingChanges, Settings } from '../../schema/settings.ts'
import type { CommitSummary } from '../../shard/commit-summary.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import type { BreakerView, Charge } from './memory-charge.ts'

/** Which indices a call means. */
export interface Target {
  /** Elements of the comma list, decoded; empty means all indices. */
  readonly names: readonly string[]
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  /** What wildcards reach; all false (`none`) makes patterns literals. */
  readonly expandOpen: boolean
  readonly expandClosed: boolean
  readonly expandHidden: boolean
}

/** When a write becomes visible: `wait_for` waits for the next refresh. */
export type RefreshPolicy = 'false' | 'true' | 'wait_for'

/** How many copies of a shard an operation waits for; `all` is the primary and every replica. */
export type ActiveShards = number | 'all'

/** Copies of a shard that an operation reached; `total` counts unassigned replicas too. */
export interface ShardCounts {
  readonly total: number
  readonly successful: number
  readonly failed: number
}

/** Who answers: `GET /` and the ids in profiles. */
export interface NodeIdentity {
  readonly nodeId: string
  readonly nodeName: string
  readonly clusterName: string
  readonly clusterUuid: string
}

// ---- documents ----------------------------------------------------------------------------------

export type VersionType = 'internal' | 'external' | 'external_gte'

/** What index, create and delete have in common. */
export interface WriteOptions {
  readonly index: string
  readonly routing: string | null
  readonly refresh: RefreshPolicy
  readonly ifSeqNo: number | null
  readonly ifPrimaryTerm: number | null
  /** An external version; null with internal versioning. */
  readonly version: number | null
  readonly versionType: VersionType
  readonly requireAlias: boolean
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
}

export interface IndexDocument extends WriteOptions {
  /** Null: the engine makes an id of 20 url-safe characters. */
  readonly id: string | null
  readonly opType: 'index' | 'create'
  readonly source: Uint8Array
}

export interface DeleteDocument extends WriteOptions {
  readonly id: string
}

export interface WriteOutcome {
  readonly index: string
  readonly id: string
  readonly version: number
  readonly result: 'created' | 'updated' | 'deleted' | 'noop' | 'not_found'
  /** True when the write itself made a refresh happen. */
  readonly forcedRefresh: boolean
  readonly shards: ShardCounts
  readonly seqNo: number
  readonly primaryTerm: number
}

/** `_source` filtering: patterns of dotted paths with `*`; `enabled: false` leaves it out. */
export interface SourceFilter {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

export interface GetDocument {
  readonly index: string
  readonly id: string
  readonly routing: string | null
  /** True reads unrefreshed writes too. */
  readonly realtime: boolean
  /** True refreshes first. */
  readonly refresh: boolean
  readonly version: number | null
  readonly versionType: VersionType
  readonly source: SourceFilter
}

/** A document, or that there is none: the fields after `found` are null when it is false. */
export interface GetOutcome {
  readonly index: string
  readonly id: string
  readonly found: boolean
  readonly version: number | null
  readonly seqNo: number | null
  readonly primaryTerm: number | null
  readonly routing: string | null
  /** Byte for byte as it was given, unless filtered; null when it was not asked for. */
  readonly source: Uint8Array | null
}

export interface BulkCall {
  /** NDJSON of action lines and documents; must end in a newline. */
  readonly body: Uint8Array
  /** From the URL: what an action line may leave out. */
  readonly index: string | null
  readonly routing: string | null
  readonly refresh: RefreshPolicy
  readonly requireAlias: boolean
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
}

export type BulkAction = 'index' | 'create' | 'delete' | 'update'

/** One operation's answer, in the order of the request. */
export type BulkItem =
  | { readonly action: BulkAction; readonly outcome: WriteOutcome }
  | {
      readonly action: BulkAction
      readonly index: string
      readonly id: string | null
      /** An `EngineError`, or a defect of ours; printed with the status of its type. */
      readonly error: unknown
    }

export interface BulkOutcome {
  readonly tookInMillis: number
  readonly items: readonly BulkItem[]
}

// ---- indices ------------------------------------------------------------------------------------

/** A body's three parts; unknown keys were refused above. */
export interface CreateIndex {
  readonly name: string
  /** Flat full keys as `flattenSettings` makes them, unchecked: `settingsOfNewIndex` does that. */
  readonly settings: SettingChanges
  readonly mappings: JsonNode | null
  readonly aliases: JsonNode | null
  /** Null: what the index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
  readonly timeoutInMillis: number
}

export interface CreateIndexOutcome {
  readonly index: string
  readonly shardsAcknowledged: boolean
}

/** An index as it can be shown. */
export interface IndexView {
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
}

export interface OpenIndices {
  readonly target: Target
  /** Null: what each index's own `index.write.wait_for_active_shards` says. */
  readonly waitForActiveShards: ActiveShards | null
}

export interface PutIndexSettings {
  readonly target: Target
  /** Flat full keys (`index.…`), unchecked: `checkIndexChanges` does that. */
  readonly changes: SettingChanges
  readonly preserveExisting: boolean
}

export interface FlushCall {
  readonly target: Target
  readonly force: boolean
  readonly waitIfOngoing: boolean
}

export interface ForceMergeCall {
  readonly target: Target
  /** Null: only what the merge policy finds worth doing. */
  readonly maxSegmentCount: number | null
  readonly onlyExpungeDeletes: boolean
  readonly flush: boolean
}

// ---- search -------------------------------------------------------------------------------------

/**
 * Search options of the URL, already checked for their type; each one that is present wins over
 * the body's. `q` and its family are refused above until the query string is built.
 */
export interface SearchOptions {
  readonly from?: number
  readonly size?: number
  readonly sort?: readonly { readonly field: string; readonly order: 'asc' | 'desc' | null }[]
  readonly source?: SourceFilter
  readonly trackScores?: boolean
  readonly trackTotalHits?: boolean | number
  readonly explain?: boolean
  readonly version?: boolean
  readonly seqNoPrimaryTerm?: boolean
  readonly minScore?: number
  readonly terminateAfter?: number
  readonly timeoutInMillis?: number
  readonly routing?: readonly string[]
  readonly preference?: string
  readonly searchType?: 'query_then_fetch'
  readonly requestCache?: boolean
  readonly stats?: readonly string[]
  readonly allowPartialSearchResults?: boolean
  readonly batchedReduceSize?: number
  readonly maxConcurrentShardRequests?: number
  readonly preFilterShardSize?: number
  readonly cancelAfterTimeIntervalInMillis?: number
  readonly includeNamedQueriesScore?: boolean
  readonly restTotalHitsAsInt?: boolean
}

export interface SearchCall {
  readonly target: Target
  /** The body, or null for match_all. */
  readonly body: JsonNode | null
  readonly options: SearchOptions
  /** `?human`: profile times as text beside the numbers. */
  readonly human: boolean
  /** Cancels: the slices stop at their next check and the call rejects. */
  readonly signal?: AbortSignal
  /** Cuts each shard into at most so many slices, whatever settings say; at least 1. */
  readonly slices?: number
}

/** A search answer in wire form, keys in the documented order, made by `engine/response`. */
export interface SearchOutcome {
  readonly body: JsonRecord
}

export interface CountCall {
  readonly target: Target
  readonly body: JsonNode | null
  readonly options: Pick<SearchOptions, 'minScore' | 'terminateAfter' | 'routing' | 'preference'>
  readonly signal?: AbortSignal
}

export interface CountOutcome {
  readonly count: number
  /** Null unless `terminate_after` was given. */
  readonly terminatedEarly: boolean | null
  readonly shards: ShardCounts & { readonly skipped: number }
}

// ---- analysis -----------------------------------------------------------------------------------

/** Checked for types and for what excludes what; names are looked up by the engine. */
export interface AnalyzeCall {
  readonly index: string | null
  readonly text: readonly string[]
  readonly analyzer: string | null
  readonly normalizer: string | null
  readonly field: string | null
  /** A string or an object node each; null or empty when absent. */
  readonly tokenizer: JsonNode | null
  readonly filter: readonly JsonNode[]
  readonly charFilter: readonly JsonNode[]
  readonly explain: boolean
  readonly attributes: readonly string[]
  /** The answer may be one that was given before, and is kept for the next time. */
  readonly isCached: boolean
}

// ---- cluster ------------------------------------------------------------------------------------

export interface ClusterSettings {
  readonly persistent: Settings
  readonly transient: Settings
}

export type HealthStatus = 'green' | 'yellow' | 'red'

export interface HealthCounts {
  readonly status: HealthStatus
  readonly activePrimaryShards: number
  readonly activeShards: number
  readonly relocatingShards: number
  readonly initializingShards: number
  readonly unassignedShards: number
}

export interface IndexHealth extends HealthCounts {
  readonly index: string
  readonly numberOfShards: number
  readonly numberOfReplicas: number
  readonly shards: readonly (HealthCounts & {
    readonly shard: number
    readonly primaryActive: boolean
  })[]
}

/** The state now; REST does the waiting by asking again after `stateChanged`. */
export interface ClusterHealth extends HealthCounts {
  readonly pendingTaskCount: number
  readonly longestPendingInMillis: number
  readonly indices: readonly IndexHealth[]
}

/** What one shard has been doing since it was opened; times in milliseconds. */
export interface ShardStats {
  readonly shard: number
  readonly docCount: number
  readonly deletedDocCount: number
  readonly storeInBytes: number
  readonly segmentCount: number
  readonly segmentMemoryInBytes: number
  readonly indexing: OperationStats & { readonly failed: number; readonly noop: number }
  readonly deletes: OperationStats
  readonly get: { readonly exists: OperationStats; readonly missing: OperationStats }
  readonly query: OperationStats
  readonly filterCache: FilterCacheStats
  readonly fetch: OperationStats
  readonly merge: OperationStats & { readonly docs: number; readonly sizeInBytes: number }
  readonly refresh: OperationStats
  readonly flush: OperationStats
  readonly translogOperations: number
  readonly translogInBytes: number
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** The last one. */
  readonly commit: CommitSummary
}

/** What the kernels did; cheap integers, always counted. */
export interface KernelCounts {
  readonly blocksDecoded: number
  readonly blocksSkipped: number
  /** Windows of disjunctions and stretches of conjunctions that were passed over by their bound. */
  readonly runsSkipped: number
  /** All of these, the ones that were passed over included. */
  readonly windows: number
  readonly postingsScored: number
  readonly positionsChecked: number
  readonly candidates: number
}

/** Hot filters of a shard's segments. */
export interface FilterCacheStats {
  readonly hits: number
  readonly misses: number
  /** Filters ever kept, each for one segment; and those that are kept now, with what they take. */
  readonly made: number
  readonly kept: number
  readonly bytes: number
}

export interface OperationStats {
  readonly count: number
  readonly timeInMillis: number
  /** Running now. */
  readonly current: number
}

export interface IndexStats {
  readonly index: string
  readonly uuid: string
  readonly numberOfShards: number
  readonly numberOfReplicas: number
  /** Of those shards that could be opened. */
  readonly shards: readonly ShardStats[]
}

/** One thread pool of the node, for `_nodes`. */
export interface ThreadPoolInfo {
  readonly name: string
  readonly size: number
  /** −1: unbounded. */
  readonly queueSize: number
}

export interface NodeInfo extends NodeIdentity {
  /** Node settings as given at start, secrets left out. */
  readonly settings: Settings
  /** The data folder; null in memory. */
  readonly folder: string | null
  readonly threadPools: readonly ThreadPoolInfo[]
  readonly totalIndexingBufferInBytes: number
}

/** The engine. One per data folder and process; all methods may run at the same time. */
export interface EngineApi {
  readonly identity: NodeIdentity

  indexDocument(call: IndexDocument): Promise<WriteOutcome>
  /** A missing document is the outcome `not_found`, no error. */
  deleteDocument(call: DeleteDocument): Promise<WriteOutcome>
  getDocument(call: GetDocument): Promise<GetOutcome>
  /** Rejects only when the whole call is malformed; failing items are in the outcome. */
  bulk(call: BulkCall): Promise<BulkOutcome>

  createIndex(call: CreateIndex): Promise<CreateIndexOutcome>
  /** Views in order of name. */
  getIndices(target: Target): Promise<readonly IndexView[]>
  deleteIndices(target: Target): Promise<void>
  /**
   * Commits what was written and lets go of the shards.
   * @returns the names of those that were open
   */
  closeIndices(target: Target): Promise<readonly string[]>
  /** Resolves when they answer again. */
  openIndices(call: OpenIndices): Promise<{ readonly shardsAcknowledged: boolean }>
  putMapping(target: Target, mapping: JsonNode): Promise<void>
  putIndexSettings(call: PutIndexSettings): Promise<void>

  refresh(target: Target): Promise<ShardCounts>
  flush(call: FlushCall): Promise<ShardCounts>
  forceMerge(call: ForceMergeCall): Promise<ShardCounts>

  search(call: SearchCall): Promise<SearchOutcome>
  count(call: CountCall): Promise<CountOutcome>
  /** `{tokens}` or `{detail}` in wire form. */
  analyze(call: AnalyzeCall): Promise<JsonValue>

  clusterSettings(): ClusterSettings
  /** All or nothing; checked with `changeClusterSettings`. */
  putClusterSettings(
    persistent: SettingChanges,
    transient: SettingChanges,
  ): Promise<ClusterSettings>
  /** Missing names throw `index_not_found_exception`, for which REST waits. */
  clusterHealth(target: Target): ClusterHealth
  /** Resolves at the next change of metadata or shard state, or when the signal aborts. */
  stateChanged(signal: AbortSignal): Promise<void>
  /** @param forbidsClosed whether a closed index is an error, as it is by default, or left out */
  stats(target: Target, forbidsClosed?: boolean): Promise<readonly IndexStats[]>
  nodeInfo(): NodeInfo
  /** Slices searched since the start by what ran them: `kernels`, or why the iterators did. */
  executorCounts(): Readonly<Record<string, number>>
  /** What the kernels did since the start, over all searches. */
  kernelCounts(): KernelCounts
  /** What the body of a request will hold; nothing yet. */
  openBody(): Charge
  /** Limits on memory, what counts against them and how often they refused. */
  breakers(): readonly BreakerView[]

  /** Stops taking calls, finishes what runs, commits, frees threads and memory. Idempotent. */
  close(): Promise<void>
}

/** How an engine is opened; `engine.ts` exports `openEngine: OpenEngine`. */
export interface EngineOptions {
  /** The data folder, made with mode 0700 when absent; null keeps everything in memory. */
  readonly folder: string | null
  /**
   * Node settings, flat full keys; checked by `openEngine` with `settingsOfNode`. They win over those
   * of the folder's `lamella.json`, null too: it goes back to the default.
   */
  readonly settings: SettingChanges
}

/**
 * Resolves when every committed index answers. A shard that is damaged answers with an error and is
 * red in the health; its files stay as they are. Rejects with an `EngineError`: a folder in use
 * (`illegal_state_exception`, the holder named), damaged metadata, an unknown setting, a `lamella.json`
 * that cannot be read (`parse_exception`).
 */
export type OpenEngine = (options: EngineOptions) => Promise<EngineApi>
