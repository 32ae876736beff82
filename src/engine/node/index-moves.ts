/** The moves of indices between open, closed and gone: those of one index run one after another. */
import type { ShardFolder } from '../../shard/adopt-segments.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { indexNotFound } from '../metadata/index-names.ts'
import type { MetadataQueue } from '../metadata/metadata-queue.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import type { ClosedShards } from './closed-shards.ts'
import type { IndexService } from './index-service.ts'

/** The part of a node that moves of indices use. */
export interface MovingNode {
  readonly metadata: MetadataStore
  readonly changes: MetadataQueue
  /** The open indices by name: those that are found. */
  readonly indices: Map<string, IndexService>
  /** Opens the shards of an index, which nobody finds yet. */
  serviceOf(metadata: IndexMetadata, onDamage: (error: unknown) => void): IndexService
  /** The folders of its shards, in order of their numbers. */
  shardFolders(metadata: IndexMetadata): ShardFolder[]
  /** Opens a damaged shard once more. */
  renew(service: IndexService, shard: number, from: 'files' | 'nothing'): Promise<void>
  /** Closes a shard, and opens it again. */
  restart(service: IndexService, shard: number): Promise<void>
  /** Writes again what logs hold beyond commits. */
  recover(indices: readonly IndexService[]): Promise<void>
  /** Drops an index from scrolls and points in time. */
  dropReaders(uuid: string): void
  /** Makes changed metadata durable, then current. */
  updateIndex(metadata: IndexMetadata): void
  /** @throws {EngineError} the engine closes */
  ensureOpen(): void
  /** A failure that no caller waits for. */
  noteFailure(error: unknown): void
}

/** Moves indices of one node. */
export class IndexMoves {
  readonly #node: MovingNode
  readonly #closed: ClosedShards
  /** Not open yet or any more, but with shards that are, by uuid. */
  readonly #moving = new Map<string, IndexService>()
  /** The last of the moves that open, close and delete an index one after another, by uuid. */
  readonly #moves = new Map<string, Promise<void>>()
  /** Removed, but not closed yet, by uuid. */
  readonly #discarded = new Map<string, IndexService>()

  constructor(node: MovingNode, closed: ClosedShards) {
    this.#node = node
    this.#closed = closed
  }

  /** The shards of an index that is on its way; undefined: it is not. */
  moving(uuid: string): IndexService | undefined {
    return this.#moving.get(uuid)
  }

  /** Resolves once the moves of an index that have begun are over, however that was. */
  async over(uuid: string): Promise<void> {
    await this.#moves.get(uuid)
  }

  /** The same of all indices. */
  async allOver(): Promise<void> {
    await Promise.all(this.#moves.values())
  }

  /**
   * Adds an index whose shards have documents from the first: they are filled and opened unseen, and then
   * the index is made durable and found. After a failure, or a crash on the way, nothing of it is left.
   * @param fill  puts a commit into each folder, in order of the shards' numbers
   * @param admit called right before it is found, as a metadata change; throws to give up
   * @param context of the call, which says how long that change may wait for its turn
   */
  async addFilled(
    metadata: IndexMetadata,
    fill: (shards: readonly ShardFolder[]) => Promise<void>,
    admit: () => void,
    context: CallContext,
  ): Promise<IndexService> {
    const { name, uuid } = metadata
    let service: IndexService | null = null
    await this.#move(uuid, async () => {
      try {
        this.#node.metadata.draftIndex(metadata)
        await fill(this.#node.shardFolders(metadata))
        this.#node.ensureOpen()
        const opened = this.#node.serviceOf(metadata, error => {
          throw error
        })
        service = opened
        const change = (): void => {
          this.#node.ensureOpen()
          admit()
          this.#node.metadata.putIndex(metadata)
          this.#node.indices.set(name, opened)
        }
        await this.#node.changes.submit(`create-index [${name}]`, 'URGENT', change, context)
      } catch (error) {
        // A failure of the close is of no interest: nobody knows of the index.
        await service?.close({ commit: false }).catch(() => {})
        this.#dropDraft(uuid)
        throw error
      }
    })
    return service!
  }

  /**
   * Adds several such indices, all or none.
   * @param fills  by index
   * @param admit  called right before they are found, as a metadata change: makes them durable together, or
   *   throws to give up
   * @param source of that change, as it is shown while it waits
   */
  async addAllFilled(
    indices: readonly IndexMetadata[],
    fills: readonly ((shards: readonly ShardFolder[]) => Promise<void>)[],
    admit: (services: readonly IndexService[]) => void,
    source: string,
    context: CallContext,
  ): Promise<void> {
    const drafts: string[] = []
    const services: IndexService[] = []
    const add = async (): Promise<void> => {
      try {
        for (const [i, metadata] of indices.entries()) {
          drafts.push(metadata.uuid)
          this.#node.metadata.draftIndex(metadata)
          await fills[i]!(this.#node.shardFolders(metadata))
          this.#node.ensureOpen()
          services.push(
            this.#node.serviceOf(metadata, error => {
              throw error
            }),
          )
        }
        const change = (): void => {
          this.#node.ensureOpen()
          admit(services)
          for (const service of services) this.#node.indices.set(service.name, service)
        }
        await this.#node.changes.submit(source, 'URGENT', change, context)
      } catch (error) {
        // A failure of the close is of no interest: nobody knows of the index.
        for (const service of services) await service.close({ commit: false }).catch(() => {})
        for (const uuid of drafts) this.#dropDraft(uuid)
        throw error
      }
    }
    const first = indices[0]
    if (first === undefined) await add()
    else await this.#move(first.uuid, add)
  }

  #dropDraft(uuid: string): void {
    try {
      this.#node.metadata.dropDraft(uuid)
    } catch (error) {
      // The next start deletes what is left.
      this.#node.noteFailure(error)
    }
  }

  /**
   * Marks an open index as closed, durable when this returns: nobody finds it any more. Then its
   * shards are committed and let go of, which a metadata change must not wait for: a write under way
   * may wait for its own turn to change the mapping.
   * @returns `released`: all is let go of. It rejects with what the commit failed with; what was
   * acknowledged is in the log then.
   */
  close(metadata: IndexMetadata): { readonly released: Promise<void> } {
    const { name, uuid } = metadata
    const service = this.#node.indices.get(name)
    this.#node.updateIndex(metadata)
    if (service === undefined) return { released: Promise.resolve() }
    this.#node.indices.delete(name)
    this.#node.dropReaders(uuid)
    this.#moving.set(uuid, service)
    // From now on what opens it again comes after this.
    const released = this.#move(uuid, () =>
      service.close({ commit: true }).finally(() => this.#moving.delete(uuid)),
    )
    // A caller that waits for it may come later.
    released.catch(() => {})
    return { released }
  }

  /**
   * Opens the shards of a closed index and writes again what their logs hold, then lets everyone find
   * it. Not to be called by a metadata change, as writing may change the mapping.
   * @param open its metadata as it is when it is open
   */
  reopen(
    { name, uuid }: IndexMetadata,
    open: (closed: IndexMetadata) => IndexMetadata,
    context: CallContext,
  ): Promise<void> {
    return this.#move(uuid, async () => {
      const closed = this.#node.metadata.index(name)
      // It may have gone, or been opened, while this waited.
      if (closed?.uuid !== uuid) throw indexNotFound(name)
      if (closed.isOpen) return
      this.#closed.forget(uuid)
      const service = this.#node.serviceOf(closed, error => this.#node.noteFailure(error))
      this.#moving.set(uuid, service)
      try {
        await this.#node.recover([service])
        await this.#node.changes.submit(
          `open-indices [${name}]`,
          'URGENT',
          () => {
            this.#node.ensureOpen()
            const metadata = this.#node.metadata.index(name)
            if (metadata?.uuid !== uuid) throw indexNotFound(name)
            this.#node.updateIndex(open(metadata))
            this.#node.indices.set(name, service)
          },
          context,
        )
      } catch (error) {
        // Replayed operations are in the log still.
        await service.close({ commit: false }).catch(() => {})
        throw error
      } finally {
        this.#moving.delete(uuid)
      }
    })
  }

  /** Lets go of an index that was removed durably; `discard` does the rest. */
  remove(metadata: IndexMetadata): void {
    const service = this.#node.indices.get(metadata.name)
    if (service !== undefined) this.#discarded.set(metadata.uuid, service)
    this.#node.indices.delete(metadata.name)
    this.#node.dropReaders(metadata.uuid)
  }

  /**
   * Closes an index that was removed and deletes its files. Not to be called by a metadata change:
   * a write under way may wait for its turn to change the mapping.
   */
  discard({ name, uuid }: IndexMetadata): Promise<void> {
    this.#closed.forget(uuid)
    const service = this.#discarded.get(uuid)
    this.#discarded.delete(uuid)
    return this.#move(uuid, async () => {
      try {
        await service?.close({ commit: false, reason: indexNotFound(name) })
        this.#node.metadata.deleteIndexFolder(uuid)
      } catch (error) {
        // The index is gone all the same; the next start deletes what is left of it.
        this.#node.noteFailure(error)
      }
    })
  }

  /**
   * Opens a damaged shard of an open index once more; an index that has gone or was closed stays as it is.
   * @param from `nothing`: its documents are given up
   */
  renewShard(
    { name, uuid }: IndexMetadata,
    shard: number,
    from: 'files' | 'nothing',
  ): Promise<void> {
    return this.#move(uuid, async () => {
      const service = this.#node.indices.get(name)
      if (service?.metadata.uuid === uuid) await this.#node.renew(service, shard, from)
    })
  }

  /** Closes a shard of an open index and opens it again; an index that has gone or was closed stays as it is. */
  restartShard({ name, uuid }: IndexMetadata, shard: number): Promise<void> {
    return this.#move(uuid, async () => {
      const service = this.#node.indices.get(name)
      if (service?.metadata.uuid !== uuid) return
      this.#node.dropReaders(uuid)
      await this.#node.restart(service, shard)
    })
  }

  /** Runs a step after those that open, close or delete the same index. */
  async #move(uuid: string, step: () => Promise<void>): Promise<void> {
    const move = (this.#moves.get(uuid) ?? Promise.resolve()).then(step)
    // The next move waits for its end, however that was.
    const ended = move.catch(() => {})
    this.#moves.set(uuid, ended)
    try {
      await move
    } finally {
      if (this.#moves.get(uuid) === ended) this.#moves.delete(uuid)
    }
  }
}
