/**
 * Takes the documents of a block that all terms of an exact phrase match. A term's positions in a
 * document become a set of 64 bits, moved so that the terms of a phrase meet in one bit: where the sets
 * have none in common there is no phrase, and where all positions are below 64 there are as many as
 * bits. What that leaves open is walked.
 */
import {
  freqAt,
  freqsAt,
  offsetOf,
  openRuns,
  placesOf,
  positionAt,
  runAt,
  runStart,
  runWidth,
  scoreOf,
  startPositions,
} from './cursor'
import { countPositions } from './counters'
import { exactFrequency } from './phrase'
import {
  candidates,
  collect,
  constant,
  cursor,
  leadSlots,
  matches,
  narrowed,
  phraseWeight,
  sums,
  threshold,
} from './plan'
import { prunes, terms } from './required-terms'

/** With more positions in a document, bits would say little: they are walked. */
const MOST: i32 = 32

/** By match: the bits that the terms have in common, u64; and 1 where they do not say all. */
@inline function common(): usize {
  return sums()
}
@inline function isOpen(): usize {
  return candidates()
}

/** Takes the first `given` matches, of which every term's place is noted in `placesOf` it. */
export function finishExact(given: i32): void {
  let found = prunes() ? keepReaching(given) : given
  let most = 0
  for (let i = 0; i < terms; i++) most = max(most, offsetOf(cursor(i)))
  for (let i = 0; i < terms && found > 0; i++) found = meet(i, most - offsetOf(cursor(i)), found)
  const docs = matches()
  for (let k = 0; k < found; k++) {
    const freq = load<i32>(isOpen() + ((<usize>k) << 2))
      ? walk(k)
      : <i32>popcnt(load<u64>(common() + ((<usize>k) << 3)))
    const doc = load<i32>(docs + ((<usize>k) << 2))
    if (freq > 0) collect(doc, <f32>phraseSum(<f32>freq, doc))
  }
}

/** Leaves out the matches that do not reach the threshold where all of the rarest term is in the phrase. */
function keepReaching(found: i32): i32 {
  const docs = matches()
  const freqs = leadSlots()
  const kept = narrowed()
  freqsAt(cursor(0), placesOf(cursor(0)), found, freqs)
  let left: usize = 0
  for (let at: usize = 0; at < (<usize>found) << 2; at += 4) {
    const most = <f32>phraseSum(<f32>load<i32>(freqs + at), load<i32>(docs + at))
    store<usize>(kept + left, at)
    left += (<usize>(most >= threshold)) << 2
  }
  keepOnly(kept, left)
  return <i32>(left >> 2)
}

/** Leaves the matches at these offsets. */
function keepOnly(offsets: usize, end: usize): void {
  const docs = matches()
  for (let i: usize = 0; i < end; i += 4) store<i32>(docs + i, load<i32>(docs + load<usize>(offsets + i)))
  for (let term = 0; term < terms; term++) {
    const places = placesOf(cursor(term))
    for (let i: usize = 0; i < end; i += 4)
      store<i32>(places + i, load<i32>(places + load<usize>(offsets + i)))
  }
}

/** Leaves the matches in which a term's positions, moved by `shift`, meet those of the terms before it. */
function meet(term: i32, shift: i32, found: i32): i32 {
  const c = cursor(term)
  const places = placesOf(c)
  const kept = narrowed()
  const sets = common()
  const open = isOpen()
  let block = -1
  let at: usize = 0
  let width: u32 = 0
  let left: usize = 0
  let read = 0
  for (let i: usize = 0; i < (<usize>found) << 2; i += 4) {
    const place = load<i32>(places + i)
    if (place >> 7 != block) {
      block = place >> 7
      openRuns(c, block)
      at = runAt(c)
      width = runWidth(c)
    }
    const count = freqAt(c, place & 127)
    let bits = ~(<u64>0)
    let isOpenNow = true
    if (count <= MOST) {
      bits = 0
      high = 0
      const start = runStart(c, place & 127)
      if (width <= WIDTH_OF_TWO)
        for (let k = 0; k < count; k += 2) bits |= twoAt(at, width, start + k, shift, count - k)
      else
        for (let k = 0; k < count; k++) bits |= bitOf(positionAt(at, width, start + k) + shift)
      read += count
      // Two at one position are two.
      isOpenNow = high >= 64 || <i32>popcnt(bits) != count
    }
    let wasOpen = 0
    if (term > 0) {
      bits &= load<u64>(sets + (i << 1))
      wasOpen = load<i32>(open + i)
    }
    store<u64>(sets + (left << 1), bits)
    store<i32>(open + left, wasOpen | <i32>isOpenNow)
    store<usize>(kept + left, i)
    left += (<usize>(bits != 0)) << 2
  }
  countPositions(read)
  if (left < (<usize>found) << 2) keepOnly(kept, left)
  return <i32>(left >> 2)
}

/** All positions of the document at hand that were made bits, or'ed. */
let high: u32 = 0

@inline function bitOf(position: i32): u64 {
  high |= <u32>position
  return (<u64>1) << (<u64>position & 63)
}

/** Two positions of so few bits are read at once, wherever in a byte they start. */
const WIDTH_OF_TWO: u32 = 28

/** The bits of up to two positions: how many there are cannot be guessed. */
@inline function twoAt(at: usize, width: u32, index: i32, shift: i32, count: i32): u64 {
  const bit = <u64>index * <u64>width
  const mask = ((<u64>1) << (<u64>width)) - 1
  const word = load<u64>(at + <usize>(bit >> 3)) >> (bit & 7)
  const a = <u32>(word & mask) + <u32>shift
  const b = <u32>((word >> <u64>width) & mask) + <u32>shift
  high |= a | (count > 1 ? b : 0)
  return ((<u64>1) << <u64>(a & 63)) | ((<u64>(count > 1)) << <u64>(b & 63))
}

/** How often the phrase is in a match, position by position. */
function walk(match: i32): i32 {
  const at = (<usize>match) << 2
  for (let i = 0; i < terms; i++) {
    const c = cursor(i)
    const place = load<i32>(placesOf(c) + at)
    openRuns(c, place >> 7)
    startPositions(c, place >> 7, place & 127)
  }
  return exactFrequency(terms)
}

@inline function phraseSum(freq: f32, doc: i32): f64 {
  return constant() + <f64>scoreOf(cursor(0), phraseWeight(), freq, doc)
}
