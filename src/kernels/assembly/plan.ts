/**
 * The plan of one call: a record in scratch that the caller fills (`search/bulk/plan-record.ts`
 * names the same offsets). This file has its fields, the heap of the k best hits, and the exchange
 * of results with other slices.
 */
import { bitsOf, blockCount, isConstant } from './cursor'
import { attainedScore, hasImpacts, impactOf } from './cursor-bounds'
import {
  blocksDecoded,
  blocksSkipped,
  candidateCount,
  positionsChecked,
  postingsScored,
  resetCounters,
  runsSkipped,
  windows,
} from './counters'

// Cursors are consecutive: required clauses, rarest first, then optional ones.
const CURSORS: usize = 0
const REQUIRED: usize = 4
const OPTIONAL: usize = 8
/** Min number of optional clauses that must match. */
const MINIMUM: usize = 12
/** Documents [MIN_DOC, MAX_DOC) of the leaf are searched. */
const MIN_DOC: usize = 16
const MAX_DOC: usize = 20
/** Bits of accepted documents, 0: all; readable to a multiple of eight bytes. */
const ACCEPT: usize = 24
/** Added to a doc ID to make it global in the shard. */
const DOC_BASE: usize = 28
/** Max hits, their number, and their addresses: float32 scores, documents. */
const CAPACITY: usize = 32
const HIT_COUNT: usize = 36
const HIT_SCORES: usize = 40
const HIT_DOCS: usize = 44
/** Lower bound of the k-th best score, float32: lower scores need not be found. */
const THRESHOLD: usize = 48
/** Matches below this score do not count at all, float32. */
const MIN_SCORE: usize = 52
/** 1: matches are counted, so none may be skipped. */
const COUNTING: usize = 56
/** Matches counted since the last exchange. */
const COUNTED: usize = 60
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
const PRIMES: usize = 132
/** Bit set that receives all matches, instead of counting and keeping them; 0: none. */
const MATCHES: usize = 136
/** 1: only hits after a score, and after a document with an equal score, are kept. */
const HAS_AFTER: usize = 140
/**
 * f64 each: that score and global document; a score without a document excludes all equal scores.
 */
const AFTER_SCORE: usize = 144
const AFTER_DOC: usize = 152
/** With HAS_AFTER: max score of all matches, float32; below 0 before any. */
const BEST_SCORE: usize = 160
/** 1: optional clauses score as in `dis-max.ts`, with a tie breaker, f64. */
const IS_DIS_MAX: usize = 164
const TIE: usize = 168
/** With a tie breaker: max score, float32, by slot of the window and by candidate. */
const MAXIMA: usize = 176
const CANDIDATE_MAXIMA: usize = 180
/** Max total displacement of a phrase's terms; its cursors in phrase order, if needed. */
const SLOP: usize = 184
const PHRASE_ORDER: usize = 188
/**
 * 1: hits are a list of all matches with scores, handed over whenever it holds CAPACITY of them.
 */
const LISTS: usize = 192
/** 1: hits may hold a match already, with the score of another alternative: the better one stays. */
const MERGES: usize = 196
/** Counters of the call: blocks decoded, blocks and runs of documents skipped. */
const BLOCKS_DECODED: usize = 120
const BLOCKS_SKIPPED: usize = 124
const RUNS_SKIPPED: usize = 128
const WINDOWS: usize = 240
const POSTINGS_SCORED: usize = 244
const POSITIONS_CHECKED: usize = 248
const CANDIDATE_COUNT: usize = 252

/** Has the caller exchange results with other slices; not 0: stop. */
@external('env', 'tick')
export declare function tick(): i32

// State of the current call. Module globals: an instance runs one call at a time.
export let plan: usize = 0
export let minDoc: i32 = 0
export let maxDoc: i32 = 0
export let accept: usize = 0
export let isCounting: bool = false
/** Min score of a hit. */
export let threshold: f32 = 0
/** Threshold from impacts, before any document was read. */
let primed: f32 = 0
let counted: i32 = 0
let matchBits: usize = 0
/** Matches are listed with scores, or set as bits: neither counted nor kept here. */
let lists: bool = false
let merges: bool = false
let gathers: bool = false
export let minScore: f32 = 0
let capacity: i32 = 0
let hitCount: i32 = 0
let hitScores: usize = 0
let hitDocs: usize = 0
let docBase: i32 = 0
let hasAfter: bool = false
let bestScore: f32 = 0
/** Whether optional clauses combine as a disjunction max; and the share of the others. */
export let isDisMax: bool = false
export let tie: f64 = 0
/** Whether maxima are kept beside sums. */
export let hasMaxima: bool = false

/** Opens a plan for the other functions. */
export function open(at: usize): void {
  plan = at
  minDoc = load<i32>(at, MIN_DOC)
  maxDoc = load<i32>(at, MAX_DOC)
  accept = load<usize>(at, ACCEPT)
  docBase = load<i32>(at, DOC_BASE)
  capacity = load<i32>(at, CAPACITY)
  hitCount = load<i32>(at, HIT_COUNT)
  hitScores = load<usize>(at, HIT_SCORES)
  hitDocs = load<usize>(at, HIT_DOCS)
  minScore = load<f32>(at, MIN_SCORE)
  counted = 0
  primed = 0
  matchBits = load<usize>(at, MATCHES)
  lists = load<i32>(at, LISTS) != 0
  gathers = lists || matchBits != 0
  merges = load<i32>(at, MERGES) != 0
  hasAfter = load<i32>(at, HAS_AFTER) != 0
  bestScore = load<f32>(at, BEST_SCORE)
  isDisMax = load<i32>(at, IS_DIS_MAX) != 0
  tie = load<f64>(at, TIE)
  hasMaxima = isDisMax && tie > 0
  resetCounters()
  takeOver()
}

/** Writes counts, hits and the threshold back to the plan. */
export function close(): void {
  store<i32>(plan, hitCount, HIT_COUNT)
  store<i32>(plan, counted, COUNTED)
  store<f32>(plan, threshold, THRESHOLD)
  store<f32>(plan, bestScore, BEST_SCORE)
  store<i32>(plan, blocksDecoded, BLOCKS_DECODED)
  store<i32>(plan, blocksSkipped, BLOCKS_SKIPPED)
  store<i32>(plan, runsSkipped, RUNS_SKIPPED)
  store<i32>(plan, windows, WINDOWS)
  store<i32>(plan, postingsScored, POSTINGS_SCORED)
  store<i32>(plan, positionsChecked, POSITIONS_CHECKED)
  store<i32>(plan, candidateCount, CANDIDATE_COUNT)
}

/** Reads the caller's threshold; the max with that of the own hits is used. */
function takeOver(): void {
  isCounting = load<i32>(plan, COUNTING) != 0
  threshold = max(max(load<f32>(plan, THRESHOLD), minScore), primed)
  if (hitCount == capacity && capacity > 0) raise()
}

/** Publishes counts and hits, and reads those of other slices; true: stop. */
export function look(): bool {
  store<i32>(plan, counted, COUNTED)
  store<i32>(plan, hitCount, HIT_COUNT)
  counted = 0
  const stop = tick()
  // The caller has taken the list.
  if (lists) hitCount = 0
  takeOver()
  return stop != 0
}

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
/** False when matches are only counted. */
@inline export function needsScores(): bool {
  return capacity > 0 || minScore > 0
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

/** The final score of a match, each part rounded before they are added. */
@inline export function finalScore(required: f64, optional: f64, hasOptional: bool): f32 {
  if (!hasRequired()) return <f32>optional
  return hasOptional ? <f32>required + <f32>optional : <f32>required
}

/** Min sum in double whose rounded score may reach the threshold; rounded down. */
@inline export function sumToReach(score: f32): f64 {
  return <f64>score * (1.0 - 1.0 / 2097152.0)
}

/** Whether a document is accepted; without a bit set all are. */
@inline export function isAccepted(doc: i32): bool {
  if (!accept) return true
  return ((<u32>load<u8>(accept + (<usize>doc >> 3)) >> (<u32>doc & 7)) & 1) != 0
}

/** Counts matches, unless they are set as bits. */
export function count(found: i32): void {
  if (!gathers) counted += found
}

/** Turns counting off until the next exchange, or on again; the caller then counts itself. */
export function setCounting(counts: bool): void {
  isCounting = counts
}

/** Whether all matches are gathered, as bits or as a list, instead of counted and kept. */
@inline export function gathersMatches(): bool {
  return gathers
}

/** Whether matches are set as bits, whatever their scores. */
@inline export function notesMatches(): bool {
  return matchBits != 0 && !(minScore > 0)
}

/** Sets the bit of a match. */
export function note(doc: i32): void {
  if (<u32>doc >= <u32>maxDoc) return
  const word = matchBits + ((<usize>(doc >> 6)) << 3)
  store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>doc & 63)))
}

/** Appends a match to the list; a full list is handed over. */
function list(doc: i32, score: f32): void {
  setHit(hitCount++, score, doc)
  // A stop is noticed at the next exchange.
  if (hitCount == capacity) look()
}

/** Collects a match with its final score: counts it, and keeps it if it is among the best. */
@inline export function collect(doc: i32, score: f32): void {
  if (score < minScore) return
  count(1)
  if (score >= threshold) keep(doc, score)
}

/** Keeps a match that is counted already, if it scores at least the threshold. */
export function keep(doc: i32, score: f32): void {
  if (gathers) {
    if (lists) list(doc, score)
    else note(doc)
    return
  }
  const global = doc + docBase
  if (hasAfter && !isAfter(score, global)) return
  if (hitCount == capacity && (capacity == 0 || isWorse(score, global, 0))) return
  if (merges && merge(score, global)) return
  if (hitCount < capacity) {
    let at = hitCount++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(score, global, parent)) break
      moveHit(parent, at)
      at = parent
    }
    setHit(at, score, global)
    if (hitCount == capacity) raise()
    return
  }
  sink(0, score, global)
  raise()
}

/** Whether a match is among the hits; it keeps the better of its scores. */
function merge(score: f32, global: i32): bool {
  for (let i = 0; i < hitCount; i++) {
    if (docOfHit(i) != global) continue
    if (score > scoreOfHit(i)) {
      sink(i, score, global)
      if (hitCount == capacity) raise()
    }
    return true
  }
  return false
}

/** Puts a hit in the place of a worse one, or below it. */
function sink(from: i32, score: f32, global: i32): void {
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= hitCount) break
    const right = child + 1
    if (right < hitCount && isWorse(scoreOfHit(right), docOfHit(right), child)) child = right
    if (isWorse(score, global, child)) break
    moveHit(child, at)
    at = child
  }
  setHit(at, score, global)
}

/**
 * Whether a match is after `search_after`. Also tracks the max score: the threshold hides no higher
 * one, as it is a score of hits.
 */
function isAfter(score: f32, doc: i32): bool {
  bestScore = max(bestScore, score)
  const after = load<f64>(plan, AFTER_SCORE)
  return <f64>score < after || (<f64>score == after && <f64>doc > load<f64>(plan, AFTER_DOC))
}

/**
 * A later document of this slice must score above the worst hit; one of another slice, or of another
 * alternative, may equal it.
 */
function raise(): void {
  const worst = scoreOfHit(0)
  const needed = merges ? worst : reinterpret<f32>(reinterpret<i32>(worst) + 1)
  if (needed > threshold) threshold = needed
}

/**
 * Primes the threshold by the impacts of clauses: every impact is attained by some document of its
 * block, so that k documents reach the k-th largest of a clause. Only valid if every document of
 * the clauses is a match.
 */
export function prime(clauses: i32): void {
  if (!load<i32>(plan, PRIMES) || isCounting || capacity == 0 || capacity > MAX_PRIMED) return
  for (let i = 0; i < clauses; i++) {
    const c = cursor(i)
    if (bitsOf(c) || isConstant(c) || !hasImpacts(c) || blockCount(c) < capacity) continue
    primed = max(primed, attainedScore(c, largestImpact(c)))
  }
  threshold = max(threshold, primed)
}

/** Max hits for priming: the largest impacts are kept in a block's buffer. */
const MAX_PRIMED: i32 = 100

/** The k-th largest impact of a cursor's blocks, k being the number of hits. */
function largestImpact(c: usize): f32 {
  const best = blockScores()
  const blocks = blockCount(c)
  // Ascending; the first `capacity` fill it, then a larger one replaces the min.
  for (let b = 0; b < blocks; b++) {
    const impact = impactOf(c, b)
    let at = 0
    if (b < capacity) {
      at = b
      while (at > 0 && load<f32>(best + ((<usize>(at - 1)) << 2)) > impact) {
        store<f32>(best + ((<usize>at) << 2), load<f32>(best + ((<usize>(at - 1)) << 2)))
        at--
      }
    } else {
      if (impact <= load<f32>(best)) continue
      while (at + 1 < capacity && load<f32>(best + ((<usize>(at + 1)) << 2)) < impact) {
        store<f32>(best + ((<usize>at) << 2), load<f32>(best + ((<usize>(at + 1)) << 2)))
        at++
      }
    }
    store<f32>(best + ((<usize>at) << 2), impact)
  }
  return load<f32>(best)
}

// A binary heap, worst on top: lowest score, then highest document.

@inline function scoreOfHit(i: i32): f32 {
  return load<f32>(hitScores + ((<usize>i) << 2))
}
@inline function docOfHit(i: i32): i32 {
  return load<i32>(hitDocs + ((<usize>i) << 2))
}
@inline function setHit(i: i32, score: f32, doc: i32): void {
  store<f32>(hitScores + ((<usize>i) << 2), score)
  store<i32>(hitDocs + ((<usize>i) << 2), doc)
}
@inline function moveHit(from: i32, to: i32): void {
  setHit(to, scoreOfHit(from), docOfHit(from))
}
@inline function isWorse(score: f32, doc: i32, than: i32): bool {
  const other = scoreOfHit(than)
  return score < other || (score == other && doc > docOfHit(than))
}
