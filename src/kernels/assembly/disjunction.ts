/**
 * Disjunction by windows of 4,096 documents: MaxScore with per-window bounds (Turtle & Flood 1995;
 * Mallia, Siedlaczek & Suel 2019). In each window the clauses are sorted by ascending bound.
 * Clauses at the front whose bounds sum to less than the threshold cannot make a hit alone: they
 * are advanced only to documents that the others, the essential ones, propose. A window without
 * essential clauses is skipped; with a single one its blocks are compared with the missing score;
 * with several their scores are added up slot by slot.
 *
 * Matching slots are recorded beside the scores, which may be 0: as bits if there are few, else in
 * a byte each, and not at all if only scores above 0 count. Reading a window clears it.
 */
import { inRange, orPostings, orWords, wordOf } from './bits'
import { proposeOne } from './candidates'
import { beginOrder, boundsUpTo, divide, inOrder, total } from './clause-order'
import { takeBlock, takeScore } from './dis-max'
import {
  bitsOf,
  blockCount,
  countOf,
  docFreq,
  docsOf,
  lastDoc,
  rewind,
  SLACK,
  weightOf,
} from './cursor'
import { decode, seek, slotOf } from './cursor-blocks'
import { scoreSlots } from './cursor-scores'
import { countSkippedRun, countWindow } from './counters'
import { makePatterns } from './lead-block'
import {
  accept,
  close,
  count,
  gathersMatches,
  isCounting,
  isDisMax,
  look,
  maxDoc,
  minDoc,
  minScore,
  open,
  prime,
  setCounting,
  sumToReach,
  threshold,
} from './plan'
import {
  blockScores,
  constant,
  countsBuffer,
  cursor,
  isExhaustive,
  minimumShouldMatch,
  scoresBuffer,
  windowBits,
} from './plan-record'
import { scanAccepted, scanReached, scanScores, scanSparse, scanTallied } from './window-scan'

const WINDOW: i32 = 4096
/**
 * Use windows four times as long while only one clause is essential; stop after TRIES windows that
 * skipped nothing.
 */
const LONG: i32 = 16384
const TRIES: i32 = 2
/** With fewer postings in a window, non-empty slots are found by bits. */
const SPARSE: i32 = 256

/** Windows between two exchanges with other slices: a few microseconds each. */
const WINDOWS_PER_LOOK: i32 = 8

/** How a window's non-empty or sufficient slots are found. */
const BY_BITS: i32 = 0
const BY_LIMIT: i32 = 1
const BY_TALLIES: i32 = 2
const BY_SCORES: i32 = 3
/** Postings of the essential clauses below which bits are used. */
const FEW: i32 = 96

/** Whether all clauses together have few postings in a window. */
let isSparse: bool = false
let how: i32 = BY_BITS
/** Which of the window's 64 words of bits are not 0. */
let touched: u64 = 0
/** Min value of a slot to be read, for methods by value. */
let minValue: f64 = 0
let untilLook: i32 = 0

/** Clears the windows, and makes the patterns behind the block buffers: once for each scratch. */
export function clearWindow(
  scores: usize, counts: usize, bits: usize, maxima: usize, patterns: usize,
): void {
  makePatterns(patterns)
  memory.fill(scores, 0, WINDOW << 3)
  memory.fill(counts, 0, WINDOW)
  memory.fill(bits, 0, WINDOW >> 3)
  memory.fill(maxima, 0, WINDOW << 2)
}

/** Runs a plan whose clauses are optional. */
export function searchDisjunction(at: usize): void {
  open(at)
  start()
  // Counting by bits is faster than by sums, and lets bounds decide which documents are scored.
  const isApart = !isSparse && total > 0 && minimumShouldMatch() <= 1 && !(minScore > 0) && !gathersMatches()
  const counted = isCounting
  if (isApart) setCounting(false)
  prime(total)
  setCounting(counted)
  let tries = TRIES
  for (let base = minDoc & -WINDOW; base < maxDoc; base = nextBase(base + WINDOW)) {
    if (isTimeToLook() && look()) break
    countWindow()
    const from = max(base, minDoc)
    if (tries > 0 && minimumShouldMatch() == 1 && prunes()) {
      if (searchLong(from, min(base + LONG, maxDoc))) {
        base += LONG - WINDOW
        tries = TRIES
        continue
      }
      tries--
    }
    const to = min(base + WINDOW, maxDoc)
    if (isCounting && isApart) {
      countMatches(base, from, to)
      setCounting(false)
      searchWindow(base, from, to)
      setCounting(true)
    } else searchWindow(base, from, to)
  }
  close()
}

/** Counts the documents of any clause; without clauses, all accepted documents. */
export function countDisjunction(at: usize): void {
  open(at)
  start()
  for (let base = minDoc & -WINDOW; base < maxDoc; base = nextBase(base + WINDOW)) {
    if (isTimeToLook() && look()) break
    countWindow()
    countMatches(base, max(base, minDoc), min(base + WINDOW, maxDoc))
  }
  close()
}

/** Counts the documents of any clause in a window. */
function countMatches(base: i32, from: i32, to: i32): void {
  const bits = windowBits()
  // With a minimum of 0, all accepted documents match.
  if (minimumShouldMatch() == 0) fillRange(bits, base, from, to)
  else for (let i = 0; i < total; i++) {
    const c = cursor(i)
    if (bitsOf(c)) orWords(bitsOf(c), bits, base, from, to)
    else orPostings(c, bits, base, from, to)
  }
  let found: i64 = 0
  for (let i: usize = 0; i < <usize>(WINDOW >> 3); i += 8) {
    let word = load<u64>(bits + i)
    if (!word) continue
    store<u64>(bits + i, 0)
    if (accept) word &= load<u64>(accept + (<usize>base >> 3) + i)
    found += popcnt<u64>(word)
  }
  count(<i32>found)
}

function fillRange(bits: usize, base: i32, from: i32, to: i32): void {
  for (let word = from >> 6; word << 6 < to; word++)
    store<u64>(bits + ((<usize>(word - (base >> 6))) << 3), inRange(word, from, to))
}

@inline function isTimeToLook(): bool {
  if (--untilLook >= 0) return false
  untilLook = WINDOWS_PER_LOOK - 1
  return true
}

function start(): void {
  untilLook = 0
  beginOrder()
  let postings: i64 = 0
  for (let i = 0; i < total; i++) {
    const c = cursor(i)
    if (!bitsOf(c)) rewind(c)
    postings += docFreq(c)
  }
  // Bits suffice for a minimum of 1; for others every slot is read.
  isSparse =
    minimumShouldMatch() == 1 && postings * WINDOW < <i64>SPARSE * <i64>max(maxDoc, WINDOW)
}

/** The next window that may hold a match: with few postings many are empty. */
function nextBase(base: i32): i32 {
  if (!isSparse || base >= maxDoc) return base
  let lowest = i32.MAX_VALUE
  for (let i = 0; i < total; i++) {
    const c = cursor(i)
    if (bitsOf(c)) return base
    const block = seek(c, base)
    if (block >= blockCount(c)) continue
    decode(c, block)
    const docs = docsOf(c)
    lowest = min(lowest, load<i32>(docs + ((<usize>slotOf(docs, base)) << 2)))
    if (lowest < base + WINDOW) return base
  }
  return lowest & -WINDOW
}

function searchWindow(base: i32, from: i32, to: i32): void {
  let minimum = minimumShouldMatch()
  if (accept && isEmpty(from, to)) return
  if (total == 0) {
    scanAccepted(from, to)
    return
  }
  let essential = 0
  if (prunes()) {
    essential = divide(from, to)
    if (essential < 0) {
      countSkippedRun()
      return
    }
    // Without counting, a document without any clause cannot be a hit.
    if (minimum == 0 && constant() * SLACK < <f64>threshold) minimum = 1
    // With another minimum, matches of non-essential clauses still count towards it.
    if (minimum != 1) essential = 0
    else if (essential == total - 1) {
      proposeOne(inOrder(essential), from, to, essential)
      return
    }
  }
  minValue = sumToReach(threshold) - constant() - boundsUpTo(essential - 1)
  if (minimum == 1 && (isSparse || isSparseFrom(essential))) how = BY_BITS
  else if (isCounting || minimum != 1 || minValue <= 0) how = BY_TALLIES
  else how = isDisMax ? BY_SCORES : BY_LIMIT
  touched = 0
  for (let index = essential; index < total; index++) {
    const c = inOrder(index)
    if (bitsOf(c)) addBits(c, base, from, to)
    else addPostings(c, base, from, to)
  }
  if (how == BY_BITS) scanSparse(base, touched, essential)
  else if (how == BY_LIMIT) scanReached(base, touched, essential)
  else if (how == BY_TALLIES) scanTallied(base, from, to, essential, minimum)
  else scanScores(base, from, to, essential)
}

/** Whether the clauses from an index on have few postings per window, if evenly spread. */
function isSparseFrom(essential: i32): bool {
  let postings: i64 = 0
  for (let index = essential; index < total; index++) {
    const c = inOrder(index)
    postings += bitsOf(c) ? maxDoc : docFreq(c)
  }
  return postings * WINDOW < <i64>FEW * <i64>max(maxDoc, WINDOW)
}

/** Searches several windows at once, if that needs no sums. */
function searchLong(from: i32, to: i32): bool {
  const essential = divide(from, to)
  if (essential < 0) {
    countSkippedRun()
    return true
  }
  // A bit set proposes all of its documents at once, and the buffer holds those of one window.
  if (essential < total - 1 || bitsOf(inOrder(essential))) return false
  proposeOne(inOrder(essential), from, to, essential)
  return true
}

@inline function prunes(): bool {
  return !isCounting && threshold > 0 && !isExhaustive()
}

/** True when the window has no accepted document. */
function isEmpty(from: i32, to: i32): bool {
  const end = accept + (<usize>(to + 63) >> 6 << 3)
  for (let at = accept + (<usize>from >> 6 << 3); at < end; at += 8)
    if (load<u64>(at)) return false
  return true
}

// ---- sums
// -----------------------------------------------------------------------------------------

function addPostings(c: usize, base: i32, from: i32, to: i32): void {
  const blocks = blockCount(c)
  const docs = docsOf(c)
  const block = blockScores()
  const slots = scoresBuffer()
  const bits = windowBits()
  for (let b = seek(c, from); b < blocks; b++) {
    decode(c, b)
    if (load<i32>(docs) >= to) return
    const last = lastDoc(c, b)
    const lo = load<i32>(docs) < from ? slotOf(docs, from) : 0
    const hi = last < to ? countOf(c) : slotOf(docs, to)
    scoreSlots(c, lo, hi, block)
    if (isDisMax) {
      takeBlock(docs, block, lo, hi, base)
      if (how == BY_BITS) noteSlots(docs, lo, hi, base)
    } else if (how == BY_LIMIT) {
      const enough = minValue
      let words: u64 = 0
      for (let i = lo; i < hi; i++) {
        const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
        const at = slots + (slot << 3)
        const sum = load<f64>(at) + <f64>load<f32>(block + ((<usize>i) << 2))
        store<f64>(at, sum)
        // Branch-free: the result is unpredictable. Neighbours seldom share a byte.
        const reaches = sum >= enough
        const byte = bits + (slot >> 3)
        store<u8>(byte, load<u8>(byte) | <u8>(<u32>reaches << (<u32>slot & 7)))
        words |= <u64>reaches << (<u64>slot >> 6)
      }
      touched |= words
    } else if (how == BY_BITS) {
      let words: u64 = 0
      for (let i = lo; i < hi; i++) {
        const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
        const at = slots + (slot << 3)
        store<f64>(at, load<f64>(at) + <f64>load<f32>(block + ((<usize>i) << 2)))
        const word = bits + (slot >> 6 << 3)
        store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>slot & 63)))
        words |= (<u64>1) << (<u64>slot >> 6)
      }
      touched |= words
    } else {
      for (let i = lo; i < hi; i++) {
        const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
        const at = slots + (slot << 3)
        store<f64>(at, load<f64>(at) + <f64>load<f32>(block + ((<usize>i) << 2)))
      }
    }
    if (how == BY_TALLIES) {
      const tally = countsBuffer()
      for (let i = lo; i < hi; i++) {
        const at = tally + (<usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1))
        store<u8>(at, load<u8>(at) + 1)
      }
    }
    if (last >= to - 1) return
  }
}

@inline function noteSlot(bits: usize, slot: usize): void {
  const word = bits + (slot >> 6 << 3)
  touched |= (<u64>1) << (<u64>slot >> 6)
  store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>slot & 63)))
}

/** Marks non-empty slots as bits. */
function noteSlots(docs: usize, lo: i32, hi: i32, base: i32): void {
  const bits = windowBits()
  for (let i = lo; i < hi; i++) {
    const slot = <usize>(load<i32>(docs + ((<usize>i) << 2)) - base) & (WINDOW - 1)
    noteSlot(bits, slot)
  }
}

function addBits(c: usize, base: i32, from: i32, to: i32): void {
  const weight = <f64>weightOf(c)
  const slots = scoresBuffer()
  const bits = windowBits()
  const tally = countsBuffer()
  for (let word = from >> 6; word << 6 < to; word++) {
    let rest = wordOf(bitsOf(c), word, from, to)
    if (how == BY_BITS) {
      const at = bits + ((<usize>word & 63) << 3)
      store<u64>(at, load<u64>(at) | rest)
      if (rest) touched |= (<u64>1) << (<u64>word & 63)
    }
    while (rest) {
      const slot = <usize>((word << 6) + <i32>ctz(rest) - base)
      rest &= rest - 1
      if (isDisMax) takeScore(slot, weightOf(c))
      else {
        const at = slots + (slot << 3)
        const sum = load<f64>(at) + weight
        store<f64>(at, sum)
        if (how == BY_LIMIT && sum >= minValue) noteSlot(bits, slot)
      }
      if (how == BY_TALLIES) store<u8>(tally + slot, load<u8>(tally + slot) + 1)
    }
  }
}
