/**
 * A cursor: one clause of a query on one leaf, as a record in scratch that the caller fills
 * (`search/bulk/plan-record.ts` names the same offsets) and the kernels move. Most stand for the postings
 * of one term; one that stands for a bit set has a score of its own and no blocks.
 *
 * A term below 128 documents looks like a term of one block: the caller decodes it, and its last doc
 * and impact lie in the record itself. Scores and their bounds take the steps of
 * `search/similarity/bm25.ts`, each rounded to float32 as there.
 */

/** Bytes of a cursor. */
export const CURSOR_BYTES: usize = 256

// Addresses of the term's columns, moved up to its first block entry.
export const LAST_DOCS: usize = 0
export const BLOCK_OFFSETS: usize = 4
export const DOC_BITS: usize = 8
export const FREQ_BITS: usize = 12
export const IMPACTS: usize = 16
/** Where the postings section starts: block offsets count from there. */
export const DATA: usize = 20
export const BLOCK_COUNT: usize = 24
export const DOC_FREQ: usize = 28
/** Buffers of 128 words each: decoded doc IDs, frequencies, their sums, places of matches. */
export const DOCS: usize = 32
export const FREQS: usize = 36
export const SUMS: usize = 40
const PLACES: usize = 44
/** Length codes, 0 for a field without; and 256 inverse norms, float32. */
export const NORMS: usize = 48
export const INVERSE: usize = 52
export const WEIGHT: usize = 56
/** 1: every document scores `WEIGHT`. */
const IS_CONSTANT: usize = 60
/** f64: what impacts are multiplied with, for the drift of the mean length and rounding. */
export const DRIFT: usize = 64
/** f64: no score of the term is above. */
const BOUND: usize = 72
/** f64: no score in the current window is above. */
const WINDOW_BOUND: usize = 80 // kernels only
export const HAS_FREQS: usize = 88
/** Bits of a clause that is a set of documents, 0 for postings. */
const BITS: usize = 92
/** Where a phrase's term has the positions of a block unpacked, and of which, −1: of none. */
export const POSITIONS: usize = 208
export const UNPACKED: usize = 212
/** Where a search for a block starts: no document before it is asked for again. */
export const BLOCK: usize = 96
/** Which block each buffer holds, −1: none. */
export const DECODED: usize = 100
export const FREQS_DECODED: usize = 104
export const SUMS_DECODED: usize = 108
export const COUNT: usize = 112
export const FREQS_AT: usize = 116 // kernels only
export const POSITION_OFFSETS: usize = 120
export const POSITION_BITS: usize = 124
/** Where the positions section starts, or the run of a small term. */
export const POSITION_DATA: usize = 128
/** Width of a small term's positions, −1 for a term with blocks. */
export const SMALL_WIDTH: usize = 132
/** Place of the term in its phrase. */
export const OFFSET: usize = 136
// While one document's positions are compared.
export const RUN_AT: usize = 140 // kernels only
export const RUN_WIDTH: usize = 144 // kernels only
export const RUN_INDEX: usize = 148 // kernels only
export const RUN_END: usize = 152 // kernels only
export const POSITION: usize = 156 // kernels only
// 160 and 164: the last doc and the impact of a small term, which `LAST_DOCS` and `IMPACTS` lead to.
/** f64: what impacts are multiplied with for a score that some document of the block attains. */
export const ATTAINED: usize = 168
/** The block whose bound is known, −1: none; and the bound, f64. */
export const BOUNDED: usize = 176
export const BLOCK_BOUND: usize = 184 // kernels only

/** Of a term that has its documents as bits too, where they and their ranks lie (`term-set.ts`); 0: none. */
const MEMBERS: usize = 192
const RANKS: usize = 196
const SUPERS: usize = 200

/** Width that marks a block coded in bytes. */
export const BYTE_CODED: u32 = 0xff
/** Factor by which bounds exceed scores, for rounding. */
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
/** Address of the buffer for offsets of matches in a block. */
@inline export function placesOf(c: usize): usize {
  return load<usize>(c, PLACES)
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
/** Bound of all scores of the term. */
@inline export function boundOf(c: usize): f64 {
  return load<f64>(c, BOUND)
}
/** Factor from an impact to a bound of the score. */
@inline export function driftOf(c: usize): f64 {
  return load<f64>(c, DRIFT)
}
/** Bound of the scores in the current window. */
@inline export function windowBound(c: usize): f64 {
  return load<f64>(c, WINDOW_BOUND)
}
/** Notes the bound of scores in the current window. */
@inline export function setWindowBound(c: usize, bound: f64): void {
  store<f64>(c, bound, WINDOW_BOUND)
}
/** Whether every document has the same score. */
@inline export function isConstant(c: usize): bool {
  return load<i32>(c, IS_CONSTANT) != 0
}
/** Address of the bits of a frequent term’s bit set. */
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
/** Position of the term in its phrase. */
@inline export function offsetOf(c: usize): i32 {
  return load<i32>(c, OFFSET)
}
/** Sets a cursor back to its first block. */
@inline export function rewind(c: usize): void {
  store<i32>(c, 0, BLOCK)
}
/** The block that `seek` found last. */
@inline export function blockOf(c: usize): i32 {
  return load<i32>(c, BLOCK)
}
