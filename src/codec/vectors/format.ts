/**
 * Vectors of one field: the terms of each document, with where their tokens stand in its text. A document
 * is read without the field's dictionary and without the documents ahead of it. Little-endian; offsets in
 * bytes from the start of the section.
 *
 *   vectors := header index data padding
 *   header  := 32 bytes
 *      0  u32  version   1
 *      4  u32  flags     of each token: bit 0: its position; bit 1: its offsets; bit 2: its payload
 *      8  u32  maxDoc
 *     12  u32  docCount  documents with a vector
 *     16  u32  index     offset
 *     20  u32  data      offset
 *     24  u32  end       length without padding
 *     28  u32  0
 *   index   := u32[maxDoc + 1]: where each document's vector starts in `data`, and where the last one ends;
 *              a document without tokens has none
 *   vector  := varint number of terms, then for each, ascending by bytes:
 *     varint bytes shared with the term before, varint bytes that follow, these
 *     varint frequency
 *     varint length of its tokens in bytes, and they, in the order of their positions; none without flags
 *   token   := by flags varint position (from the term's token before, the first from 0); zigzag varint
 *              start (likewise), varint length in UTF-16 units; varint length of the payload, and it
 *   padding := zeros up to a multiple of 4
 *
 * Example: of two documents, the second one's "sea" at position 0 and at 2, its "seal" at 1, with offsets.
 *
 *   01 00 00 00                       | version
 *   03 00 00 00                       | positions, offsets
 *   02 00 00 00                       | maxDoc
 *   01 00 00 00                       | docCount
 *   20 00 00 00                       | index at 32
 *   2c 00 00 00                       | data at 44
 *   42 00 00 00                       | end
 *   00 00 00 00
 *   00 00 00 00 00 00 00 00 16 00 00 00  | the second vector is 22 bytes
 *   02                                | terms
 *   00 03 73 65 61 02 06              | "sea", twice, 6 bytes of tokens
 *   00 00 03 02 12 03                 | position 0, units 0 to 3; position 2, units 9 to 12
 *   03 01 6c 01 03                    | "seal", once, 3 bytes of tokens
 *   01 08 04                          | position 1, units 4 to 8
 *   00 00                             | padding
 *   => { vectors: [{}, { sea: [[0, 0, 3], [2, 9, 12]], seal: [[1, 4, 8]] }] }
 */
export const VECTORS_VERSION = 1
/** Bytes of the header. */
export const VECTORS_HEADER_BYTES = 32

/** Flags of the header. */
export const VECTORS_POSITIONS = 1
export const VECTORS_OFFSETS = 2
export const VECTORS_PAYLOADS = 4
