/**
 * A segment file: sections of bytes, and a directory that describes them.
 *
 *   file      := header (file-frame.ts, 32 bytes) sections directory footer
 *   section   := zeros up to a multiple of 64, then the section's bytes in a format of its own
 *   directory := FlatBuffers, `segment.fbs`
 *
 * Written once from front to back, opened from the footer. Reading the directory touches none of the
 * sections; each is checked by its own CRC-32 when it is loaded.
 *
 * Example: a segment of one document with one section of three bytes.
 *
 *   4c 4d 4c 41              | "LMLA"
 *   53 45 47 20              | "SEG "
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   00 × 32                  | up to a multiple of 64
 *   01 02 03                 | the section
 *   00 × 61                  | up to a multiple of 64
 *   14 00 00 00 00 00 00 00 0c 00 1c 00 18 00 14 00  | FlatBuffers
 *   10 00 04 00 0c 00 00 00 00 00 00 00 00 00 22 40
 *   00 00 00 00 0c 00 00 00 10 00 00 00 01 00 00 00
 *   01 00 00 00 18 00 00 00 00 00 00 00 00 00 0e 00
 *   1c 00 1b 00 14 00 0c 00 08 00 04 00 0e 00 00 00
 *   1d 80 bc 55 03 00 00 00 00 00 00 00 00 00 50 40
 *   ff ff ff ff 00 00 00 09
 *   80 00 00 00 00 00 00 00  | offset of the directory
 *   68 00 00 00              | its length
 *   97 33 50 97              | its CRC-32
 *   08 01 00 00 00 00 00 00  | length of the file
 *   4b 3c 3a 08              | CRC-32 of all before
 *   41 4c 4d 4c              | "ALML"
 *   => { maxDoc: 1, fields: [], storedLength: 9, minSeqNo: 0, maxSeqNo: 0, created: 0,
 *      sort: "", sections: [{ kind: "parents", field: -1, offset: 64, length: 3, checksum: 1438416925 }] }
 */
import type { ValueKind } from '../doc-values/value-kind.ts'

/** Sections by the number that the directory gives them: only ever added to. */
export const SECTION_KINDS = [
  'terms',
  'postings',
  'positions',
  'norms',
  'numericValues',
  'ordinals',
  'points',
  'ids',
  'termVectors',
  'parents',
  'bytes',
  'boxes',
  'completions',
  'triangles',
  'denseVectors',
  'vectorGraph',
] as const

/** The name of a kind of section. */
export type SectionKind = (typeof SECTION_KINDS)[number]

/** Numbers of the kinds, their indices in the list above. */
export const SECTION_NUMBERS: Readonly<Record<SectionKind, number>> = Object.fromEntries(
  SECTION_KINDS.map((kind, i) => [kind, i]),
) as Record<SectionKind, number>

/** How a field's terms are indexed, by the number that the directory gives it. */
export const INDEX_OPTIONS = ['none', 'docs', 'freqs', 'positions'] as const
/** How a field's terms are indexed. */
export type IndexOptions = (typeof INDEX_OPTIONS)[number]

/** How a field's values are stored by document, by the number that the directory gives it. */
export const DOC_VALUES_TYPES = [
  'none',
  'numeric',
  'ordinals',
  'bytes',
  'shapes',
  'vectors',
] as const
/** How a field's values are stored by document. */
export type DocValuesType = (typeof DOC_VALUES_TYPES)[number]

/** One field of one segment. */
export interface FieldInfo {
  /** From 0, the number that the segment's sections carry. */
  readonly number: number
  /** Full path, or a metadata column: `_seq_no`, `_version`, `_primary_term`, `_routing`, `_field_names`. */
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  readonly docValues: DocValuesType
  readonly valueKind: ValueKind
  /** Whether some document has several values. */
  readonly multiValued: boolean
  readonly hasPoints: boolean
  /** Documents with at least one token: an empty string has the field and does not count here. */
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
  /** Mean tokens of documents that have any, float32; the impacts were made with it. */
  readonly averageLength: number
  readonly termCount: number
}

/**
 * Tokens of a field in all documents; without frequencies each distinct term of a document counts
 * once.
 */
export function tokensOf(info: FieldInfo): number {
  return info.indexOptions === 'docs' ? info.sumDocFreq : info.sumTotalTermFreq
}

/** A section's offset in the file, and its checksum. */
export interface SectionInfo {
  readonly kind: SectionKind
  /** Number of the field, −1 for a section of the whole segment. */
  readonly field: number
  /** In bytes from the start of the file; a multiple of 64. */
  readonly offset: number
  readonly length: number
  /** CRC-32 of the section's bytes. */
  readonly checksum: number
}

/** The directory of a segment file. */
export interface SegmentDirectory {
  readonly maxDoc: number
  readonly fields: readonly FieldInfo[]
  readonly sections: readonly SectionInfo[]
  /** Bytes of the stored-fields file. */
  readonly storedLength: number
  /** Lowest and highest sequence number of its documents, −1 when it has none. */
  readonly minSeqNo: number
  readonly maxSeqNo: number
  /** Milliseconds since 1970. */
  readonly created: number
  /** The sort of the documents, as JSON; '' for no known order. */
  readonly sort: string
}

/** Sections start at multiples of this many bytes. */
export const SECTION_ALIGNMENT = 64
