/** The errors of repositories and snapshots, with their names as the API writes them. */
import { EngineError, type ErrorRecord, toErrorRecord } from '../../util/errors.ts'

/** A snapshot as errors name it. */
export interface SnapshotName {
  readonly repository: string
  readonly snapshot: string
  /** Null while it has none. */
  readonly uuid: string | null
}

/** `repository:snapshot`, with `/uuid` where it has one. */
export function labelOf({ repository, snapshot, uuid }: SnapshotName): string {
  return `${repository}:${snapshot}${uuid === null ? '' : `/${uuid}`}`
}

/** 400: a repository that cannot be, or a change of one that cannot be. */
export function repositoryError(
  repository: string,
  text: string,
  more: Omit<ErrorRecord, 'type' | 'reason'> = {},
): EngineError {
  return new EngineError({
    type: 'repository_exception',
    reason: `[${repository}] ${text}`,
    ...more,
  })
}

/** 404: no such repository. */
export function repositoryMissing(repository: string): EngineError {
  return new EngineError({
    type: 'repository_missing_exception',
    reason: `[${repository}] missing`,
  })
}

/** 500: a repository that cannot be read, or that is damaged. */
export function unreadable(repository: string, text: string, cause: unknown): EngineError {
  return repositoryError(repository, text, { status: 500, causedBy: toErrorRecord(cause) })
}

/** 404: no such snapshot. */
export function snapshotMissing(repository: string, snapshot: string): EngineError {
  return new EngineError({
    type: 'snapshot_missing_exception',
    reason: `[${repository}:${snapshot}] is missing`,
  })
}

/** 400: a name that no snapshot may get. */
export function invalidName(repository: string, snapshot: string, text: string): EngineError {
  return new EngineError({
    type: 'invalid_snapshot_name_exception',
    reason: `[${repository}:${snapshot}] Invalid snapshot name [${snapshot}], ${text}`,
  })
}

/** 500: a snapshot that could not be taken. */
export function snapshotError(name: SnapshotName, text: string, cause?: unknown): EngineError {
  return new EngineError({
    type: 'snapshot_exception',
    reason: `[${labelOf(name)}] ${text}`,
    ...(cause === undefined ? {} : { causedBy: toErrorRecord(cause) }),
  })
}

/** 500: a restore that cannot be. */
export function restoreError(name: SnapshotName, text: string, cause?: unknown): EngineError {
  return new EngineError({
    type: 'snapshot_restore_exception',
    reason: `[${labelOf(name)}] ${text}`,
    ...(cause === undefined ? {} : { causedBy: toErrorRecord(cause) }),
  })
}

/** 503: something else is done with the snapshot or its repository. */
export function concurrentError(name: SnapshotName, text: string): EngineError {
  return new EngineError({
    type: 'concurrent_snapshot_execution_exception',
    reason: `[${labelOf(name)}] ${text}`,
  })
}
