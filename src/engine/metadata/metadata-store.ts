import { AnalysisRegistry, type MakeAnalysis } from '../../analysis/registry.ts'
import { Settings } from '../../schema/settings.ts'
import type { DataFolder } from '../../store/data-folder.ts'
import type { Directory } from '../../store/directory.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import type { StoredScript } from '../api/scripts.ts'
import type { RegisteredRepository } from '../api/snapshots.ts'
import { type Block, clusterBlocks } from './blocks.ts'
import type { DataStream, DataStreams } from './data-stream.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { CLUSTER_SETTINGS } from './section/cluster-settings.ts'
import { DATA_STREAMS } from './section/data-streams.ts'
import { type IndexBatch, indexBatch, NO_BATCH } from './section/index-batch.ts'
import { indexEntry, nameInEntry } from './section/index-entry.ts'
import { INDEX_GRAVEYARD, MAX_TOMBSTONES, type Tombstone } from './section/index-graveyard.ts'
import { INGEST_PIPELINES } from './section/ingest-pipelines.ts'
import {
  type MetadataSection,
  type SectionValue,
  sectionValue,
} from './section/metadata-section.ts'
import { NODE_IDENTITY } from './section/node-identity.ts'
import type { PipelineDefinitions } from './section/pipeline-definitions.ts'
import { REPOSITORIES } from './section/repositories.ts'
import { SEARCH_PIPELINES } from './section/search-pipelines.ts'
import { SectionFile } from './section/section-file.ts'
import { STATE_VERSION } from './section/state-version.ts'
import { STORED_SCRIPTS } from './section/stored-scripts.ts'
import { COMPONENT_TEMPLATES, INDEX_TEMPLATES, LEGACY_TEMPLATES } from './section/templates.ts'
import type { ComponentTemplate, IndexTemplate, LegacyTemplate, Templates } from './template.ts'
import { newUuid } from './uuid.ts'

/** Metadata of the whole node. */
export interface NodeState {
  readonly nodeId: string
  readonly clusterUuid: string
  readonly persistent: Settings
  readonly transient: Settings
  readonly componentTemplates: Templates<ComponentTemplate>
  readonly indexTemplates: Templates<IndexTemplate>
  readonly legacyTemplates: Templates<LegacyTemplate>
  readonly dataStreams: DataStreams
  /** By id. */
  readonly storedScripts: ReadonlyMap<string, StoredScript>
  readonly pipelines: PipelineDefinitions
  readonly searchPipelines: PipelineDefinitions
  /** Snapshot repositories by name. */
  readonly repositories: ReadonlyMap<string, RegisteredRepository>
  /** The indices that were deleted last, oldest first. */
  readonly graveyard: readonly Tombstone[]
}

/** Parts of the node's state that change together with a batch of indices. */
export type StateWithBatch = Partial<
  Pick<
    NodeState,
    | 'dataStreams'
    | 'persistent'
    | 'componentTemplates'
    | 'indexTemplates'
    | 'legacyTemplates'
    | 'storedScripts'
    | 'pipelines'
    | 'searchPipelines'
  >
>

/** Folder of all indices, and of the node's own state. */
const INDICES = 'indices'
const NODE = 'node'
/** Sections of the node's own state. */
const FIRST_SECTIONS = [NODE_IDENTITY, CLUSTER_SETTINGS]
/** Those that are left out while they are empty: older builds open a state that has none. */
const OPTIONAL_SECTIONS = [
  COMPONENT_TEMPLATES,
  INDEX_TEMPLATES,
  LEGACY_TEMPLATES,
  DATA_STREAMS,
  STORED_SCRIPTS,
  INGEST_PIPELINES,
  SEARCH_PIPELINES,
  REPOSITORIES,
]

/**
 * All metadata: the indices by name and the cluster settings. A change is durable before it holds;
 * who waits for changes is told afterwards. Changes come through the task queue, one at a time.
 */
export class MetadataStore {
  readonly #folder: DataFolder
  readonly #node: SectionFile
  readonly #indexEntry: MetadataSection<IndexMetadata>
  readonly #indexBatch: MetadataSection<IndexBatch>
  /** Decided, but not in the files of all its indices yet. */
  #batch: IndexBatch
  /** A batch was refused whose state may have reached the disk: no other change may come before its end. */
  #isNodeUncertain = false
  readonly #files = new Map<string, SectionFile>()
  readonly #indices = new Map<string, IndexMetadata>()
  readonly #waiters = new Set<() => void>()
  readonly #startSettings: Settings
  /** Null until it is asked for, and after a change. */
  #aliases: ReadonlyMap<string, readonly IndexMetadata[]> | null = null
  /** By id of a backing index; the same. */
  #streams: ReadonlyMap<string, DataStream> | null = null
  #state: NodeState
  /** Of all metadata; rises with every change, over restarts too. */
  #version: number
  #stateUuid = newUuid()
  #effective: Settings
  #clusterBlocks: readonly Block[]

  /**
   * Reads the metadata of a data folder, or starts a new node.
   * @param makeAnalysis makes the analysis of an index; its scripts were checked before
   * @param settings of the start, over which cluster settings win
   * @throws {CorruptSegmentError} when a state file is damaged
   */
  constructor(folder: DataFolder, makeAnalysis: MakeAnalysis, settings: Settings) {
    this.#folder = folder
    this.#startSettings = settings
    this.#indexEntry = indexEntry(makeAnalysis)
    this.#indexBatch = indexBatch(makeAnalysis)
    const sections = [
      ...FIRST_SECTIONS,
      ...OPTIONAL_SECTIONS,
      INDEX_GRAVEYARD,
      STATE_VERSION,
      this.#indexBatch,
    ]
    this.#node = new SectionFile(folder.directory(NODE), sections, FIRST_SECTIONS)
    this.#batch = this.#node.read(this.#indexBatch)
    this.#state = {
      ...this.#node.read(NODE_IDENTITY),
      persistent: this.#node.read(CLUSTER_SETTINGS),
      transient: Settings.EMPTY,
      componentTemplates: this.#node.read(COMPONENT_TEMPLATES),
      indexTemplates: this.#node.read(INDEX_TEMPLATES),
      legacyTemplates: this.#node.read(LEGACY_TEMPLATES),
      dataStreams: this.#node.read(DATA_STREAMS),
      storedScripts: this.#node.read(STORED_SCRIPTS),
      pipelines: this.#node.read(INGEST_PIPELINES),
      searchPipelines: this.#node.read(SEARCH_PIPELINES),
      repositories: this.#node.read(REPOSITORIES),
      graveyard: this.#node.read(INDEX_GRAVEYARD),
    }
    this.#version = this.#node.read(STATE_VERSION)
    this.#effective = this.#settingsNow()
    this.#clusterBlocks = clusterBlocks(this.#effective)
    if (this.#node.isEmpty) {
      folder.directory(INDICES)
      folder.directory().syncFolder()
      this.#writeNode(this.#state)
    }
    // Before anything is read: an index that a batch made may have no state yet.
    this.#settleBatch()
    for (const uuid of folder.folders(INDICES)) {
      const file = this.#indexFile(uuid)
      if (file.isEmpty) {
        this.#clear(uuid, file)
        continue
      }
      const metadata = file.read(this.#indexEntry)
      this.#version = Math.max(this.#version, file.read(STATE_VERSION))
      if (metadata.uuid !== uuid)
        throw new CorruptSegmentError(
          `${INDICES}/${uuid}/state`,
          32,
          `the state of index ${uuid}`,
          `that of ${metadata.uuid}`,
        )
      this.#files.set(uuid, file)
      this.#indices.set(metadata.name, metadata)
    }
  }

  /** Of all metadata; rises with every change, over restarts too. */
  get version(): number {
    return this.#version
  }

  /** Tells states of one version apart: no two have the same. */
  get stateUuid(): string {
    return this.#stateUuid
  }

  get node(): NodeState {
    return this.#state
  }

  /** Cluster settings that hold: transient ones win, then persistent ones, then those of the start. */
  get effectiveSettings(): Settings {
    return this.#effective
  }

  /** The blocks that cluster settings put on everything. */
  get clusterBlocks(): readonly Block[] {
    return this.#clusterBlocks
  }

  index(name: string): IndexMetadata | null {
    return this.#indices.get(name) ?? null
  }

  /** Names of all indices, in no order. */
  names(): Iterable<string> {
    return this.#indices.keys()
  }

  /** All indices in order of name. */
  indices(): IndexMetadata[] {
    return [...this.#indices.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The indices of an alias in order of name; none where no alias has the name. */
  indicesOfAlias(name: string): readonly IndexMetadata[] {
    this.#aliases ??= indicesByAlias(this.indices())
    return this.#aliases.get(name) ?? []
  }

  /** The data stream of a name, or null. */
  dataStream(name: string): DataStream | null {
    return this.#state.dataStreams.get(name) ?? null
  }

  /** The data stream that an index belongs to, or null. */
  dataStreamOf({ uuid }: Pick<IndexMetadata, 'uuid'>): DataStream | null {
    this.#streams ??= streamsByIndex(this.#state.dataStreams)
    return this.#streams.get(uuid) ?? null
  }

  /** The indices of a data stream, oldest first. */
  indicesOfStream({ indices }: DataStream): IndexMetadata[] {
    return indices.flatMap(({ name, uuid }) => {
      const index = this.#indices.get(name)
      return index?.uuid === uuid ? [index] : []
    })
  }

  get indexCount(): number {
    return this.#indices.size
  }

  /**
   * Makes the folders of an index that is to be added once its shards are filled. The next start deletes
   * them, unless `putIndex` was called; `dropDraft` does it earlier.
   */
  draftIndex({ uuid, numberOfShards }: IndexMetadata): void {
    this.#indexFile(uuid).draft()
    this.#folder.directory(INDICES).syncFolder()
    this.#makeShardFolders(uuid, numberOfShards)
    // A batch may name the index before it has a state of its own.
    this.#folder.directory(INDICES, uuid).syncFolder()
  }

  /** Deletes the folders of an index that was not added after all; its shards must be closed. */
  dropDraft(uuid: string): void {
    // A refused batch that names it may have reached the disk: its shards stay until that is undone.
    this.#settleBatch()
    // A state whose last sync failed may be there: it must not outlive the shards.
    this.#giveUp(uuid)
    this.deleteIndexFolder(uuid)
  }

  /** Adds an index or replaces it, durable when this returns. */
  putIndex(metadata: IndexMetadata): void {
    this.#settleBatch()
    this.#advance()
    this.#writeIndex(metadata)
    this.#indices.set(metadata.name, metadata)
    this.changed()
  }

  /**
   * Adds, replaces and removes indices, all or none; durable when this returns. Folders of removed ones
   * are left to `deleteIndexFolder`.
   * @param changes parts of the node's state that change with them
   * @throws when none of it is done
   */
  putBatch(batch: IndexBatch, changes: StateWithBatch = {}): void {
    this.#settleBatch()
    this.#advance()
    const state = { ...this.#state, ...changes, graveyard: this.#graveyardWith(batch) }
    this.#batch = batch
    try {
      this.#writeNode(state)
    } catch (error) {
      this.#batch = NO_BATCH
      this.#isNodeUncertain = true
      throw error
    }
    this.#take(state)
    const removed = new Set(batch.removed)
    for (const [name, { uuid }] of this.#indices) if (removed.has(uuid)) this.#indices.delete(name)
    for (const metadata of batch.put) this.#indices.set(metadata.name, metadata)
    this.changed()
    try {
      this.#settleBatch()
    } catch {
      // It is decided: the next change, or the next start, writes what is missing and tells why it cannot.
    }
  }

  #graveyardWith({ removed }: IndexBatch): readonly Tombstone[] {
    const { graveyard } = this.#state
    if (removed.length === 0) return graveyard
    const gone = new Set(removed)
    const deletedAtInMillis = Date.now()
    const added = this.indices()
      .filter(({ uuid }) => gone.has(uuid))
      .map(({ name, uuid }) => ({ name, uuid, deletedAtInMillis }))
    return [...graveyard, ...added].slice(-MAX_TOMBSTONES)
  }

  /** Begins a change, whose files have its version. */
  #advance(): void {
    this.#version++
    this.#stateUuid = newUuid()
  }

  /** Writes a batch that is decided to the files of its indices, and takes back one that was refused. */
  #settleBatch(): void {
    if (this.#isNodeUncertain) {
      this.#writeNode(this.#state)
      this.#isNodeUncertain = false
    }
    const { put, removed } = this.#batch
    if (put.length === 0 && removed.length === 0) return
    for (const metadata of put) this.#writeIndex(metadata)
    for (const uuid of removed) this.#giveUp(uuid)
    const decided = this.#batch
    this.#batch = NO_BATCH
    try {
      this.#writeNode(this.#state)
    } catch (error) {
      this.#batch = decided
      throw error
    }
  }

  #writeIndex(metadata: IndexMetadata): void {
    let file = this.#files.get(metadata.uuid)
    const isNew = file === undefined
    file ??= this.#indexFile(metadata.uuid)
    // The folders of the shards come first: the state's own sync makes their names last too.
    if (isNew) this.#makeShardFolders(metadata.uuid, metadata.numberOfShards)
    file.write([
      sectionValue(this.#indexEntry, metadata),
      sectionValue(STATE_VERSION, this.#version),
    ])
    if (isNew) {
      // The folder's own entry must last as well.
      this.#folder.directory(INDICES).syncFolder()
      this.#files.set(metadata.uuid, file)
    }
  }

  #makeShardFolders(uuid: string, count: number): void {
    for (let shard = 0; shard < count; shard++)
      this.#folder.directory(...this.shardPath(uuid, shard))
  }

  #giveUp(uuid: string): void {
    const open = this.#files.get(uuid)
    const file = open ?? this.#indexFile(uuid)
    // A batch that is written again may have got so far.
    if (!file.isGivenUp && (open !== undefined || !file.isEmpty)) file.giveUp()
    this.#files.delete(uuid)
  }

  /**
   * Deletes the folder of an index without a state: it was never acknowledged, or its deletion was.
   * @throws {CorruptSegmentError} when it was neither, so that its state must have been lost
   */
  #clear(uuid: string, file: SectionFile): void {
    const path = [INDICES, uuid]
    const stray = file.isGivenUp
      ? undefined
      : this.#folder
          .folders(...path)
          .flatMap(shard => this.#folder.directory(...path, shard).list())
          .at(0)
    if (stray !== undefined)
      throw new CorruptSegmentError(
        `${path.join('/')}/state_1`,
        0,
        'the state of an index',
        `none, beside [${stray}]`,
      )
    this.deleteIndexFolder(uuid)
  }

  /**
   * Deletes the files of an index that was removed; its shards must be closed. Files that a
   * failure leaves go at the next start.
   */
  deleteIndexFolder(uuid: string): void {
    // The shards go first and for good, before what says that they may.
    for (const shard of this.#folder.folders(INDICES, uuid))
      this.#folder.deleteFolder(INDICES, uuid, shard)
    this.#folder.directory(INDICES, uuid).syncFolder()
    this.#folder.deleteFolder(INDICES, uuid)
  }

  /** Replaces parts of the node's state, durable when this returns. */
  putNode(changes: Partial<Omit<NodeState, 'nodeId' | 'clusterUuid' | 'graveyard'>>): void {
    this.#settleBatch()
    this.#advance()
    const state = { ...this.#state, ...changes }
    this.#writeNode(state)
    this.#take(state)
    this.changed()
  }

  #take(state: NodeState): void {
    this.#state = state
    this.#effective = this.#settingsNow()
    this.#clusterBlocks = clusterBlocks(this.#effective)
  }

  /** Path of a shard's folder, in the form that `DataFolder` takes. */
  shardPath(uuid: string, shard: number): string[] {
    return [INDICES, uuid, String(shard)]
  }

  /** Tells who waits that metadata or a shard's state changed. */
  changed(): void {
    this.#aliases = null
    this.#streams = null
    for (const waiter of [...this.#waiters]) waiter()
  }

  /** Resolves at the next change, or when the signal aborts. */
  nextChange(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const done = (): void => {
        this.#waiters.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiters.add(done)
      signal.addEventListener('abort', done)
    })
  }

  #settingsNow(): Settings {
    const { persistent, transient } = this.#state
    return this.#startSettings.with(persistent.toMap()).with(transient.toMap())
  }

  #indexFile(uuid: string): SectionFile {
    return new SectionFile(
      this.#folder.directory(INDICES, uuid),
      [this.#indexEntry, STATE_VERSION],
      [this.#indexEntry],
    )
  }

  #writeNode(state: NodeState): void {
    const { nodeId, clusterUuid, persistent } = state
    const { put, removed } = this.#batch
    const isSettled = put.length === 0 && removed.length === 0
    this.#node.write([
      sectionValue(NODE_IDENTITY, { nodeId, clusterUuid }),
      sectionValue(CLUSTER_SETTINGS, persistent),
      ...optional(COMPONENT_TEMPLATES, state.componentTemplates),
      ...optional(INDEX_TEMPLATES, state.indexTemplates),
      ...optional(LEGACY_TEMPLATES, state.legacyTemplates),
      ...optional(DATA_STREAMS, state.dataStreams),
      ...optional(STORED_SCRIPTS, state.storedScripts),
      ...optional(INGEST_PIPELINES, state.pipelines),
      ...optional(SEARCH_PIPELINES, state.searchPipelines),
      ...optional(REPOSITORIES, state.repositories),
      ...(state.graveyard.length === 0 ? [] : [sectionValue(INDEX_GRAVEYARD, state.graveyard)]),
      sectionValue(STATE_VERSION, this.#version),
      ...(isSettled ? [] : [sectionValue(this.#indexBatch, this.#batch)]),
    ])
  }
}

/** A section of things by name, where there are any. */
function optional<T>(
  section: MetadataSection<ReadonlyMap<string, T>>,
  value: ReadonlyMap<string, T>,
): readonly SectionValue[] {
  return value.size === 0 ? [] : [sectionValue(section, value)]
}

function indicesByAlias(
  indices: readonly IndexMetadata[],
): ReadonlyMap<string, readonly IndexMetadata[]> {
  const found = new Map<string, IndexMetadata[]>()
  for (const index of indices)
    for (const alias of index.aliases.keys()) {
      const others = found.get(alias)
      if (others === undefined) found.set(alias, [index])
      else others.push(index)
    }
  return found
}

function streamsByIndex(streams: DataStreams): ReadonlyMap<string, DataStream> {
  const found = new Map<string, DataStream>()
  for (const stream of streams.values())
    for (const { uuid } of stream.indices) found.set(uuid, stream)
  return found
}

/** The name in an index folder's state, or null when it holds none. */
export function indexNameOf(directory: Directory): string | null {
  // Its content names the index; its analysis is not made.
  const section = indexEntry(settings => new AnalysisRegistry(settings))
  const content = new SectionFile(directory, [section, STATE_VERSION], [section]).content(section)
  return content === null ? null : nameInEntry(content)
}
