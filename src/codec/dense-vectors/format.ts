/**
 * Vectors of one field, at most one for each document, as a search compares them: rows that kernels read in
 * whole registers, and beside those of float32 a copy of a quarter of their size. Little-endian; offsets in
 * bytes from the start of the section.
 *
 *   vectors := header docs squares quanta rows codes padding
 *   header  := 64 bytes
 *      0  u32  version    1; of float32 1 or 2, which 2 is written of
 *      4  u32  element    0: float32; 1: integers of 8 bits; 2: bits
 *      8  u32  dimension  components of a vector, 1 or more; of bits a multiple of 8
 *     12  u32  count      vectors
 *     16  u32  maxDoc
 *     20  u32  rowBytes   of a row: its components, padded with zeros to a multiple of 16
 *     24  u32  codeBytes  of a row of codes, likewise; 0: there are none
 *     28  u32  docs       offset; 0: every document has a vector, so that its number is the vector's
 *     32  u32  squares    offset; 0: there are none, as with bits, or they are among the quanta
 *     36  u32  quanta     offset; 0: there are none
 *     40  u32  rows       offset, a multiple of 64
 *     44  u32  codes      offset, a multiple of 64; 0: there are none
 *     48  u32  end        length without padding
 *     52  u32  space      1 more than its place in `VECTOR_SPACES`; 0: no graph of them is ever made
 *     56  u32  m          of their graph, 1 or more, and
 *     60  u32  ef         its candidates, 1 or more; both 0 where the space is
 *   docs    := u32[count]: the documents, ascending
 *   squares := f32[count]: the sum of the squares of each vector's components; not of version 2
 *   quanta  := f32[2 * count], of version 2 f32[4 * count]: of each vector the value of one step of its codes, and a
 *              bound of the length of what they leave out of it; of version 2 also a bound of the length of its codes
 *              from `firstCodes` on, and its square
 *   rows    := count rows: the components of each vector
 *   codes   := count rows: i8 for each component, −127 … 127: the component in steps of its vector, rounded; of version
 *              2 the first `firstCodes` of each vector, up to a multiple of 64, and then the others of each
 *   padding := 16 bytes of 0; before `rows` and `codes` zeros up to their offsets
 *
 * Sums of squares are made in the order of kernels (`util/vector-sums.ts`). With the length of what the codes
 * leave out, a product of codes is a bound of that of the components, so that a search by codes misses nothing. With
 * the length of the last codes a product of the first ones is such a bound too.
 *
 * Example: of two documents the second has the vector (1, −2, 0.5).
 *
 *   02 00 00 00              | version
 *   00 00 00 00              | float32
 *   03 00 00 00              | dimension
 *   01 00 00 00              | count
 *   02 00 00 00              | maxDoc
 *   10 00 00 00              | rowBytes
 *   10 00 00 00              | codeBytes
 *   40 00 00 00              | docs at 64
 *   00 00 00 00              | no squares of their own
 *   50 00 00 00              | quanta at 80
 *   80 00 00 00              | rows at 128
 *   c0 00 00 00              | codes at 192
 *   d0 00 00 00              | end
 *   00 × 12
 *   01 00 00 00              | document 1
 *   00 × 12
 *   04 02 81 3c              | a step of 0.015748031
 *   e4 fa 40 3c              | 0.011778567 is left out at most
 *   00 00 00 00              | no codes behind the first 16
 *   00 00 a8 40              | 5.25
 *   00 × 32
 *   00 00 80 3f 00 00 00 c0 00 00 00 3f 00 00 00 00  | the row
 *   00 × 48
 *   40 81 20 00 00 00 00 00 00 00 00 00 00 00 00 00  | codes 64, −127 and 32
 *   00 × 16                  | padding
 *   => { vectors: [null, [1, -2, 0.5]] }
 *
 * Example: the same in version 1.
 *
 *   01 00 00 00              | version
 *   00 00 00 00              | float32
 *   03 00 00 00              | dimension
 *   01 00 00 00              | count
 *   02 00 00 00              | maxDoc
 *   10 00 00 00              | rowBytes
 *   10 00 00 00              | codeBytes
 *   40 00 00 00              | docs at 64
 *   44 00 00 00              | squares at 68
 *   48 00 00 00              | quanta at 72
 *   80 00 00 00              | rows at 128
 *   c0 00 00 00              | codes at 192
 *   d0 00 00 00              | end
 *   00 × 12
 *   01 00 00 00              | document 1
 *   00 00 a8 40              | 5.25
 *   04 02 81 3c              | a step of 0.015748031
 *   e4 fa 40 3c              | 0.011778567 is left out at most
 *   00 × 48
 *   00 00 80 3f 00 00 00 c0 00 00 00 3f 00 00 00 00  | the row
 *   00 × 48
 *   40 81 20 00 00 00 00 00 00 00 00 00 00 00 00 00  | codes 64, −127 and 32
 *   00 × 16                  | padding
 *   => { vectors: [null, [1, -2, 0.5]] }
 */
export const DENSE_VECTORS_VERSION = 1
/** The version of vectors whose quanta have all that a bound needs. */
export const WHOLE_QUANTA_VERSION = 2
/** Bytes of the header. */
export const DENSE_VECTORS_HEADER_BYTES = 64

/** Kinds of components by the number that the header gives them. */
export const VECTOR_ELEMENTS = ['float', 'byte', 'binary'] as const

/** The largest code; the lowest is its negative. */
export const MAX_CODE = 127

/** Vectors of fewer components have no last codes: to read two places costs a walk more than a scan saves by one. */
const LEAST_PARTED = 256

/** How many codes of a vector are its first ones, in whole registers: all of them, or about half. */
export function firstCodes(dimension: number): number {
  return 16 * Math.ceil(dimension / (dimension < LEAST_PARTED ? 16 : 32))
}
