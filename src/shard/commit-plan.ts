import { writeLiveDocs } from '../codec/live-docs/writer.ts'
import type { Manifest, ManifestFile, ManifestSegment } from '../codec/manifest/format.ts'
import { writeManifest } from '../codec/manifest/writer.ts'
import type { CommitFilesRequest } from '../pool/messages.ts'
import { liveDocsFileName } from '../segment/open-segment.ts'
import type { LiveSegment } from './live-segment.ts'

/** The files that a commit writes, and the follow-up once it is durable. */
export interface CommitPlan {
  readonly manifest: Manifest
  readonly files: Omit<CommitFilesRequest, 'kind' | 'folder'>
  /** Live-docs files that the new ones replace. */
  readonly replaced: readonly string[]
  /** Marks in the segments what is durable now. */
  done(): void
}

/** Plans a commit of segments: new live-docs files after deletes, and the commit point. */
export function planCommit(
  segments: readonly LiveSegment[],
  rest: Omit<Manifest, 'segments'>,
): CommitPlan {
  const newFiles: { name: string; bytes: Uint8Array }[] = []
  const notes: (() => void)[] = []
  const replaced: string[] = []
  const entries = segments.map(segment => {
    const live = segment.liveBits()
    if (live === null || !segment.hasStaleFile)
      return entryOf(segment, segment.liveGeneration, segment.liveFile)
    if (segment.liveFile !== null) replaced.push(segment.liveFile.name)
    const generation = segment.liveGeneration + 1
    const name = liveDocsFileName(segment.segment.stem, generation)
    const bytes = writeLiveDocs(segment.segment.file.id, live)
    newFiles.push({ name, bytes })
    const file = manifestFileOf(name, bytes)
    const { liveCount } = segment
    notes.push(() => segment.noteLiveFile(generation, file, liveCount))
    return entryOf(segment, generation, file)
  })
  const unsynced = segments
    .filter(segment => !segment.isDurable)
    .flatMap(segment => segment.files.map(file => file.name))
  const { generation } = rest
  const manifest = { ...rest, segments: entries }
  const commit = writeManifest(manifest)
  return {
    manifest,
    files: { newFiles, unsynced, commit, generation },
    replaced,
    done() {
      for (const note of notes) note()
      for (const segment of segments) segment.isDurable = true
    },
  }
}

function entryOf(
  segment: LiveSegment,
  liveDocsGeneration: number,
  liveFile: ManifestFile | null,
): ManifestSegment {
  const { file, stem } = segment.segment
  return {
    name: stem,
    id: file.id,
    maxDoc: segment.maxDoc,
    deletedDocs: segment.deletedCount,
    liveDocsGeneration,
    files: liveFile === null ? segment.files : [...segment.files, liveFile],
    minSeqNo: file.directory.minSeqNo,
    maxSeqNo: file.directory.maxSeqNo,
  }
}

/** Length and checksum of a framed file: the checksum is eight bytes before its end. */
export function manifestFileOf(name: string, bytes: Uint8Array): ManifestFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { name, length: bytes.length, checksum: view.getUint32(bytes.length - 8, true) }
}
