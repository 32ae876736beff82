/**
 * The graph of one field's vectors, by which their neighbours are found without comparing all: a hierarchical
 * navigable small world (Malkov and Yashunin, 2018). It names vectors by the ords of the field's section of
 * vectors, without which it says nothing. Little-endian; offsets in bytes from the start of the section.
 *
 *   graph   := header table levels padding
 *   header  := 64 bytes
 *      0  u32  version    1
 *      4  u32  count      vectors, 1 or more
 *      8  u32  compared   0: bytes (codes of float32, or the components) or bits; 1: float32
 *     12  u32  space      its place in `VECTOR_SPACES`
 *     16  u32  m          room for neighbours on the levels above the lowest; half of it there
 *     20  u32  levels     1 or more
 *     24  u32  entry      rank on the highest level of the node at which walks begin
 *     28  u32  seed       of the draw of levels
 *     32  u32  table      offset; 64
 *     36  u32  end        length without padding
 *     40  24 bytes of 0
 *   table   := 16 bytes for each level, from the lowest on
 *      0  u32  nodes      of the lowest: all vectors
 *      4  u32  ords       offset; 0 for the lowest, on which a node's rank is its ord
 *      8  u32  below      offset; 0 for the lowest
 *     12  u32  links      offset, a multiple of 64
 *   ords    := u32[nodes]: the vector of each node
 *   below   := u32[nodes]: the rank of each node on the level below
 *   links   := nodes rows of m u32, of the lowest level 2m: ranks of neighbours, then 2³²−1
 *   padding := 16 bytes of 0; before each `links` zeros up to its offset
 *
 * Rows of one width let a walk find a node's neighbours by its rank alone.
 *
 * Example: two vectors, neighbours of each other, and no level above.
 *
 *   01 00 00 00              | version
 *   02 00 00 00              | count
 *   00 00 00 00              | bytes are compared
 *   00 00 00 00              | l2
 *   01 00 00 00              | m
 *   01 00 00 00              | one level
 *   00 00 00 00              | entry
 *   07 00 00 00              | seed
 *   40 00 00 00              | table at 64
 *   90 00 00 00              | end
 *   00 × 24
 *   02 00 00 00              | nodes
 *   00 00 00 00              | no ords
 *   00 00 00 00              | nothing below
 *   80 00 00 00              | links at 128
 *   00 × 48
 *   01 00 00 00 ff ff ff ff  | the first one's neighbours
 *   00 00 00 00 ff ff ff ff  | the second one's
 *   00 × 16                  | padding
 *   => { links: [[[1], [0]]] }
 */
export const VECTOR_GRAPH_VERSION = 1
/** Bytes of the header. */
export const VECTOR_GRAPH_HEADER_BYTES = 64
/** Bytes of a level in the table. */
export const GRAPH_LEVEL_BYTES = 16
/** Ends a row of links that has room left. */
export const NO_NEIGHBOUR = 0xffffffff

/** The components by which a graph's vectors are compared, by the number that the header gives them. */
export const COMPARED_PARTS = ['codes', 'floats'] as const
/** `codes` stands for codes of float32, bytes, or bits. */
export type ComparedParts = (typeof COMPARED_PARTS)[number]
