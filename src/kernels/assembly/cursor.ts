/**
 * A cursor: one clause of a query on one leaf, as a record in scratch that the caller fills
 * (`search/bulk/plan-record.ts` names the same offsets) and the kernels advance. Most cursors are
 * over the postings of one term; one over a bit set has a constant score and no blocks.
 *
 * A term below 128 documents looks like a term of one block: the caller decodes it, and its last
 * doc and impact lie in the record itself. Scores and their bounds take the steps of
 * `search/similarity/bm25.ts`, each rounded to float32 as there.
 */

/** Bytes of a cursor. */
export const CURSOR_BYTES: usize = 256

// Addresses of the term's columns, advanced to its first block entry.
export const LAST_DOCS: usize = 0
export const BLOCK_OFFSETS: usize = 4
export const DOC_BITS: usize = 8
export const FREQ_BITS: usize = 12
export const IMPACTS: usize = 16
/** Address of the postings section, the base of block offsets. */
export const DATA: usize = 20
export const BLOCK_COUNT: usize = 24
export const DOC_FREQ: usize = 28
/**
 * Buffers of 128 words each: decoded doc IDs, frequencies, their prefix sums, posting ords of
 * matches.
 */
export const DOCS: usize = 32
export const FREQS: usize = 36
export const SUMS: usize = 40
const ORDS: usize = 44
/** Address of the length codes, 0 without norms; and of 256 inverse norms, float32. */
export const NORMS: usize = 48
export const INVERSE: usize = 52
export const WEIGHT: usize = 56
/** 1: every document has the score `WEIGHT`. */
const IS_CONSTANT: usize = 60
/** f64: factor of impacts for bounds: drift of the mean length, and rounding. */
export const DRIFT: usize = 64
/** f64: upper bound of the term's scores. */
const BOUND: usize = 72
/** f64: upper bound of the scores in the current window. */
const WINDOW_BOUND: usize = 80 // kernels only
export const HAS_FREQS: usize = 88
/** Address of the bits of a clause that is a bit set; 0: postings. */
const BITS: usize = 92
/**
 * Buffer of a block's unpacked positions, of a phrase's term, and the ord of that block, −1: none.
 */
export const POSITIONS: usize = 208
export const UNPACKED: usize = 212
/** Start of the next `seek`: earlier documents are not sought again. */
export const BLOCK: usize = 96
/** The block in each buffer; −1: none. */
export const DECODED: usize = 100
export const FREQS_DECODED: usize = 104
export const SUMS_DECODED: usize = 108
export const COUNT: usize = 112
export const FREQS_AT: usize = 116 // kernels only
export const POSITION_OFFSETS: usize = 120
export const POSITION_BITS: usize = 124
/** Address of the positions section, or of a small term's run. */
export const POSITION_DATA: usize = 128
/** Width of a small term's positions; −1 for a term with blocks. */
export const SMALL_WIDTH: usize = 132
/** The term's position in its phrase. */
export const OFFSET: usize = 136
// State while one document's positions are compared.
export const RUN_AT: usize = 140 // kernels only
export const RUN_WIDTH: usize = 144 // kernels only
export const RUN_INDEX: usize = 148 // kernels only
export const RUN_END: usize = 152 // kernels only
export const POSITION: usize = 156 // kernels only
// 160 and 164: last doc and impact of a small term, to which `LAST_DOCS` and `IMPACTS` point.
/** f64: factor of impacts for a score that some document of the block attains. */
export const ATTAINED: usize = 168
/** The block with a cached bound, −1: none; and the bound, f64. */
export const BOUNDED: usize = 176
export const BLOCK_BOUND: usize = 184 // kernels only

/** Addresses of the bit set and ranks of a frequent term (`term-bit-set.ts`); 0: none. */
const MEMBERS: usize = 192
const RANKS: usize = 196
const SUPERS: usize = 200

/** Of a small term the first slot that `isAbsent` has not passed. */
export const NEXT_SLOT: usize = 216 // kernels only

/** Width that marks a byte-coded block. */
export const BYTE_CODED: u32 = 0xff
/** Factor of bounds over scores that covers rounding. */
export const SLACK: f64 = 1.0 + 1.0 / 1048576.0
/** The length code of documents in a field without norms. */
export const NO_NORM_CODE: usize = 1

/** Number of the term’s blocks. */
@inline export function blockCount(c: usize): i32 {
  return load<i32>(c, BLOCK_COUNT)
}
/** Documents of the term. */
@inline export function docFreq(c: usize): i32 {
  return load<i32>(c, DOC_FREQ)
}
/** Last document of a block. */
@inline export function lastDoc(c: usize, block: i32): i32 {
  return load<i32>(load<usize>(c, LAST_DOCS) + ((<usize>block) << 2))
}
/** Address of the decoded doc IDs. */
@inline export function docsOf(c: usize): usize {
  return load<usize>(c, DOCS)
}
/** Address of the buffer for posting ords of matches. */
@inline export function ordsOf(c: usize): usize {
  return load<usize>(c, ORDS)
}
/** Documents in the decoded block. */
@inline export function countOf(c: usize): i32 {
  return load<i32>(c, COUNT)
}
/** Bits of a clause that is a bit set; 0: postings. */
@inline export function bitsOf(c: usize): usize {
  return load<usize>(c, BITS)
}
/** Weight of the term, float32. */
@inline export function weightOf(c: usize): f32 {
  return load<f32>(c, WEIGHT)
}
/** Upper bound of the term's scores. */
@inline export function boundOf(c: usize): f64 {
  return load<f64>(c, BOUND)
}
/** Factor from an impact to a bound of the score. */
@inline export function driftOf(c: usize): f64 {
  return load<f64>(c, DRIFT)
}
/** Upper bound of the scores in the current window. */
@inline export function windowBound(c: usize): f64 {
  return load<f64>(c, WINDOW_BOUND)
}
/** Sets the upper bound of the scores in the current window. */
@inline export function setWindowBound(c: usize, bound: f64): void {
  store<f64>(c, bound, WINDOW_BOUND)
}
/** Whether every document has the same score. */
@inline export function isConstant(c: usize): bool {
  return load<i32>(c, IS_CONSTANT) != 0
}
/** Address of the bits of a frequent term’s bit set; 0: none. */
@inline export function membersOf(c: usize): usize {
  return load<usize>(c, MEMBERS)
}
/** Address of the ranks of a frequent term’s bit set. */
@inline export function ranksOf(c: usize): usize {
  return load<usize>(c, RANKS)
}
/** Address of the coarse ranks of a frequent term’s bit set. */
@inline export function supersOf(c: usize): usize {
  return load<usize>(c, SUPERS)
}
/** The term's position in its phrase. */
@inline export function offsetOf(c: usize): i32 {
  return load<i32>(c, OFFSET)
}
/** Resets a cursor to its first block. */
@inline export function rewind(c: usize): void {
  store<i32>(c, 0, NEXT_SLOT)
  store<i32>(c, 0, BLOCK)
}
/** The block that the last `seek` found. */
@inline export function blockOf(c: usize): i32 {
  return load<i32>(c, BLOCK)
}
