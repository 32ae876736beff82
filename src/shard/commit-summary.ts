import type { Manifest } from '../codec/manifest/format.ts'

/** A shard's last commit, as statistics show it. */
export interface CommitSummary {
  /** Base64 of 16 bytes that no other commit has. */
  readonly id: string
  /** 0 before the first. */
  readonly generation: number
  /** Documents that it holds, without the deleted ones. */
  readonly docCount: number
  /** −1 while it holds no operation. */
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  /** Log of the operations that follow it; null before the first. */
  readonly logId: string | null
}

/**
 * Sums up a commit.
 * @param storeId 16 bytes, the shard's
 * @param commit null before the first
 */
export function summarizeCommit(storeId: Uint8Array, commit: Manifest | null): CommitSummary {
  const id = Buffer.from(storeId)
  const generation = commit?.generation ?? 0
  // The store's id and the generation together name a commit: no other id need be kept.
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
