import type { Manifest } from '../codec/manifest/format.ts'

/** A shard's last commit, for statistics. */
export interface CommitSummary {
  /** Base64 of 16 bytes, unique to the commit. */
  readonly id: string
  /** 0 before the first. */
  readonly generation: number
  /** Its live documents. */
  readonly docCount: number
  /** −1 without operations. */
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  /** Id of the log of later operations; null before the first commit. */
  readonly logId: string | null
}

/**
 * Summarizes a commit.
 * @param storeId 16 bytes, the shard's
 * @param commit null before the first
 */
export function summarizeCommit(storeId: Uint8Array, commit: Manifest | null): CommitSummary {
  const id = Buffer.from(storeId)
  const generation = commit?.generation ?? 0
  // The store's id and the generation name a commit: no other id is stored.
  id.writeBigUInt64LE(id.readBigUInt64LE(8) ^ BigInt(generation), 8)
  let docCount = 0
  for (const { maxDoc, deletedDocs } of commit?.segments ?? []) docCount += maxDoc - deletedDocs
  return {
    id: id.toString('base64'),
    generation,
    docCount,
    maxSeqNo: commit?.maxSeqNo ?? -1,
    localCheckpoint: commit?.localCheckpoint ?? -1,
    logId: commit?.logId ?? null,
  }
}
