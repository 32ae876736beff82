/**
 * The stored-fields file of one segment: the `_source` of every document, compressed in blocks.
 *
 *   file      := header (file-frame.ts) blocks directory footer
 *   block     := u32 CRC-32 of the rest · u32 length of the compressed part · u32 length of its
 *                content · compressed content (raw deflate)
 *   content   := the sources of the block's documents, one after another
 *   directory := u32 version (1) · u32 maxDoc · u32 blockCount · u32 0
 *                u32[blockCount + 1] first document of each block, then maxDoc
 *                u32[2 · (blockCount + 1)] offset of each block as u64, then that of the directory
 *                u32[maxDoc] length of each source
 *
 * A block closes once its content reaches 16 KiB; a larger source has a block to itself. Blocks are
 * read one by one when a document is fetched, each checked by its own checksum.
 */
export const STORED_VERSION = 1
export const STORED_BLOCK_BYTES = 16384
export const STORED_BLOCK_HEADER_BYTES = 12
