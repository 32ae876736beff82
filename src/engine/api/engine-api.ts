/**
 * The engine's interface to the folders above it: REST, the embedding facade and the command line
 * see the engine through it alone.
 *
 * Rules that hold for every method:
 * - A caller's mistake throws (rejects with) an `EngineError`; its record becomes the response.
 * - Records in and out are plain and camelCase. Bodies that only the layers below understand
 *   (mappings, settings, queries, analyzer parts) travel as the positioned tree they were read
 *   into, so that errors can name line and column; documents travel as their bytes.
 * - Wire text of a search, of mappings and of an analysis is made below (`engine/response`,
 *   `schema/`), because it depends on types that only they know; all else is printed by `rest/`.
 * - Calls that touch indices or tasks take the context of the request that they are made for: its task,
 *   principal and access. An action on indices is allowed or refused where they are resolved.
 * - Names of indices arrive as the caller wrote them (`Target.names`); the engine resolves
 *   wildcards, lists, exclusions, `_all` and refuses as the contract says.
 */

import type { SettingChanges } from '../../schema/settings.ts'
import type { DiskUsage } from '../../store/disk-usage.ts'
import type { AliasesApi } from './aliases.ts'
import type { AnalysisApi } from './analysis.ts'
import type { ClusterApi } from './cluster.ts'
import type { DataStreamsApi } from './data-streams.ts'
import type { DocumentsApi } from './documents.ts'
import type { IndicesApi } from './indices.ts'
import type { KeptState } from './kept-state.ts'
import type { LogLine } from './log-line.ts'
import type { MemoryApi } from './memory-charge.ts'
import type { PipelinesApi } from './pipelines.ts'
import type { ScriptsApi } from './scripts.ts'
import type { SearchContextsApi } from './search-contexts.ts'
import type { SearchPipelinesApi } from './search-pipelines.ts'
import type { SearchesApi } from './searches.ts'
import type { ShardsApi } from './shards.ts'
import type { SnapshotsApi } from './snapshots.ts'
import type { TasksApi } from './tasks.ts'
import type { TemplatesApi } from './templates.ts'
import type { VectorsApi } from './vectors.ts'

/** The engine, area by area. One per data folder and process; all calls may run at the same time. */
export interface EngineApi {
  readonly documents: DocumentsApi
  readonly indices: IndicesApi
  readonly aliases: AliasesApi
  readonly dataStreams: DataStreamsApi
  readonly templates: TemplatesApi
  readonly scripts: ScriptsApi
  readonly pipelines: PipelinesApi
  readonly searchPipelines: SearchPipelinesApi
  readonly searches: SearchesApi
  readonly contexts: SearchContextsApi
  readonly analysis: AnalysisApi
  readonly cluster: ClusterApi
  readonly shards: ShardsApi
  readonly vectors: VectorsApi
  readonly snapshots: SnapshotsApi
  readonly memory: MemoryApi
  readonly tasks: TasksApi

  /**
   * Opens the small state that a service keeps in the data folder, under a name of its own.
   * @throws {CorruptSegmentError} it is damaged
   */
  keptState(service: string): KeptState
  /** Writes a line to the log of the node, if there is one. */
  log(line: LogLine): void
  /**
   * Has work in the background stopped when the engine closes, which waits for its end.
   * @param stop resolves once the work has ended, however that was
   * @returns takes it back
   */
  beforeClose(stop: () => Promise<void>): () => void
  /** Has something written when the engine closes, which takes calls until that is done, however it ends. */
  writeAtClose(write: () => Promise<void>): void
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
  /**
   * Usage of the disk that the data lie on, asked often and answered at once; null where there is none.
   * Without it, that of the folder.
   */
  readonly diskUsage?: () => DiskUsage | null
  /** Takes the lines of the log, at once and in order; absent: there is none. */
  readonly onLog?: (line: LogLine) => void
}

/**
 * Resolves when every committed index answers. A shard that is damaged answers with an error and is
 * red in the health; its files stay as they are. Rejects with an `EngineError`: a folder in use
 * (`illegal_state_exception`, the holder named), damaged metadata, an unknown setting, a `lamella.json`
 * that cannot be read (`parse_exception`).
 */
export type OpenEngine = (options: EngineOptions) => Promise<EngineApi>
