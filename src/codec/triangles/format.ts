/**
 * Triangles on the Earth with their documents, by neighbourhood: what shapes are searched in.
 *
 *   triangles := header index data padding
 *   header    := 64 bytes, little-endian
 *      0  u32  version      1
 *      4  u32  wordCount    32-bit words of a coordinate: 1
 *      8  u32  count        triangles
 *     12  u32  docCount     documents that have one
 *     16  u32  blockCount   ⌈count / 512⌉
 *     20  u32  index        offset
 *     24  u32  data         offset
 *     28  u32  end          length without padding
 *     32  u32  maxDoc
 *     36  28 bytes of 0
 *   index     := per block: u32 offset of the block from the start of `data` (a multiple of 4), u32
 *                docBits, then its west, south, east and north, u32 each
 *   block     := doc IDs, docBits (0–32) bits each, padded to 4 bytes; then per column: u32 base, u32
 *                width, and the words minus base, `width` bits each, padded to 4 bytes
 *   padding   := 16 zero bytes
 *
 * The columns are the longitude and latitude of the corners a, b and c, quantised, with their sign bit flipped,
 * and the own edges (`schema/geo-shape/shape-triangles.ts`). Blocks are tiles of the triangles' south-western
 * corners (`tile-order.ts`).
 *
 * Example: the triangle (1, 2) (5, 2) (1, 6) of document 1, the edges a–b and c–a of which are its own, and the
 * point (3, 3) of document 0.
 *
 *   01 00 00 00              | version
 *   01 00 00 00              | wordCount
 *   02 00 00 00              | count
 *   02 00 00 00              | docCount
 *   01 00 00 00              | blockCount
 *   40 00 00 00              | index at 64
 *   58 00 00 00              | data at 88
 *   b0 00 00 00              | end
 *   02 00 00 00              | maxDoc
 *   00 × 28
 *   00 00 00 00              | index: block at 0 of data
 *   01 00 00 00              | docBits
 *   01 00 00 00 02 00 00 00  | west 1, south 2
 *   05 00 00 00 06 00 00 00  | east 5, north 6
 *   01 00 00 00              | docs 1 and 0, a bit each
 *   01 00 00 00 02 00 00 00  | longitudes of a: base 1, width 2
 *   08 00 00 00              | 0 and 2 above the base
 *   02 00 00 00 01 00 00 00  | latitudes of a: base 2, width 1
 *   02 00 00 00
 *   03 00 00 00 02 00 00 00  | longitudes of b
 *   02 00 00 00
 *   02 00 00 00 01 00 00 00  | latitudes of b
 *   02 00 00 00
 *   01 00 00 00 02 00 00 00  | longitudes of c
 *   08 00 00 00
 *   03 00 00 00 02 00 00 00  | latitudes of c
 *   03 00 00 00
 *   05 00 00 00 02 00 00 00  | own edges: 5 and 7
 *   08 00 00 00
 *   00 × 16                  | padding
 *   => { docs: [1, 0], triangles: [[1, 2, 5, 2, 1, 6, 5], [3, 3, 3, 3, 3, 3, 7]] }
 */
export const TRIANGLES_VERSION = 1

/** Words of a triangle. */
export const TRIANGLE_COLUMNS = 7
