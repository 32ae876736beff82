/** The cluster and its one node: identity, settings, health, statistics. */

import type { PoolUse } from '../../pool/pool-use.ts'
import type { SettingChanges, Settings } from '../../schema/settings.ts'
import type { DiskUsage } from '../../store/disk-usage.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { ClusterState } from './cluster-state.ts'
import type { SampledThread, SampleThreads } from './hot-threads.ts'
import type { MachineUse } from './machine.ts'
import type { SearchPhase, SelectionUse } from './search-phases.ts'
import type { IndexStats, KernelCounts, OperationStats, RequestCacheStats } from './stats.ts'
import type { Target } from './target.ts'

/** The node's name and ids, for `GET /` and profiles. */
export interface NodeIdentity {
  readonly nodeId: string
  readonly nodeName: string
  readonly clusterName: string
  readonly clusterUuid: string
}

/** Explicit cluster settings; transient ones win and end with the process. */
export interface ClusterSettings {
  readonly persistent: Settings
  readonly transient: Settings
}

/** Green: every copy is there. Yellow: every primary is. Red: one is not. */
export type HealthStatus = 'green' | 'yellow' | 'red'

/** Shards by their state, copies included. */
export interface HealthCounts {
  readonly status: HealthStatus
  readonly activePrimaryShards: number
  readonly activeShards: number
  readonly relocatingShards: number
  readonly initializingShards: number
  readonly unassignedShards: number
}

/** One index's health, and that of each of its shards. */
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

/** A change of metadata that waits or runs, as `_cluster/pending_tasks` shows it. */
export interface PendingChange {
  readonly insertOrder: number
  /** `IMMEDIATE` to `LANGUID`. */
  readonly priority: string
  readonly source: string
  readonly executing: boolean
  readonly timeInQueueMillis: number
}

/** One thread pool of the node with its counters. */
export type ThreadPoolInfo = {
  readonly name: string
  /** −1: unbounded. */
  readonly queueSize: number
  readonly use: PoolUse
  /** The pool whose threads these are too; absent: they are its own. */
  readonly threadsOf?: string
} & (
  | { readonly type: 'fixed' | 'resizable'; readonly size: number }
  | {
      readonly type: 'scaling'
      readonly core: number
      readonly max: number
      /** A duration: `5m`. */
      readonly keepAlive: string
    }
)

/** Current use of the machine by the node. */
export interface NodeUse {
  /** The disk that the data lie on; null in memory, or where it cannot be told. */
  readonly disk: DiskUsage | null
  /** The file system of the data folder; null in memory. */
  readonly fileSystem: string | null
  /** Of file descriptors; −1 where the system does not tell. */
  readonly openFileCount: number
  readonly maxOpenFileCount: number
  /** Limits of memory, that of all together last. */
  readonly breakers: readonly BreakerUse[]
  readonly requestCache: RequestCacheStats
  /** Compilations of scripts by context, in order of name. */
  readonly scripts: readonly ScriptUse[]
  readonly indexingPressure: {
    readonly limitInBytes: number
    /** Of operations under way, and of all since the start. */
    readonly currentInBytes: number
    readonly totalInBytes: number
    /** Requests that were refused. */
    readonly rejections: number
  }
  /** Shared memories that segments are searched in. */
  readonly arenas: {
    readonly count: number
    readonly usedInBytes: number
    readonly capacityInBytes: number
  }
  /** Writes of documents, single ones and those of bulks, and searches. */
  readonly documentStatuses: StatusUse
  readonly searchStatuses: StatusUse
  readonly searchPhases: Readonly<Record<SearchPhase, OperationStats>>
  /** Null before the first search. */
  readonly selection: SelectionUse | null
  /** Query phases of shards that have ended. */
  readonly shardQueryCount: number
  /** Searches that run and have waited for something, with their running and processor time. */
  readonly searches: readonly { readonly elapsedInMillis: number; readonly cpuInMillis: number }[]
  /** Changes of metadata since the start, those that failed among them. */
  readonly stateUpdates: {
    readonly count: number
    readonly timeInMillis: number
    readonly failed: number
  }
}

/** Answers by their status: below 400, below 500, and others. */
export interface StatusUse {
  readonly success: number
  readonly userError: number
  readonly systemFailure: number
}

/** Counters of the cache of a context's scripts since the start. */
export interface ScriptUse {
  readonly context: string
  readonly compilations: number
  readonly evictions: number
  /** Compilations that were refused because of the rate. */
  readonly refused: number
}

/** A limit of memory and how it is used. */
export interface BreakerUse {
  readonly name: string
  readonly limitInBytes: number
  readonly usedInBytes: number
  readonly overhead: number
  /** Requests that were refused. */
  readonly tripped: number
}

/** How often a type is used, and in how many indices. */
export interface UsedType {
  readonly name: string
  readonly count: number
  readonly indexCount: number
}

/** Parts of analyzers, and analyzers, by type. */
export interface UsedAnalysis {
  readonly char_filter: readonly UsedType[]
  readonly tokenizer: readonly UsedType[]
  readonly filter: readonly UsedType[]
  readonly analyzer: readonly UsedType[]
}

/** Field types and analysis components in use by all indices. */
export interface ClusterUsage {
  readonly fieldTypes: readonly UsedType[]
  /** Components that indices define, by type. */
  readonly own: UsedAnalysis
  /** Built-in ones that definitions and fields name. */
  readonly builtIn: UsedAnalysis
}

/** Facts of the node, for `_nodes`. */
export interface NodeInfo extends NodeIdentity {
  /** Node settings as given at start, secrets left out. */
  readonly settings: Settings
  /** Of this run of the process: 22 url-safe characters. */
  readonly ephemeralId: string
  /** The data folder; null in memory. */
  readonly folder: string | null
  readonly threadPools: readonly ThreadPoolInfo[]
  readonly totalIndexingBufferInBytes: number
}

/** Calls on all indices, and on the node that has them. */
export interface ClusterApi {
  readonly identity: NodeIdentity
  nodeInfo(): NodeInfo
  /**
   * The lines of a file in `path.conf`.
   * @throws {EngineError} `illegal_argument_exception`: there is none, or it lies elsewhere
   */
  configFile(path: string): readonly string[]
  /** Whether the items of a bulk, a multi-get or a multi-search may name indices of their own. */
  readonly allowsExplicitIndex: boolean
  /** Asks the system: some hundred microseconds. */
  nodeUse(): NodeUse
  /** Asks the system: some hundred microseconds. */
  machineUse(): MachineUse
  /**
   * Samples all threads of the node, the coordinating one first; takes as long as the interval.
   * @throws {EngineError} `rejected_execution_exception`: too many calls wait; `task_cancelled_exception`
   */
  sampleThreads(call: SampleThreads, context: CallContext): Promise<readonly SampledThread[]>
  usage(): ClusterUsage
  settings(): ClusterSettings
  /** All or nothing; checked with `changeClusterSettings`. */
  putSettings(
    persistent: SettingChanges,
    transient: SettingChanges,
    context: CallContext,
  ): Promise<ClusterSettings>
  /** Missing names throw `index_not_found_exception`, for which REST waits. */
  health(target: Target, context: CallContext): ClusterHealth
  /** The state with the indices of a target, all others left out. */
  state(target: Target, context: CallContext): ClusterState
  /** That of the state. */
  readonly stateVersion: number
  /** Names of all indices, in no order, whoever asks: for services that look after every one. */
  indexNames(): Iterable<string>
  /** The uuid of an index by its very name, whoever asks; null: there is none. */
  uuidOf(index: string): string | null
  /** Whether the primary of a shard of any open index does not answer. */
  readonly isRed: boolean
  /** Resolves at the next change of metadata or shard state, or when the signal aborts. */
  stateChanged(signal: AbortSignal): Promise<void>
  /** Changes of metadata that wait or run, in execution order. */
  pendingChanges(): readonly PendingChange[]
  /** @param forbidsClosed whether a closed index is an error; else it stands as its commit has it */
  stats(
    target: Target,
    forbidsClosed: boolean,
    context: CallContext,
  ): Promise<readonly IndexStats[]>
  /** Slices searched since the start by what ran them: `kernels`, or why the iterators did. */
  executorCounts(): Readonly<Record<string, number>>
  /** Kernel counters since the start, over all searches. */
  kernelCounts(): KernelCounts
}
