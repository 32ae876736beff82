/**
 * The state of the current call, opened from its plan (`plan-record.ts`): what is done with a match,
 * the threshold that later ones have to reach, and the exchange of results with other slices.
 */
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
import { bitsOf, blockCount, isConstant } from './cursor'
import { attainedScore, hasImpacts, impactOf } from './cursor-bounds'
import {
  appendHit,
  capacity,
  clearHits,
  docOfHit,
  hitCount,
  isWorse,
  openHits,
  pushHit,
  scoreOfHit,
  sink,
} from './hit-heap'
import {
  ACCEPT,
  AFTER_DOC,
  AFTER_SCORE,
  BEST_SCORE,
  BLOCKS_DECODED,
  BLOCKS_SKIPPED,
  CANDIDATE_COUNT,
  COUNTED,
  COUNTING,
  DOC_BASE,
  HAS_AFTER,
  HIT_COUNT,
  IS_DIS_MAX,
  LISTS,
  MATCHES,
  MAX_DOC,
  MERGES,
  MIN_DOC,
  MIN_SCORE,
  POSITIONS_CHECKED,
  POSTINGS_SCORED,
  PRIMES,
  RUNS_SKIPPED,
  THRESHOLD,
  TIE,
  WINDOWS,
  blockScores,
  cursor,
  hasRequired,
  openRecord,
  plan,
} from './plan-record'

/** Has the caller exchange results with other slices; not 0: stop. */
@external('env', 'tick')
export declare function tick(): i32

// State of the current call. Module globals: an instance runs one call at a time.
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
  openRecord(at)
  minDoc = load<i32>(at, MIN_DOC)
  maxDoc = load<i32>(at, MAX_DOC)
  accept = load<usize>(at, ACCEPT)
  docBase = load<i32>(at, DOC_BASE)
  openHits(at)
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
  if (lists) clearHits()
  takeOver()
  return stop != 0
}

/** False when matches are only counted. */
@inline export function needsScores(): bool {
  return capacity > 0 || minScore > 0
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
  appendHit(score, doc)
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
    pushHit(score, global)
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
