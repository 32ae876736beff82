/**
 * The best of several clauses: a match scores the largest of their scores and `tie`, which is from 0
 * to 1, times the sum of the others, made in double and rounded once.
 *
 * Without a tie breaker the slots of a window hold the largest score in place of a sum, and clauses
 * that are not essential need not be asked: what they score is below every hit. With one the slots
 * hold sums, and the largest scores lie beside them (`hasMaxima`); both make a value where a window
 * is read off, and again where candidates are done with. What some clauses add to a value is never
 * more than their own value, so that bounds add up as those of sums do.
 */
import {
  blockScores,
  candidateMaxima,
  candidates,
  constant,
  hasMaxima,
  maxima,
  scoresBuffer,
  sums,
  threshold,
  tie,
} from './plan'
import { SLACK } from './cursor'

const WINDOW: i32 = 4096

/** The value of a sum of scores and the largest of them, as `combined` has it for the iterators. */
@inline export function combine(sum: f64, most: f64): f64 {
  return most + tie * (sum - most)
}

/** What clauses whose bounds have this sum and this maximum add to a value at most. */
@inline export function mostAdded(sum: f64, most: f64): f64 {
  return tie > 0 ? combine(sum, most) : 0
}

// ---- slots of a window --------------------------------------------------------------------------

/** Takes a block's scores of the slots [lo, hi) into the window. */
export function takeBlock(docs: usize, block: usize, lo: i32, hi: i32, base: i32): void {
  const slots = scoresBuffer()
  if (!hasMaxima) {
    for (let i = lo; i < hi; i++) {
      const at = slots + (((<usize>(load<i32>(docs + ((<usize>i) << 2)) - base)) & (WINDOW - 1)) << 3)
      store<f64>(at, max(load<f64>(at), <f64>load<f32>(block + ((<usize>i) << 2))))
    }
    return
  }
  const most = maxima()
  for (let i = lo; i < hi; i++) {
    const slot = (<usize>(load<i32>(docs + ((<usize>i) << 2)) - base)) & (WINDOW - 1)
    const score = load<f32>(block + ((<usize>i) << 2))
    const at = slots + (slot << 3)
    store<f64>(at, load<f64>(at) + <f64>score)
    const best = most + (slot << 2)
    store<f32>(best, max(load<f32>(best), score))
  }
}

/** Takes one score into a slot of the window. */
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

/** Where the values of 64 slots lie that are at `at`, from `slot` on: made in a block's buffer. */
export function valuesOf(at: usize, slot: usize): usize {
  const out = blockScores()
  const most = maxima() + (slot << 2)
  const share = f64x2.splat(tie)
  for (let i: usize = 0; i < 512; i += 16) {
    const best = f64x2.promote_low_f32x4(v128.load64_zero(most + (i >> 1)))
    const others = f64x2.sub(v128.load(at + i), best)
    v128.store(out + i, f64x2.add(best, f64x2.mul(share, others)))
  }
  return out
}

/** The score of a slot: its largest clause, and a share of the others. */
export function valueOfSlot(slot: usize): f64 {
  return combine(
    load<f64>(scoresBuffer() + (slot << 3)),
    <f64>load<f32>(maxima() + (slot << 2)),
  )
}

/** Empties the maxima of 64 slots. */
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

/** Sets the largest score of a slot to 0. */
export function emptySlot(slot: usize): void {
  store<f32>(maxima() + (slot << 2), 0)
}

// ---- candidates ---------------------------------------------------------------------------------

/** Sets a slot of the window down as a candidate's sum and maximum. */
export function setDown(candidate: i32, slot: usize): void {
  const i = <usize>candidate
  store<f64>(sums() + (i << 3), load<f64>(scoresBuffer() + (slot << 3)))
  store<f32>(candidateMaxima() + (i << 2), load<f32>(maxima() + (slot << 2)))
}

/** A candidate has this score too; its sum is the caller's. */
@inline export function raiseCandidate(candidate: usize, score: f32): void {
  const at = candidateMaxima() + (candidate << 2)
  store<f32>(at, max(load<f32>(at), score))
}

/** Sets the largest score of a candidate. */
@inline export function setMaximum(candidate: i32, score: f32): void {
  store<f32>(candidateMaxima() + ((<usize>candidate) << 2), score)
}

/** The score of a candidate: its largest clause, and a share of the others. */
@inline export function valueOfCandidate(candidate: i32): f64 {
  const i = <usize>candidate
  return combine(load<f64>(sums() + (i << 3)), <f64>load<f32>(candidateMaxima() + (i << 2)))
}

/** Leaves out the candidates whose values do not reach the threshold with `rest` more. */
export function keepReachingValues(found: i32, rest: f64): i32 {
  const all = candidates()
  const scores = sums()
  const most = candidateMaxima()
  let left = 0
  for (let i = 0; i < found; i++) {
    const value = valueOfCandidate(i)
    store<i32>(all + ((<usize>left) << 2), load<i32>(all + ((<usize>i) << 2)))
    store<f64>(scores + ((<usize>left) << 3), load<f64>(scores + ((<usize>i) << 3)))
    store<f32>(most + ((<usize>left) << 2), load<f32>(most + ((<usize>i) << 2)))
    left += <i32>((value + rest) * SLACK >= <f64>threshold)
  }
  return left
}
