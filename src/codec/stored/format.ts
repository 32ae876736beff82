/**
 * The stored-fields file of one segment: a record of every document, compressed in blocks. A record is
 * the `_source` that the mapping keeps; where the mapping drops parts of sources, the object with the
 * values of the stored fields follows it (`schema/stored-part.ts`).
 *
 *   file      := header (file-frame.ts) blocks directory footer
 *   block     := u32 CRC-32 of the rest · u32 length of the compressed part · u32 length of its
 *                content · compressed content (raw deflate)
 *   content   := the records of the block's documents, one after another
 *   directory := u32 version · u32 maxDoc · u32 blockCount · u32 0
 *                u32[blockCount + 1] first document of each block, then maxDoc
 *                u32[2 · (blockCount + 1)] offset of each block as u64, then that of the directory
 *                u32[maxDoc] length of each record
 *                version 2 only: u32[maxDoc] length of the source that each record begins with
 *
 * Version 1 is written where every record is a source alone, version 2 for any other file. A block closes
 * once its content reaches 16 KiB; a larger record has a block to itself. Blocks are
 * read one by one when a document is fetched, each checked by its own checksum.
 *
 * Example: the sources {"a":1} and {"a":2} in one block.
 *
 *   4c 4d 4c 41              | "LMLA"
 *   53 54 4f 20              | "STO "
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   63 cb d5 9e              | block: CRC-32 of its rest
 *   0d 00 00 00              | compressed length
 *   0e 00 00 00              | length of its content
 *   ab 56 4a 54 b2 32 ac ad 06 51 46 b5 00  | deflated
 *   00 00 00                 | up to a multiple of 4
 *   01 00 00 00              | version
 *   02 00 00 00              | maxDoc
 *   01 00 00 00              | blockCount
 *   00 00 00 00
 *   00 00 00 00              | the block begins with document 0
 *   02 00 00 00              | maxDoc
 *   20 00 00 00 00 00 00 00  | it lies at 32
 *   3c 00 00 00 00 00 00 00  | the directory at 60
 *   07 00 00 00              | length of a record
 *   07 00 00 00              | and of the other
 *   3c 00 00 00 00 00 00 00  | offset of the directory
 *   30 00 00 00              | its length
 *   01 1e b8 08              | its CRC-32
 *   8c 00 00 00 00 00 00 00  | length of the file
 *   f5 d7 5f ce              | CRC-32 of all before
 *   41 4c 4d 4c              | "ALML"
 *   => ["{\"a\":1}", "{\"a\":2}"]
 */
export const STORED_VERSION = 1
/** The version of a file with values of stored fields behind some of its sources. */
export const STORED_VALUES_VERSION = 2
export const STORED_BLOCK_BYTES = 16384
export const STORED_BLOCK_HEADER_BYTES = 12
