/**
 * Lengths of one text field, a byte a document, in Lucene's coding (`length-code.ts`).
 *
 *   norms    := header codes presence? padding
 *   header   := 16 bytes: u32 version (1) · u32 maxDoc · u32 presence, offset of it or 0 when every
 *               document has the field · u32 docCount, documents that have it
 *   codes    := u8[maxDoc], from byte 64; 0 where the field is absent, `NO_NORM_CODE` where the
 *               document came after norms were turned off (it is then absent from `presence`)
 *   presence := u32[⌈maxDoc / 32⌉], 4-byte aligned; bit i & 31 of word i >> 5 is document i
 *   padding  := 64 zero bytes
 *
 * An empty string has the field (its length is 0), so absence needs bits of its own.
 *
 * Example: lengths 3, absent and 0 of three documents.
 *
 *   01 00 00 00   | version
 *   03 00 00 00   | maxDoc
 *   44 00 00 00   | presence at 68
 *   02 00 00 00   | docCount
 *   00 × 48
 *   03 00 00      | codes
 *   00            | up to a multiple of 4
 *   05 00 00 00   | presence: documents 0 and 2
 *   00 × 64       | padding
 *   => { maxDoc: 3, docCount: 2, codes: [3, null, 0] }
 */
export const NORMS_VERSION = 1
/** The code that scores documents of a field without norms: a length of one token. */
export const NO_NORM_CODE = 1
export const NORMS_HEADER_BYTES = 64
export const NORMS_PADDING_BYTES = 64
