import { availableParallelism, totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { AnalysisRegistry, type MakeAnalysis } from '../../analysis/registry.ts'
import type { WordFiles } from '../../analysis/token-stream.ts'
import { ShardSearcher } from '../../parallel/shard-search.ts'
import { UpdateLane } from '../../pipeline/update-lane.ts'
import type { ProposedField } from '../../pool/messages.ts'
import { addDocumentFields } from '../../schema/mapping-growth.ts'
import { nodeSettings, settingsOfNode } from '../../schema/setting-registry.ts'
import { Settings } from '../../schema/settings.ts'
import { SegmentMemory } from '../../segment/segment-memory.ts'
import { StoredCache } from '../../segment/stored-cache.ts'
import type { ShardFolder } from '../../shard/adopt-segments.ts'
import type { ClosedShard } from '../../shard/closed-shard.ts'
import { WriteLanes } from '../../shard/write-lanes.ts'
import type { IndexOperation } from '../../shard/write-operation.ts'
import { ArenaPool } from '../../store/arena-pool.ts'
import { configFolder } from '../../store/config-folder.ts'
import { type DataFolder, FsDataFolder, MemoryDataFolder } from '../../store/data-folder.ts'
import type { Directory } from '../../store/directory.ts'
import { type DiskUsage, diskUsageOf } from '../../store/disk-usage.ts'
import { lockFolder, type NodeLock } from '../../store/node-lock.ts'
import { OpenLogs } from '../../store/translog/open-logs.ts'
import { TaskRegistry } from '../../task/task-registry.ts'
import { EngineError, type ErrorRecord, toErrorRecord } from '../../util/errors.ts'
import { allSettled } from '../../util/settle.ts'
import { parseSize } from '../../util/units.ts'
import type { EngineOptions } from '../api/engine-api.ts'
import type { LogLine } from '../api/log-line.ts'
import type { VectorRequests } from '../api/vectors.ts'
import { type IndexMetadata, indexMetadata, mappingContext } from '../metadata/index-metadata.ts'
import { indexClosed, indexNotFound } from '../metadata/index-names.ts'
import { checkMappingFits } from '../metadata/mapping-fit.ts'
import { MetadataQueue } from '../metadata/metadata-queue.ts'
import { MetadataStore, type StateWithBatch } from '../metadata/metadata-store.ts'
import { newUuid } from '../metadata/uuid.ts'
import { AggregationUse } from './aggregation-use.ts'
import { AnalyzeCache } from './analyze-cache.ts'
import { Breakers } from './breakers.ts'
import { ClosedShards } from './closed-shards.ts'
import type { DamagedShard } from './damaged-shard.ts'
import { DefaultPipelines } from './default-pipelines.ts'
import { DiskMonitor } from './disk-monitor.ts'
import { settingsOfFolder } from './folder-settings.ts'
import { IndexMoves, type MovingNode } from './index-moves.ts'
import { type IndexContext, IndexService } from './index-service.ts'
import { IndexingPressure } from './indexing-pressure.ts'
import { IngestPipelines } from './ingest-pipelines.ts'
import { LogSyncScheduler } from './log-sync-scheduler.ts'
import { MachineMeter } from './machine-meter.ts'
import { ReaderContexts } from './reader-contexts.ts'
import { RefreshScheduler } from './refresh-scheduler.ts'
import { RequestCache } from './request-cache.ts'
import { RunningRestores } from './running-restores.ts'
import { checkAllowedScripts, checkScriptCaches } from './script-settings.ts'
import { Scripts } from './scripts.ts'
import { SearchActivity } from './search-activity.ts'
import { SearchPipelineCounts } from './search-pipeline-counts.ts'
import { slowDocument, slowLevel, slowLine } from './slow-log.ts'
import { StatusCounts } from './status-counts.ts'
import { firstTaskNumber, TASKS_INDEX } from './tasks-index.ts'
import { newVectorRequests } from './vector-requests.ts'

/** Uncompressed blocks of stored fields kept for fetching. */
const STORED_CACHE_BYTES = 32 * 2 ** 20

/**
 * Everything that the one node of an engine owns: folder and lock, memory, threads, metadata and the
 * open indices. The calls on it stand in the files beside this one.
 */
export class Node {
  readonly settings: Settings
  /** Of this run of the process: 22 url-safe characters. */
  readonly ephemeralId: string = newUuid()
  /** The data folder; null in memory. */
  readonly path: string | null
  /** Reads files below `path.conf` that analysis settings name. */
  readonly words: WordFiles
  /** Makes the analysis of an index from settings that a request brings. */
  readonly makeAnalysis: MakeAnalysis = settings =>
    new AnalysisRegistry(settings, this.words, this.scripts.analysis)
  /** The analysis of `_analyze` without an index. */
  readonly analysis: AnalysisRegistry
  readonly analyzeCache: AnalyzeCache = new AnalyzeCache()
  readonly metadata: MetadataStore
  readonly scripts: Scripts
  readonly updates: UpdateLane = new UpdateLane()
  readonly tasks: TaskRegistry
  readonly changes: MetadataQueue = new MetadataQueue(change => this.scripts.whenLoaded(change))
  readonly memory: SegmentMemory
  readonly stored: StoredCache = new StoredCache(STORED_CACHE_BYTES)
  readonly searcher: ShardSearcher
  readonly writeThreads: number
  readonly memoryLimit: number
  readonly breakers: Breakers
  readonly indexingPressure: IndexingPressure
  /** Background failures since the start, newest last, at most 100. */
  readonly failures: unknown[] = []
  readonly #folder: DataFolder
  readonly #lock: NodeLock | null
  readonly lanes: WriteLanes
  readonly #indices = new Map<string, IndexService>()
  readonly #closedShards: ClosedShards
  /** Opens, closes and deletes indices. */
  readonly moves: IndexMoves
  readonly restores: RunningRestores = new RunningRestores()
  readonly #scheduler: RefreshScheduler
  readonly #logSyncs = new LogSyncScheduler()
  readonly #openLogs = new OpenLogs()
  readonly #diskUsage: () => DiskUsage | null
  readonly disks: DiskMonitor
  readonly machine: MachineMeter
  /** Takes the lines of the log; null: there is none. */
  readonly log: ((line: LogLine) => void) | null
  /** Results of query phases. */
  readonly requests: RequestCache
  readonly scrolls: ReaderContexts = new ReaderContexts('scroll')
  readonly searchActivity: SearchActivity = new SearchActivity()
  /** Statuses of writes of documents, and of searches. */
  readonly documentStatuses: StatusCounts = new StatusCounts()
  readonly searchStatuses: StatusCounts = new StatusCounts()
  readonly aggregationUse: AggregationUse = new AggregationUse()
  readonly vectorRequests: VectorRequests = newVectorRequests()
  readonly pits: ReaderContexts = new ReaderContexts('pit')
  readonly searchPipelines: SearchPipelineCounts = new SearchPipelineCounts()
  readonly defaultPipelines: DefaultPipelines = new DefaultPipelines()
  readonly ingest: IngestPipelines
  /** Stop work that the calls above began in the background; they resolve once it has ended. */
  readonly #stops = new Set<() => Promise<void>>()
  readonly #lastWrites = new Set<() => Promise<void>>()
  #nextUid = 0
  #closing: Promise<void> | null = null
  /** Whether calls are refused. */
  #isClosed = false

  /**
   * Opens every index of the folder; `recover` has to follow. A shard that is damaged does not keep
   * the others from opening.
   * @param data where everything lies, when it is not the folder that the options name
   * @throws {EngineError} a folder in use, damaged metadata, an unknown setting
   */
  constructor(options: EngineOptions, data: DataFolder | null = null) {
    const { folder } = options
    this.log = options.onLog ?? null
    const base = folder === null ? Settings.EMPTY : settingsOfFolder(folder)
    this.settings = settingsOfNode(options.settings, base)
    checkAllowedScripts(this.settings)
    checkScriptCaches(this.settings)
    const number = (key: string, otherwise: number): number =>
      nodeSettings.number(this.settings, key) ?? otherwise
    const cores = availableParallelism()
    this.writeThreads = number('lamella.threads.write', Math.min(cores, 4))
    this.memoryLimit = memoryLimit(this.settings)
    this.breakers = new Breakers(this.memoryLimit, () => this.effectiveSettings)
    this.indexingPressure = new IndexingPressure(
      shareOf(this.settings, 'indexing_pressure.memory.limit', this.memoryLimit),
    )
    const filters = shareOf(this.settings, 'indices.queries.cache.size', this.memoryLimit)
    const sets = shareOf(this.settings, 'indices.lamella.term_sets.size', this.memoryLimit)
    this.memory = new SegmentMemory(
      new ArenaPool(),
      this.memoryLimit,
      filters,
      sets,
      field => this.breakers.open('fielddata', field),
      error => this.#noteMissed(error),
    )
    this.requests = new RequestCache(
      shareOf(this.settings, 'indices.requests.cache.size', this.memoryLimit),
    )
    this.path = folder
    this.#diskUsage = options.diskUsage ?? (() => (folder === null ? null : diskUsageOf(folder)))
    this.words = configFolder(nodeSettings.text(this.settings, 'path.conf') || null, folder)
    this.#folder = data ?? (folder === null ? new MemoryDataFolder() : new FsDataFolder(folder))
    this.disks = new DiskMonitor({
      usage: () => this.diskUsage(),
      settings: () => this.effectiveSettings,
      onError: error => this.noteFailure(error),
    })
    this.#lock = folder === null ? null : lockFolder(folder)
    this.machine = new MachineMeter(folder)
    this.lanes = new WriteLanes(this.writeThreads)
    this.ingest = new IngestPipelines(
      () => this.metadata.node.pipelines,
      () => this.scripts.forPipelines(),
      (nodeSettings.nanos(this.settings, 'ingest.grok.watchdog.max_execution_time') ?? 1e9) / 1e6,
    )
    this.searcher = new ShardSearcher(
      this.memory,
      Math.max(1, number('lamella.threads.search', cores)),
      number('thread_pool.search.queue_size', 1000),
    )
    this.#scheduler = new RefreshScheduler(error => this.noteFailure(error))
    this.#closedShards = new ClosedShards(
      (uuid, shard) => this.#folder.directory(...this.metadata.shardPath(uuid, shard)),
      error => this.noteFailure(error),
    )
    this.moves = new IndexMoves(this.#movingNode(), this.#closedShards)
    try {
      this.scripts = new Scripts(
        this.settings,
        () => this.effectiveSettings,
        () => this.metadata.node.storedScripts,
        () => this.searcher.loadScripts(),
      )
      this.analysis = this.makeAnalysis(new Map())
      const { storedAnalysis } = this.scripts
      this.metadata = new MetadataStore(
        this.#folder,
        settings => new AnalysisRegistry(settings, this.words, storedAnalysis),
        this.settings,
      )
      this.tasks = new TaskRegistry(
        this.metadata.node.nodeId,
        firstTaskNumber(this.metadata.index(TASKS_INDEX) !== null),
      )
      for (const metadata of this.metadata.indices())
        if (metadata.isOpen)
          this.#indices.set(
            metadata.name,
            this.#serviceOf(metadata, error => this.noteFailure(error)),
          )
    } catch (error) {
      void this.#release({ commit: false })
      throw error
    }
  }

  /** Writes again what the logs hold beyond the commits, a few shards at a time. */
  async recover(): Promise<void> {
    try {
      await this.#recover([...this.#indices.values()])
    } catch (error) {
      await this.#release({ commit: false })
      throw error
    }
  }

  async #recover(indices: readonly IndexService[]): Promise<void> {
    const waiting = indices.flatMap(index => index.shards.map(shard => ({ index, shard })))
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await next.index.recover(next.shard)
    }
    await Promise.all(Array.from({ length: 2 * this.writeThreads }, lane))
  }

  /** Cluster settings that hold: transient ones win, then persistent ones, then those of the start. */
  get effectiveSettings(): Settings {
    return this.metadata.effectiveSettings
  }

  /** An open index by name, or null. */
  index(name: string): IndexService | null {
    return this.#indices.get(name) ?? null
  }

  indices(): Iterable<IndexService> {
    return this.#indices.values()
  }

  /**
   * An open index by name.
   * @throws {EngineError} `index_not_found_exception`, `index_closed_exception`
   */
  openedIndex(name: string): IndexService {
    const index = this.index(name)
    if (index !== null) return index
    const metadata = this.metadata.index(name)
    throw metadata === null ? indexNotFound(name) : indexClosed(metadata)
  }

  /**
   * Opens an index that is new and whose metadata is durable.
   * @throws what a shard could not be opened for; then there is nothing to close
   */
  openIndex(metadata: IndexMetadata): IndexService {
    const service = this.#serviceOf(metadata, error => {
      throw error
    })
    this.#indices.set(metadata.name, service)
    return service
  }

  #shardFolders({ uuid, numberOfShards }: IndexMetadata): ShardFolder[] {
    return Array.from({ length: numberOfShards }, (_, number) => {
      const path = this.metadata.shardPath(uuid, number)
      return {
        directory: this.#folder.directory(...path),
        folder: this.#folder.pathOf(...path),
        lanes: this.lanes,
        lane: this.lanes.assign(),
      }
    })
  }

  /** The folder of a shard. */
  shardDirectory(uuid: string, shard: number): Directory {
    return this.#folder.directory(...this.metadata.shardPath(uuid, shard))
  }

  /** A folder beside those of indices, made to last; null where nothing outlives the process. */
  dataDirectory(...path: string[]): Directory | null {
    if (!this.#folder.isLasting) return null
    const directory = this.#folder.directory(...path)
    for (let depth = path.length - 1; depth >= 0; depth--)
      this.#folder.directory(...path.slice(0, depth)).syncFolder()
    return directory
  }

  /**
   * The shards of a closed index by their number, as their commits have them; a damaged one stays so.
   * While the index is being closed, its commits are waited for.
   * @returns nothing once it is open, or gone
   */
  async closedShards({
    name,
    uuid,
  }: IndexMetadata): Promise<readonly (ClosedShard | DamagedShard)[]> {
    await this.moves.over(uuid)
    const metadata = this.metadata.index(name)
    if (metadata?.uuid !== uuid || metadata.isOpen) return []
    return this.#closedShards.of(metadata)
  }

  /** The parts of this node that moves of indices use; it is not whole yet when they are made. */
  #movingNode(): MovingNode {
    const metadata = (): MetadataStore => this.metadata
    return {
      get metadata() {
        return metadata()
      },
      changes: this.changes,
      indices: this.#indices,
      serviceOf: (index, onDamage) => this.#serviceOf(index, onDamage),
      shardFolders: index => this.#shardFolders(index),
      renew: (service, shard, from) => service.renew(shard, from, this.#notingDamage()),
      restart: (service, shard) => service.restart(shard, this.#notingDamage()),
      recover: indices => this.#recover(indices),
      dropReaders: uuid => this.#dropReaders(uuid),
      updateIndex: index => this.updateIndex(index),
      ensureOpen: () => this.ensureOpen(),
      noteFailure: error => this.noteFailure(error),
    }
  }

  /** Of shards that open again: the others of the index stay when one cannot. */
  #notingDamage(): IndexContext {
    return { ...this.#context, onDamage: error => this.noteFailure(error) }
  }

  #serviceOf(metadata: IndexMetadata, onDamage: (error: unknown) => void): IndexService {
    return new IndexService(metadata, { ...this.#context, onDamage })
  }

  /** Drops the index from scrolls and points in time. */
  #dropReaders(uuid: string): void {
    this.scrolls.dropIndex(uuid)
    this.pits.dropIndex(uuid)
  }

  /**
   * Makes changed and removed indices durable, all or none, then current; `moves.discard` does the rest of
   * those that are removed.
   * @param changes parts of the node's state that change with them
   */
  applyBatch(
    changed: readonly IndexMetadata[],
    removed: readonly IndexMetadata[],
    changes: StateWithBatch = {},
  ): void {
    this.metadata.putBatch({ put: changed, removed: removed.map(({ uuid }) => uuid) }, changes)
    for (const metadata of changed) this.#takeOver(metadata)
    for (const metadata of removed) this.moves.remove(metadata)
  }

  /** Usage of the disk that the data lie on; null in memory, or where it cannot be told. */
  diskUsage(): DiskUsage | null {
    try {
      return this.#diskUsage()
    } catch (error) {
      this.noteFailure(error)
      return null
    }
  }

  /** A failure that no caller waits for. */
  noteFailure(error: unknown): void {
    this.failures.push(error)
    if (this.failures.length > 100) this.failures.shift()
  }

  /** Notes a damaged section that searches do without. */
  #noteMissed(error: Error): void {
    this.noteFailure(error)
    const message = `${error.message}; searches compare all vectors of the segment`
    this.log?.({ logger: 'index.store', level: 'WARN', message })
  }

  /** Refuses work once the engine closes. */
  ensureOpen(): void {
    if (this.#isClosed)
      throw new EngineError({ type: 'illegal_state_exception', reason: 'the engine is closed' })
  }

  /**
   * Has work in the background stopped when this node closes, which waits for its end.
   * @returns takes it back
   */
  beforeClose(stop: () => Promise<void>): () => void {
    this.#stops.add(stop)
    return () => this.#stops.delete(stop)
  }

  /** Has something written when this node closes, while it still takes calls. */
  writeAtClose(write: () => Promise<void>): void {
    this.#lastWrites.add(write)
  }

  /**
   * Commits and closes everything.
   * @throws what the first commit failed with, after all is closed
   */
  close(): Promise<void> {
    this.#closing ??= this.#release({ commit: true })
    return this.#closing
  }

  async #release(options: { readonly commit: boolean }): Promise<void> {
    // Without any, calls are refused at once.
    if (this.#lastWrites.size > 0)
      await Promise.allSettled([...this.#lastWrites].map(write => write()))
    this.#isClosed = true
    this.#scheduler.close()
    this.disks.close()
    this.machine.close()
    this.#logSyncs.close()
    this.scrolls.close()
    this.pits.close()
    await Promise.all([...this.#stops].map(stop => stop()))
    await this.moves.allOver()
    try {
      await allSettled([...this.#indices.values()].map(index => index.close(options)))
    } finally {
      this.#indices.clear()
      await Promise.all([
        this.searcher.close(),
        this.lanes.close(),
        this.ingest.close(),
        this.updates.close(),
      ])
      this.memory.arenas.close()
      this.#lock?.release()
    }
  }

  get #context(): Omit<IndexContext, 'onDamage'> {
    return {
      folder: this.#folder,
      memory: this.memory,
      stored: this.stored,
      lanes: this.lanes,
      shardPath: (uuid, shard) => this.metadata.shardPath(uuid, shard),
      nextUid: () => this.#nextUid++,
      proposeFields: (index, fields) => this.#proposeFields(index, fields),
      onDirty: (index, shard) => this.#scheduler.add(index, shard),
      onUnsynced: (index, shard) => this.#logSyncs.add(index, shard),
      onWritten: bytes => this.disks.noteWritten(bytes),
      onMissed: error => this.#noteMissed(error),
      onFailure: error => this.noteFailure(error),
      isLogged: this.log !== null,
      onSlow: (index, operation, nanos) => this.#logSlow(index, operation, nanos),
      openLogs: this.#openLogs,
    }
  }

  #logSlow({ metadata }: IndexService, operation: IndexOperation, nanos: number): void {
    const { settings } = metadata
    const level = slowLevel(settings, 'index', nanos)
    if (level === null) return
    this.log?.(slowLine(level, 'index', slowDocument(metadata, settings, operation, nanos)))
  }

  #proposeFields(
    index: IndexService,
    fields: readonly ProposedField[],
  ): Promise<ErrorRecord | null> {
    const { name, uuid } = index.metadata
    return this.changes.submit(
      `put-mapping [${name}/${uuid}]`,
      'HIGH',
      () => {
        const metadata = this.metadata.index(name)
        // It may have been deleted while this waited: its state must not come back.
        if (metadata?.uuid !== uuid) throw indexNotFound(name)
        const context = mappingContext(metadata.settings, metadata.analysis)
        const { mapping, refusal } = addDocumentFields(metadata.mapping, fields, context)
        if (mapping === metadata.mapping) return refusal
        try {
          checkMappingFits(metadata, mapping)
        } catch (error) {
          return toErrorRecord(error)
        }
        const changed = { ...metadata, mapping, mappingVersion: metadata.mappingVersion + 1 }
        this.updateIndex(indexMetadata(changed, metadata.analysis))
        return refusal
      },
      null,
    )
  }

  /** Makes changed metadata of an index durable, then current. */
  updateIndex(metadata: IndexMetadata): void {
    this.metadata.putIndex(metadata)
    this.#takeOver(metadata)
  }

  #takeOver(metadata: IndexMetadata): void {
    const { name, uuid } = metadata
    const index = this.#indices.get(name) ?? this.moves.moving(uuid)
    index?.update(metadata)
  }
}

/** The budget for index bytes: a size, or a share of what the machine or its container has. */
function memoryLimit(settings: Settings): number {
  const available = Math.min(constrainedMemory() || totalmem(), totalmem())
  return shareOf(settings, 'memory.limit', available)
}

/** Bytes of a setting that is a size, or a share of `whole`. */
function shareOf(settings: Settings, key: string, whole: number): number {
  const text = nodeSettings.text(settings, key)
  if (text.endsWith('%')) return Math.floor((whole * Number(text.slice(0, -1))) / 100)
  return parseSize(text, key)
}
