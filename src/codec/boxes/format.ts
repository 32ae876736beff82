/**
 * Points of a plane with their documents, by neighbourhood: what boxes of the plane are searched in.
 * A range of numbers is a point whose coordinates are its ends, so relations of ranges are boxes too.
 *
 *   boxes    := header index data padding
 *   header   := 64 bytes, little-endian
 *      0  u32  version      1
 *      4  u32  wordCount    32-bit words of a coordinate: 1, 2 or 4
 *      8  u32  count        points
 *     12  u32  docCount     documents that have one
 *     16  u32  blockCount   ⌈count / 512⌉
 *     20  u32  index        offset
 *     24  u32  data         offset
 *     28  u32  end          length without padding
 *     32  u32  maxDoc
 *     36  28 bytes of 0
 *   index    := per block: u32 offset of the block from the start of `data` (a multiple of 4), u32
 *               docBits, then the min of the first and of the second coordinate and the max of both,
 *               wordCount u32 each
 *   block    := doc IDs, docBits (0–32) bits each, padded to 4 bytes; then per word of the first and of
 *               the second coordinate, most significant first: u32 base, u32 width, and the words minus
 *               base, `width` bits each, padded to 4 bytes
 *   padding  := 16 zero bytes
 *
 * A coordinate is an unsigned number of wordCount words; signed integers have their sign bit flipped.
 * Blocks are tiles: the points in order of the first coordinate are cut into strips of as many blocks
 * as there are strips, and each strip in order of the second coordinate into blocks (sort-tile-recursive,
 * Leutenegger 1997), so that a box crosses the borders of few blocks.
 *
 * Example: the points (5, 7) and (6, 9) of documents 1 and 0.
 *
 *   01 00 00 00              | version
 *   01 00 00 00              | wordCount
 *   02 00 00 00              | count
 *   02 00 00 00              | docCount
 *   01 00 00 00              | blockCount
 *   40 00 00 00              | index at 64
 *   58 00 00 00              | data at 88
 *   74 00 00 00              | end
 *   02 00 00 00              | maxDoc
 *   00 × 28
 *   00 00 00 00              | index: block at 0 of data
 *   01 00 00 00              | docBits
 *   05 00 00 00 07 00 00 00  | min 5 and 7
 *   06 00 00 00 09 00 00 00  | max 6 and 9
 *   01 00 00 00              | docs 1 and 0, a bit each
 *   05 00 00 00 01 00 00 00  | first coordinates: base 5, width 1
 *   02 00 00 00              | 0 and 1 above the base
 *   07 00 00 00 02 00 00 00  | second coordinates: base 7, width 2
 *   08 00 00 00              | 0 and 2 above the base
 *   00 × 16                  | padding
 *   => { docs: [1, 0], points: [[5, 7], [6, 9]] }
 */
export const BOXES_VERSION = 1
