/**
 * Byte strings of one field by document. Little-endian; offsets in bytes from the start of the section.
 *
 *   bytes     := header presence? ranks? addresses? ends? data padding
 *   header    := 64 bytes
 *      0  u32  version       1
 *      4  u32  flags         bit 0: every document has a value; bit 1: some have several;
 *                            bit 2: all values are of one length
 *      8  u32  maxDoc
 *     12  u32  docCount      documents with a value
 *     16  u32  valueCount
 *     20  u32  length        of each value with flag 2, else 0
 *     24  u32  presence      offset, 0 with flag 0
 *     28  u32  ranks         offset, 0 with flag 0
 *     32  u32  addresses     offset, 0 without flag 1
 *     36  u32  ends          offset, 0 with flag 2
 *     40  u32  data          offset
 *     44  u32  end           length without padding
 *     48  16 bytes of 0
 *   presence  := u32[⌈maxDoc / 32⌉]: bit i & 31 of word i >> 5 is document i
 *   ranks     := u32[⌈maxDoc / 512⌉]: documents with a value before document 512·i
 *   addresses := u32[docCount + 1]: the first value of the i-th document that has one
 *   ends      := u32[valueCount]: where each value ends, in bytes from the start of `data`
 *   data      := the values
 *   padding   := 16 zero bytes
 *
 * Values of one document ascend, each once.
 *
 * Example: values 0a 0b of document 1 and 0c of document 2, of three.
 *
 *   01 00 00 00              | version
 *   00 00 00 00              | flags
 *   03 00 00 00              | maxDoc
 *   02 00 00 00              | docCount
 *   02 00 00 00              | valueCount
 *   00 00 00 00              | no length
 *   40 00 00 00              | presence at 64
 *   44 00 00 00              | ranks at 68
 *   00 00 00 00              | no addresses
 *   48 00 00 00              | ends at 72
 *   50 00 00 00              | data at 80
 *   53 00 00 00              | end
 *   00 × 16
 *   06 00 00 00              | documents 1 and 2
 *   00 00 00 00              | none before document 0
 *   02 00 00 00 03 00 00 00  | ends
 *   0a 0b 0c                 | data
 *   00 × 16                  | padding
 *   => { values: [[], [[10, 11]], [[12]]] }
 */
export const BYTES_VERSION = 1
export const BYTES_HEADER_BYTES = 64
export const BYTES_PADDING_BYTES = 16
/** Documents of an entry of the ranks. */
export const BYTES_RANK_DOCS = 512

/** Flags of the header, bits 0 to 2. */
export const BYTES_ALL_DOCS = 1
export const BYTES_MULTI_VALUED = 2
export const BYTES_EQUAL_LENGTHS = 4
