/**
 * Frequency of a phrase in a document that all its terms have, exact or sloppy. The caller has
 * opened the terms' positions of that document.
 */
import { offsetOf } from './cursor'
import { hasPosition, nextPosition, pairFrequency, positionOf } from './cursor-positions'
import { cursor, phraseOrder, slop } from './plan-record'

/** Number of exact occurrences, led by the rarest term. */
export function exactFrequency(terms: i32): i32 {
  const lead = cursor(0)
  // Most documents fail on two terms already, whose positions stay in registers.
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

/** The max shifted position so far, in `sloppyFrequency`. */
let end: i32 = 0

/**
 * The frequency of terms moved by up to `slop` positions in total, where a match counts 1 / (1 +
 * distance) in float32: Lucene's walk, as in `SloppyPhraseMatcher`. The term with the lowest
 * shifted position is advanced until it passes the next one, and the shortest span on the way
 * counts. No term repeats.
 */
export function sloppyFrequency(terms: i32): f32 {
  const maxLength = slop()
  end = i32.MIN_VALUE
  for (let i = 0; i < terms; i++) {
    const c = inPhrase(i)
    nextPosition(c)
    end = max(end, shiftedPosition(c))
  }
  let freq: f32 = 0
  let isOpen = true
  while (isOpen) {
    let term = lowest(terms, 0)
    let next = shiftedPosition(lowest(terms, term))
    let length = end - shiftedPosition(term)
    isOpen = false
    while (hasPosition(term)) {
      nextPosition(term)
      const shifted = shiftedPosition(term)
      end = max(end, shifted)
      if (shifted > next) {
        if (length <= maxLength) {
          isOpen = true
          break
        }
        term = lowest(terms, 0)
        next = shiftedPosition(lowest(terms, term))
        length = end - shiftedPosition(term)
      } else length = min(length, end - shifted)
    }
    if (length <= maxLength) freq += <f32>(1.0 / (1.0 + <f64>length))
  }
  return freq
}

/**
 * Upper bound of the sloppy frequency: every span but the last ends with an advance. Two terms end
 * spans in alternation, so that the rarer one's advances bound them too.
 */
export function maxSloppy(terms: i32, sum: i32, minFreq: i32): i32 {
  const moves = sum - terms + 1
  return terms == 2 ? min(moves, 2 * minFreq) : moves
}

/** The same for impacts, which are frequencies times inverse lengths. */
export function maxSloppyImpact(terms: i32, sum: f64, minImpact: f32): f32 {
  return <f32>(terms == 2 ? min(sum, 2 * <f64>minImpact) : sum)
}

/** A term by its ord in the phrase: the order that breaks ties. */
@inline function inPhrase(i: i32): usize {
  return load<usize>(phraseOrder() + ((<usize>i) << 2))
}

/** A term's position less its phrase offset: equal for all terms of an exact match. */
@inline function shiftedPosition(c: usize): i32 {
  return positionOf(c) - offsetOf(c)
}

/** The term with the lowest shifted position, ties by phrase order, except `except`. */
function lowest(terms: i32, except: usize): usize {
  let best: usize = 0
  let lowestAt = i32.MAX_VALUE
  for (let i = 0; i < terms; i++) {
    const c = inPhrase(i)
    if (c == except) continue
    const shifted = shiftedPosition(c)
    if (best && shifted >= lowestAt) continue
    best = c
    lowestAt = shifted
  }
  return best
}
