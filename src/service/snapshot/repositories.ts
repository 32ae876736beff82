/** The repositories of a node: registered, opened, and what is done with each. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { RegisteredRepository } from '../../engine/api/snapshots.ts'
import type { SettingChanges } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import { Repository } from './repository.ts'
import { type RepositoryOptions, readOptions, repositoryOf } from './repository-settings.ts'
import type { RunningSnapshot } from './running-snapshot.ts'
import { repositoryMissing } from './snapshot-errors.ts'
import { checkRepositoryName, chosenNames } from './snapshot-names.ts'
import { Throttle } from './throttle.ts'

/** A repository that can be read and written. */
export interface OpenRepository {
  readonly name: string
  readonly options: RepositoryOptions
  readonly repository: Repository
  /** Of all copies into it. */
  readonly throttleIn: Throttle
  /** Of all copies out of it. */
  readonly throttleOut: Throttle
}

/** Something that is done with a repository. */
export interface Operation {
  readonly kind: 'create' | 'clone' | 'restore' | 'delete' | 'cleanup' | 'verify'
  readonly repository: Repository
  /** The name under which it was asked for. */
  readonly repositoryName: string
  /** Names of snapshots that have to stay meanwhile, or that go. */
  readonly snapshots: readonly string[]
  /** Of a snapshot that is being taken. */
  readonly running: RunningSnapshot | null
}

/** A request to register a repository. */
export interface PutRepository {
  readonly name: string
  readonly type: string
  /** Flat keys. */
  readonly settings: SettingChanges
  /** Whether to try first that it can be written. */
  readonly verifies: boolean
}

/** The repositories of one node. */
export class Repositories {
  readonly engine: EngineApi
  /** By the id of the place. */
  readonly #places = new Map<string, Repository>()
  readonly #open = new Map<string, OpenRepository & { readonly registered: RegisteredRepository }>()
  readonly #operations = new Set<Operation>()

  constructor(engine: EngineApi) {
    this.engine = engine
  }

  /**
   * Registers a repository, in place of one of the same name; durable when it resolves.
   * @throws {EngineError} `repository_exception`, `illegal_argument_exception`: one that cannot be;
   *   `repository_verification_exception`: its place cannot be written; `illegal_state_exception`: in use
   */
  async put(
    { name, type, settings, verifies }: PutRepository,
    context: CallContext,
  ): Promise<void> {
    checkRepositoryName(name)
    const registered = repositoryOf(name, type, settings)
    const opened = this.#opened(name, registered)
    if (verifies) await verifyAccess(opened)
    const check = (): void => this.#refuseInUse([name])
    await this.engine.snapshots.putRepository(name, registered, check, context)
    this.#open.delete(name)
  }

  /**
   * Repositories by names and patterns, in order of name.
   * @throws {EngineError} `repository_missing_exception`
   */
  find(names: readonly string[]): ReadonlyMap<string, RegisteredRepository> {
    const all = this.engine.snapshots.repositories()
    const known = [...all.keys()].sort()
    const chosen = chosenNames(names, known, name => {
      throw repositoryMissing(name)
    })
    return new Map(chosen.map(name => [name, all.get(name)!]))
  }

  /**
   * Forgets repositories; their files stay.
   * @throws {EngineError} `repository_missing_exception`, `illegal_state_exception`: in use
   */
  async delete(names: readonly string[], context: CallContext): Promise<void> {
    const chosen = [...this.find(names).keys()]
    if (chosen.length === 0 && names.length > 0) throw repositoryMissing(names.join(','))
    const check = (): void => this.#refuseInUse(chosen)
    await this.engine.snapshots.deleteRepositories(chosen, check, context)
    for (const name of chosen) this.#open.delete(name)
  }

  /**
   * A repository to work with.
   * @throws {EngineError} `repository_missing_exception`; `repository_exception`: its place is no longer one
   *   that the node allows
   */
  open(name: string): OpenRepository {
    const registered = this.engine.snapshots.repositories().get(name)
    if (registered === undefined) throw repositoryMissing(name)
    const known = this.#open.get(name)
    if (known?.registered === registered) return known
    const opened = { ...this.#opened(name, registered), registered }
    this.#open.set(name, opened)
    return opened
  }

  #opened(name: string, registered: RegisteredRepository): OpenRepository {
    const options = readOptions(name, registered)
    const { id, files, blobs } = options.open(this.engine)
    let repository = this.#places.get(id)
    if (repository === undefined) {
      repository = new Repository(files, blobs)
      this.#places.set(id, repository)
    }
    return {
      name,
      options,
      repository,
      throttleIn: new Throttle(options.snapshotBytesPerSecond),
      throttleOut: new Throttle(options.restoreBytesPerSecond),
    }
  }

  /** Operations under way, of one place or of all. */
  operations(repository: Repository | null): Operation[] {
    return [...this.#operations].filter(
      operation => repository === null || operation.repository === repository,
    )
  }

  /** Notes that something is done; to be ended. */
  begin(operation: Operation): () => void {
    this.#operations.add(operation)
    return () => this.#operations.delete(operation)
  }

  #refuseInUse(names: readonly string[]): void {
    const used = this.operations(null).find(({ repositoryName }) => names.includes(repositoryName))
    if (used !== undefined)
      throw new EngineError({
        type: 'illegal_state_exception',
        reason: `trying to modify or unregister repository [${used.repositoryName}] that is currently used`,
      })
  }
}

/**
 * Tries whether a repository can be read, and written unless it is only read.
 * @throws {EngineError} `repository_verification_exception`
 */
export async function verifyAccess({ name, options, repository }: OpenRepository): Promise<void> {
  const { files } = repository
  const file = 'tests-write'
  try {
    if (!files.isListed) await repository.readRoot(name)
    else if (options.isReadOnly) await files.list()
    else {
      const bytes = Buffer.from(name, 'utf8')
      await repository.writeFile(file, bytes)
      if (Buffer.compare(await files.read(file), bytes) !== 0)
        throw new Error('other bytes were read')
      await files.delete(file)
    }
  } catch (error) {
    throw new EngineError({
      type: 'repository_verification_exception',
      reason: `[${name}] path is not accessible on cluster-manager node`,
      // Of a root that cannot be read, why.
      causedBy:
        error instanceof EngineError && error.record.causedBy !== undefined
          ? error.record
          : { type: 'illegal_state_exception', reason: accessFault(error) },
    })
  }
}

/** The code of a failure of the file system, whose message would tell paths; or what a server said. */
function accessFault(error: unknown): string {
  if (error instanceof EngineError) return error.message
  const { code } = error as NodeJS.ErrnoException
  return code ?? 'the file system failed'
}
