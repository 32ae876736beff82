/**
 * Values of one field by document: signed 64-bit integers, or ordinals of the field's dictionary,
 * which are stored the same way. Little-endian; offsets in bytes from the start of the section.
 *
 *   doc values := header presence? ranks? addresses? spans blocks data padding
 *   header     := 128 bytes
 *      0  u32  version       1, or 2 with flag 3
 *      4  u32  flags         bit 0: every document has a value; bit 1: some have several;
 *                            bit 2: exponent bounds are kept (floating-point kinds);
 *                            bit 3: values are evenly spaced, and there are no blocks and no data
 *      8  u32  maxDoc
 *     12  u32  docCount      documents with a value
 *     16  u32  valueCount
 *     20  u32  presence      offset, 0 with flag 0
 *     24  u32  ranks         offset, 0 with flag 0
 *     28  u32  addresses     offset, 0 without flag 1
 *     32  u32  spans         offset
 *     36  u32  blocks        offset
 *     40  u32  data          offset
 *     44  u32  end           length without padding
 *     48  i64  min           of all values; 0 when there are none
 *     56  i64  max
 *     64  i128 sum           of all values as integers
 *     80  i32  maxExponent   highest exponent of a finite non-zero value   } floating-point kinds:
 *     84  i32  minExponent   exponent of the lowest set bit of any         } bounds of an exact sum
 *     88  u32  step          0 or 1 with flag 3: the value at index i is min + i · step; else 0
 *     92  36 bytes of 0
 *   presence   := u32[⌈maxDoc / 32⌉]: bit i & 31 of word i >> 5 is document i
 *   ranks      := u32[⌈maxDoc / 512⌉]: documents with a value before document 512·i
 *   addresses  := u32[docCount + 1]: the first value of the i-th document that has one
 *   spans      := per 4,096 documents 40 bytes { i64 min · i64 max · i128 sum · u32 valueCount · u32
 *                 docCount }, min and max 0 where there are no values
 *   blocks     := per 128 values 16 bytes { i64 base · u32 offset · u32 width }: a value is base + its
 *                 bits; `offset` from the start of `data`, a multiple of 4
 *   data       := values − base, `width` (0–64) bits each, lowest bit first, each block from a
 *                 multiple of 4 bytes on
 *   padding    := 64 zero bytes
 *
 * A value's index is its document's rank (its ord among the documents with a value), through the
 * addresses where there are several. Values of one document ascend. Evenly spaced are columns of metadata
 * alone: equal versions, sequence numbers in order of arrival. The kernels, which read
 * columns of a mapping's fields, know of blocks only.
 *
 * Example: values 7, 9 and 9 of documents 0, 1 and 2.
 *
 *   01 00 00 00              | version
 *   01 00 00 00              | flags: every document has a value
 *   03 00 00 00              | maxDoc
 *   03 00 00 00              | docCount
 *   03 00 00 00              | valueCount
 *   00 00 00 00              | no presence
 *   00 00 00 00              | no ranks
 *   00 00 00 00              | no addresses
 *   80 00 00 00              | spans at 128
 *   a8 00 00 00              | blocks at 168
 *   b8 00 00 00              | data at 184
 *   bc 00 00 00              | end
 *   07 00 00 00 00 00 00 00  | min
 *   09 00 00 00 00 00 00 00  | max
 *   19 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  | sum 25
 *   00 × 12                  | no exponents, no step
 *   00 × 36
 *   07 00 00 00 00 00 00 00  | span: min
 *   09 00 00 00 00 00 00 00  | max
 *   19 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  | sum
 *   03 00 00 00              | valueCount
 *   03 00 00 00              | docCount
 *   07 00 00 00 00 00 00 00  | block: base 7
 *   00 00 00 00              | at 0 of data
 *   02 00 00 00              | width 2
 *   28 00 00 00              | 0, 2 and 2 above the base
 *   00 × 64                  | padding
 *   => { values: [7, 9, 9], min: 7, max: 9 }
 */
export const DOC_VALUES_VERSION = 1
export const EVEN_DOC_VALUES_VERSION = 2
export const DOC_VALUES_HEADER_BYTES = 128
export const DOC_VALUES_PADDING_BYTES = 64
export const SPAN_DOCS = 4096
export const SPAN_BYTES = 40
export const VALUES_PER_BLOCK = 128
export const VALUE_BLOCK_BYTES = 16
export const RANK_DOCS = 512

/** Flags of the header, bits 0 to 3. */
export const ALL_DOCS = 1
export const MULTI_VALUED = 2
export const HAS_EXPONENTS = 4
export const EVENLY_SPACED = 8
