import {
  type FieldInfo,
  SECTION_KINDS,
  SECTION_NUMBERS,
  type SectionInfo,
  type SectionKind,
} from '../codec/directory/format.ts'
import type { SegmentFile } from '../codec/directory/reader.ts'
import { refuseOtherId } from '../codec/file-frame.ts'
import { StoredReader } from '../codec/stored/reader.ts'
import { type Directory, type RandomAccessFile, readAt } from '../store/directory.ts'
import { openSegmentFile, segmentFileName, storedFileName } from './open-segment.ts'

/**
 * A sealed segment on the coordinating thread: its open files and its directory. `SegmentMemory`
 * loads its sections into memory. Reference counted: the last release closes the files, and deletes
 * them if the segment was merged away.
 */
export class Segment {
  /** Ascending over all segments of the process, never reused. */
  readonly uid: number
  /** Stem of the file names. */
  readonly stem: string
  readonly file: SegmentFile
  readonly fields: ReadonlyMap<string, FieldInfo>
  readonly #directory: Directory
  readonly #open: RandomAccessFile
  /** By `sectionKey`. */
  readonly #sections: (SectionInfo | undefined)[] = []
  #stored: { reader: StoredReader; file: RandomAccessFile } | null = null
  #count = 1
  #filesToDelete: readonly string[] = []
  #onDeleteFailure: (error: unknown) => void = () => {}
  readonly #onClose: (segment: Segment) => void

  /**
   * @param onClose called on the last release, before the files close
   * @throws {CorruptSegmentError} corrupt header, footer or directory
   */
  constructor(
    uid: number,
    directory: Directory,
    stem: string,
    onClose: (segment: Segment) => void,
  ) {
    const { file, segment } = openSegmentFile(directory, segmentFileName(stem))
    this.uid = uid
    this.stem = stem
    this.file = segment
    this.fields = new Map(segment.directory.fields.map(field => [field.name, field]))
    this.#directory = directory
    this.#open = file
    this.#onClose = onClose
    for (const section of segment.directory.sections)
      this.#sections[sectionKey(section.kind, section.field)] = section
  }

  get maxDoc(): number {
    return this.file.directory.maxDoc
  }

  /** Bytes of all sections: the memory of the segment when wholly loaded. */
  get sectionBytes(): number {
    let total = 0
    for (const section of this.file.directory.sections) total += section.length
    return total
  }

  /** Bytes of the sections of one field; 0 for a field that no document has. */
  fieldBytes(name: string): number {
    const field = this.fields.get(name)
    if (field === undefined) return 0
    let total = 0
    for (const section of this.file.directory.sections)
      if (section.field === field.number) total += section.length
    return total
  }

  /** Bytes of its two files. */
  get fileBytes(): number {
    return this.file.length + this.file.directory.storedLength
  }

  /** The folder of its shard. */
  get directory(): Directory {
    return this.#directory
  }

  section(kind: SectionKind, field: number): SectionInfo | null {
    return this.#sections[sectionKey(kind, field)] ?? null
  }

  /** The open segment file. */
  get open(): RandomAccessFile {
    return this.#open
  }

  /** The stored fields of its documents; opened on first use. */
  stored(): StoredReader {
    if (this.#stored === null) {
      const name = storedFileName(this.stem)
      const file = this.#directory.open(name)
      try {
        const reader = new StoredReader(name, file.length, (offset, length) =>
          readAt(file, offset, length),
        )
        refuseOtherId(name, this.file.id, reader.segmentId)
        this.#stored = { reader, file }
      } catch (error) {
        file.close()
        throw error
      }
    }
    return this.#stored.reader
  }

  acquire(): void {
    this.#count++
  }

  release(): void {
    this.#count--
    if (this.#count > 0) return
    this.#onClose(this)
    this.#open.close()
    this.#stored?.file.close()
    for (const name of this.#filesToDelete)
      try {
        this.#directory.delete(name)
      } catch (error) {
        this.#onDeleteFailure(error)
      }
  }

  /**
   * Deletes these files once the segment is no longer used.
   * @param onFailure called with a failed deletion's error, so that the last release does not throw
   */
  deleteOnClose(names: readonly string[], onFailure: (error: unknown) => void): void {
    this.#filesToDelete = names
    this.#onDeleteFailure = onFailure
  }
}

/** @param field −1 for a section of the whole segment */
function sectionKey(kind: SectionKind, field: number): number {
  return (field + 1) * SECTION_KINDS.length + SECTION_NUMBERS[kind]
}
