/**
 * Which documents of a segment are live: a file of its own for each generation, never changed.
 *
 *   body := u32 version (1) · u32 maxDoc · u32 deletedCount · u32 0
 *           u32[⌈maxDoc / 32⌉]: bit i & 31 of word i >> 5 is set while document i is live
 *
 * The body lies in the frame of `file-frame.ts` with the segment's id. A segment without deleted
 * documents has no such file.
 *
 * Example: three documents, the second deleted, in the frame of the file.
 *
 *   4c 4d 4c 41              | "LMLA"
 *   4c 49 56 20              | "LIV "
 *   01 00 00 00              | version
 *   00 00 00 00
 *   a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af  | id
 *   01 00 00 00              | version
 *   03 00 00 00              | maxDoc
 *   01 00 00 00              | deletedCount
 *   00 00 00 00
 *   05 00 00 00              | documents 0 and 2 are live
 *   20 00 00 00 00 00 00 00  | offset of the directory
 *   14 00 00 00              | its length
 *   64 a8 01 ef              | its CRC-32
 *   54 00 00 00 00 00 00 00  | length of the file
 *   e0 d5 85 28              | CRC-32 of all before
 *   41 4c 4d 4c              | "ALML"
 *   => { maxDoc: 3, deletedCount: 1, live: [0, 2] }
 */
export const LIVE_DOCS_VERSION = 1
export const LIVE_DOCS_HEADER_BYTES = 16
