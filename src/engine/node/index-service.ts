import { loadedPlugins } from '../../analysis/plugins.ts'
import type { ProposedField } from '../../pool/messages.ts'
import { printIndexSort } from '../../schema/index-sort.ts'
import { indexSortOf } from '../../schema/index-sort-settings.ts'
import { MERGE_ORDER_KEY } from '../../schema/merge-order.ts'
import { indexSettings } from '../../schema/setting-registry.ts'
import type { SegmentMemory } from '../../segment/segment-memory.ts'
import type { StoredCache } from '../../segment/stored-cache.ts'
import { type CloseOptions, Shard } from '../../shard/shard.ts'
import type { ShardContext, ShardSettings } from '../../shard/shard-context.ts'
import { shardOf } from '../../shard/shard-routing.ts'
import type { IndexSchema, WriteLanes } from '../../shard/write-lanes.ts'
import type { IndexOperation } from '../../shard/write-operation.ts'
import type { DataFolder } from '../../store/data-folder.ts'
import { FileTranslog } from '../../store/translog/file-translog.ts'
import { MemoryTranslog } from '../../store/translog/memory-translog.ts'
import type { OpenLogs } from '../../store/translog/open-logs.ts'
import { type ErrorRecord, toErrorRecord } from '../../util/errors.ts'
import { allSettled } from '../../util/settle.ts'
import { type IndexMetadata, mappingBytes } from '../metadata/index-metadata.ts'
import { newUuid } from '../metadata/uuid.ts'
import { DamagedShard, type OpenedShard } from './damaged-shard.ts'
import { leastLogged } from './slow-log.ts'

/** The parts that an open index is made from. */
export interface IndexContext {
  readonly folder: DataFolder
  readonly memory: SegmentMemory
  readonly stored: StoredCache
  readonly lanes: WriteLanes
  shardPath(uuid: string, shard: number): string[]
  nextUid(): number
  /**
   * Merges fields that documents brought into the mapping, durable when it resolves.
   * @returns why those of the first document were refused
   */
  proposeFields(index: IndexService, fields: readonly ProposedField[]): Promise<ErrorRecord | null>
  /** A shard has something to refresh. */
  onDirty(index: IndexService, shard: Shard): void
  readonly openLogs: OpenLogs
  /** A shard's log is to be synced in its time. */
  onUnsynced(index: IndexService, shard: Shard): void
  /** Documents of so many bytes were accepted. */
  onWritten(bytes: number): void
  /** Whether anyone reads the log. */
  readonly isLogged: boolean
  /** A document took longer than the least time that the index logs. */
  onSlow(index: IndexService, operation: IndexOperation, nanos: number): void
  /** A section of a shard is damaged that searches do without. */
  onMissed(error: Error): void
  /** Something failed that no caller waits for. */
  onFailure(error: unknown): void
  /** A shard could not be opened; when this returns, the index opens without it. */
  onDamage(error: unknown): void
}

/** A log that no file holds is committed before it fills the heap. */
const MEMORY_LOG_BYTES = 64 * 2 ** 20
/** A buffer this large becomes a segment without waiting for a refresh. */
const BUFFER_BYTES = 64 * 2 ** 20

/** Why a shard does not answer between its closing and its opening. */
const CANCELLED: ErrorRecord = {
  type: 'illegal_state_exception',
  reason: 'the allocation of the primary was cancelled',
}

/** An open index: its shards, and what they need of its metadata. */
export class IndexService {
  #allShards: readonly OpenedShard[]
  #shards: readonly Shard[]
  readonly #isLasting: boolean
  readonly #isLogged: boolean
  readonly #onDamage: (error: unknown) => void
  #metadata: IndexMetadata
  #schema: IndexSchema | null = null
  #shardSettings: ShardSettings | null = null

  /**
   * Opens all shards; what was committed answers when this returns, the rest after `recover`.
   * @throws what `onDamage` throws of a shard that cannot be opened
   */
  constructor(metadata: IndexMetadata, context: IndexContext) {
    this.#metadata = metadata
    this.#isLogged = context.isLogged
    this.#isLasting = context.folder.isLasting
    this.#onDamage = context.onDamage
    const all: OpenedShard[] = []
    const shards: Shard[] = []
    try {
      for (let number = 0; number < metadata.numberOfShards; number++) {
        const shard = this.#openShard(number, context)
        all.push(shard)
        if (shard instanceof Shard) shards.push(shard)
      }
    } catch (error) {
      for (const shard of shards) void shard.close({ commit: false }).catch(() => {})
      throw error
    }
    this.#allShards = all
    this.#shards = shards
  }

  /** By their number. */
  get allShards(): readonly OpenedShard[] {
    return this.#allShards
  }

  /** Those that could be opened. */
  get shards(): readonly Shard[] {
    return this.#shards
  }

  /**
   * Writes again what a shard's log holds beyond its commit. One that cannot be is damaged: it is
   * closed as it is found, and the others stay.
   * @throws what `onDamage` throws
   */
  async recover(shard: Shard): Promise<void> {
    try {
      await shard.recover()
    } catch (error) {
      const damaged = new DamagedShard(shard.name, toErrorRecord(error))
      this.#allShards = this.#allShards.map(other => (other === shard ? damaged : other))
      this.#shards = this.#shards.filter(other => other !== shard)
      await shard.close({ commit: false })
      this.#onDamage(error)
    }
  }

  /**
   * Opens a damaged shard once more, from the files that it has or from none, and writes again what its log
   * holds; one that cannot be opened stays damaged. Without effect on a shard that is open.
   * @param from `nothing` deletes its files first: all of its documents are lost
   * @param context as the index was made with
   */
  async renew(number: number, from: 'files' | 'nothing', context: IndexContext): Promise<void> {
    const old = this.#allShards[number]
    if (!(old instanceof DamagedShard)) return
    if (from === 'nothing') {
      const directory = context.folder.directory(...context.shardPath(old.name.uuid, number))
      for (const name of directory.list()) directory.delete(name)
      directory.syncFolder()
    }
    const shard = this.#openShard(number, context)
    this.#allShards = this.#allShards.map(other => (other === old ? shard : other))
    if (shard instanceof DamagedShard) return
    this.#shards = this.#allShards.filter(each => each instanceof Shard)
    await this.recover(shard)
  }

  /**
   * Closes a shard and opens it again from its files; meanwhile it answers as one that cannot be opened.
   * Without effect on one that is damaged.
   * @param context as the index was made with
   */
  async restart(number: number, context: IndexContext): Promise<void> {
    const old = this.#allShards[number]
    if (!(old instanceof Shard)) return
    const closed = new DamagedShard(old.name, CANCELLED)
    this.#allShards = this.#allShards.map(other => (other === old ? closed : other))
    this.#shards = this.#shards.filter(other => other !== old)
    try {
      await old.close({ commit: true })
    } catch (error) {
      // The log holds all that was acknowledged.
      context.onFailure(error)
    }
    await this.renew(number, 'files', context)
  }

  get metadata(): IndexMetadata {
    return this.#metadata
  }

  get name(): string {
    return this.#metadata.name
  }

  /** Takes over changed metadata. */
  update(metadata: IndexMetadata): void {
    this.#metadata = metadata
    this.#schema = null
    this.#shardSettings = null
  }

  /** The shard that a document belongs to, by its routing or its id. */
  shardOf(id: string, routing: string | null): OpenedShard {
    return this.allShards[shardOf(this.#metadata, id, routing)]!
  }

  /** @throws what the first shard failed with, after all are closed */
  close(options: CloseOptions): Promise<void> {
    return allSettled(this.shards.map(shard => shard.close(options)))
  }

  #openShard(number: number, context: IndexContext): OpenedShard {
    const shardContext = this.#shardContext(number, context, () => shard)
    let shard: Shard
    try {
      shard = new Shard(shardContext)
    } catch (error) {
      context.onDamage(error)
      return new DamagedShard(shardContext.name, toErrorRecord(error))
    }
    return shard
  }

  #shardContext(number: number, context: IndexContext, shard: () => Shard): ShardContext {
    const { name, uuid } = this.#metadata
    const path = context.shardPath(uuid, number)
    const directory = context.folder.directory(...path)
    const generationBytes = (): number => this.#settingsNow().logGenerationInBytes
    return {
      name: { index: name, uuid, shard: number },
      directory,
      folder: context.folder.pathOf(...path),
      memory: context.memory,
      stored: context.stored,
      lanes: context.lanes,
      openLog: start =>
        context.folder.isLasting
          ? new FileTranslog(directory, start, generationBytes, context.openLogs)
          : new MemoryTranslog(newUuid()),
      nextUid: context.nextUid,
      schema: () => this.#schemaNow(),
      proposeFields: fields => context.proposeFields(this, fields),
      settings: () => this.#settingsNow(),
      onDirty: () => context.onDirty(this, shard()),
      onUnsynced: () => context.onUnsynced(this, shard()),
      onWritten: context.onWritten,
      onSlow: (operation, nanos) => context.onSlow(this, operation, nanos),
      onMissed: context.onMissed,
      onFailure: error => context.onFailure(error),
    }
  }

  #schemaNow(): IndexSchema {
    const { uuid, mapping, mappingVersion, settingsVersion, settings, analysis } = this.#metadata
    this.#schema ??= {
      index: uuid,
      // Both only rise, so that no two states have the same sum.
      version: mappingVersion + settingsVersion,
      mapping: mappingBytes(mapping),
      settings: settings.toMap(),
      wordFiles: analysis.wordFiles,
      scripts: analysis.scripts,
      plugins: loadedPlugins(),
    }
    return this.#schema
  }

  #settingsNow(): ShardSettings {
    if (this.#shardSettings !== null) return this.#shardSettings
    const { settings } = this.#metadata
    const number = (key: string): number => indexSettings.number(settings, key) ?? 0
    const bytes = (key: string): number => indexSettings.bytes(settings, key) ?? 0
    const policy = 'index.merge.policy.'
    this.#shardSettings = {
      // Checksums cover every byte, so `true` finds no more than `checksum`.
      isCheckedOnStartup: indexSettings.text(settings, 'index.shard.check_on_startup') !== 'false',
      mayHaveTwins: settings.has('index.resize.source.uuid'),
      gcDeletesInMillis: (indexSettings.nanos(settings, 'index.gc_deletes') ?? 0) / 1e6,
      isDurableOnRequest:
        indexSettings.text(settings, 'index.translog.durability').toUpperCase() !== 'ASYNC',
      logGenerationInBytes: bytes('index.translog.generation_threshold_size'),
      flushThresholdInBytes: Math.min(
        bytes('index.translog.flush_threshold_size'),
        this.#isLasting ? Number.POSITIVE_INFINITY : MEMORY_LOG_BYTES,
      ),
      bufferLimitInBytes: BUFFER_BYTES,
      slowIndexingInNanos: this.#isLogged
        ? leastLogged(settings, 'index')
        : Number.POSITIVE_INFINITY,
      mergeOrder: indexSettings.text(settings, MERGE_ORDER_KEY),
      indexSort: printIndexSort(indexSortOf(settings)),
      graphFrom: leastOfGraphs(number('index.knn.advanced.approximate_threshold')),
      merge: {
        maxMergeAtOnce: number(`${policy}max_merge_at_once`),
        segmentsPerTier: number(`${policy}segments_per_tier`),
        floorSegmentInBytes: bytes(`${policy}floor_segment`),
        maxMergedSegmentInBytes: bytes(`${policy}max_merged_segment`),
        deletesPctAllowed: number(`${policy}deletes_pct_allowed`),
        expungeDeletesAllowed: number(`${policy}expunge_deletes_allowed`),
      },
    }
    return this.#shardSettings
  }
}

/** The least number of vectors of which a graph is made, by a setting that is negative where none shall be. */
function leastOfGraphs(threshold: number): number {
  return threshold < 0 ? Number.POSITIVE_INFINITY : threshold
}
