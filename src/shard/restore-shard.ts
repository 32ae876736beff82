/** Makes the folder of a new shard out of files that come from elsewhere. */
import { randomBytes } from 'node:crypto'
import { writeManifest } from '../codec/manifest/writer.ts'
import { beginLog, FIRST_LOG_GENERATION } from '../store/translog/begin-log.ts'
import type { ShardFolder } from './adopt-segments.ts'
import { commitFiles } from './commit.ts'
import {
  fileNameOf,
  manifestSegments,
  type SegmentFileEntry,
  type ShardEntry,
} from './held-files.ts'
import { segmentStem } from './segment-files.ts'

/** A file that can be copied to where it is wanted. */
export interface CopiedFile extends SegmentFileEntry {
  /**
   * Hands on all of its bytes in order, checked by the time it resolves.
   * @param write takes a part; the bytes are the caller's again once it has resolved
   */
  copyTo(write: (offset: number, bytes: Uint8Array) => Promise<void>): Promise<void>
}

/**
 * Makes an empty folder that of a shard with these files: copies of them, an empty log and the first
 * commit. Durable when it resolves.
 */
export async function restoreShard(
  target: ShardFolder,
  shard: ShardEntry<CopiedFile>,
): Promise<void> {
  const { directory, folder, lanes, lane } = target
  const unsynced: string[] = []
  for (const [number, { files }] of shard.segments.entries())
    for (const file of files) {
      const name = fileNameOf(segmentStem(number), file.kind)
      await writeFile(target, name, file)
      unsynced.push(name)
    }
  const { maxSeqNo, primaryTerm } = shard
  const logId = await beginLog(directory, maxSeqNo)
  const generation = 1
  const commit = writeManifest({
    generation,
    storeId: randomBytes(16),
    segments: manifestSegments(shard.segments),
    nextSegment: shard.segments.length,
    maxSeqNo,
    localCheckpoint: maxSeqNo,
    primaryTerm: primaryTerm + 1,
    logId,
    logGeneration: FIRST_LOG_GENERATION,
    created: Date.now(),
  })
  const request = { newFiles: [], unsynced, commit, generation }
  if (folder === null) commitFiles(directory, request)
  else await lanes.commitFiles(lane, { kind: 'commitFiles', folder, ...request })
}

async function writeFile(
  { directory, folder }: ShardFolder,
  name: string,
  file: CopiedFile,
): Promise<void> {
  if (folder === null) {
    // A file in memory is one buffer.
    const bytes = new Uint8Array(file.length)
    await file.copyTo(async (offset, part) => bytes.set(part, offset))
    directory.write(name, bytes)
    return
  }
  const out = directory.openWritable(name)
  try {
    await file.copyTo((offset, bytes) => out.writeLater(offset, bytes))
  } finally {
    out.close()
  }
}
