/**
 * The documents that are no nested ones: each stands behind the nested documents of its source, so
 * that a block is what follows the previous such document, up to this one. Only segments with nested
 * documents have the section.
 *
 *   parents := header words
 *   header  := 16 bytes, little-endian
 *      0  u32  version  1
 *      4  u32  maxDoc   the last document is no nested one
 *      8  u32  count    of documents that are no nested ones
 *     12  4 bytes of 0
 *   words   := u32[4 · ⌈maxDoc / 128⌉]: bit i & 31 of word i >> 5 is set unless document i is nested
 *
 * Example: a document with two nested ones, then one without any.
 *
 *   01 00 00 00              | version
 *   04 00 00 00              | maxDoc
 *   02 00 00 00              | count
 *   00 00 00 00
 *   0c 00 00 00              | documents 2 and 3
 *   00 × 12
 *   => { parents: [2, 3] }
 */
export const PARENTS_VERSION = 1
export const PARENTS_HEADER_BYTES = 16
