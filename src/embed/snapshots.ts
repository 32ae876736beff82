import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { checkOptions, checkText, type OptionKeys } from './arguments.ts'
import type { Backend } from './backend.ts'
import { rethrown } from './lamella-error.ts'
import type { SettingInput } from './setting-values.ts'
import { type SnapshotProgress, SnapshotRun } from './snapshot-run.ts'

/** Where snapshots are kept. */
export interface RepositoryOptions {
  /** A folder below those of `path.repo`, relative to the first of them; by default `repositories` in the data folder. */
  readonly location: string
  /** Further settings by their names in the API: `compress`, `chunk_size`, `readonly`, … */
  readonly settings?: Readonly<Record<string, SettingInput>>
}

/** The contents of a snapshot. */
export interface TakeOptions {
  /** Names and patterns; default all. */
  readonly indices?: readonly string[]
  /** Whether shards that cannot be read are left out; default false. */
  readonly partial?: boolean
  /** Templates, pipelines, scripts and settings; default true. */
  readonly includeGlobalState?: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Aborts the snapshot: nothing of it is kept, and the run rejects with an `AbortError`. */
  readonly signal?: AbortSignal
}

/** How a snapshot is restored. */
export interface RestoreOptions {
  /** Names and patterns of indices and data streams; default all. */
  readonly indices?: readonly string[]
  /** New names: matches of a pattern in Java's syntax are replaced, groups by `$1`. */
  readonly rename?: { readonly pattern: string; readonly replacement: string }
  readonly includeAliases?: boolean
  /** Default false. */
  readonly includeGlobalState?: boolean
  readonly partial?: boolean
  readonly settings?: Readonly<Record<string, SettingInput>>
  /** Gives the restore up: nothing of it is kept, and the run rejects with an `AbortError`. */
  readonly signal?: AbortSignal
}

/** A snapshot. */
export interface Snapshot {
  readonly name: string
  readonly uuid: string
  /** `IN_PROGRESS`, `SUCCESS`, `PARTIAL`: shards are missing, or `FAILED`: all are. */
  readonly state: string
  readonly indices: readonly string[]
  readonly startedAt: Date
  /** Null while it is being taken. */
  readonly endedAt: Date | null
  readonly shards: { readonly total: number; readonly failed: number; readonly successful: number }
  /** Why shards are missing: their index, number and reason. */
  readonly failures: readonly {
    readonly index: string
    readonly shard: number
    readonly reason: string
  }[]
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** How far a snapshot is, or what it took. */
export interface SnapshotStatus extends SnapshotProgress {
  readonly name: string
  readonly state: string
  /** All files that it needs, copied or not. */
  readonly allFiles: number
  readonly allBytes: number
}

/** The outcome of a restore. */
export interface Restored {
  /** Their new names. */
  readonly indices: readonly string[]
  readonly shards: { readonly total: number; readonly failed: number; readonly successful: number }
}

const REPOSITORY_OPTIONS: OptionKeys<RepositoryOptions> = { location: true, settings: true }
const TAKE_OPTIONS: OptionKeys<TakeOptions> = {
  indices: true,
  partial: true,
  includeGlobalState: true,
  metadata: true,
  signal: true,
}
const RESTORE_OPTIONS: OptionKeys<RestoreOptions> = {
  indices: true,
  rename: true,
  includeAliases: true,
  includeGlobalState: true,
  partial: true,
  settings: true,
  signal: true,
}

// biome-ignore lint/suspicious/noExplicitAny: answers of this package's own API, by the documented form
type Json = any

/** Snapshots of a database: copies of its indices in folders, each of them incremental. */
export class Snapshots {
  readonly #backend: Backend

  /** Made by `Database.snapshots`. */
  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Registers a repository, in place of one of the same name. */
  register(repository: string, options: RepositoryOptions): Promise<void> {
    return rethrown(async () => {
      checkOptions('option of a repository', options, REPOSITORY_OPTIONS)
      const settings = { ...options.settings, location: options.location }
      await this.#call('PUT', [repository], { type: 'fs', settings })
    })
  }

  /** Names of the repositories, sorted. */
  repositories(): Promise<readonly string[]> {
    return rethrown(async () => Object.keys(await this.#call('GET', [])))
  }

  /**
   * Takes a snapshot: await it for the outcome, or iterate it for how far it is. Searches and writes go
   * on meanwhile; files that the repository has are not copied again.
   */
  take(repository: string, name: string, options: TakeOptions = {}): SnapshotRun<Snapshot> {
    const { indices, partial, includeGlobalState, metadata } = options
    const body = { indices, partial, include_global_state: includeGlobalState, metadata }
    return this.#run(options.signal, async id => {
      checkOptions('option of a snapshot', options, TAKE_OPTIONS)
      const path = [repository, name]
      const { snapshot } = await this.#call('PUT', path, body, 'wait_for_completion=true', id)
      return snapshotOf(snapshot)
    })
  }

  /** The snapshots of a repository in the order in which they were taken. */
  list(repository: string, ...names: readonly string[]): Promise<readonly Snapshot[]> {
    return rethrown(async () => {
      const path = [repository, names.length === 0 ? '_all' : names.join(',')]
      return (await this.#call('GET', path)).snapshots.map(snapshotOf)
    })
  }

  /** How far a snapshot is that is being taken, or what another one took. */
  status(repository: string, name: string): Promise<SnapshotStatus> {
    return rethrown(async () => {
      const { snapshots } = await this.#call('GET', [repository, name, '_status'])
      const { state, stats, shards_stats: shards } = snapshots[0]
      return {
        name,
        state,
        shards: shards.total,
        doneShards: shards.done + shards.failed,
        files: stats.incremental.file_count,
        copiedFiles: (stats.processed ?? stats.incremental).file_count,
        bytes: stats.incremental.size_in_bytes,
        copiedBytes: (stats.processed ?? stats.incremental).size_in_bytes,
        allFiles: stats.total.file_count,
        allBytes: stats.total.size_in_bytes,
      }
    })
  }

  /**
   * Restores a snapshot: await it for the outcome, or iterate it for how far it is. The indices are found
   * all at once, when it is done; open indices of their names are refused, closed ones replaced.
   */
  restore(repository: string, name: string, options: RestoreOptions = {}): SnapshotRun<Restored> {
    const { indices, rename, partial, settings } = options
    const body = {
      indices,
      partial,
      index_settings: settings,
      rename_pattern: rename?.pattern,
      rename_replacement: rename?.replacement,
      include_aliases: options.includeAliases,
      include_global_state: options.includeGlobalState,
    }
    return this.#run(options.signal, async id => {
      checkOptions('option of a restore', options, RESTORE_OPTIONS)
      const path = [repository, name, '_restore']
      const { snapshot } = await this.#call('POST', path, body, 'wait_for_completion=true', id)
      return { indices: snapshot.indices, shards: snapshot.shards }
    })
  }

  /** Deletes snapshots, with the files that no other needs; those that are being taken are aborted. */
  delete(repository: string, ...names: readonly string[]): Promise<void> {
    return rethrown(async () => {
      for (const name of names) checkText('name', name)
      await this.#call('DELETE', [repository, names.join(',')])
    })
  }

  /** Reads every byte of a repository; rejects with the first damage. */
  verify(repository: string): Promise<void> {
    return rethrown(async () => {
      await this.#call('POST', [repository, '_verify'])
    })
  }

  #run<R>(signal: AbortSignal | undefined, work: (opaqueId: string) => Promise<R>): SnapshotRun<R> {
    const opaqueId = globalThis.crypto.randomUUID()
    const find = async (): Promise<Json | null> => {
      const query = 'actions=cluster:admin/snapshot/*&detailed=true&group_by=none'
      const { tasks } = await this.#call('GET', null, undefined, query)
      return (
        tasks.find(
          (task: Json) => task.headers['X-Opaque-Id'] === opaqueId && task.status !== undefined,
        ) ?? null
      )
    }
    return new SnapshotRun(signal, {
      work: () => rethrown(() => work(opaqueId)),
      async progress() {
        const task = await find()
        return task === null ? null : progressOf(task.status)
      },
      cancel: async () => {
        const task = await find()
        if (task !== null) await this.#cancel(`${task.node}:${task.id}`)
      },
    })
  }

  async #cancel(task: string): Promise<void> {
    const path = `/_tasks/${encodeURIComponent(task)}/_cancel`
    await this.#backend.request({ method: 'POST', path, headers: {} })
  }

  /** @param parts of the path below `/_snapshot`; null: the tasks */
  async #call(
    method: string,
    parts: readonly string[] | null,
    body?: object,
    query = '',
    opaqueId: string | null = null,
  ): Promise<Json> {
    for (const part of parts ?? []) checkText('name', part)
    const path =
      parts === null
        ? '/_tasks'
        : ['/_snapshot', ...parts.map(part => encodeURIComponent(part))].join('/')
    const answer = await this.#backend.request({
      method,
      path,
      query,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(opaqueId === null ? {} : { 'x-opaque-id': opaqueId }),
      },
      ...(body === undefined ? {} : { body: encodeUtf8(JSON.stringify(body)) }),
    })
    const json: Json = JSON.parse(Buffer.from(answer.body).toString())
    if (answer.status >= 300) throw new EngineError(recordOf(json, answer.status))
    return json
  }
}

function progressOf(status: Json): SnapshotProgress {
  return {
    shards: status.shards.total,
    doneShards: status.shards.done,
    files: status.files.total,
    copiedFiles: status.files.copied,
    bytes: status.size_in_bytes.total,
    copiedBytes: status.size_in_bytes.copied,
  }
}

function snapshotOf(printed: Json): Snapshot {
  return {
    name: printed.snapshot,
    uuid: printed.uuid,
    state: printed.state,
    indices: printed.indices,
    startedAt: new Date(printed.start_time_in_millis),
    endedAt: printed.end_time_in_millis === 0 ? null : new Date(printed.end_time_in_millis),
    shards: printed.shards,
    failures: printed.failures.map((failure: Json) => ({
      index: failure.index,
      shard: failure.shard_id,
      reason: failure.reason,
    })),
    metadata: printed.metadata ?? null,
  }
}

/** An answered error as it was thrown. */
function recordOf({ error }: Json, status: number): ErrorRecord {
  const { type, reason, caused_by: cause } = error
  return {
    type,
    reason,
    status,
    ...(cause === undefined ? {} : { causedBy: { type: cause.type, reason: cause.reason } }),
  }
}
