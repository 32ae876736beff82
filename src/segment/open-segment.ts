/** Opens segments: file names, loading of single sections, and whole segments. */
import { crc32 } from 'node:zlib'
import type { SectionInfo, SectionKind } from '../codec/directory/format.ts'
import { readSegmentFile, type SegmentFile } from '../codec/directory/reader.ts'
import { hex32 } from '../codec/file-frame.ts'
import type { Kernels } from '../kernels/kernel-module.ts'
import type { ArenaViews } from '../store/arena.ts'
import { type Directory, type RandomAccessFile, readAt } from '../store/directory.ts'
import type { BitSet } from '../util/bit-set.ts'
import { CorruptSegmentError } from '../util/errors.ts'
import { Leaf, type LeafRecord, type SectionAddress } from './leaf.ts'
import { liveDocsBytes } from './live-docs.ts'
import type { Scratch } from './scratch.ts'

/** File name of a segment, from its stem. */
export function segmentFileName(stem: string): string {
  return `${stem}.seg`
}

/** File name of a segment's stored fields. */
export function storedFileName(stem: string): string {
  return `${stem}.sto`
}

/** File name of a generation of a segment's live docs. */
export function liveDocsFileName(stem: string, generation: number): string {
  return `${stem}_${generation}.liv`
}

/** Opens a segment file and reads its directory; the sections stay on disk. */
export function openSegmentFile(
  directory: Directory,
  name: string,
): { file: RandomAccessFile; segment: SegmentFile } {
  const file = directory.open(name)
  try {
    return {
      file,
      segment: readSegmentFile(name, file.length, (offset, length) => readAt(file, offset, length)),
    }
  } catch (error) {
    file.close()
    throw error
  }
}

/** Bytes of a section that are read at once: some milliseconds. */
const PIECE_BYTES = 1 << 23

/**
 * Reads a section straight to its address in memory and verifies it.
 * @param goOn called between pieces of 8 MiB; throws to abandon it
 * @throws {CorruptSegmentError} its checksum does not match
 */
export function loadSection(
  name: string,
  file: RandomAccessFile,
  section: SectionInfo,
  target: Uint8Array,
  goOn: () => void = () => {},
): void {
  let found = 0
  for (let at = 0; at < target.length; at += PIECE_BYTES) {
    goOn()
    const piece = target.subarray(at, at + PIECE_BYTES)
    file.readInto(section.offset + at, piece)
    // Of one piece after the other: of all of them.
    found = crc32(piece, found)
  }
  if (found !== section.checksum)
    throw new CorruptSegmentError(
      name,
      section.offset,
      `checksum ${hex32(section.checksum)} of section [${section.kind}]`,
      hex32(found),
    )
}

/** Whether what a section says is found without it as well: a scan finds what a graph of vectors does. */
export function isDispensable(kind: SectionKind): boolean {
  return kind === 'vectorGraph'
}

/** The memory that a whole segment is opened in: used by merges, tools and tests. */
export interface WholeSegmentMemory {
  readonly views: ArenaViews
  readonly kernels: Kernels
  readonly scratch: Scratch
  /** Allocates a range of the views' memory at a multiple of 64. */
  allocate(bytes: number): number
}

/**
 * Opens a segment with all its sections loaded.
 * @param live its live documents, null when none is deleted
 * @param goOn called every few milliseconds; throws to abandon it
 */
export function openWholeSegment(
  directory: Directory,
  stem: string,
  live: BitSet | null,
  memory: WholeSegmentMemory,
  at: { readonly uid: number; readonly ord: number; readonly docBase: number } = {
    uid: 0,
    ord: 0,
    docBase: 0,
  },
  goOn: () => void = () => {},
): Leaf {
  const name = segmentFileName(stem)
  const { file, segment } = openSegmentFile(directory, name)
  try {
    const { views } = memory
    const sections: SectionAddress[] = []
    for (const section of segment.directory.sections) {
      const { kind, field, length } = section
      const start = memory.allocate(length)
      try {
        loadSection(name, file, section, views.u8.subarray(start, start + length), goOn)
      } catch (error) {
        if (isDispensable(kind) && error instanceof CorruptSegmentError) continue
        throw error
      }
      sections.push({ kind, field, start, length })
    }
    const { maxDoc, fields } = segment.directory
    let liveDocs = -1
    if (live !== null) {
      liveDocs = memory.allocate(liveDocsBytes(maxDoc))
      views.i32.set(live.words, liveDocs >> 2)
    }
    const record: LeafRecord = {
      ...at,
      name,
      maxDoc,
      arena: 0,
      fields,
      sections,
      keptSets: [],
      liveDocs,
      liveCount: live === null ? maxDoc : live.count(),
    }
    return new Leaf(record, views, memory.kernels, memory.scratch)
  } finally {
    file.close()
  }
}
