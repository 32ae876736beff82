import { crc32 } from 'node:zlib'
import { ByteBuffer } from 'flatbuffers'
import { CorruptSegmentError } from '../../util/errors.ts'
import { VALUE_KINDS } from '../doc-values/value-kind.ts'
import { FOOTER_BYTES, HEADER_BYTES, hex32, readFooter, readHeader } from '../file-frame.ts'
import {
  DOC_VALUES_TYPES,
  type FieldInfo,
  INDEX_OPTIONS,
  SECTION_ALIGNMENT,
  SECTION_KINDS,
  type SectionInfo,
  type SegmentDirectory,
} from './format.ts'
import * as generated from './generated/segment_generated.ts'

/** A segment file's header, footer and directory. */
export interface SegmentFile {
  readonly id: Uint8Array
  readonly length: number
  /** CRC-32 of the file without its last eight bytes. */
  readonly checksum: number
  readonly directory: SegmentDirectory
}

/**
 * Reads a segment file's header, footer and directory, some hundred bytes.
 * @param readAt reads `length` bytes of the file from `offset` on
 * @throws {CorruptSegmentError} one of them is corrupt
 * @throws {UnsupportedFormatError} a newer format than this build reads
 */
export function readSegmentFile(
  file: string,
  fileLength: number,
  readAt: (offset: number, length: number) => Uint8Array,
): SegmentFile {
  const id = readHeader(file, readAt(0, Math.min(HEADER_BYTES, fileLength)), 'segment')
  const footerAt = Math.max(0, fileLength - FOOTER_BYTES)
  const footer = readFooter(file, readAt(footerAt, fileLength - footerAt), fileLength)
  const { directoryOffset, directoryLength } = footer
  const bytes = readAt(directoryOffset, directoryLength)
  const found = crc32(bytes)
  if (found !== footer.directoryChecksum)
    throw new CorruptSegmentError(
      file,
      directoryOffset,
      `directory checksum ${hex32(footer.directoryChecksum)}`,
      hex32(found),
    )
  const directory = decodeDirectory(file, directoryOffset, bytes)
  for (const section of directory.sections) {
    if (
      section.offset % SECTION_ALIGNMENT !== 0 ||
      section.offset < HEADER_BYTES ||
      section.offset + section.length > directoryOffset
    )
      throw new CorruptSegmentError(
        file,
        directoryOffset,
        `section [${section.kind}] inside the file`,
        `${section.offset} + ${section.length}`,
      )
  }
  return { id, length: fileLength, checksum: footer.checksum, directory }
}

function decodeDirectory(file: string, offset: number, bytes: Uint8Array): SegmentDirectory {
  try {
    const root = generated.SegmentDirectory.getRootAsSegmentDirectory(new ByteBuffer(bytes))
    const fields: FieldInfo[] = []
    for (let i = 0; i < root.fieldsLength(); i++) fields.push(decodeField(root.fields(i)!))
    const sections: SectionInfo[] = []
    for (let i = 0; i < root.sectionsLength(); i++) {
      const section = root.sections(i)!
      sections.push({
        kind: known(SECTION_KINDS, section.kind(), 'section kind'),
        field: section.field(),
        offset: section.offset(),
        length: section.length(),
        checksum: section.checksum(),
      })
    }
    return {
      maxDoc: root.maxDoc(),
      fields,
      sections,
      storedLength: root.storedLength(),
      minSeqNo: root.minSeqNo(),
      maxSeqNo: root.maxSeqNo(),
      created: root.created(),
      sort: root.sort() ?? '',
    }
  } catch (error) {
    // The checksum is correct, so another program wrote this directory; it is not corrupt.
    const found = error instanceof Error ? error.message : String(error)
    throw new CorruptSegmentError(file, offset, 'a readable directory', found)
  }
}

function decodeField(field: generated.SegmentField): FieldInfo {
  return {
    number: field.number(),
    name: field.name() ?? '',
    indexOptions: known(INDEX_OPTIONS, field.indexOptions(), 'index options'),
    hasNorms: field.hasNorms(),
    docValues: known(DOC_VALUES_TYPES, field.docValues(), 'doc values'),
    valueKind: known(VALUE_KINDS, field.valueKind(), 'value kind'),
    multiValued: field.multiValued(),
    hasPoints: field.hasPoints(),
    docCount: field.docCount(),
    sumDocFreq: field.sumDocFreq(),
    sumTotalTermFreq: field.sumTotalTermFreq(),
    averageLength: field.averageLength(),
    termCount: field.termCount(),
  }
}

function known<T>(list: readonly T[], index: number, what: string): T {
  const value = list[index]
  if (value === undefined) throw new Error(`unknown ${what} ${index}`)
  return value
}
