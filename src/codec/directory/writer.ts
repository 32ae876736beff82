import { crc32 } from 'node:zlib'
import { Builder } from 'flatbuffers'
import { VALUE_KINDS } from '../doc-values/value-kind.ts'
import { FOOTER_BYTES, fileFooter, fileHeader, HEADER_BYTES } from '../file-frame.ts'
import {
  DOC_VALUES_TYPES,
  type FieldInfo,
  INDEX_OPTIONS,
  SECTION_ALIGNMENT,
  SECTION_KINDS,
  type SectionInfo,
  type SectionKind,
  type SegmentDirectory,
} from './format.ts'
import * as generated from './generated/segment_generated.ts'

/** Writes a segment file, section by section. */
export class SegmentWriter {
  readonly #header: Uint8Array
  readonly #sections: SectionInfo[] = []
  /** The sections' bytes, concatenated by `finish`. */
  readonly #parts: Uint8Array[] = []
  #length = HEADER_BYTES

  /** @param segmentId 16 random bytes that all files of the segment carry */
  constructor(segmentId: Uint8Array) {
    this.#header = fileHeader('segment', segmentId)
  }

  /**
   * Appends a section.
   * @param field number of the field, −1 for a section of the whole segment
   */
  addSection(kind: SectionKind, field: number, bytes: Uint8Array): void {
    const offset = aligned(this.#length)
    this.#parts.push(bytes)
    this.#sections.push({ kind, field, offset, length: bytes.length, checksum: crc32(bytes) })
    this.#length = offset + bytes.length
  }

  /** The whole file, with a directory of the sections added. */
  finish(rest: Omit<SegmentDirectory, 'sections'>): Uint8Array {
    const directory = encodeDirectory({ ...rest, sections: this.#sections })
    const directoryOffset = aligned(this.#length)
    const end = directoryOffset + directory.length
    const file = new Uint8Array(end + FOOTER_BYTES)
    file.set(this.#header)
    for (const [i, part] of this.#parts.entries()) file.set(part, this.#sections[i]!.offset)
    file.set(directory, directoryOffset)
    file.set(fileFooter(directoryOffset, directory, end, crc32(file.subarray(0, end))), end)
    return file
  }
}

function aligned(length: number): number {
  return Math.ceil(length / SECTION_ALIGNMENT) * SECTION_ALIGNMENT
}

function encodeDirectory(directory: SegmentDirectory): Uint8Array {
  const builder = new Builder(1024)
  const fields = directory.fields.map(field => encodeField(builder, field))
  const sections = directory.sections.map(section =>
    generated.SegmentSection.createSegmentSection(
      builder,
      SECTION_KINDS.indexOf(section.kind),
      section.field,
      section.offset,
      section.length,
      section.checksum,
    ),
  )
  const sort = directory.sort === '' ? 0 : builder.createString(directory.sort)
  const root = generated.SegmentDirectory.createSegmentDirectory(
    builder,
    directory.maxDoc,
    generated.SegmentDirectory.createFieldsVector(builder, fields),
    generated.SegmentDirectory.createSectionsVector(builder, sections),
    directory.storedLength,
    directory.minSeqNo,
    directory.maxSeqNo,
    0,
    directory.created,
    sort,
  )
  builder.finish(root)
  return builder.asUint8Array()
}

function encodeField(builder: Builder, field: FieldInfo): number {
  return generated.SegmentField.createSegmentField(
    builder,
    field.number,
    builder.createString(field.name),
    INDEX_OPTIONS.indexOf(field.indexOptions),
    field.hasNorms,
    DOC_VALUES_TYPES.indexOf(field.docValues),
    VALUE_KINDS.indexOf(field.valueKind),
    field.multiValued,
    field.hasPoints,
    field.docCount,
    field.sumDocFreq,
    field.sumTotalTermFreq,
    field.averageLength,
    field.termCount,
  )
}
