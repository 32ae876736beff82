/** Makes the folder of a new shard out of segments of other shards. */
import { randomBytes } from 'node:crypto'
import { writeLiveDocs } from '../codec/live-docs/writer.ts'
import type { ManifestSegment } from '../codec/manifest/format.ts'
import { writeManifest } from '../codec/manifest/writer.ts'
import { liveDocsFileName } from '../segment/open-segment.ts'
import type { Directory } from '../store/directory.ts'
import { beginLog, FIRST_LOG_GENERATION } from '../store/translog/begin-log.ts'
import { BitSet } from '../util/bit-set.ts'
import { commitFiles } from './commit.ts'
import { manifestFileOf } from './commit-plan.ts'
import type { HeldSegment, HeldShard } from './held-shard.ts'
import { segmentStem } from './segment-files.ts'
import type { WriteLanes } from './write-lanes.ts'

/** The folder of a shard that is not open yet, and the threads that work on it. */
export interface ShardFolder {
  readonly directory: Directory
  /** Path of the directory, for the workers; null for a store in memory. */
  readonly folder: string | null
  readonly lanes: WriteLanes
  readonly lane: number
}

/** A segment of a held shard that another shard takes over, whole or in part. */
export interface AdoptedSegment {
  readonly from: HeldShard
  readonly segment: HeldSegment
  /** Bits of the documents that are live in the new shard; null: all are. */
  readonly live: Int32Array | null
}

/** The numbers from which a new shard counts on. */
export interface ShardNumbers {
  /** −1 without operations. */
  readonly maxSeqNo: number
  readonly primaryTerm: number
}

/**
 * Makes an empty folder that of a shard with these segments, in this order: links to their files, live
 * docs of its own, an empty log and the first commit. Durable when it resolves.
 * @param goOn called between the segments; throws to give up, and leaves what there is to the caller
 */
export async function adoptSegments(
  target: ShardFolder,
  segments: readonly AdoptedSegment[],
  { maxSeqNo, primaryTerm }: ShardNumbers,
  goOn: () => void,
): Promise<void> {
  const { directory, folder, lanes, lane } = target
  const adopted = segments.map((each, number) => ({ ...each, stem: segmentStem(number) }))
  const entries: ManifestSegment[] = []
  const newFiles: { name: string; bytes: Uint8Array }[] = []
  const unsynced: string[] = []
  for (const { from, segment, live, stem } of adopted) {
    goOn()
    const files = segment.files.map(file => ({ ...file, name: nameUnder(stem, file.name) }))
    await link(target, from, segment, files)
    const entry = entryOf(segment, stem, files)
    unsynced.push(...files.map(({ name }) => name))
    if (live === null) {
      entries.push(entry)
      continue
    }
    const name = liveDocsFileName(stem, 1)
    const bits = new BitSet(entry.maxDoc, live)
    const bytes = writeLiveDocs(entry.id, bits)
    newFiles.push({ name, bytes })
    entries.push({
      ...entry,
      deletedDocs: entry.maxDoc - bits.count(),
      liveDocsGeneration: 1,
      files: [...files, manifestFileOf(name, bytes)],
    })
  }
  goOn()
  const logId = await beginLog(directory, maxSeqNo)
  const generation = 1
  const commit = writeManifest({
    generation,
    storeId: randomBytes(16),
    segments: entries,
    nextSegment: entries.length,
    maxSeqNo,
    localCheckpoint: maxSeqNo,
    primaryTerm,
    logId,
    logGeneration: FIRST_LOG_GENERATION,
    created: Date.now(),
  })
  const request = { newFiles, unsynced, commit, generation }
  if (folder === null) commitFiles(directory, request)
  else await lanes.commitFiles(lane, { kind: 'commitFiles', folder, ...request })
}

/** `_0.seg` of one shard is `_4.seg` of another. */
function nameUnder(stem: string, name: string): string {
  return `${stem}${name.slice(name.indexOf('.'))}`
}

async function link(
  { directory, folder, lanes, lane }: ShardFolder,
  { shard: from }: HeldShard,
  { files }: HeldSegment,
  renamed: readonly { readonly name: string }[],
): Promise<void> {
  if (folder === null || from.folder === null)
    for (const [i, { name }] of files.entries())
      directory.write(renamed[i]!.name, from.directory.read(name))
  else
    await lanes.linkFiles(lane, {
      kind: 'linkFiles',
      from: from.folder,
      to: folder,
      files: files.map(({ name }, i) => ({ name, as: renamed[i]!.name })),
    })
}

function entryOf(
  { segment }: HeldSegment,
  stem: string,
  files: ManifestSegment['files'],
): ManifestSegment {
  const { id, directory } = segment.file
  return {
    name: stem,
    id,
    maxDoc: segment.maxDoc,
    deletedDocs: 0,
    liveDocsGeneration: 0,
    files,
    minSeqNo: directory.minSeqNo,
    maxSeqNo: directory.maxSeqNo,
  }
}
