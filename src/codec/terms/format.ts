/**
 * The dictionary of one field: its terms in ascending order of their bytes, with the data needed to
 * find each term's postings. Front-coded in groups of 32 terms, each group found by its index entry.
 * Little-endian; offsets in bytes from the start of the section.
 *
 *   terms  := header index groups padding
 *   header := 32 bytes
 *      0  u32  version      1
 *      4  u32  flags        those of the postings section (frequencies, positions, impacts), and
 *                           bit 3: the terms have postings (unset: a dictionary of ordinals only)
 *      8  u32  termCount
 *     12  u32  groupCount   ⌈termCount / 32⌉
 *     16  u32  index        offset of the index
 *     20  u32  groups       offset of the first group
 *     24  u32  end          length without padding
 *     28  u32  0
 *   index  := groupCount × 16 bytes: the state before the group's first term
 *      0  u32  offset       where the group starts
 *      4  u32  firstBlock   block entries of the postings before it
 *      8  u32  tailAt       bytes in the postings' tails before it
 *     12  u32  positionsAt  bytes in the positions' small region before it
 *   group  := entry × 32 (the last group: the rest)
 *   entry  := varint shared   bytes shared with the term before it in the group; 0 for its first
 *             varint length   of the rest, then the rest
 *             varint docFreq  and, only where the terms have postings:
 *             docFreq = 1:    varint docId · varint freq − 1 (frequencies) · u8 norm (impacts)
 *             otherwise:      varint totalTermFreq − docFreq (frequencies) · f32 impact (impacts)
 *                             varint bytes of the tail (docFreq below 128)
 *             docFreq < 128:  u8 position width (positions)
 *   padding := 16 zero bytes
 *
 * A term's ordinal is its index in this order, from 0.
 *
 * Example: the terms "sea" (three documents, four tokens) and "seal" (document 4 alone).
 *
 *   01 00 00 00   | version
 *   0b 00 00 00   | flags: frequencies, positions, postings
 *   02 00 00 00   | termCount
 *   01 00 00 00   | groupCount
 *   20 00 00 00   | index at 32
 *   30 00 00 00   | groups at 48
 *   40 00 00 00   | end
 *   00 00 00 00
 *   30 00 00 00   | index: the group at 48
 *   00 00 00 00   | firstBlock
 *   00 00 00 00   | tailAt
 *   00 00 00 00   | positionsAt
 *   00 03         | shares nothing, 3 bytes
 *   73 65 61      | "sea"
 *   03            | docFreq
 *   01            | totalTermFreq − docFreq
 *   04            | bytes of the tail
 *   03            | position width
 *   03 01         | shares 3 bytes, 1 more
 *   6c            | "l"
 *   01            | docFreq
 *   04            | docId
 *   00            | freq − 1
 *   03            | position width
 *   00 × 16       | padding
 *   => [{ term: "sea", docFreq: 3, totalTermFreq: 4, tailAt: 0 },
 *      { term: "seal", docFreq: 1, totalTermFreq: 1, singleDoc: 4 }]
 */
export const TERMS_VERSION = 1
export const TERMS_HEADER_BYTES = 32
export const GROUP_TERMS = 32
export const INDEX_ENTRY_BYTES = 16
export const TERMS_PADDING_BYTES = 16
export const HAS_POSTINGS = 8

/** A term's state in one leaf: plain numbers that may cross threads. */
export interface TermState {
  readonly docFreq: number
  readonly totalTermFreq: number
  /** Max impact of the term at the field's own average length; Infinity when there is none. */
  readonly impact: number
  /** First block entry, or −1 below 128 documents. */
  readonly firstBlock: number
  /** The one document of a singleton, else −1. */
  readonly singleDoc: number
  /** Offset of the tail of a term of 2–127 documents in the tails region. */
  readonly tailAt: number
  /** Offset of the run of a term below 128 documents in the small region, and its width. */
  readonly positionsAt: number
  readonly positionsWidth: number
}
