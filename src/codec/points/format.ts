/**
 * Values of one field in ascending order with their documents: what range queries read.
 *
 *   points  := header index data padding
 *   header  := 64 bytes, little-endian
 *      0  u32  version      1
 *      4  u32  wordCount    32-bit words of a value: 1, 2 or 4
 *      8  u32  count        points
 *     12  u32  docCount     documents that have one
 *     16  u32  blockCount   ⌈count / 512⌉
 *     20  u32  index        offset
 *     24  u32  data         offset
 *     28  u32  end          length without padding
 *     32  u32  maxDoc
 *     36  28 bytes of 0
 *   index   := per block: u32 offset of the block from the start of `data` (a multiple of 4), u32 docBits,
 *              then its first value and its last value, wordCount u32 each
 *   block   := doc IDs, docBits (0–32) bits each, padded to 4 bytes; then per word of a value, most
 *              significant first: u32 base, u32 width, and the words minus base, `width` bits each,
 *              padded to 4 bytes
 *   padding := 16 zero bytes
 *
 * A value is an unsigned number of wordCount words, most significant first; signed 64-bit integers
 * have their sign bit flipped, so that the order is that of the integers. Points with equal values
 * stand in order of document.
 *
 * Example: values 5 and 7 of documents 1 and 0 (two words): index { 0, 1, 80000000 5, 80000000 7 },
 * block: docs bits 01 → 01 00 00 00, word 0 base 80000000 width 0, word 1 base 5 width 2 → 08 00 00 00.
 */
export const POINTS_VERSION = 1
export const POINTS_HEADER_BYTES = 64
export const POINTS_PADDING_BYTES = 16
export const POINTS_PER_BLOCK = 512
