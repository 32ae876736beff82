/**
 * The `_id` of every document, and buckets of their hashes that find a document by it.
 *
 *   ids    := header starts docs fingerprints blockOffsets blocks padding
 *   header := 64 bytes, little-endian; offsets in bytes from the start of the section
 *      0  u32  version       2 (version 1: `slot-ids.ts`)
 *      4  u32  maxDoc
 *      8  u32  bucketCount   ⌈maxDoc / 16⌉
 *     12  u32  docBits       bits of a doc ID in `docs`, 0–32
 *     16  u32  starts        offset of u32[bucketCount + 1]: the first entry of each bucket, and maxDoc
 *     20  u32  docs          offset of maxDoc doc IDs by entry, docBits each (`packed-bits.ts`)
 *     24  u32  fingerprints  offset of u8[maxDoc]: by entry the lowest byte of the hash
 *     28  u32  blockOffsets  offset of u32[⌈maxDoc / 128⌉]: where each block starts, from `blocks` on
 *     32  u32  blocks        offset
 *     36  u32  end           length without padding
 *     40  24 bytes of 0
 *   block   := 128 ids in order of document (the last: the rest), even or ragged
 *   even    := u8 alphabet (0–2) · u8 length · u16 rowBits, then for each column (byte of an id)
 *              u8 base · u8 shape: bits 0–3 width (0–8), bit 4 stepping; then rows
 *   rows    := rowBits bits for each id, the widths of its columns one after another, lowest bit first
 *   ragged  := u8 255 · u8 endBits (0–25) · u16 shared, the bytes that all ids start with; then for each
 *              id where its rest ends among the rests, endBits each; then the rests
 *   padding := 16 zero bytes, which reads may pass into
 *
 * A byte of an even block is a symbol of the block's alphabet: (base + bits + index in the block if
 * stepping) modulo the number of symbols. Most ids are counters, times and digits, of which few columns
 * change within 128 documents. Blocks are ragged where lengths differ or pass 255.
 *
 * An id's bucket is ⌊hash · bucketCount / 2³²⌋ of its unsigned murmur3(id, 0). Ids within a segment may repeat (an
 * update within one refresh): the newest live one wins, so a bucket's documents descend.
 *
 * Example: documents "a7" and "a8", one bucket, one even block whose second column steps.
 *
 *   02 00 00 00              | version
 *   02 00 00 00              | maxDoc
 *   01 00 00 00              | bucketCount
 *   01 00 00 00              | docBits
 *   40 00 00 00              | starts at 64
 *   48 00 00 00              | docs
 *   50 00 00 00              | fingerprints
 *   54 00 00 00              | blockOffsets
 *   58 00 00 00              | blocks
 *   60 00 00 00              | end
 *   00 × 24
 *   00 00 00 00 02 00 00 00  | starts of the bucket: 0, and maxDoc
 *   01 00 00 00              | docs 1 and 0, a bit each
 *   00 00 00 00
 *   75 9e                    | fingerprints
 *   00 00
 *   00 00 00 00              | block at 0 of blocks
 *   00                       | alphabet: bytes
 *   02                       | length of an id
 *   00 00                    | no bits for an id
 *   61 00                    | column "a", width 0
 *   37 10                    | column "7", stepping
 *   00 × 16                  | padding
 *   => { ids: ["a7", "a8"] }
 */
export const IDS_VERSION = 2
export const IDS_HEADER_BYTES = 64
export const IDS_PADDING_BYTES = 16
export const IDS_PER_BUCKET = 16
export const IDS_PER_BLOCK = 128

/** First byte of a ragged block, where an even one has its alphabet. */
export const RAGGED = 255
/** Column of an even block whose symbols rise by one from id to id. */
export const STEPPING = 16
/** Max bits of an end within a ragged block, which bounds the bytes of its ids. */
export const MAX_END_BITS = 25

/** Symbols in numeric order; their number is a power of two. */
export const ALPHABETS: readonly Uint8Array[] = [
  Uint8Array.from({ length: 256 }, (_, i) => i),
  // The alphabet of server-generated ids: counters in it step.
  symbols('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
  // Hexadecimal digits are 0–15.
  symbols('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_'),
]

function symbols(text: string): Uint8Array {
  return Uint8Array.from(text, symbol => symbol.charCodeAt(0))
}

/** The bucket of an id by its murmur3. */
export function bucketOf(hash: number, bucketCount: number): number {
  return Math.floor(((hash >>> 0) * bucketCount) / 4294967296)
}
