/**
 * Disjunction max: a match scores the max of its clauses' scores plus `tie`, from 0 to 1, times the
 * sum of the others, computed in double and rounded once.
 *
 * Without a tie breaker the slots of a window hold the max in place of a sum, and non-essential
 * clauses are not evaluated: their scores are below every hit's. With one the slots hold sums, and
 * the maxima lie beside them (`hasMaxima`); both are combined when a window is read, and again when
 * candidates are finished. A clause never adds more to a combined score than its own score, so that
 * bounds add up as those of sums do.
 */
import { hasMaxima, threshold, tie } from './plan'
import {
  blockScores,
  candidateMaxima,
  candidates,
  constant,
  maxima,
  scoresBuffer,
  sums,
} from './plan-record'
import { SLACK } from './cursor'

const WINDOW: i32 = 4096

/** Combines the sum and the max of scores, as `combined` does for the iterators. */
@inline export function combine(sum: f64, highest: f64): f64 {
  return highest + tie * (sum - highest)
}

/** Max that clauses with this sum and this max of bounds add to a score. */
@inline export function maxAdded(sum: f64, highest: f64): f64 {
  return tie > 0 ? combine(sum, highest) : 0
}

// ---- slots of a window --------------------------------------------------------------------------

/** Writes a block's scores of the slots [lo, hi) into the window. */
export function takeBlock(docs: usize, block: usize, lo: i32, hi: i32, base: i32): void {
  const slots = scoresBuffer()
  if (!hasMaxima) {
    for (let i = lo; i < hi; i++) {
      const at = slots + (((<usize>(load<i32>(docs + ((<usize>i) << 2)) - base)) & (WINDOW - 1)) << 3)
      store<f64>(at, max(load<f64>(at), <f64>load<f32>(block + ((<usize>i) << 2))))
    }
    return
  }
  const maximaAt = maxima()
  for (let i = lo; i < hi; i++) {
    const slot = (<usize>(load<i32>(docs + ((<usize>i) << 2)) - base)) & (WINDOW - 1)
    const score = load<f32>(block + ((<usize>i) << 2))
    const at = slots + (slot << 3)
    store<f64>(at, load<f64>(at) + <f64>score)
    const best = maximaAt + (slot << 2)
    store<f32>(best, max(load<f32>(best), score))
  }
}

/** Writes one score into a slot of the window. */
export function takeScore(slot: usize, score: f32): void {
  const at = scoresBuffer() + (slot << 3)
  if (!hasMaxima) {
    store<f64>(at, max(load<f64>(at), <f64>score))
    return
  }
  store<f64>(at, load<f64>(at) + <f64>score)
  const best = maxima() + (slot << 2)
  store<f32>(best, max(load<f32>(best), score))
}

/** Address of the combined scores of 64 slots from `slot` on; computed into a block's buffer. */
export function valuesOf(at: usize, slot: usize): usize {
  const out = blockScores()
  const maximaAt = maxima() + (slot << 2)
  const share = f64x2.splat(tie)
  for (let i: usize = 0; i < 512; i += 16) {
    const best = f64x2.promote_low_f32x4(v128.load64_zero(maximaAt + (i >> 1)))
    const others = f64x2.sub(v128.load(at + i), best)
    v128.store(out + i, f64x2.add(best, f64x2.mul(share, others)))
  }
  return out
}

/** The combined score of a slot. */
export function valueOfSlot(slot: usize): f64 {
  return combine(
    load<f64>(scoresBuffer() + (slot << 3)),
    <f64>load<f32>(maxima() + (slot << 2)),
  )
}

/** Clears the maxima of 64 slots. */
export function emptyMaxima(slot: usize): void {
  const zero = i64x2.splat(0)
  const at = maxima() + (slot << 2)
  for (let i: usize = 0; i < 256; i += 64) {
    v128.store(at + i, zero)
    v128.store(at + i, zero, 16)
    v128.store(at + i, zero, 32)
    v128.store(at + i, zero, 48)
  }
}

/** Clears the max of a slot. */
export function emptySlot(slot: usize): void {
  store<f32>(maxima() + (slot << 2), 0)
}

// ---- candidates ---------------------------------------------------------------------------------

/** Stores a slot of the window as a candidate's sum and max. */
export function setDown(candidate: i32, slot: usize): void {
  const i = <usize>candidate
  store<f64>(sums() + (i << 3), load<f64>(scoresBuffer() + (slot << 3)))
  store<f32>(candidateMaxima() + (i << 2), load<f32>(maxima() + (slot << 2)))
}

/** Raises a candidate's max to a score; the caller adds to its sum. */
@inline export function raiseCandidate(candidate: usize, score: f32): void {
  const at = candidateMaxima() + (candidate << 2)
  store<f32>(at, max(load<f32>(at), score))
}

/** Sets the max of a candidate. */
@inline export function setMaximum(candidate: i32, score: f32): void {
  store<f32>(candidateMaxima() + ((<usize>candidate) << 2), score)
}

/** The combined score of a candidate. */
@inline export function valueOfCandidate(candidate: i32): f64 {
  const i = <usize>candidate
  return combine(load<f64>(sums() + (i << 3)), <f64>load<f32>(candidateMaxima() + (i << 2)))
}

/** Drops candidates whose combined scores do not reach the threshold with `rest` more. */
export function keepReachingValues(found: i32, rest: f64): i32 {
  const all = candidates()
  const scores = sums()
  const maximaAt = candidateMaxima()
  let left = 0
  for (let i = 0; i < found; i++) {
    const value = valueOfCandidate(i)
    store<i32>(all + ((<usize>left) << 2), load<i32>(all + ((<usize>i) << 2)))
    store<f64>(scores + ((<usize>left) << 3), load<f64>(scores + ((<usize>i) << 3)))
    store<f32>(maximaAt + ((<usize>left) << 2), load<f32>(maximaAt + ((<usize>i) << 2)))
    left += <i32>((value + rest) * SLACK >= <f64>threshold)
  }
  return left
}
