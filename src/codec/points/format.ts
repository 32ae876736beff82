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
 * Example: values 5 and 7 of documents 1 and 0.
 *
 *   01 00 00 00              | version
 *   02 00 00 00              | wordCount
 *   02 00 00 00              | count
 *   02 00 00 00              | docCount
 *   01 00 00 00              | blockCount
 *   40 00 00 00              | index at 64
 *   58 00 00 00              | data at 88
 *   70 00 00 00              | end
 *   02 00 00 00              | maxDoc
 *   00 × 28
 *   00 00 00 00              | index: block at 0 of data
 *   01 00 00 00              | docBits
 *   00 00 00 80 05 00 00 00  | first value 5, its sign bit flipped
 *   00 00 00 80 07 00 00 00  | last value 7
 *   01 00 00 00              | docs 1 and 0, a bit each
 *   00 00 00 80 00 00 00 00  | high words: base, width 0
 *   05 00 00 00 02 00 00 00  | low words: base 5, width 2
 *   08 00 00 00              | 0 and 2 above the base
 *   00 × 16                  | padding
 *   => { docs: [1, 0], values: [5, 7] }
 */
export const POINTS_VERSION = 1
