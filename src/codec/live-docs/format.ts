/**
 * Which documents of a segment are live: a file of its own for each generation, never changed.
 *
 *   body := u32 version (1) · u32 maxDoc · u32 deletedCount · u32 0
 *           u32[⌈maxDoc / 32⌉]: bit i & 31 of word i >> 5 is set while document i is live
 *
 * The body stands in the frame of `file-frame.ts` with the segment's id. A segment without deleted
 * documents has no such file.
 *
 * Example: three documents, the second deleted: 01 03 01 0 and the word 05 00 00 00.
 */
export const LIVE_DOCS_VERSION = 1
export const LIVE_DOCS_HEADER_BYTES = 16
