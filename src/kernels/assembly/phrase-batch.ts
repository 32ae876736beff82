/**
 * Matches an exact phrase on documents of a block that all its terms have. The leading term's
 * positions lie in eight lanes, shifted by phrase offset; every other term keeps the lanes that
 * equal one of its shifted positions. Documents with more positions are walked one by one.
 */
import { offsetOf, ordsOf } from './cursor'
import { openRuns, positionsOf, runStart, startPositions } from './cursor-positions'
import { freqAt, freqsAt, scoreOf } from './cursor-scores'
import { countPositions } from './counters'
import { exactFrequency } from './phrase'
import { collect, threshold } from './plan'
import {
  candidates,
  constant,
  cursor,
  leadSlots,
  matches,
  narrowed,
  phraseWeight,
} from './plan-record'
import { beginPositions, unpackBlock } from './position-block'
import { prunes, terms } from './required-terms'

/** Positions of the leading term compared at once. */
const LANES: i32 = 8
/** No position; shifted positions are all below. */
const NONE: i16 = -1
const FURTHEST: i32 = 0x4000

/** By match: not 0 if it must be walked; and the lanes of the leading term, i16. */
@inline function isOpen(): usize {
  return candidates()
}
@inline function lanes(): usize {
  return candidates() + 1024
}

/**
 * Matches the phrase on the first `given` matches, with posting ords in every term's `ordsOf`.
 */
export function finishExact(given: i32): void {
  let found = prunes() ? keepReaching(given) : given
  let maxOffset = 0
  for (let i = 0; i < terms; i++) maxOffset = max(maxOffset, offsetOf(cursor(i)))
  if (maxOffset < FURTHEST) {
    beginPositions()
    propose(maxOffset - offsetOf(cursor(0)), found)
    for (let i = 1; i < terms && found > 0; i++) found = meet(i, maxOffset - offsetOf(cursor(i)), found)
  } else memory.fill(isOpen(), 1, <usize>found << 2)
  const docs = matches()
  for (let k = 0; k < found; k++) {
    const left = v128.load(lanes() + (<usize>k << 4))
    const freq = load<i32>(isOpen() + ((<usize>k) << 2))
      ? walk(k)
      : <i32>popcnt(i16x8.bitmask(i16x8.ge_s(left, i16x8.splat(0))))
    const doc = load<i32>(docs + ((<usize>k) << 2))
    if (freq > 0) collect(doc, <f32>phraseSum(<f32>freq, doc))
  }
}

/**
 * Drops matches below the threshold even if every occurrence of the rarest term is in the phrase.
 */
function keepReaching(found: i32): i32 {
  const docs = matches()
  const freqs = leadSlots()
  const kept = narrowed()
  freqsAt(cursor(0), ordsOf(cursor(0)), found, freqs)
  let left: usize = 0
  for (let at: usize = 0; at < (<usize>found) << 2; at += 4) {
    const bound = <f32>phraseSum(<f32>load<i32>(freqs + at), load<i32>(docs + at))
    store<usize>(kept + left, at)
    left += (<usize>(bound >= threshold)) << 2
  }
  keepOnly(kept, left)
  return <i32>(left >> 2)
}

/** Keeps the matches at these offsets. */
function keepOnly(offsets: usize, end: usize): void {
  const docs = matches()
  for (let i: usize = 0; i < end; i += 4) store<i32>(docs + i, load<i32>(docs + load<usize>(offsets + i)))
  for (let term = 0; term < terms; term++) {
    const ords = ordsOf(cursor(term))
    for (let i: usize = 0; i < end; i += 4)
      store<i32>(ords + i, load<i32>(ords + load<usize>(offsets + i)))
  }
}

/** Loads the leading term's positions, shifted, into lanes. */
function propose(shift: i32, found: i32): void {
  const c = cursor(0)
  const ords = ordsOf(c)
  const positions = positionsOf(c)
  const moved = i16x8.splat(<i16>shift)
  const none = i16x8.splat(NONE)
  const order = i16x8(0, 1, 2, 3, 4, 5, 6, 7)
  const out = lanes()
  const open = isOpen()
  let block = -1
  let end = 0
  let read = 0
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const ord = load<i32>(ords + i)
    if (ord >> 7 != block) {
      block = ord >> 7
      openRuns(c, block)
      const isSole = i + 4 == (<usize>found) << 2 || load<i32>(ords + i, 4) >> 7 != block
      end = unpackBlock(c, block, ord & 127, isSole)
    }
    const count = freqAt(c, ord & 127)
    const start = runStart(c, ord & 127)
    // Corrupt frequencies make the sums arbitrary: check them.
    const isHere = count <= LANES && <u32>start < <u32>end
    const own = v128.load(positions + (<usize>select<i32>(start, 0, isHere) << 1))
    const isThere = i16x8.lt_s(order, i16x8.splat(<i16>count))
    v128.store(out + (i << 2), v128.bitselect(i16x8.add(own, moved), none, isThere))
    store<i32>(open + i, <i32>!isHere)
    read += count
  }
  countPositions(read)
}

/** Keeps the matches in which a term's positions, shifted, equal some remaining lane. */
function meet(term: i32, shift: i32, found: i32): i32 {
  const c = cursor(term)
  const ords = ordsOf(c)
  const positions = positionsOf(c)
  const moved = i16x8.splat(<i16>shift)
  const none = i16x8.splat(NONE)
  const kept = narrowed()
  const all = lanes()
  const open = isOpen()
  let block = -1
  let end = 0
  let left: usize = 0
  let read = 0
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const ord = load<i32>(ords + i)
    if (ord >> 7 != block) {
      block = ord >> 7
      openRuns(c, block)
      const isSole = i + 4 == (<usize>found) << 2 || load<i32>(ords + i, 4) >> 7 != block
      end = unpackBlock(c, block, ord & 127, isSole)
    }
    const count = freqAt(c, ord & 127)
    const start = runStart(c, ord & 127)
    const isHere = <u32>start < <u32>end && <u32>count <= <u32>(end - start)
    const proposed = v128.load(all + (i << 2))
    let met = i16x8.splat(0)
    if (isHere) {
      let at = positions + (<usize>start << 1)
      const last = at + (<usize>count << 1)
      const wanted = i16x8.sub(proposed, moved)
      // Two at a time: this halves the mispredicted loop ends. The one past the end belongs to
      // another document.
      for (; at < last; at += 4) {
        const second = i16x8.eq(wanted, i16x8.splat(load<i16>(at, 2)))
        const isTwo = i16x8.splat(-(<i16>(at + 2 < last)))
        met = v128.or(met, v128.or(i16x8.eq(wanted, i16x8.splat(load<i16>(at))), v128.and(second, isTwo)))
      }
      read += count
    }
    const isLeft = load<i32>(open + i) | <i32>!isHere
    store<i32>(open + left, isLeft)
    v128.store(all + (left << 2), v128.bitselect(proposed, none, met))
    store<usize>(kept + left, i)
    left += (<usize>((isLeft | <i32>v128.any_true(met)) != 0)) << 2
  }
  countPositions(read)
  if (left < (<usize>found) << 2) keepOnly(kept, left)
  return <i32>(left >> 2)
}

/** The phrase's frequency in a match, position by position. */
function walk(match: i32): i32 {
  const at = (<usize>match) << 2
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const ord = load<i32>(ordsOf(c) + at)
    openRuns(c, ord >> 7)
    startPositions(c, ord >> 7, ord & 127)
  }
  return exactFrequency(terms)
}

@inline function phraseSum(freq: f32, doc: i32): f64 {
  return constant() + <f64>scoreOf(cursor(0), phraseWeight(), freq, doc)
}
