/** Asks a required term about the documents that those before it have left. */
import { blockCount, lastDoc, membersOf, placesOf, SLACK, windowBound } from './cursor'
import { seek } from './cursor-blocks'
import { blockBound } from './cursor-bounds'
import { countSkippedBlocks } from './counters'
import { behind } from './intersect'
import { findMembers } from './membership'
import { isPhrase, leadSlots, matches, narrowed, needsScores, optionalCount, threshold } from './plan'
import { prunes, termAt } from './required-terms'
import { membersAmong } from './term-set'

/** A term has no documents behind those that were asked about. */
export let isOver: bool = false
/** Scores or positions are asked for. */
export let needsPlaces: bool = false

/** Resets the state; called at the start of a search. */
export function beginNarrowing(): void {
  isOver = false
  needsPlaces = isPhrase() || needsScores() || optionalCount() > 0
}

/**
 * Leaves those of `docs[from, to)` that a term has too, in `matches`, and notes where it has them: block
 * number times 128 and slot. The documents are those of the lead's block itself, or matches.
 * @param othersBound where `prunes`: what all terms but the lead add at most
 * @returns how many are left
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
      // What does not rise, which no writer makes, must not leave the buffers.
      const both = min(next - from, findMembers(c, b, docs, from, next, kept, slots))
      const found = (<usize>both) << 2
      for (let i: usize = 0; i < found; i += 4)
        store<i32>(out + left + i, load<i32>(docs + ((<usize>load<i32>(kept + i)) << 2)))
      if (needsPlaces) {
        movePlaces(term, isWhole, kept, found, left)
        const places = placesOf(c) + left
        for (let i: usize = 0; i < found; i += 4)
          store<i32>(places + i, load<i32>(slots + i) | (b << 7))
      }
      left += found
    }
    from = next
  }
  return <i32>(left >> 2)
}

/**
 * The same for a term that has a set, before any that has none: where it has the documents is asked when
 * they are scored.
 */
export function narrowBySet(c: usize, docs: usize, from: i32, to: i32): i32 {
  const out = matches()
  const kept = narrowed()
  const left = membersAmong(c, docs, from, to, kept)
  const found = (<usize>left) << 2
  for (let i: usize = 0; i < found; i += 4)
    store<i32>(out + i, load<i32>(docs + ((<usize>load<i32>(kept + i)) << 2)))
  if (needsPlaces) movePlaces(1, docs != out, kept, found, 0)
  return left
}

/** Moves the places of the terms before one to those of the matches that are left. */
function movePlaces(term: i32, isWhole: bool, kept: usize, found: usize, to: usize): void {
  const lead = placesOf(termAt(0)) + to
  if (isWhole) {
    for (let i: usize = 0; i < found; i += 4) store<i32>(lead + i, load<i32>(kept + i))
    return
  }
  for (let t = 0; t < term; t++) {
    // Of a set they are not known yet.
    if (t > 0 && membersOf(termAt(t))) continue
    const places = placesOf(termAt(t))
    for (let i: usize = 0; i < found; i += 4)
      store<i32>(places + to + i, load<i32>(places + ((<usize>load<i32>(kept + i)) << 2)))
  }
}
