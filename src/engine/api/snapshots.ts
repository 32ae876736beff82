/** Files and metadata of indices, for copies outside of the data folder and back. */
import type { SettingChanges, Settings } from '../../schema/settings.ts'
import type { HeldFiles, ShardEntry } from '../../shard/held-files.ts'
import type { CopiedFile } from '../../shard/restore-shard.ts'
import type { RestoreSource } from '../../shard/shard-recovery.ts'
import type { Directory } from '../../store/directory.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { EngineError, ErrorRecord } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { Target } from './target.ts'

/** A place that snapshots are kept in, as it was registered. */
export interface RegisteredRepository {
  readonly type: string
  readonly settings: Settings
}

/** An index whose files stay readable until they are released. */
export interface HeldIndex {
  readonly name: string
  readonly uuid: string
  /** Its metadata, in the form that `restore` takes. */
  readonly entry: JsonValue
  /** By number: files, or why there are none. */
  readonly shards: readonly (HeldFiles | ErrorRecord)[]
}

/** A data stream by the names of its indices. */
export interface StreamEntry {
  readonly name: string
  readonly timestampField: string
  readonly generation: number
  /** Oldest first. */
  readonly indices: readonly string[]
}

/** Indices at one moment each, with the data streams of which all indices are among them. */
export interface HeldIndices {
  /** In order of name. */
  readonly indices: readonly HeldIndex[]
  readonly dataStreams: readonly StreamEntry[]
  /** To be called once. */
  release(): void
}

/** An index that is to be made of files. */
export interface RestoredIndex {
  /** As it was held. */
  readonly entry: JsonNode
  /** Its name then. */
  readonly from: string
  /** Its name now; a closed index of that name is replaced. */
  readonly name: string
  /** Win over its own settings; flat full keys. */
  readonly settings: SettingChanges
  /** Settings that it loses: full keys, or patterns of them. */
  readonly ignoredSettings: readonly string[]
  /** The new name of an alias; null: it gets no aliases, but keeps those of the index that it replaces. */
  readonly renameAlias: ((alias: string) => string) | null
  /** By number; null is restored without documents. */
  readonly shards: readonly (ShardEntry<CopiedFile> | null)[]
}

/** Indices that are found all at once, or not at all. */
export interface RestoreCall {
  /** Said of their shards' recoveries. */
  readonly source: Omit<RestoreSource, 'index'>
  readonly indices: readonly RestoredIndex[]
  /** Under the new names of their indices. */
  readonly dataStreams: readonly StreamEntry[]
  /** As `globalState` gave it; null leaves that of the node as it is. */
  readonly globalState: JsonNode | null
  /** The error of a restore that cannot be. */
  refuse(reason: string): EngineError
}

/** Calls for copies of indices. */
export interface SnapshotsApi {
  /** By name. */
  repositories(): ReadonlyMap<string, RegisteredRepository>
  /**
   * Registers a repository, in place of one of the same name; durable when it resolves.
   * @param check called in the turn of the change; throws to give up
   */
  putRepository(
    name: string,
    repository: RegisteredRepository,
    check: () => void,
    context: CallContext,
  ): Promise<void>
  /**
   * Forgets repositories, whose files stay; durable when it resolves.
   * @param check called in the turn of the change; throws to give up
   */
  deleteRepositories(
    names: readonly string[],
    check: () => void,
    context: CallContext,
  ): Promise<void>
  /**
   * The folder of a repository, made if missing.
   * @param location absolute, or relative to the first folder of `path.repo`
   * @returns its path, or another text that stands for it alone, and the folder
   * @throws {EngineError} `illegal_argument_exception`: outside of `path.repo`, or behind a link
   */
  repositoryFolder(location: string): {
    readonly path: string
    readonly directory: Directory
    /** The folder `blobs` in it. */
    readonly blobs: Directory
  }
  /**
   * Runs a step among the changes of metadata, where it is listed while it waits.
   * @throws {EngineError} `process_cluster_event_timeout_exception`
   */
  inTurn<T>(source: string, step: () => Promise<T> | T, context: CallContext): Promise<T>
  /** The names of the indices of a target. */
  names(target: Target, context: CallContext): readonly string[]
  /** Seals what was written to indices, and holds their files. */
  hold(target: Target, context: CallContext): Promise<HeldIndices>
  /** Templates, pipelines, stored scripts and persistent settings. */
  globalState(): JsonValue
  /** Checks that a restore may be, as far as it can be told before, and that its caller may make it. */
  checkRestore(call: RestoreCall, context: CallContext): void
  /**
   * Makes indices of files. They are found when it resolves; otherwise nothing of them is left.
   * @throws {EngineError} as `refuse` makes them; `task_cancelled_exception`
   */
  restore(call: RestoreCall, context: CallContext): Promise<void>
  /** @throws {EngineError} the engine closes */
  ensureOpen(): void
}
