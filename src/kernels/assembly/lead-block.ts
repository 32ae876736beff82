/** Selects the documents of the leading term's block that the other terms are probed with. */
import { docsOf, isConstant, ordsOf } from './cursor'
import { scoreSlots } from './cursor-scores'
import { accept, isAccepted, sumToReach, threshold } from './plan'
import { blockScores, cursor, isPhrase, matches, patternsOfFour, slop } from './plan-record'
import { termAt } from './required-terms'

/**
 * Takes the lead's accepted slots in [from, to): the documents to `matches`, the slots to the
 * lead's `ordsOf`.
 */
export function takeAccepted(from: i32, to: i32): i32 {
  const lead = termAt(0)
  const all = docsOf(lead)
  const docs = matches()
  const ords = ordsOf(lead)
  let kept: usize = 0
  if (!accept) {
    for (let i = from; i < to; i++) {
      store<i32>(docs + kept, load<i32>(all + ((<usize>i) << 2)))
      store<i32>(ords + kept, i)
      kept += 4
    }
    return to - from
  }
  for (let i = from; i < to; i++) {
    const doc = load<i32>(all + ((<usize>i) << 2))
    store<i32>(docs + kept, doc)
    store<i32>(ords + kept, i)
    kept += (<usize>isAccepted(doc)) << 2
  }
  return <i32>(kept >> 2)
}

/** Makes `patternsOfFour` at an address. */
export function makePatterns(at: usize): void {
  let out = at
  for (let set: u32 = 0; set < 16; set++) {
    out = at + ((<usize>set) << 4)
    for (let lanes = set; lanes; lanes &= lanes - 1) {
      store<u32>(out, 0x03020100 + 0x04040404 * <u32>ctz(lanes))
      out += 4
    }
  }
}

/** Keeps the accepted ones of the first matches. */
function keepAccepted(end: usize): i32 {
  const docs = matches()
  const ords = ordsOf(termAt(0))
  let kept: usize = 0
  for (let i: usize = 0; i < end; i += 4) {
    const doc = load<i32>(docs + i)
    store<i32>(docs + kept, doc)
    store<i32>(ords + kept, load<i32>(ords + i))
    kept += (<usize>isAccepted(doc)) << 2
  }
  return <i32>(kept >> 2)
}

/**
 * Takes slots that may reach the threshold by their score in the lead plus the max of all other
 * clauses; −1: scores do not select, take all.
 */
export function takePromising(from: i32, to: i32, othersBound: f64): i32 {
  const lead = termAt(0)
  // A sloppy phrase may occur more often than any of its terms.
  if (slop() > 0 || isConstant(lead)) return -1
  // An exact phrase occurs no more often than its leading term, which may differ from this lead.
  if (isPhrase() && lead != cursor(0)) return -1
  const needed = sumToReach(threshold) - othersBound
  // Nor if a corrupt bound is NaN.
  if (!(needed > 0)) return -1
  const all = docsOf(lead)
  const docs = matches()
  const ords = ordsOf(lead)
  const scores = blockScores()
  scoreSlots(lead, from, to, scores)
  const patterns = patternsOfFour()
  const enough = f32x4.splat(<f32>(needed * (1.0 - 1.0 / 4194304.0)))
  let kept: usize = 0
  for (let i = from & ~3; i < to; i += 4) {
    let mask = i32x4.bitmask(f32x4.ge(v128.load(scores + ((<usize>i) << 2)), enough))
    if (i < from) mask &= 15 << (from - i)
    if (i + 4 > to) mask &= 15 >> (i + 4 - to)
    const slots = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3))
    // A table lookup: a branch on the mask would be unpredictable.
    const order = v128.load(patterns + ((<usize>mask) << 4))
    v128.store(docs + kept, i8x16.swizzle(v128.load(all + ((<usize>i) << 2)), order))
    v128.store(ords + kept, i8x16.swizzle(slots, order))
    kept += (<usize>popcnt(mask)) << 2
  }
  return accept ? keepAccepted(kept) : <i32>(kept >> 2)
}
