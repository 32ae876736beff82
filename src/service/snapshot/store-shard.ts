/** Puts one shard into a repository: those of its files that are not there yet. */
import type { Cancellation } from '../../util/cancellation.ts'
import { toErrorRecord } from '../../util/errors.ts'
import { type CopyOptions, copyIn, type HeldFile, type HeldShard } from './blob-copy.ts'
import { type BlobFinder, blobName, partBytesOf } from './blob-names.ts'
import type { PieceBuffers } from './piece-buffers.ts'
import type { OpenRepository } from './repositories.ts'
import type { ShardProgress } from './running-snapshot.ts'
import { type ShardRecord, type StoredFile, type StoredSegment, totalOf } from './shard-record.ts'

/** Files of a shard that are copied at a time: while one is synced, another is written. */
const FILES_AT_ONCE = 2

/** Hooks that all shards of a snapshot share. */
export interface StoreOptions {
  readonly signal: Cancellation
  /** That all of them copy through. */
  readonly buffers: PieceBuffers
  /** Called before each piece; throws to give up the whole snapshot. */
  goOn(): void
  /** Pins a file until the snapshot has ended. */
  pin(file: string): void
}

/**
 * Copies the files of a shard that the repository lacks.
 * @param listing files that the repository may have
 * @returns its record; of a shard that cannot be read or written, the failure
 * @throws errors of `goOn`
 */
export async function storeShard(
  { repository, options, throttleIn }: OpenRepository,
  shard: HeldShard,
  listing: BlobFinder,
  progress: ShardProgress,
  { signal, buffers, goOn, pin }: StoreOptions,
): Promise<ShardRecord> {
  const started = performance.now()
  progress.startInMillis = Date.now()
  try {
    const segments = shard.segments.map(segmentOf)
    const { maxSeqNo, primaryTerm, commitBytes } = shard
    progress.total = totalOf({ segments, commitBytes })
    const partBytes = new Map<StoredFile, number | null>()
    const missing: (readonly [StoredFile, HeldFile])[] = []
    let incremental = { count: 1, bytes: commitBytes }
    for (const [i, { files }] of segments.entries())
      for (const [j, file] of files.entries()) {
        // Pinned first: from here on nobody deletes it.
        pin(blobName(file))
        const parts = listing.find(file)
        if (parts !== null) {
          partBytes.set(file, partBytesOf(parts))
          continue
        }
        missing.push([file, shard.segments[i]!.files[j]!])
        incremental = { count: incremental.count + 1, bytes: incremental.bytes + file.length }
      }
    progress.incremental = incremental
    progress.stage = 'STARTED'
    const copy: CopyOptions = {
      throttle: throttleIn,
      signal,
      buffers,
      partBytes: options.partBytes,
      goOn,
      onBytes: bytes => {
        progress.processed = { ...progress.processed, bytes: progress.processed.bytes + bytes }
      },
    }
    const lane = async (): Promise<void> => {
      for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
        goOn()
        partBytes.set(next[0], await copyIn(repository, next[0], next[1], copy))
        progress.processed = { ...progress.processed, count: progress.processed.count + 1 }
      }
    }
    // The one that fails ends the others: they find nothing left to do.
    const lanes = Array.from({ length: FILES_AT_ONCE }, () =>
      lane().catch((error: unknown) => {
        missing.length = 0
        throw error
      }),
    )
    for (const each of await Promise.allSettled(lanes))
      if (each.status === 'rejected') throw each.reason
    progress.stage = 'FINALIZE'
    // The record itself is its commit point.
    progress.processed = incremental
    progress.tookInMillis = Math.round(performance.now() - started)
    const { startInMillis, tookInMillis } = progress
    return {
      segments: segments.map(segment => ({
        ...segment,
        files: segment.files.map(file => ({ ...file, partBytes: partBytes.get(file) ?? null })),
      })),
      maxSeqNo,
      primaryTerm,
      commitBytes,
      startInMillis,
      tookInMillis,
      incremental,
    }
  } catch (error) {
    goOn()
    return failShard(progress, failureOf(error), false)
  }
}

/** Notes that a shard is not in the snapshot. */
export function failShard(
  progress: ShardProgress,
  failure: string,
  isSkipped: boolean,
): ShardRecord {
  progress.stage = 'FAILURE'
  progress.failure = failure
  return { failure, isSkipped }
}

/** A failure as it is kept: type and reason. */
export function failureOf(error: unknown): string {
  const { type, reason } = toErrorRecord(error)
  return `${type}: ${reason}`
}

function segmentOf(segment: HeldShard['segments'][number]): StoredSegment {
  const segmentId = Buffer.from(segment.id).toString('hex')
  return {
    ...segment,
    files: segment.files.map(({ kind, length, checksum }) => ({
      segmentId,
      kind,
      length,
      checksum,
      partBytes: null,
    })),
  }
}
