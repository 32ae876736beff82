/** How a shard was opened: what it found, and how long each stage took. */
import type { Manifest, ManifestFile } from '../codec/manifest/format.ts'

/** Where the files of a shard were copied from. */
export interface RestoreSource {
  readonly repository: string
  readonly snapshot: string
  /** Release that made the snapshot. */
  readonly version: string
  /** Name of the index in the snapshot. */
  readonly index: string
  /** Of this restore. */
  readonly restoreUuid: string
}

/** Times in milliseconds. */
export interface ShardRecovery {
  /**
   * `emptyStore`: the shard of a new index. `existingStore`: opened again, with what its commit and its
   * log hold. `snapshot`: restored.
   */
  type: 'emptyStore' | 'existingStore' | 'snapshot'
  /** Null unless it was restored. */
  source: RestoreSource | null
  /** The stage that it is in. */
  stage: 'index' | 'translog' | 'done'
  /** Milliseconds since 1970. */
  startedAt: number
  /** 0 until it is done. */
  stoppedAt: number
  totalInMillis: number
  /** Files of the commit that it was opened from; of one that was restored also the commit point. */
  files: readonly ManifestFile[]
  /** How many of them are copied, while it is restored. */
  copiedFiles: number
  /** Opening those files, checking them included. */
  indexInMillis: number
  /** Reading every byte of them, where the settings ask for it. */
  verifyInMillis: number
  /** Operations that the log held beyond the commit, and those of them that are applied. */
  loggedOperations: number
  replayedOperations: number
  translogInMillis: number
}

/** A recovery that begins now. */
export function beginRecovery(commit: Manifest | null): ShardRecovery {
  return {
    type: 'emptyStore',
    source: null,
    stage: 'index',
    startedAt: Date.now(),
    stoppedAt: 0,
    totalInMillis: 0,
    files: commit?.segments.flatMap(({ files }) => files) ?? [],
    copiedFiles: 0,
    indexInMillis: 0,
    verifyInMillis: 0,
    loggedOperations: 0,
    replayedOperations: 0,
    translogInMillis: 0,
  }
}

/** Ends a recovery. */
export function endRecovery(recovery: ShardRecovery): void {
  const { indexInMillis, translogInMillis, startedAt } = recovery
  recovery.stage = 'done'
  recovery.copiedFiles = recovery.type === 'snapshot' ? recovery.files.length : 0
  recovery.totalInMillis = indexInMillis + translogInMillis
  recovery.stoppedAt = Math.max(startedAt, Date.now())
}
