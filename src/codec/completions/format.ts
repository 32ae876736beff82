/**
 * Completions of one field: entries in order of their keys, and the max weights of ranges of them. The
 * entries below a prefix are a range, whose heaviest ones are found best-first by the maxima.
 *
 *   completions := header maxima index data padding
 *   header      := 64 bytes, little-endian
 *      0  u32  version      1
 *      4  u32  count        entries
 *      8  u32  blockCount   ⌈count / 16⌉
 *     12  u32  flags        1: keys begin with a context
 *     16  u32  maxima       offset
 *     20  u32  index        offset
 *     24  u32  data         offset
 *     28  u32  end          length without padding
 *     32  u32  maxDoc
 *     36  28 bytes of 0
 *   maxima      := levels of u32: the max weight of each block, then of each 16 of the level before, up
 *                  to a level of one
 *   index       := u32[blockCount + 1]: offset of each block from the start of `data`, and where the last
 *                  one ends
 *   block       := 16 entries, fewer in the last block
 *   entry       := varint bytes shared with the key before (0 for the first of a block), varint bytes that
 *                  follow, these; varint weight; varint document; varint length of the surface form, and it
 *   padding     := zeros up to a multiple of 4
 *
 * A key is the analysed input: its tokens with 0x1f between them, behind a context's ordinal (one byte),
 * value and 0x1d where keys begin with a context. Entries are ascending by key, those of a key by weight
 * from the heaviest, then by surface form and document. The surface form is the input as it was given;
 * its length is 0 where it is the analysed input with blanks for 0x1f.
 *
 * Example: "Ab" of weight 7 of document 1, and "a" of weight 2 of document 0.
 *
 *   01 00 00 00              | version
 *   02 00 00 00              | count
 *   01 00 00 00              | blockCount
 *   00 00 00 00              | flags
 *   40 00 00 00              | maxima at 64
 *   44 00 00 00              | index at 68
 *   4c 00 00 00              | data at 76
 *   5a 00 00 00              | end
 *   02 00 00 00              | maxDoc
 *   00 × 28
 *   07 00 00 00              | max weight
 *   00 00 00 00 0e 00 00 00  | the block starts at 0 of data, and ends at 14
 *   00 01 61 02 00 00        | "a", weight 2, document 0, surface form as the key
 *   01 01 62 07 01 02 41 62  | "a" and "b", weight 7, document 1, surface form "Ab"
 *   00 00                    | padding
 *   => { entries: [["a", 2, 0, "a"], ["ab", 7, 1, "Ab"]], maxima: [7] }
 */
export const COMPLETIONS_VERSION = 1

/** Bytes of the header. */
export const COMPLETIONS_HEADER_BYTES = 64
/** Flag: keys begin with a context. */
export const COMPLETIONS_CONTEXTS = 1
/** Entries of a block, and children of a node of the maxima. */
export const COMPLETIONS_FANOUT = 16

/** Stands between two tokens of a key. */
export const TOKEN_SEPARATOR = 0x1f
/** Ends the context of a key. */
export const CONTEXT_END = 0x1d

/** Nodes of each level of the maxima over that many blocks, from the blocks up. */
export function maximaLevels(blockCount: number): readonly number[] {
  const levels: number[] = []
  for (let nodes = blockCount; nodes > 0; nodes = Math.ceil(nodes / COMPLETIONS_FANOUT)) {
    levels.push(nodes)
    if (nodes === 1) break
  }
  return levels
}
