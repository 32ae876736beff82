/**
 * Candidates of a window: documents that essential clauses propose, with the sums of their scores.
 * The non-essential clauses are advanced to them while they may reach the threshold.
 */
import { wordOf } from './bits'
import { boundsUpTo, inOrder, narrow } from './clause-order'
import { bitsOf, blockCount, countOf, docsOf, lastDoc, membersOf, SLACK, weightOf, windowBound } from './cursor'
import { decode, seek, slotOf } from './cursor-blocks'
import { blockBound } from './cursor-bounds'
import { scoreList, scoreOrds, scoreSlots } from './cursor-scores'
import { keepReachingValues, raiseCandidate, setMaximum, valueOfCandidate } from './dis-max'
import { countCandidates, countSkippedBlocks } from './counters'
import { behind } from './intersect'
import { findMembers } from './membership'
import {
  accept,
  finalScore,
  hasMaxima,
  isAccepted,
  isDisMax,
  keep,
  sumToReach,
  threshold,
} from './plan'
import {
  blockScores,
  candidates,
  constant,
  leadDocs,
  leadSlots,
  matches,
  narrowed,
  patternsOfFour,
  sums,
} from './plan-record'
import { membersAmong, ordOf } from './term-bit-set'

/** Max candidates probed in a set at once. */
const MAX_PROBED: i32 = 128

/**
 * Candidates of the only essential clause: its documents that may reach the threshold with the
 * bounds of the other clauses, which are recomputed for each block, as they are tighter than the
 * window's.
 */
export function proposeOne(c: usize, from: i32, to: i32, essential: i32): void {
  const all = candidates()
  const scores = sums()
  let found = 0
  let others = boundsUpTo(essential - 1) + constant()
  if (bitsOf(c)) {
    for (let word = from >> 6; word << 6 < to; word++) {
      let bits = wordOf(bitsOf(c), word, from, to)
      if (accept) bits &= load<u64>(accept + ((<usize>word) << 3))
      while (bits) {
        store<i32>(all + ((<usize>found) << 2), (word << 6) + <i32>ctz(bits))
        store<f64>(scores + ((<usize>found) << 3), <f64>weightOf(c))
        if (hasMaxima) setMaximum(found, weightOf(c))
        found++
        bits &= bits - 1
      }
    }
    finish(found, essential)
    return
  }
  const docs = docsOf(c)
  const block = blockScores()
  const blocks = blockCount(c)
  for (let b = seek(c, from); b < blocks; b++) {
    const last = lastDoc(c, b)
    const own = blockBound(c, b)
    const first = max(from, b == 0 ? 0 : lastDoc(c, b - 1) + 1)
    if (first >= to) break
    // The bounds of the last block are not valid for this one.
    if (essential > 0) others = narrow(first, min(last, to - 1), essential) + constant()
    if ((own + others) * SLACK < <f64>threshold) {
      countSkippedBlocks(1)
      if (last >= to - 1) break
      continue
    }
    decode(c, b)
    if (load<i32>(docs) >= to) break
    const lo = load<i32>(docs) < from ? slotOf(docs, from) : 0
    const hi = last < to ? countOf(c) : slotOf(docs, to)
    scoreSlots(c, lo, hi, block)
    found = takePromising(docs, lo, hi, scoreToReach(others))
    if (found) finish(found, essential)
    found = 0
    if (last >= to - 1) break
  }
}

/** Takes the decoded block's slots in [lo, hi) with sufficient scores and accepted documents. */
function takePromising(docs: usize, lo: i32, hi: i32, needed: f32): i32 {
  const all = candidates()
  const own = matches()
  const block = blockScores()
  const enough = f32x4.splat(needed)
  const patterns = patternsOfFour()
  let end: usize = 0
  for (let i = lo & ~3; i < hi; i += 4) {
    const scores = v128.load(block + ((<usize>i) << 2))
    let mask = i32x4.bitmask(f32x4.ge(scores, enough))
    if (i < lo) mask &= 15 << (lo - i)
    if (i + 4 > hi) mask &= 15 >> (i + 4 - hi)
    // A table lookup: a branch on the mask would be unpredictable.
    const order = v128.load(patterns + ((<usize>mask) << 4))
    v128.store(all + end, i8x16.swizzle(v128.load(docs + ((<usize>i) << 2)), order))
    v128.store(own + end, i8x16.swizzle(scores, order))
    end += (<usize>popcnt(mask)) << 2
  }
  const sum = sums()
  let kept: usize = 0
  for (let i: usize = 0; i < end; i += 4) {
    const doc = load<i32>(all + i)
    const score = load<f32>(own + i)
    store<i32>(all + kept, doc)
    store<f64>(sum + (kept << 1), <f64>score)
    if (hasMaxima) setMaximum(<i32>(kept >> 2), score)
    kept += (<usize>isAccepted(doc)) << 2
  }
  return <i32>(kept >> 2)
}

/**
 * Advances the non-essential clauses to the candidates, highest bound first. Works by runs of
 * candidates that share a block, in loops without data-dependent branches, which would be
 * unpredictable.
 */
export function finish(given: i32, essential: i32): void {
  countCandidates(given)
  const all = candidates()
  const scores = sums()
  let found = given
  // For a maximum without a tie breaker, non-essential clauses cannot change a hit's score.
  const asked = isDisMax && !hasMaxima ? 0 : essential
  for (let index = asked - 1; index >= 0 && found > 0; index--) {
    const c = inOrder(index)
    // Bounds ascend: the others have no document in the window either, or add nothing.
    if (windowBound(c) == 0) break
    const below = boundsUpTo(index - 1) + constant()
    if (bitsOf(c)) addFromBits(c, found)
    else if (membersOf(c))
      for (let from = 0; from < found; from += MAX_PROBED) addFromSet(c, from, min(found, from + MAX_PROBED), below)
    else {
      const blocks = blockCount(c)
      for (let from = 0; from < found; ) {
        const b = seek(c, load<i32>(all + ((<usize>from) << 2)))
        if (b >= blocks) break
        const to = behind(all, from, min(found, from + 128), lastDoc(c, b))
        if (mayReach(from, to, blockBound(c, b) + below)) addFromBlock(c, b, from, to)
        from = to
      }
    }
    found = hasMaxima ? keepReachingValues(found, below) : keepReaching(found, below)
  }
  for (let i = 0; i < found; i++) {
    const value = hasMaxima ? valueOfCandidate(i) : load<f64>(scores + ((<usize>i) << 3))
    const score = finalScore(constant(), value, true)
    if (score >= threshold) keep(load<i32>(all + ((<usize>i) << 2)), score)
  }
}

/** Min score to reach the threshold if other clauses add up to `rest`; rounded down. */
@inline function scoreToReach(rest: f64): f32 {
  const needed = sumToReach(threshold) - rest
  return needed <= 0 ? 0 : <f32>(needed * (1.0 - 1.0 / 4194304.0))
}

/** Whether any candidate in [from, to) reaches the threshold with `rest` more. */
function mayReach(from: i32, to: i32, rest: f64): bool {
  const scores = sums()
  // Lanes before and after may belong to another run, which only weakens the test.
  let highest = f64x2.splat(0)
  for (let i = (<usize>(from & ~1)) << 3; i < (<usize>to) << 3; i += 16)
    highest = f64x2.pmax(highest, v128.load(scores + i))
  const best = max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1))
  return (best + rest) * SLACK >= <f64>threshold
}

/** Drops candidates that do not reach the threshold with `rest` more. */
function keepReaching(found: i32, rest: f64): i32 {
  const all = candidates()
  const scores = sums()
  let left = 0
  for (let i = 0; i < found; i++) {
    const sum = load<f64>(scores + ((<usize>i) << 3))
    store<i32>(all + ((<usize>left) << 2), load<i32>(all + ((<usize>i) << 2)))
    store<f64>(scores + ((<usize>left) << 3), sum)
    left += <i32>((sum + rest) * SLACK >= <f64>threshold)
  }
  return left
}

function addFromBits(c: usize, found: i32): void {
  const all = candidates()
  const scores = sums()
  const bits = bitsOf(c)
  const weight = <f64>weightOf(c)
  for (let i = 0; i < found; i++) {
    const doc = load<u32>(all + ((<usize>i) << 2))
    const at = scores + ((<usize>i) << 3)
    const bit = (<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1
    store<f64>(at, load<f64>(at) + weight * <f64>bit)
    if (hasMaxima && bit) raiseCandidate(<usize>i, weightOf(c))
  }
}

/** Adds the scores of a term with a bit set to the candidates in [from, to), max 128. */
function addFromSet(c: usize, from: i32, to: i32, below: f64): void {
  const all = candidates()
  const scores = sums()
  const indices = leadDocs()
  const docs = matches()
  const ords = leadSlots()
  const have = membersAmong(c, all, from, to, indices)
  let left: usize = 0
  for (let i: usize = 0; i < (<usize>have) << 2; i += 4) {
    const index = load<usize>(indices + i)
    const doc = load<u32>(all + (index << 2))
    const ord = ordOf(c, doc)
    const rest = blockBound(c, ord >> 7) + below
    store<usize>(indices + left, index)
    store<u32>(docs + left, doc)
    store<u32>(ords + left, ord)
    left += (<usize>!((load<f64>(scores + (index << 3)) + rest) * SLACK < <f64>threshold)) << 2
  }
  if (!left) return
  const out = blockScores()
  scoreOrds(c, docs, ords, <i32>(left >> 2), narrowed(), out)
  addScored(indices, left, out)
}

/** Adds a block's scores to the candidates in [from, to) that it holds, max 128. */
function addFromBlock(c: usize, block: i32, from: i32, to: i32): void {
  const all = candidates()
  const indices = leadDocs()
  const slots = leadSlots()
  const both = min(to - from, findMembers(c, block, all, from, to, indices, slots))
  if (both <= 0) return
  const matching = (<usize>both) << 2
  const docs = matches()
  for (let i: usize = 0; i < matching; i += 4)
    store<i32>(docs + i, load<i32>(all + ((<usize>load<i32>(indices + i)) << 2)))
  const out = blockScores()
  scoreList(c, block, docs, slots, both, out)
  addScored(indices, matching, out)
}

/** Adds float32 scores to the candidates with the given indices. */
function addScored(indices: usize, bytes: usize, scores: usize): void {
  for (let i: usize = 0; i < bytes; i += 4) {
    const at = sums() + ((<usize>load<i32>(indices + i)) << 3)
    store<f64>(at, load<f64>(at) + <f64>load<f32>(scores + i))
  }
  if (!hasMaxima) return
  for (let i: usize = 0; i < bytes; i += 4)
    raiseCandidate(<usize>load<i32>(indices + i), load<f32>(scores + i))
}
