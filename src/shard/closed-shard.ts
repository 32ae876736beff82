/** A shard of a closed index: what its last commit holds, read without opening it. */
import type { ManifestSegment } from '../codec/manifest/format.ts'
import type { Directory } from '../store/directory.ts'
import { readLastCommit } from './commit.ts'
import { type CommitSummary, summarizeCommit } from './commit-summary.ts'
import { beginRecovery, endRecovery, type ShardRecovery } from './shard-recovery.ts'

/** Facts that stay known of it; nothing of it is in memory. */
export interface ClosedShard {
  readonly docCount: number
  readonly deletedDocCount: number
  /** Bytes of all files of the commit. */
  readonly storeInBytes: number
  readonly segments: readonly ManifestSegment[]
  readonly commit: CommitSummary
  readonly primaryTerm: number
  /** Of reading the commit. */
  readonly recovery: ShardRecovery
}

/**
 * Reads the commit of a closed shard.
 * @throws {CorruptSegmentError} a damaged commit, a file of it that is missing or too short
 */
export function readClosedShard(directory: Directory): ClosedShard {
  const started = performance.now()
  const manifest = readLastCommit(directory)
  const recovery = beginRecovery(manifest)
  recovery.type = 'existingStore'
  recovery.indexInMillis = performance.now() - started
  endRecovery(recovery)
  const segments = manifest?.segments ?? []
  let docCount = 0
  let deletedDocCount = 0
  for (const { maxDoc, deletedDocs } of segments) {
    docCount += maxDoc - deletedDocs
    deletedDocCount += deletedDocs
  }
  return {
    docCount,
    deletedDocCount,
    storeInBytes: recovery.files.reduce((sum, { length }) => sum + length, 0),
    segments,
    commit: summarizeCommit(manifest?.storeId ?? new Uint8Array(16), manifest),
    primaryTerm: manifest?.primaryTerm ?? 1,
    recovery,
  }
}
