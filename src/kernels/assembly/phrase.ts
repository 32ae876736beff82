/**
 * How often a phrase occurs in a document that all its terms match: where they stand exactly at their
 * places, or near them (slop). The caller has made the document's positions the terms' current ones.
 */
import { offsetOf } from './cursor'
import { hasPosition, nextPosition, pairFrequency, positionOf } from './cursor-positions'
import { cursor, phraseOrder, slop } from './plan'

/** How often all terms stand at their places; the rarest of them proposes. */
export function exactFrequency(terms: i32): i32 {
  const lead = cursor(0)
  // Most documents fail by two terms already, for which positions stay in registers.
  const pairs = pairFrequency(lead, cursor(1))
  if (terms == 2 || pairs == 0) return pairs
  const offset = offsetOf(lead)
  let freq = 0
  while (hasPosition(lead)) {
    const begin = nextPosition(lead) - offset
    let isThere = true
    for (let i = 1; i < terms; i++) {
      const c = cursor(i)
      const wanted = begin + offsetOf(c)
      let position = positionOf(c)
      while (position < wanted) {
        if (!hasPosition(c)) return freq
        position = nextPosition(c)
      }
      if (position != wanted) {
        isThere = false
        break
      }
    }
    freq += <i32>isThere
  }
  return freq
}

/** The furthest place of a term so far, in `sloppyFrequency`. */
let end: i32 = 0

/**
 * The frequency of terms that are moved about by at most `slop` positions together, a place counting
 * 1 / (1 + distance) in float32: Lucene's walk, as `SloppyPhraseMatcher` has it. The term that stands
 * lowest is moved until it passes the next one, and the shortest span on the way counts. No term is
 * there twice.
 */
export function sloppyFrequency(terms: i32): f32 {
  const most = slop()
  end = i32.MIN_VALUE
  for (let i = 0; i < terms; i++) {
    const c = inPhrase(i)
    nextPosition(c)
    end = max(end, placeOf(c))
  }
  let freq: f32 = 0
  let isOpen = true
  while (isOpen) {
    let term = lowest(terms, 0)
    let next = placeOf(lowest(terms, term))
    let length = end - placeOf(term)
    isOpen = false
    while (hasPosition(term)) {
      nextPosition(term)
      const place = placeOf(term)
      end = max(end, place)
      if (place > next) {
        if (length <= most) {
          isOpen = true
          break
        }
        term = lowest(terms, 0)
        next = placeOf(lowest(terms, term))
        length = end - placeOf(term)
      } else length = min(length, end - place)
    }
    if (length <= most) freq += <f32>(1.0 / (1.0 + <f64>length))
  }
  return freq
}

/**
 * No sloppy frequency is above: every span but the last ends with a move. Of two terms one and the
 * other end spans by turns, so that the rarer one's moves bound them too.
 */
export function mostSloppy(terms: i32, sum: i32, least: i32): i32 {
  const moves = sum - terms + 1
  return terms == 2 ? min(moves, 2 * least) : moves
}

/** The same for impacts, which are frequencies times inverse lengths. */
export function mostSloppyImpact(terms: i32, sum: f64, least: f32): f32 {
  return <f32>(terms == 2 ? min(sum, 2 * <f64>least) : sum)
}

/** A term by its place in the phrase: the order in which equals are moved. */
@inline function inPhrase(i: i32): usize {
  return load<usize>(phraseOrder() + ((<usize>i) << 2))
}

/** Where a term stands, less its place in the phrase: equal for all terms of an exact match. */
@inline function placeOf(c: usize): i32 {
  return positionOf(c) - offsetOf(c)
}

/** The term that stands lowest, the earlier in the phrase first; `except` is passed over. */
function lowest(terms: i32, except: usize): usize {
  let best: usize = 0
  let least = i32.MAX_VALUE
  for (let i = 0; i < terms; i++) {
    const c = inPhrase(i)
    if (c == except) continue
    const place = placeOf(c)
    if (best && place >= least) continue
    best = c
    least = place
  }
  return best
}
