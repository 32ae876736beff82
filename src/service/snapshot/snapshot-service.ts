import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { RegisteredRepository } from '../../engine/api/snapshots.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { type CloneSnapshot, cloneSnapshot } from './clone-snapshot.ts'
import { type CreateSnapshot, createSnapshot } from './create-snapshot.ts'
import { cleanUp, deleteSnapshots } from './delete-snapshots.ts'
import {
  type FindSnapshots,
  findSnapshots,
  type SnapshotSummary,
  summarizeSnapshots,
} from './find-snapshots.ts'
import { printInfo } from './print-info.ts'
import { type PutRepository, Repositories } from './repositories.ts'
import { printRestore, type RestoreSnapshot, restoreSnapshot } from './restore-snapshot.ts'
import type { FileCount } from './shard-record.ts'
import { type SnapshotStatus, snapshotStatus } from './snapshot-status.ts'
import { verifyRepository } from './verify-repository.ts'

/** Repositories and snapshots of one node; each call stands in a file of its own. */
export class SnapshotService {
  readonly #repositories: Repositories

  constructor(engine: EngineApi) {
    this.#repositories = new Repositories(engine)
  }

  /** Registers a repository; durable when it resolves. */
  putRepository(call: PutRepository, context: CallContext): Promise<void> {
    return this.#repositories.put(call, context)
  }

  /** Repositories by names and patterns, in order of name. */
  repositories(names: readonly string[]): ReadonlyMap<string, RegisteredRepository> {
    return this.#repositories.find(names)
  }

  /** Forgets repositories; their files stay. */
  deleteRepositories(names: readonly string[], context: CallContext): Promise<void> {
    return this.#repositories.delete(names, context)
  }

  /** Looks for damage in a repository. */
  verify(repository: string, context: CallContext): Promise<void> {
    return verifyRepository(this.#repositories, repository, context)
  }

  /** Removes what no snapshot needs; how much that was. */
  cleanUp(repository: string): Promise<FileCount> {
    return cleanUp(this.#repositories, repository)
  }

  /** Begins a snapshot; `done` resolves with it as the API prints it. */
  async create(
    call: CreateSnapshot,
    context: CallContext,
  ): Promise<{ readonly done: Promise<JsonRecord> }> {
    const { done } = await createSnapshot(this.#repositories, call, context)
    const printed = done.then(printInfo)
    // The task keeps the error of one that nobody waits for.
    printed.catch(() => {})
    return { done: printed }
  }

  /** Copies some indices of a snapshot into another one. */
  clone(call: CloneSnapshot): Promise<void> {
    return cloneSnapshot(this.#repositories, call)
  }

  /** Snapshots as the API prints them. */
  find(call: FindSnapshots): Promise<readonly JsonRecord[]> {
    return findSnapshots(this.#repositories, call)
  }

  /** All snapshots of a repository in numbers; damaged ones may be left out. */
  summaries(repository: string, ignoresUnavailable: boolean): Promise<readonly SnapshotSummary[]> {
    return summarizeSnapshots(this.#repositories, repository, ignoresUnavailable)
  }

  /** The state of snapshots as the API prints it. */
  status(call: SnapshotStatus): Promise<readonly JsonRecord[]> {
    return snapshotStatus(this.#repositories, call)
  }

  /** Deletes snapshots, and aborts those that are being taken; durable when it resolves. */
  delete(repository: string, names: readonly string[]): Promise<void> {
    return deleteSnapshots(this.#repositories, repository, names)
  }

  /** Begins a restore; `done` resolves with its outcome as the API prints it. */
  async restore(
    call: RestoreSnapshot,
    context: CallContext,
  ): Promise<{ readonly done: Promise<JsonRecord> }> {
    const { done } = await restoreSnapshot(this.#repositories, call, context)
    const printed = done.then(printRestore)
    printed.catch(() => {})
    return { done: printed }
  }
}
