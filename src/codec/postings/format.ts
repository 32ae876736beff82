/**
 * Postings of one field: for every term its ascending doc IDs and how often it occurs in each.
 * All numbers little-endian; offsets in bytes from the start of the section.
 *
 *   postings := header columns blocks tails padding
 *   header   := 64 bytes
 *      0  u32  version        1
 *      4  u32  flags          bit 0: frequencies are coded; bit 1: position columns exist;
 *                             bit 2: impacts exist (the field has norms and frequencies)
 *      8  u32  blockCount     entries of each column
 *     12  u32  lastDocs       offset of u32[blockCount]: last doc ID of each block
 *     16  u32  blockOffsets   offset of u32[blockCount]: where each block starts
 *     20  u32  impacts        offset of f32[blockCount], 0 without impacts
 *     24  u32  positionOffsets  offset of u32[blockCount] into the positions section, 0 without
 *     28  u32  docBits        offset of u8[blockCount]
 *     32  u32  freqBits       offset of u8[blockCount]
 *     36  u32  positionBits   offset of u8[blockCount], 0 without positions
 *     40  u32  tails          where the tails of the small terms start
 *     44  u32  end            length of the section without its padding
 *     48  16 bytes of 0
 *
 * A term with at least 128 documents owns ⌈docFreq / 128⌉ consecutive entries: full blocks
 * of 128 documents, and a last one that may hold fewer (`docBits` 0xff: byte-coded). Terms with
 * 2–127 documents have no entry: their tail lies in `tails`, its offset follows from the terms
 * section. A term with one document has no bytes here at all.
 *
 *   docBits  := bits 0–5 width w (0–31) · bit 6 patched · 0x80 dense · 0xff byte-coded
 *   freqBits := bits 0–5 width w (0–32) · bit 6 patched
 *   block    := docs freqs
 *   docs     := packed(w, gap − 1) patches?             the first gap counts from the block before
 *             | bits                                    dense: bit i is doc `before + 1 + i`,
 *                                                       ⌈(last − before) / 8⌉ bytes
 *   freqs    := packed(w, freq − 1) patches?            nothing at width 0; absent without flag 0
 *   packed   := 16·w bytes: 32 rows of four lanes, row r at bit r·w of its lane's words
 *   patches  := u8 n, then n × { u8 index, u8 high }    value |= high << w
 *   tail     := per doc varint (gap − 1) << 1 | (freq = 1), then varint freq − 2 unless it is 1;
 *               without frequencies varint (gap − 1)
 *   impact   := largest f32(freq · inverse[norm]) in the block, `inverse` made with the field's own
 *               average length (`norms/inverse.ts`): a bound of every score in it, for any boost
 *   padding  := 64 zero bytes, which SIMD reads may pass into
 *
 * Always: doc IDs ascend within a term; columns precede the data, so that a scorer can skip a
 * thousand blocks without touching one.
 *
 * Example: the term "sea" in documents 3, 4 and 9, once, once and twice. (The terms and positions
 *          of the same field are the examples of their formats.)
 *
 *   01 00 00 00   | version
 *   03 00 00 00   | flags: frequencies, positions
 *   00 00 00 00   | blockCount
 *   40 00 00 00   | lastDocs
 *   40 00 00 00   | blockOffsets
 *   00 00 00 00   | no impacts
 *   40 00 00 00   | positionOffsets
 *   40 00 00 00   | docBits
 *   40 00 00 00   | freqBits
 *   40 00 00 00   | positionBits
 *   40 00 00 00   | tails
 *   44 00 00 00   | end
 *   00 × 16
 *   07 01 08 00   | gaps − 1: 3, 0 and 4, bit 0 a frequency of 1; at last 2 − 2
 *   00 × 64       | padding
 *   => { docs: [3, 4, 9], freqs: [1, 1, 2] }
 */
export const POSTINGS_VERSION = 1

/** Documents of a full block, and the min document frequency of terms with block entries. */
export const BLOCK_DOCS = 128
export const POSTINGS_HEADER_BYTES = 64
export const POSTINGS_PADDING_BYTES = 64

/** Flags of the header, bits 0 to 2. */
export const HAS_FREQS = 1
export const HAS_POSITIONS = 2
export const HAS_IMPACTS = 4

/** Flags in the columns of bit widths: patches follow, a dense bit set, byte-coded. */
export const PATCHED = 0x40
export const DENSE = 0x80
export const BYTE_CODED = 0xff
