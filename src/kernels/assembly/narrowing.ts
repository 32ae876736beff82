/** Intersects the matches of the terms so far with the next required term. */
import { blockCount, lastDoc, membersOf, ordsOf, SLACK, windowBound } from './cursor'
import { seek } from './cursor-blocks'
import { blockBound } from './cursor-bounds'
import { countSkippedBlocks } from './counters'
import { behind } from './intersect'
import { findMembers } from './membership'
import { needsScores, threshold } from './plan'
import { isPhrase, leadSlots, matches, narrowed, optionalCount } from './plan-record'
import { prunes, termAt } from './required-terms'
import { membersAmong } from './term-bit-set'

/** Whether a term has no documents behind the current matches. */
export let isOver: bool = false
/** Whether scores or positions are needed, and so the posting ords of matches. */
export let needsOrds: bool = false

/** Resets the state; called at the start of a search. */
export function beginNarrowing(): void {
  isOver = false
  needsOrds = isPhrase() || needsScores() || optionalCount() > 0
}

/**
 * Intersects `docs[from, to)` with a term into `matches`, and records the matches' posting ords in
 * it: block · 128 + slot. The documents are those of the lead's block itself, or matches.
 * @param othersBound for `prunes`: max that all terms but the lead add
 * @returns the number of matches
 */
export function narrowBy(
  term: i32, docs: usize, from: i32, to: i32, leadBlock: i32, othersBound: f64,
): i32 {
  const c = termAt(term)
  const blocks = blockCount(c)
  const out = matches()
  const isWhole = docs != out
  const kept = narrowed()
  const slots = leadSlots()
  const skips = prunes() && !isPhrase()
  let rest: f64 = 0
  if (skips) rest = othersBound - windowBound(c) + blockBound(termAt(0), leadBlock)
  let left: usize = 0
  while (from < to) {
    const b = seek(c, load<i32>(docs + ((<usize>from) << 2)))
    if (b >= blocks) {
      isOver = true
      break
    }
    const next = behind(docs, from, to, lastDoc(c, b))
    if (skips && (rest + blockBound(c, b)) * SLACK < <f64>threshold) countSkippedBlocks(1)
    else {
      // Corrupt, non-ascending documents must not overflow the buffers.
      const both = min(next - from, findMembers(c, b, docs, from, next, kept, slots))
      const found = (<usize>both) << 2
      for (let i: usize = 0; i < found; i += 4)
        store<i32>(out + left + i, load<i32>(docs + ((<usize>load<i32>(kept + i)) << 2)))
      if (needsOrds) {
        moveOrds(term, isWhole, kept, found, left)
        const ords = ordsOf(c) + left
        for (let i: usize = 0; i < found; i += 4)
          store<i32>(ords + i, load<i32>(slots + i) | (b << 7))
      }
      left += found
    }
    from = next
  }
  return <i32>(left >> 2)
}

/**
 * The same for a term with a bit set, before all terms without one: its posting ords are computed
 * when matches are scored.
 */
export function narrowBySet(c: usize, docs: usize, from: i32, to: i32): i32 {
  const out = matches()
  const kept = narrowed()
  const left = membersAmong(c, docs, from, to, kept)
  const found = (<usize>left) << 2
  for (let i: usize = 0; i < found; i += 4)
    store<i32>(out + i, load<i32>(docs + ((<usize>load<i32>(kept + i)) << 2)))
  if (needsOrds) moveOrds(1, docs != out, kept, found, 0)
  return left
}

/** Compacts the posting ords of earlier terms to the remaining matches. */
function moveOrds(term: i32, isWhole: bool, kept: usize, found: usize, to: usize): void {
  const lead = ordsOf(termAt(0)) + to
  if (isWhole) {
    for (let i: usize = 0; i < found; i += 4) store<i32>(lead + i, load<i32>(kept + i))
    return
  }
  for (let t = 0; t < term; t++) {
    // Not known yet for a term with a bit set.
    if (t > 0 && membersOf(termAt(t))) continue
    const ords = ordsOf(termAt(t))
    for (let i: usize = 0; i < found; i += 4)
      store<i32>(ords + to + i, load<i32>(ords + ((<usize>load<i32>(kept + i)) << 2)))
  }
}
