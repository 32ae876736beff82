/**
 * The plan of one call: a record in scratch that the caller fills (`search/bulk/plan-record.ts` names the
 * same offsets).
 */

/** Address of the plan of the current call. An instance runs one call at a time. */
export let plan: usize = 0

/** Makes a plan the current one. */
@inline export function openRecord(at: usize): void {
  plan = at
}

// Cursors are consecutive: required clauses, rarest first, then optional ones.
const CURSORS: usize = 0
const REQUIRED: usize = 4
const OPTIONAL: usize = 8
/** Min number of optional clauses that must match. */
const MINIMUM: usize = 12
/** Documents [MIN_DOC, MAX_DOC) of the leaf are searched. */
export const MIN_DOC: usize = 16
export const MAX_DOC: usize = 20
/** Bits of accepted documents, 0: all; readable to a multiple of eight bytes. */
export const ACCEPT: usize = 24
/** Added to a doc ID to make it global in the shard. */
export const DOC_BASE: usize = 28
/** Max hits, their number, and their addresses: float32 scores, documents. */
export const CAPACITY: usize = 32
export const HIT_COUNT: usize = 36
export const HIT_SCORES: usize = 40
export const HIT_DOCS: usize = 44
/** Lower bound of the k-th best score, float32: lower scores need not be found. */
export const THRESHOLD: usize = 48
/** Matches below this score do not count at all, float32. */
export const MIN_SCORE: usize = 52
/** 1: matches are counted, so none may be skipped. */
export const COUNTING: usize = 56
/** Matches counted since the last exchange. */
export const COUNTED: usize = 60
/** f64: added to the sum of the required clauses' scores; and 1 if any clause is required. */
const CONSTANT: usize = 64
const HAS_REQUIRED: usize = 72
/** 1: bounds are not used to skip, because reading them would cost more. */
const EXHAUSTIVE: usize = 76
/** Window buffers: scores, counts of clauses, candidates' documents and sums. */
const SCORES: usize = 80
const COUNTS: usize = 84
const CANDIDATES: usize = 88
const SUMS: usize = 92
/**
 * Five times 128 words: scores of a block, the lead's documents and slots, matches, their posting
 * ords; then patterns.
 */
const BLOCK_BUFFERS: usize = 96
const ORDER: usize = 100
/** f64 per optional clause: prefix sum of the bounds. */
const PREFIX: usize = 104
/** Weight of a phrase, float32; with IS_PHRASE the required clauses are its terms. */
const PHRASE_WEIGHT: usize = 108
const IS_PHRASE: usize = 116
/** Bit set for documents counted in whole windows. */
const WINDOW_BITS: usize = 112

/** 1: block impacts may prime the threshold before anything is read. */
export const PRIMES: usize = 132
/** Bit set that receives all matches, instead of counting and keeping them; 0: none. */
export const MATCHES: usize = 136
/** 1: only hits after a score, and after a document with an equal score, are kept. */
export const HAS_AFTER: usize = 140
/**
 * f64 each: that score and global document; a score without a document excludes all equal scores.
 */
export const AFTER_SCORE: usize = 144
export const AFTER_DOC: usize = 152
/** With HAS_AFTER: max score of all matches, float32; below 0 before any. */
export const BEST_SCORE: usize = 160
/** 1: optional clauses score as in `dis-max.ts`, with a tie breaker, f64. */
export const IS_DIS_MAX: usize = 164
export const TIE: usize = 168
/** With a tie breaker: max score, float32, by slot of the window and by candidate. */
const MAXIMA: usize = 176
const CANDIDATE_MAXIMA: usize = 180
/** Max total displacement of a phrase's terms; its cursors in phrase order, if needed. */
const SLOP: usize = 184
const PHRASE_ORDER: usize = 188
/**
 * 1: hits are a list of all matches with scores, handed over whenever it holds CAPACITY of them.
 */
export const LISTS: usize = 192
/** 1: hits may hold a match already, with the score of another alternative: the better one stays. */
export const MERGES: usize = 196
/** Counters of the call: blocks decoded, blocks and runs of documents skipped. */
export const BLOCKS_DECODED: usize = 120
export const BLOCKS_SKIPPED: usize = 124
export const RUNS_SKIPPED: usize = 128
export const WINDOWS: usize = 240
export const POSTINGS_SCORED: usize = 244
export const POSITIONS_CHECKED: usize = 248
export const CANDIDATE_COUNT: usize = 252

/** Number of required clauses. */
@inline export function requiredCount(): i32 {
  return load<i32>(plan, REQUIRED)
}
/** Number of optional clauses. */
@inline export function optionalCount(): i32 {
  return load<i32>(plan, OPTIONAL)
}
/** Min number of optional clauses that must match. */
@inline export function minimumShouldMatch(): i32 {
  return load<i32>(plan, MINIMUM)
}
/** The cursor of a clause. */
@inline export function cursor(i: i32): usize {
  return load<usize>(plan, CURSORS) + ((<usize>i) << 8)
}
/** The constant part of every score. */
@inline export function constant(): f64 {
  return load<f64>(plan, CONSTANT)
}
/** Whether any clause is required. */
@inline export function hasRequired(): bool {
  return load<i32>(plan, HAS_REQUIRED) != 0
}
/** Whether bounds are not used. */
@inline export function isExhaustive(): bool {
  return load<i32>(plan, EXHAUSTIVE) != 0
}
/** Address of the scores by slot of the window, f64. */
@inline export function scoresBuffer(): usize {
  return load<usize>(plan, SCORES)
}
/** Address of the counts of clauses by slot. */
@inline export function countsBuffer(): usize {
  return load<usize>(plan, COUNTS)
}
/** Address of the documents of candidates. */
@inline export function candidates(): usize {
  return load<usize>(plan, CANDIDATES)
}
/** Address of the sums of candidates, f64. */
@inline export function sums(): usize {
  return load<usize>(plan, SUMS)
}
/** Address of the largest scores by slot, float32. */
@inline export function maxima(): usize {
  return load<usize>(plan, MAXIMA)
}
/** Address of the largest scores by candidate, float32. */
@inline export function candidateMaxima(): usize {
  return load<usize>(plan, CANDIDATE_MAXIMA)
}
/** Address of the scores of a block, float32. */
@inline export function blockScores(): usize {
  return load<usize>(plan, BLOCK_BUFFERS)
}
/** Address of the leading block's documents. */
@inline export function leadDocs(): usize {
  return load<usize>(plan, BLOCK_BUFFERS) + 512
}
/** Address of those documents' slots in their block. */
@inline export function leadSlots(): usize {
  return load<usize>(plan, BLOCK_BUFFERS) + 1024
}
/** Address of the matches' documents. */
@inline export function matches(): usize {
  return load<usize>(plan, BLOCK_BUFFERS) + 1536
}
/** Address of the clauses' order. */
@inline export function orderBuffer(): usize {
  return load<usize>(plan, ORDER)
}
/** Address of the prefix sums of bounds, f64. */
@inline export function prefixBuffer(): usize {
  return load<usize>(plan, PREFIX)
}
/** Weight of the phrase, float32. */
@inline export function phraseWeight(): f32 {
  return load<f32>(plan, PHRASE_WEIGHT)
}
/**
 * Shuffle patterns that compact any subset of four lanes: sixteen vectors, made once for each
 * scratch. Stores of four may run past a buffer's end by less than the gap behind it.
 */
@inline export function patternsOfFour(): usize {
  return load<usize>(plan, BLOCK_BUFFERS) + 5 * 512 + 32
}
/** Address of the patterns that unpack positions of a width: 64 bytes. */
@inline export function positionPatterns(): usize {
  return patternsOfFour() + 256
}
/** Temporary buffer of posting ords during an intersection. */
@inline export function narrowed(): usize {
  return load<usize>(plan, BLOCK_BUFFERS) + 2048
}
/** Whether the required clauses are the terms of a phrase. */
@inline export function isPhrase(): bool {
  return load<i32>(plan, IS_PHRASE) != 0
}
/** Max total displacement of the phrase's terms. */
@inline export function slop(): i32 {
  return load<i32>(plan, SLOP)
}
/** Address of the cursors in phrase order; 0: in given order. */
@inline export function phraseOrder(): usize {
  return load<usize>(plan, PHRASE_ORDER)
}
/** Address of the bits of documents counted in whole windows. */
@inline export function windowBits(): usize {
  return load<usize>(plan, WINDOW_BITS)
}
