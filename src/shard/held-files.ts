/** The files of a shard at one moment, for copies of them elsewhere. */
import { writeLiveDocs } from '../codec/live-docs/writer.ts'
import type { ManifestSegment } from '../codec/manifest/format.ts'
import { writeManifest } from '../codec/manifest/writer.ts'
import { liveDocsFileName } from '../segment/open-segment.ts'
import type { Directory, RandomAccessFile } from '../store/directory.ts'
import { BitSet } from '../util/bit-set.ts'
import { readLastCommit } from './commit.ts'
import { manifestFileOf } from './commit-plan.ts'
import type { HeldSegment, HeldShard } from './held-shard.ts'
import { segmentStem } from './segment-files.ts'

/** The files of a segment by their kind: documents' fields, stored fields, live docs. */
export type SegmentFileKind = 'seg' | 'sto' | 'liv'

/** One file, whose bytes never change. */
export interface SegmentFileEntry {
  readonly kind: SegmentFileKind
  readonly length: number
  /** CRC-32 of the file without its last eight bytes, as in its own footer. */
  readonly checksum: number
}

/** A segment as a list of files. */
export interface SegmentEntry<F extends SegmentFileEntry = SegmentFileEntry> {
  /** 16 bytes, as in the headers of its files. */
  readonly id: Uint8Array
  readonly maxDoc: number
  readonly deletedDocs: number
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** One of each kind; without live docs all documents are live. */
  readonly files: readonly F[]
}

/** A shard as a list of segments, in order of arrival. */
export interface ShardEntry<F extends SegmentFileEntry = SegmentFileEntry> {
  readonly segments: readonly SegmentEntry<F>[]
  /** −1 without operations. */
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** Length of a commit point that names these files. */
  readonly commitBytes: number
}

/** A file that can be read. */
export interface HeldFile extends SegmentFileEntry {
  /** To be closed. */
  open(): RandomAccessFile
}

/** The files of a shard, readable until they are released. */
export interface HeldFiles extends ShardEntry<HeldFile> {
  /** To be called once. */
  release(): void
}

/** The files of an open shard; releasing them releases it. */
export function filesOfHeld(held: HeldShard): HeldFiles {
  const { maxSeqNo, primaryTerm, directory } = held.shard
  const segments = held.segments.map(segment => segmentOf(segment, directory))
  return {
    segments,
    maxSeqNo,
    primaryTerm,
    commitBytes: commitLength(segments),
    release: () => held.release(),
  }
}

/**
 * The files of a closed shard, as its last commit has them. They stay open, so that they can be read after
 * the shard was opened again and its segments were merged.
 * @throws {CorruptSegmentError} a damaged commit
 */
export function filesOfClosed(directory: Directory): HeldFiles {
  const commit = readLastCommit(directory)
  const opened: RandomAccessFile[] = []
  const release = (): void => {
    for (const file of opened) file.close()
  }
  try {
    const segments = (commit?.segments ?? []).map(segment =>
      committedSegment(segment, name => {
        const file = directory.open(name)
        opened.push(file)
        return file
      }),
    )
    return {
      segments,
      maxSeqNo: commit?.maxSeqNo ?? -1,
      primaryTerm: commit?.primaryTerm ?? 1,
      commitBytes: commitLength(segments),
      release,
    }
  } catch (error) {
    release()
    throw error
  }
}

/** The commit point of a shard with these segments; ids and times are the caller's to know. */
export function manifestSegments(segments: readonly SegmentEntry[]): ManifestSegment[] {
  return segments.map(({ id, maxDoc, deletedDocs, minSeqNo, maxSeqNo, files }, number) => {
    const stem = segmentStem(number)
    return {
      name: stem,
      id,
      maxDoc,
      deletedDocs,
      liveDocsGeneration: files.some(({ kind }) => kind === 'liv') ? 1 : 0,
      files: files.map(({ kind, length, checksum }) => ({
        name: fileNameOf(stem, kind),
        length,
        checksum,
      })),
      minSeqNo,
      maxSeqNo,
    }
  })
}

/** The name of a file of a segment that is the first of its name. */
export function fileNameOf(stem: string, kind: SegmentFileKind): string {
  return kind === 'liv' ? liveDocsFileName(stem, 1) : `${stem}.${kind}`
}

function commitLength(segments: readonly SegmentEntry[]): number {
  const commit = writeManifest({
    generation: 1,
    storeId: new Uint8Array(16),
    segments: manifestSegments(segments),
    nextSegment: segments.length,
    maxSeqNo: 0,
    localCheckpoint: 0,
    primaryTerm: 1,
    // As long as that of any log.
    logId: Buffer.alloc(16).toString('base64url'),
    logGeneration: 1,
    created: 0,
  })
  return commit.length
}

function segmentOf(
  { segment, files, live, liveCount }: HeldSegment,
  directory: Directory,
): SegmentEntry<HeldFile> {
  const { id, directory: fields } = segment.file
  const { minSeqNo, maxSeqNo } = fields
  const held = files.map(({ name, length, checksum }): HeldFile => {
    const open = (): RandomAccessFile => directory.open(name)
    return { kind: kindOf(name), length, checksum, open }
  })
  const { maxDoc } = segment
  if (live !== null && liveCount < maxDoc) held.push(liveFile(id, new BitSet(maxDoc, live)))
  return { id, maxDoc, deletedDocs: maxDoc - liveCount, minSeqNo, maxSeqNo, files: held }
}

/** Live docs as a file that is in memory alone. */
function liveFile(id: Uint8Array, live: BitSet): HeldFile {
  const bytes = writeLiveDocs(id, live)
  const { length, checksum } = manifestFileOf('', bytes)
  const open = (): RandomAccessFile => ({
    length,
    readInto: (offset, target) => target.set(bytes.subarray(offset, offset + target.length)),
    readLater: async (offset, target) => target.set(bytes.subarray(offset, offset + target.length)),
    close() {},
  })
  return { kind: 'liv', length, checksum, open }
}

function committedSegment(
  segment: ManifestSegment,
  openFile: (name: string) => RandomAccessFile,
): SegmentEntry<HeldFile> {
  const { id, maxDoc, deletedDocs, minSeqNo, maxSeqNo, files } = segment
  return {
    id,
    maxDoc,
    deletedDocs,
    minSeqNo,
    maxSeqNo,
    files: files.map(({ name, length, checksum }) => {
      const file = openFile(name)
      // The shard's own handle is closed by its release.
      const open = (): RandomAccessFile => ({
        length: file.length,
        readInto: (offset, target) => file.readInto(offset, target),
        readLater: (offset, target) => file.readLater(offset, target),
        close() {},
      })
      return { kind: kindOf(name), length, checksum, open }
    }),
  }
}

function kindOf(name: string): SegmentFileKind {
  if (name.endsWith('.seg')) return 'seg'
  return name.endsWith('.sto') ? 'sto' : 'liv'
}
