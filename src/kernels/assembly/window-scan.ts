/**
 * Reads and clears a window's slots: by scores alone, by the counted clauses beside them, or by
 * bits if few slots are set. Possible hits are kept, or stored as candidates if clauses remain to
 * be evaluated.
 */
import { inRange } from './bits'
import { finish } from './candidates'
import { boundsUpTo } from './clause-order'
import { countSkippedRun } from './counters'
import { emptyMaxima, emptySlot, setDown, valueOfCandidate, valueOfSlot, valuesOf } from './dis-max'
import {
  accept,
  collect,
  count,
  finalScore,
  hasMaxima,
  isAccepted,
  isCounting,
  keep,
  minScore,
  sumToReach,
  threshold,
} from './plan'
import { candidates, constant, countsBuffer, scoresBuffer, sums, windowBits } from './plan-record'

const WINDOW: i32 = 4096

/** Reads the window when only scores above 0 are competitive and nothing is counted. */
export function scanScores(base: i32, from: i32, to: i32, essential: i32): void {
  const slots = scoresBuffer()
  const rest = boundsUpTo(essential - 1) + constant()
  let found = 0
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = slots + ((<usize>((word << 6) - base)) << 3)
    const limit = sumToReach(threshold) - rest
    if (bestOf(at) >= limit) {
      const values = hasMaxima ? valuesOf(at, <usize>((word << 6) - base)) : at
      let hot = slotsFrom(values, limit)
      if (accept) hot &= load<u64>(accept + ((<usize>word) << 3))
      found = takeAll(hot, hot, word, values, essential, found)
    }
    empty(at)
    if (hasMaxima) emptyMaxima(<usize>((word << 6) - base))
  }
  if (found) finish(found, essential)
}

/**
 * Lists the documents of the window's bits, and clears the bits.
 * @param touched which of the 64 words are not 0
 * @returns their number, from `candidates` on
 */
function listNoted(base: i32, touched: u64): i32 {
  const bits = windowBits()
  let end = candidates()
  for (; touched; touched &= touched - 1) {
    const word = <i32>ctz(touched)
    const wordAt = bits + (<usize>word << 3)
    let held = load<u64>(wordAt)
    store<u64>(wordAt, 0)
    const first = base + (word << 6)
    const next = end + (<usize>popcnt(held) << 2)
    // Two at a time, valid or not: a third is rare.
    do {
      store<i32>(end, first + <i32>ctz(held))
      held &= held - 1
      store<i32>(end, first + <i32>ctz(held), 4)
      held &= held - 1
      end += 8
    } while (end < next)
    end = next
  }
  return <i32>((end - candidates()) >> 2)
}

/** Reads the slots marked as sufficient at some time, and clears all. */
export function scanReached(base: i32, touched: u64, essential: i32): void {
  const all = candidates()
  const slots = scoresBuffer()
  const scores = sums()
  const noted = listNoted(base, touched)
  let found: usize = 0
  for (let i: usize = 0; i < (<usize>noted) << 2; i += 4) {
    const doc = load<i32>(all + i)
    store<i32>(all + found, doc)
    store<f64>(scores + (found << 1), load<f64>(slots + (<usize>(doc - base) << 3)))
    found += (<usize>isAccepted(doc)) << 2
  }
  memory.fill(slots, 0, WINDOW << 3)
  finish(<i32>(found >> 2), essential)
}

/** Reads the window by the clauses counted for each slot. */
export function scanTallied(base: i32, from: i32, to: i32, essential: i32, minimum: i32): void {
  const slots = scoresBuffer()
  const tally = countsBuffer()
  const needed = i8x16.splat(<i8>minimum)
  const one = i8x16.splat(1)
  const zero = i64x2.splat(0)
  const rest = boundsUpTo(essential - 1) + constant()
  let found = 0
  for (let word = from >> 6; word << 6 < to; word++) {
    const at = slots + ((<usize>((word << 6) - base)) << 3)
    const counts = tally + <usize>((word << 6) - base)
    let held: u64 = 0
    let touched: u64 = 0
    for (let i: usize = 0; i < 64; i += 16) {
      const sixteen = v128.load(counts + i)
      held |= (<u64>i8x16.bitmask(i8x16.ge_u(sixteen, one))) << <u64>i
      touched |= (<u64>i8x16.bitmask(i8x16.ge_u(sixteen, needed))) << <u64>i
      v128.store(counts + i, zero)
    }
    if (minimum == 0) touched = inRange(word, from, to)
    if (accept) touched &= load<u64>(accept + ((<usize>word) << 3))
    if (isCounting && !(minScore > 0)) count(<i32>popcnt<u64>(touched))
    const limit = sumToReach(isCounting && minScore > 0 ? minScore : threshold) - rest
    if (touched && (limit <= 0 || bestOf(at) >= limit)) {
      const values = hasMaxima ? valuesOf(at, <usize>((word << 6) - base)) : at
      found = takeAll(touched & slotsFrom(values, limit), held, word, values, essential, found)
    }
    if (!held) continue
    empty(at)
    if (hasMaxima) emptyMaxima(<usize>((word << 6) - base))
  }
  if (found) finish(found, essential)
}

/** Reads and clears the slots marked as non-empty. */
export function scanSparse(base: i32, touched: u64, essential: i32): void {
  const all = candidates()
  const slots = scoresBuffer()
  const scores = sums()
  const rest = boundsUpTo(essential - 1) + constant()
  const limit = sumToReach(isCounting && minScore > 0 ? minScore : threshold) - rest
  const noted = listNoted(base, touched)
  let found: usize = 0
  let admitted = 0
  for (let i: usize = 0; i < (<usize>noted) << 2; i += 4) {
    const doc = load<i32>(all + i)
    const slot = <usize>(doc - base)
    const value = hasMaxima ? valueOfSlot(slot) : load<f64>(slots + (slot << 3))
    const may = isAccepted(doc)
    admitted += <i32>may
    store<i32>(all + found, doc)
    if (hasMaxima) {
      setDown(<i32>(found >> 2), slot)
      emptySlot(slot)
    } else store<f64>(scores + (found << 1), value)
    store<f64>(slots + (slot << 3), 0)
    found += (<usize>(may && value >= limit)) << 2
  }
  if (!(isCounting && minScore > 0)) {
    if (isCounting) count(admitted)
    finish(<i32>(found >> 2), essential)
    return
  }
  // Only the score decides and no clause remains, so no candidate is dropped here.
  for (let i: usize = 0; i < found; i += 4) {
    const value = hasMaxima ? valueOfCandidate(<i32>(i >> 2)) : load<f64>(scores + (i << 1))
    collect(load<i32>(all + i), finalScore(constant(), value, true))
  }
}

/** Collects every accepted document with the same score. */
export function scanAccepted(from: i32, to: i32): void {
  const score = <f32>constant()
  const counts = isCounting && score >= minScore
  if (!counts && score < threshold) {
    countSkippedRun()
    return
  }
  for (let word = from >> 6; word << 6 < to; word++) {
    let bits = inRange(word, from, to)
    if (accept) bits &= load<u64>(accept + ((<usize>word) << 3))
    if (counts) count(<i32>popcnt<u64>(bits))
    for (; bits && score >= threshold; bits &= bits - 1) keep((word << 6) + <i32>ctz(bits), score)
  }
}

/** Clears 64 slots; for so few bytes a fill would cost more to call than to run. */
@inline function empty(at: usize): void {
  const zero = i64x2.splat(0)
  for (let i: usize = 0; i < 512; i += 64) {
    v128.store(at + i, zero)
    v128.store(at + i, zero, 16)
    v128.store(at + i, zero, 32)
    v128.store(at + i, zero, 48)
  }
}

/** Mask of those of 64 sums that are at least `limit`. */
function slotsFrom(at: usize, limit: f64): u64 {
  const enough = f64x2.splat(limit)
  let hot: u64 = 0
  for (let i: usize = 0; i < 512; i += 64) {
    const above =
      i64x2.bitmask(f64x2.ge(v128.load(at + i), enough)) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 16), enough)) << 2) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 32), enough)) << 4) |
      (i64x2.bitmask(f64x2.ge(v128.load(at + i, 48), enough)) << 6)
    hot |= (<u64>above) << (<u64>i >> 3)
  }
  return hot
}

/** The max of 64 sums. */
@inline function bestOf(at: usize): f64 {
  let a = v128.load(at)
  let b = v128.load(at, 16)
  for (let i: usize = 32; i < 512; i += 32) {
    a = f64x2.pmax(a, v128.load(at + i))
    b = f64x2.pmax(b, v128.load(at + i, 16))
  }
  a = f64x2.pmax(a, b)
  return max(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1))
}

function takeAll(hot: u64, held: u64, word: i32, values: usize, essential: i32, given: i32): i32 {
  let found = given
  for (; hot; hot &= hot - 1) {
    const bit = ctz(hot)
    const value = load<f64>(values + (<usize>bit << 3))
    found = take((word << 6) + <i32>bit, value, ((held >> bit) & 1) != 0, essential, found)
  }
  return found
}

/** Keeps a document, or stores it as a candidate if clauses remain to be evaluated. */
@inline function take(doc: i32, value: f64, has: bool, essential: i32, found: i32): i32 {
  if (essential > 0) {
    store<i32>(candidates() + ((<usize>found) << 2), doc)
    if (hasMaxima) setDown(found, <usize>doc & (WINDOW - 1))
    else store<f64>(sums() + ((<usize>found) << 3), value)
    return found + 1
  }
  const score = finalScore(constant(), has ? value : 0, has)
  if (isCounting && minScore > 0) collect(doc, score)
  else if (score >= threshold) keep(doc, score)
  return found
}
